import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

type PictureOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly format?: "jpeg" | "png" | "webp" | "avif" | "gif";
};

/** A photo-like picture: noise over a gradient, so that it does not compress to nothing. */
export const picture = async (options: PictureOptions = {}): Promise<Blob> =>
  new Blob([new Uint8Array(await pictureBytes(options))]);

export async function pictureBytes(options: PictureOptions = {}): Promise<Buffer> {
  const { width = 640, height = 480, format = "jpeg" } = options;
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < pixels.length; index++) {
    pixels[index] = (index / 97 + ((index * 2_654_435_761) >>> 27)) & 0xff;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/**
 * A valid PNG of `side`² black pixels, in a few kilobytes: a decompression bomb when `side` is large.
 * `whole`: eight bytes a pixel, interlaced, so that it cannot be decoded by rows.
 */
export function blackPng(side: number, whole = false): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set(whole ? [16, 6, 0, 0, 1] : [1, 0, 0, 0, 0], 8);
  // A byte before each row; the passes of an interlaced one have 15 rows for each 8.
  const rowBytes = whole ? 8 * side + 15 / 8 : Math.ceil(side / 8) + 1;
  const rows = deflateSync(Buffer.alloc(side * rowBytes));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const parts = [
    signature,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat(parts);
}

function chunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
