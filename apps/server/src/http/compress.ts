import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";

export type Encoding = "br" | "gzip" | "identity";

export function bestEncoding(accepted: string | undefined): Encoding {
  if (accepted?.includes("br")) return "br";
  return accepted?.includes("gzip") ? "gzip" : "identity";
}

/** Below, a packet carries it either way. */
const WORTH_BYTES = 1_024;
/** A millisecond for most of the gain. */
const QUALITY = 5;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const COMPRESS = {
  br: (plain: Buffer) =>
    toBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain: Buffer) => toGzip(plain, { level: QUALITY }),
} as const;

/**
 * Answers of the calls travel compressed: on 400 kbit/s a seller's start of 60 kB would take a second
 * more. No secret that lasts is in an answer beside what others typed: a token is new at each
 * sign-in, so lengths tell nothing of it.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (!request.url.startsWith("/api/") || reply.hasHeader("content-encoding")) return payload;
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
    if (!/json|text/.test(String(reply.getHeader("content-type")))) return payload;
    if (payload.length < WORTH_BYTES) return payload;
    reply.header("vary", "accept-encoding");
    const encoding = bestEncoding(request.headers["accept-encoding"]);
    if (encoding === "identity") return payload;
    reply.header("content-encoding", encoding).removeHeader("content-length");
    return COMPRESS[encoding](Buffer.from(payload));
  });
}
