import { BlockList, isIP, isIPv6 } from "node:net";

/** What no machine of the public Internet has: IANA's special-purpose registries of both families. */
const RESERVED_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Metadata of a cloud, at a public number.
  ["168.63.129.16", 32],
];

/** Inside 2000::/3, the only part of IPv6 that is public at all. */
const RESERVED_V6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 carries a v4 address, private ones too.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const reserved = new BlockList();
for (const [network, bits] of RESERVED_V4) reserved.addSubnet(network, bits, "ipv4");
for (const [network, bits] of RESERVED_V6) reserved.addSubnet(network, bits, "ipv6");
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an address is one of the public Internet. Everything of IPv6 outside 2000::/3 is not:
 * mapped v4, NAT64, unique local, link local, multicast and loopback alike.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv6(address)) return unicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return !reserved.check(address, "ipv4");
}

export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}
