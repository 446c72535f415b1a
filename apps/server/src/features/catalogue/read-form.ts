import { createHash } from "node:crypto";
import { IMAGE_BYTES_MAX, productForm } from "@sesame/contract/catalogue";
import type { FastifyRequest } from "fastify";
import { receiveFile } from "../../http/uploads.ts";
import type { FilledForm, UploadedImage } from "./check-product.ts";

type Parts = { readonly values: Record<string, unknown>; readonly image: UploadedImage | null };

/** A product's form: multipart, or JSON. Null when it is neither, or a field has a wrong type. */
export async function readProductForm(request: FastifyRequest): Promise<FilledForm | null> {
  if (!request.isMultipart()) {
    const parsed = productForm.safeParse(request.body ?? {});
    return parsed.success ? { fields: parsed.data, image: null } : null;
  }
  const parts = await readParts(request).catch(malformedIfUnreadable);
  if (!parts) return null;
  const parsed = productForm.safeParse(parts.values);
  return parsed.success ? { fields: parsed.data, image: parts.image } : null;
}

async function readParts(request: FastifyRequest): Promise<Parts> {
  const values: Record<string, unknown> = {};
  let image: UploadedImage | null = null;
  for await (const part of request.parts({ limits: { fileSize: IMAGE_BYTES_MAX } })) {
    if (part.type === "field") {
      values[part.fieldname] = part.value;
    } else if (part.fieldname === "image") {
      const bytes = await receiveFile(request, part);
      if (bytes.length > 0) image = { bytes, tooLarge: part.file.truncated };
    } else {
      part.file.resume();
    }
  }
  return { values, image };
}

/** The plug-in's own refusals carry a status; a body cut off or garbled is a bare Error of busboy's. */
function malformedIfUnreadable(error: unknown): null {
  if (error instanceof Error && "statusCode" in error) throw error;
  return null;
}

/** What identifies the content of a form, whatever its boundary and the order of its fields. */
export function contentOf(form: FilledForm): string {
  const fields = Object.entries(form.fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const image = form.image && createHash("sha256").update(form.image.bytes).digest("hex");
  return JSON.stringify({ fields, image });
}
