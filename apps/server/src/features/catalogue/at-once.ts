import type { Clock } from "@sesame/kernel";
import type { AtOnce } from "../../http/at-once.ts";
import { addressKey } from "../../http/client-address.ts";
import { CALLS_A_MINUTE } from "../../http/limits.ts";
import { createMinuteCounter } from "../../http/minute-counter.ts";
import type { Catalogue } from "./index.ts";

const PATH = "/api/public/products/";

/** Names and values in turn, as Node writes them fastest. */
const HEADERS: readonly string[] = [
  "content-type",
  "application/json; charset=utf-8",
  "cache-control",
  "no-cache",
  "content-security-policy",
  "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options",
  "nosniff",
  "content-length",
];

/**
 * A product page kept in memory, read by a stranger. Whoever shows a token is counted as a view,
 * and goes through the route, as does the reader who finds it too old.
 */
export function productsAtOnce(catalogue: Pick<Catalogue, "freshProduct">, clock: Clock): AtOnce {
  // Beyond, the route answers, which has a limit by the caller's address, a proxy's callers apart.
  const asked = createMinuteCounter(clock);
  return (request, response) => {
    const { method, url = "" } = request;
    if (method !== "GET" || !url.startsWith(PATH)) return false;
    if (hasToken(request.rawHeaders)) return false;
    const reference = url.slice(PATH.length);
    // Products are also kept by ids, under names with a slash.
    const kept = reference.includes("/") ? null : catalogue.freshProduct(reference);
    if (!kept) return false;
    const address = addressKey(request.socket.remoteAddress ?? "");
    if (asked.count(address) > CALLS_A_MINUTE.productAtOnce) return false;
    response.writeHead(200, [...HEADERS, kept.bodyBytes]);
    response.end(kept.body);
    return true;
  };
}

const TOKEN_HEADER = "authorization";

/** Without having Node make an object of all headers. */
function hasToken(rawHeaders: readonly string[]): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === TOKEN_HEADER.length && name.toLowerCase() === TOKEN_HEADER) return true;
  }
  return false;
}
