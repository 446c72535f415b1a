import type { IncomingMessage } from "node:http";
import { commonRefusals } from "@sesame/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerCommon } from "./answers.ts";
import { addressKey } from "./callers.ts";
import type { MultipartFile } from "@fastify/multipart";

declare module "fastify" {
  interface FastifyRequest {
    /** The raw bytes of the body; null without one, and for multipart. */
    rawBody: Buffer | null;
    /** The memory of a multipart request; null for every other one. */
    upload: Upload | null;
  }
}

/**
 * Limits of bodies in progress, without uploads. Per address: 500 webhooks a second of the largest
 * size, each held for a second.
 */
const BODY_BYTES = { perKeyBytes: 32 * 1024 * 1024, allBytes: 64 * 1024 * 1024 } as const;

/** Long enough for a cut body to be sent again after slow ones have timed out. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Accepted bodies: JSON, multipart (parsed by its plugin), and the raw bytes of webhooks, whatever
 * content type they declare. Anything else is refused before its handler.
 */
export function acceptBodies(app: FastifyInstance, meter: BodyMeter = createBodyMeter(BODY_BYTES)) {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.decorateRequest("rawBody", null);
  // With callbacks: promises would take a tenth of a webhook's time.
  app.addHook("preParsing", (...[request, reply, payload, done]) => {
    // An unknown address is answered before its body has come.
    if (request.is404 || isMultipart(request)) return done(null, payload);
    const { method, headers } = request;
    const isChunked = headers["transfer-encoding"] !== undefined;
    const carriesBody = isChunked || lengthOf(headers) > 0;
    if (method === "GET" || method === "HEAD" || !carriesBody) return done(null, payload);
    readBody(meter, { request, reply }, (error) => done(error, payload));
  });
  app.removeContentTypeParser("text/plain");
  app.addContentTypeParser("application/json", (request, _payload, done) => {
    const { rawBody } = request;
    if (request.routeOptions.config.access === "webhook") return done(null, rawBody ?? undefined);
    const text = rawBody?.toString() ?? "";
    if (text.trim() === "") return done(null, undefined);
    return parseJson(request, text, (error, value) => {
      if (error) return done(error);
      return isSound(value) ? done(null, value) : done(refused(400));
    });
  });
  app.addContentTypeParser("*", ({ rawBody, routeOptions }, _payload, done) => {
    if (routeOptions.config.access === "webhook") return done(null, rawBody ?? undefined);
    if (rawBody === null || rawBody.length === 0) return done(null, undefined);
    return done(refused(commonRefusals["request.unsupported-type"].status));
  });
}

export function isMultipart({ headers, routeOptions }: FastifyRequest): boolean {
  if (routeOptions.config.access === "webhook") return false;
  return /^multipart\//i.test(headers["content-type"] ?? "");
}

/** The declared length; 0 without one, for a body in chunks. */
export const lengthOf = (headers: IncomingMessage["headers"]): number =>
  Number(headers["content-length"] ?? 0);

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/**
 * Reads the body into `request.rawBody`, or answers why not and never calls `done`. What comes after an answer is
 * discarded, so that the sender reads the status instead of a reset connection; the server's `requestTimeout` ends
 * senders who continue.
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
    // A copy: a piece is a view of the socket's buffer, which would stay in memory as long as the body.
    request.rawBody = Buffer.concat(pieces, length);
    done();
  };
  // The sender disconnected before its last byte.
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
    // A disconnection meanwhile is no error.
    raw.on("error", () => undefined).resume();
  }
  reply.raw.once("close", held.release);
  if (lengthOf(raw.headers) > bodyLimit) return refuseTooLarge();
  raw.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
}

const MAX_DEPTH = 32;

/**
 * Whether a body can be stored and traversed: PostgreSQL refuses NUL and half a surrogate pair,
 * which JSON allows as escapes, and very deep nesting overflows the stack of the next traversal.
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

type Upload = {
  readonly held: HeldBody;
  /** Ends the reading in progress. */
  stop: ((error: Error) => void) | null;
  error: Error | null;
};

/** Two pictures of the largest size of one person at once, and those of a dozen people. */
export const UPLOAD_BYTES = { perKeyBytes: 12 * 1024 * 1024, allBytes: 64 * 1024 * 1024 } as const;

/** The maximum for a form's fields beside its file. */
const FIELDS_BYTES = 480 * 1024;
const UPLOAD_AGAIN_SECONDS = 10;

/** Limits the memory of uploads, by person and in all: above it, the oldest unfinished one ends. */
export function boundUploads(app: FastifyInstance): void {
  const meter = createBodyMeter(UPLOAD_BYTES);
  app.decorateRequest("upload", null);
  app.addHook("preParsing", (...[request, reply, payload, done]) => {
    if (isMultipart(request)) request.upload = openUpload(request, reply);
    done(null, payload);
  });

  function openUpload(request: FastifyRequest, reply: FastifyReply): Upload {
    const { principal, ip, raw } = request;
    const upload: Upload = {
      stop: null,
      error: null,
      held: meter.open(principal ? `person:${principal.personId}` : addressKey(ip), () => {
        upload.error = Object.assign(new Error("uploads under way hold too much"), {
          statusCode: 429,
          retryAfterSeconds: UPLOAD_AGAIN_SECONDS,
        });
        // The rest is discarded, so that the sender reads the status.
        raw.unpipe().resume();
        upload.stop?.(upload.error);
      }),
    };
    reply.raw.once("close", upload.held.release);
    upload.held.add(FIELDS_BYTES);
    return upload;
  }
}

/** The bytes of a file, counted as they come. Throws 429 when the sender holds too much. */
export async function receiveFile(request: FastifyRequest, part: MultipartFile): Promise<Buffer> {
  const { upload } = request;
  if (!upload) return part.toBuffer();
  if (upload.error) throw upload.error;
  const pieces: Buffer[] = [];
  upload.stop = (error) => part.file.destroy(error);
  try {
    for await (const piece of part.file) {
      pieces.push(piece);
      upload.held.add(piece.length);
      if (upload.error) throw upload.error;
    }
  } finally {
    upload.stop = null;
  }
  return Buffer.concat(pieces);
}

/** A body while it is received and while its request is handled. */
export type HeldBody = {
  /** Counts bytes that arrived. May end this body, or an older one, by its `cut`. */
  add(bytes: number): void;
  /** It is complete: from now on it is never cut, only released. */
  received(): void;
  /** It is no longer needed. */
  release(): void;
};

type BodyMeter = ReturnType<typeof createBodyMeter>;

/** `key`: the sender holds too much. `all`: all senders together do. */
export type CutReason = "key" | "all";

/** The overhead of the smallest piece: many tiny ones must count too. */
const PIECE_BYTES = 256;

type Entry = HeldBody & { cut(reason: CutReason): void };
type Owner = { bytes: number; open: number; readonly receiving: Set<Entry> };

/**
 * Limits the memory of requests in progress, for each sender and in all. Above the limit the body
 * with the earliest start is cut: a complete request takes milliseconds, so the oldest ones are
 * slow, and nobody can keep others out by holding bodies open.
 */
export function createBodyMeter({
  perKeyBytes,
  allBytes,
}: Record<"perKeyBytes" | "allBytes", number>) {
  const owners = new Map<string, Owner>();
  // In the order of their start.
  const receiving = new Set<Entry>();
  let heldBytes = 0;

  function cutOldest(among: ReadonlySet<Entry>, reason: CutReason): boolean {
    const [oldest] = among;
    if (!oldest) return false;
    oldest.release();
    oldest.cut(reason);
    return true;
  }

  return {
    get heldBytes() {
      return heldBytes;
    },
    /**
     * @param key whose bytes are counted together: an address, a person.
     * @param cut called once, when the body must stop; its bytes are released already.
     */
    open(key: string, cut: (reason: CutReason) => void): HeldBody {
      const owner = owners.get(key) ?? { bytes: 0, open: 0, receiving: new Set<Entry>() };
      owners.set(key, owner);
      let held = 0;
      let open = true;
      const entry: Entry = {
        cut,
        add(bytes) {
          if (!open) return;
          const cost = bytes + PIECE_BYTES;
          held += cost;
          owner.bytes += cost;
          heldBytes += cost;
          while (open && owner.bytes > perKeyBytes && cutOldest(owner.receiving, "key"));
          while (open && heldBytes > allBytes && cutOldest(receiving, "all"));
        },
        received() {
          receiving.delete(entry);
          owner.receiving.delete(entry);
        },
        release() {
          if (!open) return;
          open = false;
          entry.received();
          owner.bytes -= held;
          heldBytes -= held;
          owner.open -= 1;
          if (owner.open === 0) owners.delete(key);
        },
      };
      owner.open += 1;
      receiving.add(entry);
      owner.receiving.add(entry);
      return entry;
    },
  };
}
