import { secretToken } from "@sesame/kernel";
import { badRequest } from "./api-error.ts";
import type { PhotoSize } from "./bot-api.ts";
import { type Call, text } from "./call.ts";
import type { Town } from "./town.ts";

/** The photo of a call: an upload, or a file id that Telegram gave before. PNG alone is read. */
export function readPhoto(call: Call, name: string): PhotoSize[] {
  const value = text(call, name);
  const upload = call.uploads.get(value.startsWith("attach://") ? value.slice(9) : name);
  if (upload === undefined) {
    if (value === "") throw badRequest("there is no photo in the request");
    return [findPhoto(call.town, value, "wrong file identifier/HTTP URL specified")];
  }
  const { files } = call.town.state;
  const id = `AgAC${secretToken(24, call.town.chance)}`;
  const size = photoSize(id, upload.bytes);
  const path = `photos/file_${files.size}.png`;
  files.set(id, { bytes: upload.bytes.toString("base64"), type: "image/png", path });
  return [size];
}

export function findPhoto(town: Town, id: string, otherwise: string): PhotoSize {
  const file = town.state.files.get(id);
  if (file === undefined) throw badRequest(otherwise);
  return photoSize(id, Buffer.from(file.bytes, "base64"));
}

function photoSize(id: string, bytes: Buffer): PhotoSize {
  const isPng = bytes.length > 24 && bytes.readUInt32BE(0) === 0x89504e47;
  if (!isPng) throw badRequest("IMAGE_PROCESS_FAILED");
  return {
    file_id: id,
    file_unique_id: `AQAD${id.slice(4, 16)}`,
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    file_size: bytes.length,
  };
}
