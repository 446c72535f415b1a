import { isIP } from "node:net";
import { isLoopback, isPublicAddress } from "./public-address.ts";

/** Ports a web server is found at. */
const PORTS = new Set(["", "443", "8443"]);
/** Names of nobody else's machine, whatever a resolver says of them. */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid|onion)$/;

export type Target = {
  readonly url: URL;
  /** Without brackets. */
  readonly host: string;
  /** The host is a number: there is no name to look up. */
  readonly address: string | null;
};

export type TargetRefusal = "wrong" | "private";

/**
 * Where something of ours may be sent: https, a public name or number, a usual port, no password.
 * `loopback`: the demo's emulated world, and no more than that, by plain http.
 */
export function readTarget(
  text: string,
  { loopback }: { loopback: boolean },
): Target | TargetRefusal {
  if (!URL.canParse(text)) return "wrong";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return "wrong";
  // A name with a dot at its end is the same name: it must not pass for another.
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
