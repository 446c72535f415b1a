import {
  type AnyRefusal,
  BUG_MESSAGE,
  type CommonRefusal,
  commonRefusals,
  OUTAGE_MESSAGE,
  type RefusalBody,
  type Sentences,
  sayRefusal,
} from "@sesame/contract";
import { Outage } from "@sesame/kernel";
import type { FastifyReply } from "fastify";

/** Ends a request with a refusal: its status, its code, its French sentence. */
export function answerRefusal<R extends AnyRefusal>(
  reply: FastifyReply,
  refusal: R,
  sentences: Sentences<R>,
): FastifyReply {
  const { status, body } = sayRefusal(refusal, sentences);
  return sendBody(reply, status, body);
}

export function answerCommon(reply: FastifyReply, refusal: CommonRefusal): FastifyReply {
  if (refusal.kind === "request.too-many") reply.header("retry-after", refusal.retryAfterSeconds);
  return answerRefusal(reply, refusal, commonRefusals);
}

/** Refusals are not in the routes' answer schemas: they have one shape, serialised here. */
function sendBody(reply: FastifyReply, status: number, body: RefusalBody): FastifyReply {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(body);
}

/** What the frames make of a thrown error. Nothing of its text leaves the server. */
export function answerError(reply: FastifyReply, error: unknown): FastifyReply {
  const request = reply.request;
  if (error instanceof Outage) {
    request.log.warn({ party: error.party, message: error.message }, "outage");
    return sendBody(reply, 503, { success: false, code: "outage", message: OUTAGE_MESSAGE });
  }
  const status = statusOf(error);
  if (status === 413) return answerCommon(reply, { kind: "request.too-large" });
  if (status >= 400 && status < 500) return answerCommon(reply, { kind: "request.malformed" });
  request.log.error({ err: error, requestId: request.id }, "bug");
  return sendBody(reply, 500, { success: false, code: "bug", message: BUG_MESSAGE });
}

function statusOf(error: unknown): number {
  if (typeof error === "object" && error !== null && "statusCode" in error) {
    return typeof error.statusCode === "number" ? error.statusCode : 500;
  }
  return 500;
}
