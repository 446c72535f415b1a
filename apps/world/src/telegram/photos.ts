import { secretToken } from "@sesame/kernel";
import { badRequest } from "./api-error.ts";
import type { PhotoSize } from "./bot-api.ts";
import type { Arguments, Upload } from "./call.ts";
import { isLocalAddress } from "./keyboards.ts";
import type { Town } from "./town.ts";

const FETCH_TIMEOUT_MS = 5_000;

/** The photo of a call: an upload, a file id Telegram gave before, or an address it fetches. */
export async function readPhoto(town: Town, args: Arguments): Promise<PhotoSize[]> {
  const value = args.text("photo");
  const attached = value.startsWith("attach://") ? value.slice("attach://".length) : "photo";
  const upload = args.uploads.get(attached);
  if (upload !== undefined) return keepPhoto(town, upload);
  if (value === "") throw badRequest("there is no photo in the request");
  if (/^https?:/i.test(value)) return keepPhoto(town, await fetchPhoto(town, value));
  const file = town.state.files.get(value);
  if (file === undefined) {
    throw badRequest("wrong file identifier/HTTP URL specified");
  }
  return [photoSize(value, Buffer.from(file.bytes, "base64"))];
}

async function fetchPhoto(town: Town, address: string): Promise<Upload> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (isLocalAddress(url.hostname) && !town.settings.allowLocalAddresses)) {
    throw badRequest("wrong file identifier/HTTP URL specified");
  }
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { bytes, type: answer.headers.get("content-type") ?? "", filename: "photo" };
  } catch {
    throw badRequest("failed to get HTTP URL content");
  }
}

function keepPhoto(town: Town, upload: Upload): PhotoSize[] {
  const id = `AgAC${secretToken(24, town.chance)}`;
  const size = photoSize(id, upload.bytes);
  const { type } = measure(upload.bytes) ?? { type: "application/octet-stream" };
  const path = `photos/file_${town.state.files.size}.${type.slice("image/".length)}`;
  town.state.files.set(id, { bytes: upload.bytes.toString("base64"), type, path });
  return [size];
}

function photoSize(id: string, bytes: Buffer): PhotoSize {
  const measured = measure(bytes);
  if (measured === null) throw badRequest("IMAGE_PROCESS_FAILED");
  const { width, height } = measured;
  return {
    file_id: id,
    file_unique_id: `AQAD${id.slice(4, 16)}`,
    width,
    height,
    file_size: bytes.length,
  };
}

type Measured = { type: string; width: number; height: number };

function measure(bytes: Buffer): Measured | null {
  if (bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8) return measureJpeg(bytes);
  const isWebp =
    bytes.length > 30 &&
    bytes.toString("latin1", 0, 4) === "RIFF" &&
    bytes.toString("latin1", 8, 12) === "WEBP";
  return isWebp ? measureWebp(bytes) : null;
}

/** Walks the segments to the first frame header. */
function measureJpeg(bytes: Buffer): Measured | null {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const height = bytes.readUInt16BE(at + 5);
      return { type: "image/jpeg", width: bytes.readUInt16BE(at + 7), height };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function measureWebp(bytes: Buffer): Measured | null {
  const type = "image/webp";
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return {
        type,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
