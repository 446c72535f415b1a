import { Resolver } from "node:dns/promises";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, isIP, BlockList } from "node:net";
import { textOf } from "@sesame/kernel";

export type Failure = "timeout" | "unreachable" | "name" | "address" | "tls";

export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly answer: string }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type PostOptions = {
  /** The demo's emulators are allowed: see `readTarget`. */
  readonly loopback: boolean;
  readonly resolve: Resolve;
  /** For everything: name, connection, answer. */
  readonly timeoutMs: number;
  /** The part of the answer that is read. */
  readonly answerBytes: number;
};

export type Letter = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const NAME_TRIES = { timeout: 2_500, tries: 2 } as const;

/**
 * Resolves names with the machine's name servers, or with others. Not `dns.lookup`: it has two threads for
 * the whole process, and behind twenty names of silent servers a payment provider's name waited 100 s.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver(NAME_TRIES);
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const families = [resolver.resolve4(name), resolver.resolve6(name)];
    const found = await Promise.allSettled(families);
    return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
  };
}

/**
 * Posts to an address from a stranger (R12): its name is resolved once, every address of it must be
 * public, and the connection goes to the checked one. Redirects are answers like any other; only
 * the first bytes of an answer are read.
 */
export async function post(
  options: PostOptions,
  letter: Letter,
  stop?: AbortSignal,
): Promise<Posted> {
  const target = readTarget(letter.url, options);
  if (typeof target === "string") return { kind: "failed", failure: "address" };
  const late = AbortSignal.timeout(options.timeoutMs);
  const signal = stop ? AbortSignal.any([late, stop]) : late;
  const { address } = target;
  if (address !== null) return send({ target, address, letter }, { ...options, signal });
  const asked = options.resolve(target.host).catch(() => []);
  const given = await Promise.race([asked, aborted(signal)]);
  if (given === null) return { kind: "failed", failure: "timeout" };
  const [first] = given;
  if (first === undefined) return { kind: "failed", failure: "name" };
  // One that is not public among others is a trap, or a mistake: the name is refused.
  if (!given.every(isPublicAddress)) return { kind: "failed", failure: "address" };
  return send({ target, address: first, letter }, { ...options, signal });
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

function send(
  { target, address, letter }: { target: Target; address: string; letter: Letter },
  { signal, answerBytes, loopback }: PostOptions & { signal: AbortSignal },
): Promise<Posted> {
  const { url, host } = target;
  const secure = url.protocol === "https:";
  return new Promise((resolve) => {
    const request = (secure ? requestHttps : requestHttp)({
      method: "POST",
      host: address,
      family: isIPv6(address) ? 6 : 4,
      port: url.port === "" ? 443 : Number(url.port),
      path: url.pathname + url.search,
      // TLS verifies the name, not the number of the connection.
      ...(secure && target.address === null ? { servername: host } : {}),
      headers: {
        ...letter.headers,
        host: url.host,
        "content-length": Buffer.byteLength(letter.body),
      },
      agent: false,
      signal,
      maxHeaderSize: 8_192,
      // `address` is a number: nothing is resolved any more.
      lookup: (_name, _options, done) => done(new Error("names are resolved before"), "", 4),
    });
    request.on("socket", (socket) => {
      socket.once("connect", () => {
        const peer = socket.remoteAddress ?? "";
        if (!isPublicAddress(peer) && !(loopback && isLoopback(peer))) request.destroy();
      });
    });
    let responded = false;
    request.on("response", (response) => {
      responded = true;
      readSome(response, answerBytes).then(
        (answer) => resolve({ kind: "answered", status: response.statusCode ?? 0, answer }),
        () => resolve({ kind: "answered", status: response.statusCode ?? 0, answer: "" }),
      );
    });
    request.on("error", (error) => resolve({ kind: "failed", failure: nameOf(error, signal) }));
    // An answer with a protocol upgrade causes neither an error nor a response.
    request.on("close", () => {
      if (!responded) resolve({ kind: "failed", failure: nameOf(null, signal) });
    });
    request.end(letter.body);
  });
}

/** The first bytes, as text that can be stored and displayed; the rest is not awaited. */
async function readSome(response: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= limit) break;
  }
  response.destroy();
  const text = Buffer.concat(chunks).subarray(0, limit).toString("utf8");
  return text.toWellFormed().replaceAll("\0", "\ufffd").slice(0, limit);
}

function nameOf(error: Error | null, signal: AbortSignal): Failure {
  if (signal.aborted) return "timeout";
  const code = error && "code" in error ? textOf(error.code) : "";
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? "tls" : "unreachable";
}

/** Usual ports of a web server. */
const PORTS = new Set(["", "443", "8443"]);
/** Names of this machine or network, whatever a resolver answers. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid|onion)$/;

type Target = Exclude<ReturnType<typeof readTarget>, string>;

/**
 * Where we may send: https, a public name or number, a usual port, no password. `loopback`: only
 * the demo's emulators, by plain http. `address`: a host that is a number, which needs no lookup.
 */
export function readTarget(text: string, { loopback }: { loopback: boolean }) {
  if (!URL.canParse(text)) return "wrong";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return "wrong";
  // A name with a final dot is the same name: it must not be treated as another.
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const address = isIP(host) === 0 ? null : host;
  if (loopback && url.protocol === "http:" && (host === "localhost" || isLoopback(host))) {
    const own = host === "localhost" ? "127.0.0.1" : host;
    return Number(url.port) >= 1_024 ? { url, host, address: own } : "private";
  }
  if (url.protocol !== "https:") return "wrong";
  if (address !== null && !isPublicAddress(address)) return "private";
  if (address === null && (!host.includes(".") || LOCAL_NAME.test(host))) return "private";
  return PORTS.has(url.port) ? { url, host, address } : "private";
}

/** Addresses outside the public Internet: IANA's special-purpose registries of both families. */
const RESERVED = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
  198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2620:4f:8000::/48 3fff::/20`;
/** A cloud's metadata service has a public number; 6to4 contains a v4 address, perhaps a private one. */
const TRAPS = "168.63.129.16/32 2002::/16";

const reserved = new BlockList();
for (const subnet of `${RESERVED} ${TRAPS}`.trim().split(/\s+/)) {
  const [network = "", bits] = subnet.split("/");
  reserved.addSubnet(network, Number(bits), isIPv6(network) ? "ipv6" : "ipv4");
}
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");

/**
 * Whether an address is on the public Internet. All of IPv6 outside 2000::/3 is not: mapped v4,
 * NAT64, unique local, link local, multicast and loopback.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv6(address)) return unicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return !reserved.check(address, "ipv4");
}

export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
}
