import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * Whose requests are counted together: an IPv4 address, or the /64 of an IPv6 one, which is what a
 * subscriber is given: within it he may take a new address for each request.
 */
export function addressKey(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  if (!isIPv6(bare)) return bare;
  const [head = "", tail] = bare.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const after = (tail ?? "").split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const whole = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** The address of a request that no framework has read: the same choice as Fastify's `request.ip`. */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const said = [request.headers["x-forwarded-for"] ?? ""].flat().join(",").split(",");
  const hops = said.map((hop) => hop.trim()).filter((hop) => hop !== "");
  const chain = [request.socket.remoteAddress ?? "", ...hops.reverse()];
  return chain[Math.min(trustedProxies, chain.length - 1)] ?? "";
}
