import { Resolver } from "node:dns/promises";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6 } from "node:net";
import { textOf } from "@sesame/kernel";
import { isLoopback, isPublicAddress } from "./public-address.ts";
import { readTarget, type Target } from "./target.ts";

export type Failure = "timeout" | "unreachable" | "name" | "address" | "tls";

export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly answer: string }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type PostOptions = {
  /** The demo's emulated world may be reached: see `readTarget`. */
  readonly loopback: boolean;
  readonly resolve: Resolve;
  /** For everything: name, connection, answer. */
  readonly timeoutMs: number;
  /** Of the answer, so much is read. */
  readonly answerBytes: number;
};

export type Letter = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const NAME_TRIES = { timeout: 2_500, tries: 2 } as const;

/**
 * Asks the machine's name servers, or others. Not `dns.lookup`: two threads do it for the whole
 * process, and behind twenty names of silent servers a payment provider's waited 100 s.
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
 * Posts to an address a stranger gave (R12): its name is resolved once, every address it has must
 * be public, and the connection goes to the very one that was looked at. Redirects are answers like
 * any other; of an answer only the first bytes are read.
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
  const address = target.address ?? (await resolveOnce(options, target.host, signal));
  if (typeof address !== "string") return address;
  return send({ target, address, letter }, { ...options, signal });
}

async function resolveOnce(
  { resolve }: PostOptions,
  host: string,
  signal: AbortSignal,
): Promise<string | Posted> {
  const given = await Promise.race([resolve(host).catch(() => []), aborted(signal)]);
  if (given === null) return { kind: "failed", failure: "timeout" };
  const [first] = given;
  if (first === undefined) return { kind: "failed", failure: "name" };
  // One that is not public among others is a trap, or a mistake: neither is served.
  return given.every(isPublicAddress) ? first : { kind: "failed", failure: "address" };
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
      // TLS asks for the name, not for the number that is called.
      ...(secure && target.address === null ? { servername: host } : {}),
      headers: {
        ...letter.headers,
        host: url.host,
        "content-length": Buffer.byteLength(letter.body),
      },
      agent: false,
      signal,
      maxHeaderSize: 8_192,
      // `address` is a number: nothing is left to look up, and nothing ever is.
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
    // Who asks for another protocol is left without an error and without a response.
    request.on("close", () => {
      if (!responded) resolve({ kind: "failed", failure: nameOf(null, signal) });
    });
    request.end(letter.body);
  });
}

/** The first bytes, as text that can be stored and shown; the rest is not waited for. */
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
