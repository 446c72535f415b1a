import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import * as contract from "@sesame/contract";
import { Outage, textOf } from "@sesame/kernel";
import type { FastifyReply } from "fastify";
import { reportOutage } from "../jobs/loop.ts";
import { asOutage } from "../postgres/outages.ts";

/** Ends a request with a refusal: its status, its code, its French sentence. */
export function answerRefusal<const R extends contract.AnyRefusal>(
  reply: FastifyReply,
  refusal: R,
  sentences: contract.Sentences<R>,
): FastifyReply {
  if ("retryAfterSeconds" in refusal) reply.header("retry-after", refusal.retryAfterSeconds);
  return answerSaid(reply, contract.sayRefusal(refusal, sentences));
}

export function answerCommon(reply: FastifyReply, refusal: contract.CommonRefusal): FastifyReply {
  return answerRefusal(reply, refusal, contract.commonRefusals);
}

/** A refusal as text. It has one form, serialised here, and is not in the routes' answer schemas. */
export function answerSaid(
  reply: FastifyReply,
  { status, body }: { status: number; body: contract.RefusalBody },
): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(body);
}

/** An outage of a service; `message` is French, if a page has its own sentence for it. */
export function answerOutage(reply: FastifyReply, outage: Outage, message: string): FastifyReply {
  reportOutage(reply.server.log, outage, reply.request.routeOptions.url ?? "none");
  return answerSaid(reply, { status: 503, body: { success: false, code: "outage", message } });
}

/** The answer to a thrown error. None of its text leaves the server. */
export function answerError(reply: FastifyReply, error: unknown): FastifyReply {
  const request = reply.request;
  const outage = asOutage(error);
  if (outage instanceof Outage) return answerOutage(reply, outage, contract.OUTAGE_MESSAGE);
  const refusal = refusalOf(error);
  if (refusal) return answerCommon(reply, refusal);
  request.log.error({ err: error, requestId: request.id }, "bug");
  const body = { success: false, code: "bug", message: contract.BUG_MESSAGE } as const;
  return answerSaid(reply, { status: 500, body });
}

/** The refusal of an error from Fastify, its plug-ins or PostgreSQL; null for a bug. */
function refusalOf(error: unknown): contract.CommonRefusal | null {
  if (typeof error !== "object" || error === null) return null;
  if ("retryAfterSeconds" in error && typeof error.retryAfterSeconds === "number") {
    return { kind: "request.too-many", retryAfterSeconds: error.retryAfterSeconds };
  }
  // Text that no database stores (NUL), from a field or a parameter instead of JSON.
  if ("code" in error && UNSTORABLE_TEXT.has(textOf(error.code))) {
    return { kind: "request.malformed" };
  }
  const status = "statusCode" in error ? Number(error.statusCode) : 500;
  if (!(status >= 400 && status < 500)) return null;
  return BY_STATUS[status] ?? { kind: "request.malformed" };
}

const BY_STATUS: Readonly<Record<number, contract.CommonRefusal>> = {
  404: { kind: "request.not-found" },
  413: { kind: "request.too-large" },
  415: { kind: "request.unsupported-type" },
};

/** SQLSTATE character_not_in_repertoire and untranslatable_character. */
const UNSTORABLE_TEXT = new Set(["22021", "22P05"]);

/** A request that was not complete in time (`requestTimeout`, `headersTimeout`). */
const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";

/**
 * Bytes that are no HTTP, or that came too slowly: refused on the socket, without a request to
 * answer.
 */
export function answerUnreadable(error: unknown, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const isLate = error instanceof Error && "code" in error && error.code === TIMED_OUT;
  const kind = isLate ? "request.too-slow" : "request.malformed";
  const { status, body } = contract.sayRefusal({ kind }, contract.commonRefusals);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}
