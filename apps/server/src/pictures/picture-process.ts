import { IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, IMAGE_WIDTHS } from "@sesame/contract/catalogue";
import { ok, refuse } from "@sesame/kernel";
import sharp, { type Metadata, type Raw, type ResizeOptions, type Sharp } from "sharp";
import { MAX_RATIO, type PictureAnswer, type PictureTask } from "./picture-queue.ts";

/** Four bytes a pixel for a photograph of 25 million pixels. */
const WHOLE_BYTES_MAX = 100_000_000;
/** Encoders write about ten scans; each costs as much as the picture decoded once. */
const PASSES_MAX = 60;

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Scans of a JPEG, counted by its markers without decoding; 1 for another format. */
export function countScans(bytes: Uint8Array): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 1;
  let scans = 0;
  let at = 2;
  while (at + 3 < bytes.length) {
    if (bytes[at] !== 0xff) {
      at += 1;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    if (marker === END_OF_IMAGE) break;
    // Stuffed bytes, fill bytes and restart markers have no length.
    if (marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === START_OF_SCAN) scans += 1;
    at += 2 + ((bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0));
  }
  return Math.max(1, scans);
}

/**
 * Checks an image without decoding it: its real type from its first bytes, whatever its name, then
 * its size from its header. sharp itself would render SVG, and decode 16 000 × 16 000 pixels out of
 * 30 kB (QUALITY R10).
 */
export async function checkImageHeader(bytes: Uint8Array) {
  if (!isKnownType(bytes)) return refuse({ kind: "catalogue.image-not-an-image" });
  const header = sharp(bytes, { limitInputPixels: false });
  const metadata = await header.metadata().catch(() => null);
  if (!metadata) return refuse({ kind: "catalogue.image-unreadable" });
  const isAffordable = countScans(bytes) <= PASSES_MAX && fitsMemory(metadata);
  return isAffordable ? ok(null) : refuse({ kind: "catalogue.image-too-many-pixels" });
}

const BYTES_OF: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** Whether decoding stays within an upload's memory limit, by the header. */
function fitsMemory(metadata: Metadata): boolean {
  const { width, height, channels, format, isProgressive, orientation = 1 } = metadata;
  const pixels = width * height;
  if (Math.max(width, height) > IMAGE_SIDE_MAX || pixels > IMAGE_PIXELS_MAX) return false;
  const isJpeg = format === "jpeg";
  // Otherwise decoding keeps the whole picture, not some rows at a time.
  const isByRows = isJpeg || (format === "png" && orientation === 1);
  if (isByRows && !isProgressive) return true;
  // A progressive JPEG keeps two bytes for each coefficient until its last scan.
  const depth = isJpeg ? 2 : (BYTES_OF[metadata.depth] ?? 4);
  return pixels * channels * depth <= WHOLE_BYTES_MAX;
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

/** The list's picture on a slow network (QUALITY §2). */
const SMALL_AVIF_BYTES = 40_000;
const AVIF_QUALITIES = [50, 38, 26] as const;
const JPEG_QUALITY = 78;
const DECODE_SECONDS = 10;
const LARGEST = Math.max(...IMAGE_WIDTHS);

// One thread an image and no cache: memory stays flat under many uploads.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes once, upright, and encodes again in each width and format. Nothing of the original stays:
 * no metadata, no colour profile, no bytes after its end.
 */
export async function encodeImage(input: Uint8Array) {
  const pixels = await decode(input);
  if (!pixels) return refuse({ kind: "catalogue.image-unreadable" });
  const files: { name: string; bytes: Buffer }[] = [];
  for (const width of IMAGE_WIDTHS) {
    const resized = () => sharp(pixels.bytes, { raw: pixels.raw }).resize(fit(width));
    files.push({ name: `${width}.avif`, bytes: await encodeAvif(resized, width) });
    const jpeg = resized().flatten({ background: "#ffffff" });
    const bytes = await jpeg.jpeg({ quality: JPEG_QUALITY, mozjpeg: true }).toBuffer();
    files.push({ name: `${width}.jpg`, bytes });
  }
  return ok({ width: pixels.raw.width, height: pixels.raw.height, files });
}

function fit(width: number): ResizeOptions {
  return { width, height: width * MAX_RATIO, fit: "inside", withoutEnlargement: true };
}

async function decode(input: Uint8Array): Promise<{ bytes: Buffer; raw: Raw } | null> {
  try {
    const { data, info } = await sharp(input, {
      failOn: "error",
      limitInputPixels: IMAGE_PIXELS_MAX,
      sequentialRead: true,
    })
      .rotate()
      .timeout({ seconds: DECODE_SECONDS })
      .resize(fit(LARGEST))
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return { bytes: data, raw: { width, height, channels } };
  } catch {
    // Any error of libvips means that the bytes are no picture.
    return null;
  }
}

async function encodeAvif(resized: () => Sharp, width: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for (const quality of AVIF_QUALITIES) {
    bytes = await resized().avif({ quality, effort: 3 }).toBuffer();
    if (width === LARGEST || bytes.length <= SMALL_AVIF_BYTES) break;
  }
  return bytes;
}

/**
 * The process that handles the bytes of pictures: one encoding at a time, so that its memory is
 * limited to one picture, and no thread of the server waits for a decoder. Headers are checked
 * during an encoding.
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
    // Any error of a decoder means that the bytes are no picture.
    answer({ id, checked: { ok: false, refusal: { kind: "catalogue.image-unreadable" } } });
  }
}

process.on("message", (task: PictureTask) => {
  if (task.kind === "check") void work(task);
  else encoding = encoding.then(() => work(task));
});
process.on("disconnect", () => process.exit(0));
