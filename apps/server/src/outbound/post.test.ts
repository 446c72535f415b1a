import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createResolve, isPublicAddress, post, type PostOptions, readTarget } from "./post.ts";

/** Counts connections to loopback, on every tried port. */
let connections = 0;

const trap = createServer((socket: Socket) => {
  connections += 1;
  socket.destroy();
});
const port = await listenOn(trap, "::");
afterAll(() => new Promise((resolve) => trap.close(resolve)));

/** → the port */
async function listenOn(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const options = (more: Partial<PostOptions> = {}): PostOptions => ({
  loopback: false,
  resolve: async () => ["127.0.0.1"],
  timeoutMs: 60_000,
  answerBytes: 1_024,
  ...more,
});
const sendTo = (url: string, more?: Partial<PostOptions>, signal?: AbortSignal) =>
  post(options(more), { url, headers: {}, body: "{}" }, signal);
const failed = (failure: string) => ({ kind: "failed", failure });

describe("300 hostile addresses", () => {
  test("get no connection to an address that is not public, whatever their names resolve to", async () => {
    const urls = hostileUrls(port);
    expect(urls.length).toBeGreaterThanOrEqual(300);
    expect(new Set(urls).size).toBe(urls.length);
    await Promise.all(
      urls.map(async (url) => {
        const resolved: string[] = [];
        const resolve = async (name: string) => {
          resolved.push(name);
          return NAMES_OF_TRAPS[name] ?? ["127.0.0.1"];
        };
        expect(await sendTo(url, { resolve }), url).toEqual(failed("address"));
        // Resolved once at most: a second answer cannot differ.
        expect(resolved.length, url).toBeLessThanOrEqual(1);
      }),
    );
    expect(connections).toBe(0);
  });

  test("the trap would count: with the demo's option it is reached", async () => {
    await sendTo(`http://127.0.0.1:${port}/`, { loopback: true });
    expect(connections).toBe(1);
    connections = 0;
  });

  test("the demo's option opens loopback over http, and nothing else", async () => {
    for (const url of hostileUrls(port)) {
      const target = readTarget(url, { loopback: true });
      if (typeof target === "string") continue;
      const own = target.address === "127.0.0.1" || /^127\.|^::1$/.test(target.address ?? "");
      const named = target.url.protocol === "https:" && target.address === null;
      expect(own || named, url).toBe(true);
    }
  });

  test("a name that would resolve differently the second time is not resolved a second time", async () => {
    let asked = 0;
    const resolve = async () => (++asked === 1 ? ["203.0.114.9"] : ["127.0.0.1"]);
    const posted = await sendTo("https://rebinding.example.com/", { resolve, timeoutMs: 300 });
    expect(posted.kind).toBe("failed");
    expect([asked, connections]).toEqual([1, 0]);
  });

  test("a public address among others that are not public is refused", async () => {
    const resolve = async () => ["93.184.215.14", "10.0.0.1"];
    expect(await sendTo("https://both.example.com/", { resolve })).toEqual(failed("address"));
  });

  test("a resolver that never answers times out", async () => {
    const resolve = () => new Promise<never>(() => {});
    const posted = await sendTo("https://slow.example.com/", { resolve, timeoutMs: 50 });
    expect(posted).toEqual(failed("timeout"));
  });
});

describe("a name", () => {
  const QUESTION = 12;
  const A = 1;
  const [V4, V6] = ["5db8d70e", "26064700000000000000000000001111"];

  /** A name server with one name, in both families, that does not answer about others. */
  async function serveNames() {
    const socket = createSocket("udp4");
    socket.on("message", (asked, { port: from, address }) => {
      if (asked.includes("silent")) return;
      const end = asked.indexOf(0, QUESTION) + 5;
      const type = asked.readUInt16BE(end - 4);
      const value = Buffer.from(type === A ? V4 : V6, "hex");
      const head = Buffer.from([...asked.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
      const record = Buffer.from([0xc0, QUESTION, 0, type, 0, 1, 0, 0, 0, 60, 0, value.length]);
      const answer = Buffer.concat([head, asked.subarray(QUESTION, end), record, value]);
      socket.send(answer, from, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    onTestFinished(() => void socket.close());
    return createResolve([`127.0.0.1:${socket.address().port}`]);
  }

  test("has the addresses of both families", async () => {
    const resolve = await serveNames();
    expect(await resolve("shop.example.com")).toEqual(["93.184.215.14", "2606:4700::1111"]);
  });

  test("whose servers are silent delays no other name", async () => {
    const resolve = await serveNames();
    const stop = new AbortController();
    const posting = Array.from({ length: 8 }, (_, nth) =>
      sendTo(`https://silent${nth}.example.com/`, { resolve }, stop.signal),
    );
    const others = Promise.all([resolve("shop.example.com"), lookup("localhost")]);
    const first = Promise.race([others.then(() => "others"), ...posting]);
    expect(await first).toBe("others");
    stop.abort();
    for (const posted of await Promise.all(posting)) expect(posted).toEqual(failed("timeout"));
  });
});

/** Beside those of `PRIVATE_V4`. */
const PUBLIC = `
  93.184.215.14 1.1.1.1 41.85.160.1 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1
  169.253.0.1 223.255.255.255 2606:4700::1111 2a00:1450:4007::200e
  `;
test.each(PUBLIC.trim().split(/\s+/))("the address %s is public", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

describe("an answer", () => {
  /** → its address, until the test is over */
  async function serve(server: Server) {
    const connected = new Set<Socket>();
    server.on("connection", (socket) => connected.add(socket));
    const at = await listenOn(server, "127.0.0.1");
    onTestFinished(() => {
      for (const socket of connected) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return `http://127.0.0.1:${at}/`;
  }

  test("of 20 MB is read to its first kilobyte", async () => {
    const server = createHttpServer((_, reply) => {
      const send = () => {
        while (!reply.destroyed && reply.write("x".repeat(65_536)));
      };
      reply.on("drain", send);
      send();
    });
    const posted = await sendTo(await serve(server), { loopback: true });
    expect(posted).toEqual({ kind: "answered", status: 200, answer: "x".repeat(1_024) });
  });

  test("that redirects is an answer, and is not followed", async () => {
    const server = createHttpServer((_, reply) => {
      reply.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end("là-bas");
    });
    const posted = await sendTo(await serve(server), { loopback: true });
    expect(posted).toEqual({ kind: "answered", status: 307, answer: "là-bas" });
    expect(connections).toBe(0);
  });

  const UPGRADE =
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
  test.each([
    ["asks for another protocol", UPGRADE, "unreachable"],
    ["says 100 again and again", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000), "timeout"],
    [
      "has 100 kB of headers",
      `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`,
      "unreachable",
    ],
    ["is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "unreachable"],
  ])("that %s ends", async (_what, said, failure) => {
    const server = createServer((socket: Socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.write(said));
    });
    const timeoutMs = failure === "timeout" ? 500 : 60_000;
    const posted = await sendTo(await serve(server), { loopback: true, timeoutMs });
    expect(posted).toEqual(failed(failure));
  });

  test("that never comes is waited for no longer than the limit", async () => {
    const url = await serve(createHttpServer(() => {}));
    const stop = new AbortController();
    const patient = sendTo(url, { loopback: true }, stop.signal);
    const posted = sendTo(url, { loopback: true, timeoutMs: 150 });
    const first = await Promise.race([patient.then(() => "after the patient one"), posted]);
    expect(first).toEqual(failed("timeout"));
    stop.abort();
    await patient;
  });
});

/** Addresses that are not public, in both families. */
const PRIVATE_V4 = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.254 100.64.0.1 100.100.100.200 100.127.255.254 127.0.0.1
  127.1.2.3 127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1
  172.20.10.1 172.31.255.254 192.0.0.1 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
  192.168.0.1 192.168.255.254 192.175.48.1 198.18.0.1 198.19.255.254 198.51.100.7 203.0.113.9
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
`
  .trim()
  .split(/\s+/);

const PRIVATE_V6 = `
  :: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
  ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::7f00:1 100::1 2001::1
  2001:0:7f00:1:: 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe::1
  2620:4f:8000::1 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fe80::1 fe90::1 febf::1
  fec0::1 ff02::1 ff05::2
`
  .trim()
  .split(/\s+/);

/** The forms of a v4 number that browsers accept. */
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

/** A stranger's names, with the answers of his resolver. */
const NAMES_OF_TRAPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...PRIVATE_V4.map((address, nth) => [`trap${nth}.example.com`, [address]] as const),
  ...PRIVATE_V6.map((address, nth) => [`six${nth}.example.com`, [address]] as const),
  ["nonsense.example.com", ["not an address"]] as const,
  ["mixed.example.com", ["1.1.1.1", "::1"]] as const,
]);

const NAMES = `
  localhost localhost. LOCALHOST app.localhost server.local printer.lan metadata.google.internal
  instance-data db redis kubernetes.default.svc.cluster.local host.docker.internal router.home
  intranet.corp 1.0.0.127.in-addr.arpa hidden.onion some.test some.invalid
  `
  .trim()
  .split(/\s+/);

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

/** Addresses to which no event may go; on `port` this machine listens. */
function hostileUrls(port: number): string[] {
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
