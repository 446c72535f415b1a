import type { IncomingMessage } from "node:http";
import { commonRefusals } from "@sesame/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerCommon } from "./answers.ts";
import { type BodyMeter, createBodyMeter, type HeldBody } from "./body-meter.ts";
import { addressKey } from "./client-address.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of the body as they came; null without one, and for multipart. */
    rawBody: Buffer | null;
  }
}

/**
 * Bodies under way, uploads apart. From one address: 500 webhooks a second of the largest size,
 * each held for a whole second.
 */
const BODY_BYTES = { perKeyBytes: 32 * 1024 * 1024, allBytes: 64 * 1024 * 1024 } as const;

/** Long enough for a body that was cut to be sent again after those that trickle have timed out. */
const RETRY_AFTER_SECONDS = 5;

/**
 * What may come in: JSON, multipart (its plugin's), and the bytes of webhooks, signed as they are,
 * whatever type they claim. Anything else is refused before a handler sees it.
 */
export function acceptBodies(
  app: FastifyInstance,
  meter: BodyMeter = createBodyMeter(BODY_BYTES),
): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.decorateRequest("rawBody", null);
  // By callback: promises cost a webhook a tenth of its time.
  app.addHook("preParsing", (...[request, reply, payload, done]) => {
    // An unknown address is answered before its body has come.
    if (request.is404 || !carriesBody(request) || isMultipart(request)) return done(null, payload);
    readBody(meter, { request, reply }, (error) => done(error, payload));
  });
  app.removeContentTypeParser("text/plain");
  app.addContentTypeParser("application/json", (request, _payload, done) => {
    const { rawBody } = request;
    if (request.routeOptions.config.access === "notice") return done(null, rawBody ?? undefined);
    const text = rawBody?.toString() ?? "";
    if (text.trim() === "") return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      if (error) return done(error);
      return isSound(value) ? done(null, value) : done(refused(400));
    });
  });
  app.addContentTypeParser("*", ({ rawBody, routeOptions }, _payload, done) => {
    if (routeOptions.config.access === "notice") return done(null, rawBody ?? undefined);
    if (rawBody === null || rawBody.length === 0) return done(null, undefined);
    return done(refused(commonRefusals["request.unsupported-type"].status));
  });
}

function carriesBody({ method, headers }: FastifyRequest): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || (lengthOf(headers) ?? 0) > 0;
}

export function isMultipart({ headers, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.access === "notice") return false;
  return /^multipart\//i.test(headers["content-type"] ?? "");
}

/** As the sender announced it; null when it did not, and sends in chunks. */
export function lengthOf(headers: IncomingMessage["headers"]): number | null {
  const length = headers["content-length"];
  return length === undefined ? null : Number(length);
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/**
 * Reads the body into `request.rawBody`, or answers why not and never calls `done`. What still comes after an answer is
 * thrown away as it arrives, so that the sender reads the status and meets no reset connection;
 * the server's `requestTimeout` ends who goes on sending.
 */
function readBody(meter: BodyMeter, { request, reply }: Exchange, done: (error?: Error) => void) {
  const { raw, routeOptions } = request;
  const { bodyLimit } = routeOptions;
  const pieces: Buffer[] = [];
  let length = 0;
  const held: HeldBody = meter.open(addressKey(request.ip), (reason) => {
    stop();
    const kind = reason === "key" ? "request.too-many" : "request.overloaded";
    answerCommon(reply, { kind, retryAfterSeconds: RETRY_AFTER_SECONDS });
  });
  const refuseTooLarge = () => {
    stop();
    answerCommon(reply, { kind: "request.too-large" });
  };
  const onData = (piece: Buffer) => {
    length += piece.length;
    if (length > bodyLimit) return refuseTooLarge();
    pieces.push(piece);
    held.add(piece.length);
  };
  const onEnd = () => {
    detach();
    held.received();
    // A copy: a piece is a view of what the socket read, which would stay as long as the body.
    request.rawBody = Buffer.concat(pieces, length);
    done();
  };
  // The sender went away before its last byte.
  const onCut = () => {
    detach();
    held.release();
    done(refused(400));
  };
  function detach(): void {
    raw.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
  }
  function stop(): void {
    detach();
    pieces.length = 0;
    held.release();
    // A sender that goes away meanwhile is nobody's error.
    raw.on("error", () => undefined).resume();
  }
  reply.raw.once("close", held.release);
  if ((lengthOf(raw.headers) ?? 0) > bodyLimit) return refuseTooLarge();
  raw.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
}

const MAX_DEPTH = 32;

/**
 * Whether a body can be stored and walked: PostgreSQL refuses NUL and half a surrogate pair, which
 * JSON carries as escapes, and a tower of brackets overflows the stack of whoever walks it next.
 */
function isSound(body: unknown): boolean {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [
    { value: body, depth: 0 },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && !isStorable(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= MAX_DEPTH) return false;
    for (const [name, item] of Object.entries(value)) {
      if (!isStorable(name)) return false;
      waiting.push({ value: item, depth: depth + 1 });
    }
  }
  return true;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function refused(statusCode: number): Error {
  return Object.assign(new Error("a body that is not accepted"), { statusCode });
}
