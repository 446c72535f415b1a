import type { MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isMultipart } from "./bodies.ts";
import { createBodyMeter, type HeldBody } from "./body-meter.ts";
import { addressKey } from "./client-address.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What a multipart request holds of memory; null for every other one. */
    upload: Upload | null;
  }
}

type Upload = {
  readonly held: HeldBody;
  /** What ends the reading under way. */
  stop: ((error: Error) => void) | null;
  error: Error | null;
};

/** Two pictures of the largest size of one person at once, and a dozen people's. */
export const UPLOAD_BYTES = { perKeyBytes: 12 * 1024 * 1024, allBytes: 64 * 1024 * 1024 } as const;

/** What the fields of a form may take beside its file. */
const FIELDS_BYTES = 480 * 1024;
const RETRY_AFTER_SECONDS = 10;

/** Bounds the memory of uploads, by person and in all: past it, the oldest unfinished one ends. */
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
        upload.error = tooMany();
        // What still comes is thrown away, so that the sender reads the status.
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

function tooMany(): Error {
  return Object.assign(new Error("uploads under way hold too much"), {
    statusCode: 429,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
