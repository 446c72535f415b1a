import { encodeImage } from "./encode-image.ts";
import type { PictureAnswer, PictureTask } from "./picture-lane.ts";
import type { CatalogueRefusal } from "@sesame/contract/catalogue";
import { ok, type Result, refuse } from "@sesame/kernel";
import sharp, { type Metadata } from "sharp";
import { countScans, isAffordable, type PictureHeader } from "./picture-limits.ts";

/**
 * Looks at an image without decoding it: its real type from its first bytes, whatever its name
 * says, then its size from its header. sharp itself would draw SVG, and decode 16 000 × 16 000
 * pixels out of 30 kB (QUALITY R10).
 */
export async function checkImageHeader(bytes: Uint8Array): Promise<Result<null, CatalogueRefusal>> {
  if (!isKnownType(bytes)) return refuse({ kind: "catalogue.image-not-an-image" });
  const size = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .then(
      (metadata) => headerOf(metadata, bytes),
      () => null,
    );
  if (!size) return refuse({ kind: "catalogue.image-unreadable" });
  return isAffordable(size) ? ok(null) : refuse({ kind: "catalogue.image-too-many-pixels" });
}

const BYTES_OF: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

function headerOf(metadata: Metadata, bytes: Uint8Array): PictureHeader {
  const { width, height, channels, format, isProgressive, orientation = 1 } = metadata;
  const isJpeg = format === "jpeg";
  const byRows = isJpeg || (format === "png" && orientation === 1);
  return {
    width,
    height,
    channels,
    // A progressive JPEG keeps two bytes for each coefficient until its last scan.
    depth: isJpeg ? 2 : (BYTES_OF[metadata.depth] ?? 4),
    whole: isProgressive || !byRows,
    passes: countScans(bytes),
  };
}

function isKnownType(bytes: Uint8Array): boolean {
  const start = (from: number, text: string) =>
    [...text].every((letter, index) => bytes[from + index] === letter.charCodeAt(0));
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
  const isPng = start(0, "\x89PNG\r\n\x1a\n");
  const isGif = start(0, "GIF87a") || start(0, "GIF89a");
  const isWebp = start(0, "RIFF") && start(8, "WEBP");
  const isAvif = start(4, "ftypavif") || start(4, "ftypavis");
  return isJpeg || isPng || isGif || isWebp || isAvif;
}

/**
 * The process that touches the bytes of pictures: one encoding at a time, so that its memory is
 * bounded by one picture, and none of the server's own threads waits for a decoder. Headers are read
 * beside an encoding.
 */
let encoding: Promise<unknown> = Promise.resolve();

function answer(message: PictureAnswer): void {
  process.send?.(message);
}

async function work({ id, kind, bytes }: PictureTask): Promise<void> {
  try {
    if (kind === "check") answer({ id, checked: await checkImageHeader(bytes) });
    else answer({ id, encoded: await encodeImage(bytes) });
  } catch {
    // Whatever a decoder makes of bytes it was sent: they are no picture to us.
    answer({ id, checked: { ok: false, refusal: { kind: "catalogue.image-unreadable" } } });
  }
}

process.on("message", (task: PictureTask) => {
  if (task.kind === "check") void work(task);
  else encoding = encoding.then(() => work(task));
});
process.on("disconnect", () => process.exit(0));
