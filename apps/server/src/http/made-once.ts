import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { bestEncoding, encodeOnce } from "./compress.ts";

/** An answer that is the same for every caller: its bytes, encodings and tag are made once. */
export type MadeOnce = {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

const QUALITY = 9;

export function makeOnce(text: string, type: string): MadeOnce {
  const plain = Buffer.from(text);
  const hash = createHash("sha256").update(plain).digest("base64url");
  // Weak: the same for each encoding.
  const tag = `W/"${hash.slice(0, 22)}"`;
  const bodyIn = encodeOnce(plain, QUALITY);
  return {
    async send(request, reply) {
      reply.header("etag", tag).header("cache-control", "no-cache");
      reply.header("vary", "accept-encoding").type(type);
      if (request.headers["if-none-match"] === tag) return reply.code(304).send();
      const encoding = bestEncoding(request.headers["accept-encoding"]);
      if (encoding !== "identity") reply.header("content-encoding", encoding);
      return reply.send(await bodyIn(encoding));
    },
  };
}
