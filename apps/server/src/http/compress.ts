import { constants, crc32, deflateRawSync, brotliCompress, gzip } from "node:zlib";
import { promisify } from "node:util";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { createRecent } from "./caches.ts";

export type Encoding = "br" | "gzip" | "identity";

export function bestEncoding(accepted: string | undefined): Encoding {
  if (accepted?.includes("br")) return "br";
  return accepted?.includes("gzip") ? "gzip" : "identity";
}

/** A smaller body fits in one packet uncompressed. */
const WORTH_BYTES = 1_024;
/** Of answers that are compressed at each call: a millisecond for most of the gain. */
const QUALITY = 5;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

const COMPRESS = {
  br: (plain: Buffer, quality: number) =>
    toBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain: Buffer, quality: number) => toGzip(plain, { level: Math.min(9, quality) }),
} as const;

/** The same bytes in the requested encoding, each created at its first request, and kept. */
export type EncodedOnce = (encoding: Encoding) => Promise<Buffer>;

/** @param quality of brotli: 11 for what is served for long, less for what changes. */
export function encodeOnce(plain: Buffer, quality = QUALITY): EncodedOnce {
  const made = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const body =
      made.get(encoding) ??
      (encoding === "identity" ? Promise.resolve(plain) : COMPRESS[encoding](plain, quality));
    made.set(encoding, body);
    return body;
  };
}

/** For what is served for as long as a release. */
export const BEST_QUALITY = 11;

/** In the best encoding that the caller accepts, or one that exists already. */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  bodyIn: EncodedOnce,
  encoding = bestEncoding(request.headers["accept-encoding"]),
): Promise<FastifyReply> {
  reply.header("vary", "accept-encoding");
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.send(await bodyIn(encoding));
}

/** Public answers of one moment: plans, durations, payment methods. */
const KEPT_ANSWERS = 64;

/**
 * Compresses API answers: at 400 kbit/s a seller's start of 60 kB would take a second more. No
 * lasting secret is in an answer beside others' text: a token is new at each sign-in, so lengths
 * reveal nothing of it.
 */
export function compressAnswers(app: FastifyInstance): void {
  const recent = createRecent<EncodedOnce>(KEPT_ANSWERS);
  app.addHook("onSend", async (request, reply, payload) => {
    if (!request.url.startsWith("/api/") || reply.hasHeader("content-encoding")) return payload;
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return payload;
    if (!/json|text/.test(String(reply.getHeader("content-type")))) return payload;
    if (payload.length < WORTH_BYTES) return payload;
    reply.header("vary", "accept-encoding");
    const encoding = bestEncoding(request.headers["accept-encoding"]);
    if (encoding === "identity") return payload;
    reply.header("content-encoding", encoding).removeHeader("content-length");
    const encode = () => encodeOnce(Buffer.from(payload));
    // Public answers are mostly the same for all: compressed once while they are.
    const isShared = request.routeOptions.config.access === "public" && typeof payload === "string";
    return (isShared ? recent.get(payload, encode) : encode())(encoding);
  });
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * Compresses a common beginning of documents once, and adds each end without compressing the
 * beginning again. The result is one ordinary gzip stream: DEFLATE blocks can be concatenated, and
 * a checksum can be continued (RFC 1951, 1952).
 */
export function createSplicedGzip(beginning: Buffer): (end: Buffer) => Buffer {
  const blocks = deflateRawSync(beginning, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const checksum = crc32(beginning);
  return (end) => {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, checksum), 0);
    trailer.writeUInt32LE((beginning.length + end.length) % 2 ** 32, 4);
    return Buffer.concat([HEADER, blocks, deflateRawSync(end), trailer]);
  };
}

const BEST_ANSWER = 9;

/** An answer that is the same for every caller: its bytes, encodings and tag are created at its first request. */
export function sendOnce(make: () => string, type: string) {
  let made: { readonly tag: string; readonly bodyIn: EncodedOnce } | null = null;
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (made === null) {
      const plain = Buffer.from(make());
      const hash = createHash("sha256").update(plain).digest("base64url");
      // Weak: the same for each encoding.
      made = { tag: `W/"${hash.slice(0, 22)}"`, bodyIn: encodeOnce(plain, BEST_ANSWER) };
    }
    const { tag, bodyIn } = made;
    reply.header("etag", tag).header("cache-control", "no-cache");
    if (request.headers["if-none-match"] !== tag) {
      return sendEncoded(request, reply.type(type), bodyIn);
    }
    return reply.header("vary", "accept-encoding").code(304).send();
  };
}
