import { IMAGE_MB, IMAGE_MB_MOBILE, sayImageTooLarge } from "@sesame/contract/catalogue";
import { catalogueCopy } from "./messages.fr.ts";

export type PreparedImage =
  | { readonly ok: true; readonly image: Blob; readonly previewFailed: boolean }
  | { readonly ok: false; readonly message: string };

const SIDE_MAX = 1_600;
const QUALITY = 0.86;

/** Megabytes this device may send (A §5). */
export function imageLimitMb(): number {
  const phone = /Android|iPhone|iPad|Mobile/i.test(navigator.userAgent);
  return phone ? IMAGE_MB_MOBILE : IMAGE_MB;
}

/** Shrinks a photo, then holds it to the limits (decision 92). */
export async function prepareImage(file: Blob): Promise<PreparedImage> {
  if (!file.type.startsWith("image/")) {
    return { ok: false, message: catalogueCopy.form.imageNotAnImage };
  }
  const shrunk = await shrink(file);
  const image = shrunk && shrunk.size < file.size ? shrunk : file;
  const limitMb = imageLimitMb();
  if (image.size > limitMb * 1024 * 1024) return { ok: false, message: sayImageTooLarge(limitMb) };
  return { ok: true, image, previewFailed: shrunk === null };
}

/** Null when this browser cannot read the picture: it is then sent as it is. */
async function shrink(file: Blob): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return (await encode(canvas, "image/webp")) ?? (await encode(canvas, "image/jpeg"));
  } catch {
    return null;
  }
}

/** Null when the browser answers another format than the one asked for. */
function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY);
  });
}
