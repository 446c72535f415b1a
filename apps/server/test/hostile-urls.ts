/** What is not public, in both families. */
const PRIVATE_V4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.254",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.254",
  "127.0.0.1",
  "127.1.2.3",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "172.16.0.1",
  "172.20.10.1",
  "172.31.255.254",
  "192.0.0.1",
  "192.0.0.170",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.254",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.254",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
];

const PRIVATE_V6 = [
  "::",
  "::1",
  "::2",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::7f00:1",
  "100::1",
  "2001::1",
  "2001:0:7f00:1::",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "2620:4f:8000::1",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe90::1",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "ff05::2",
];

/** One v4 number as browsers have always read it. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll(".", "%2e"),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ];
}

/** Names a stranger owns, and what his resolver says of them. */
export const NAMES_OF_TRAPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...PRIVATE_V4.map((address, nth) => [`trap${nth}.example.com`, [address]] as const),
  ...PRIVATE_V6.map((address, nth) => [`six${nth}.example.com`, [address]] as const),
  ["nonsense.example.com", ["not an address"]] as const,
  ["mixed.example.com", ["1.1.1.1", "::1"]] as const,
]);

const NAMES = [
  "localhost",
  "localhost.",
  "LOCALHOST",
  "app.localhost",
  "server.local",
  "printer.lan",
  "metadata.google.internal",
  "instance-data",
  "db",
  "redis",
  "kubernetes.default.svc.cluster.local",
  "host.docker.internal",
  "router.home",
  "intranet.corp",
  "1.0.0.127.in-addr.arpa",
  "hidden.onion",
  "some.test",
  "some.invalid",
];

const SCHEMES = [
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com/_",
  "data:text/plain,a",
  "javascript:alert(1)",
  "ws://example.com/",
  "blob:https://example.com/a",
  "unix:/var/run/docker.sock",
  "http://example.com/",
  "http://93.184.215.14/",
  "//example.com/",
  "https:/",
  "https://",
  "https://:443/",
  "https://%00/",
  "https://exa mple.com/",
  "",
  " ",
  "null",
];

const PORTS = [0, 1, 22, 25, 53, 80, 110, 143, 465, 587, 993, 2375, 3306, 5432, 6379, 8080, 9200];

/** Addresses no event may go to; `port` is one on which somebody listens on this machine. */
export function hostileUrls(port: number): string[] {
  const urls = [
    ...PRIVATE_V4.slice(0, 14).flatMap((address) =>
      spellings(address).map((host) => `https://${host}/`),
    ),
    ...PRIVATE_V4.flatMap((address) => [`https://${address}/hook`, `http://${address}/`]),
    ...PRIVATE_V6.flatMap((address) => [`https://[${address}]/`, `http://[${address}]:${port}/`]),
    ...["127.0.0.1", "[::1]", "localhost"].flatMap((host) => [
      `https://${host}:${port}/`,
      `https://example.com@${host}:${port}/`,
      `https://user:password@${host}/`,
      `https://${host}:443/#@example.com`,
      `https://${host}:8443/?https://example.com`,
      `https://${host}\\@example.com/`,
    ]),
    ...NAMES.map((name) => `https://${name}/hook`),
    ...Object.keys(NAMES_OF_TRAPS).map((name) => `https://${name}/`),
    ...PORTS.map((each) => `https://example.com:${each}/`),
    ...SCHEMES,
    "https://example.com/#part",
    "https://user@example.com/",
  ];
  return [...new Set(urls)];
}
