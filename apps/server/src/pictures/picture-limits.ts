import { IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX } from "@sesame/contract/catalogue";

/** What a header says of a picture, before any pixel of it is decoded. */
export type PictureHeader = {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Bytes that one channel of one pixel takes while it is decoded. */
  readonly depth: number;
  /** Decoding holds the whole picture in memory; otherwise some rows at a time. */
  readonly whole: boolean;
  /** Times that decoding goes through the picture: the scans of a progressive JPEG. */
  readonly passes: number;
};

/** Four bytes a pixel for a photograph of 25 million pixels. */
const WHOLE_BYTES_MAX = 100_000_000;
/** Encoders write about ten scans; each costs as much as the picture decoded once. */
const PASSES_MAX = 60;

/** Whether decoding the picture stays within the memory and time that an upload may cost. */
export function isAffordable(header: PictureHeader): boolean {
  const { width, height, channels, depth, whole, passes } = header;
  const pixels = width * height;
  if (Math.max(width, height) > IMAGE_SIDE_MAX || pixels > IMAGE_PIXELS_MAX) return false;
  return passes <= PASSES_MAX && (!whole || pixels * channels * depth <= WHOLE_BYTES_MAX);
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Scans of a JPEG, found by its markers without decoding; 1 for what is no JPEG. */
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
    // Stuffed bytes, fill bytes and restart markers carry no length.
    if (marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === START_OF_SCAN) scans += 1;
    at += 2 + ((bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0));
  }
  return Math.max(1, scans);
}
