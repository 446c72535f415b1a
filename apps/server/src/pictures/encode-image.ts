import { IMAGE_PIXELS_MAX, IMAGE_WIDTHS } from "@sesame/contract/catalogue";
import type { CatalogueRefusal } from "@sesame/contract/catalogue";
import { ok, type Result, refuse } from "@sesame/kernel";
import sharp, { type Raw, type ResizeOptions, type Sharp } from "sharp";

export type EncodedImage = {
  /** Of the largest stored size. */
  readonly width: number;
  readonly height: number;
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
};

/** The list's picture on a slow network (QUALITY §2). */
const SMALL_AVIF_BYTES = 40_000;
const AVIF_QUALITIES = [50, 38, 26] as const;
const JPEG_QUALITY = 78;
/** A taller picture is cut to twice its width. */
export const MAX_RATIO = 2;
const DECODE_SECONDS = 10;
const LARGEST = Math.max(...IMAGE_WIDTHS);

// One thread an image and no cache: memory stays flat under many uploads.
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes once, upright, and encodes again in each width and format. Nothing of the original stays:
 * no metadata, no colour profile, no bytes after its end.
 */
export async function encodeImage(
  input: Uint8Array,
): Promise<Result<EncodedImage, CatalogueRefusal>> {
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
