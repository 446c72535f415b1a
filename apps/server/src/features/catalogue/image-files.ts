import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IMAGE_WIDTHS, type PictureOnWire } from "@sesame/contract/catalogue";
import { addMs, DAY_MS, Outage, readableToken } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type EncodedImage, MAX_RATIO } from "../../pictures/picture-queue.ts";
import { many } from "../../postgres/database.ts";

const ID_CHARS = 22;
const ID = /^[A-Za-z0-9]{22}$/;

const IMAGE_FILE_TYPES: ReadonlyMap<string, string> = new Map(
  IMAGE_WIDTHS.flatMap((width) => [
    [`${width}.avif`, "image/avif"],
    [`${width}.jpg`, "image/jpeg"],
  ]),
);

type Place = { readonly config: Pick<App["config"], "dataDir"> };

const folderOf = ({ config }: Place): string => join(config.dataDir, "images");

/** Writes `images/{id}/{360.avif …}` under a new id: all files or none; never changed. */
export async function keepImage(app: Place & Pick<App, "random">, image: EncodedImage) {
  const folder = folderOf(app);
  const id = readableToken(ID_CHARS, app.random);
  const draft = join(folder, `.${id}.new`);
  try {
    await mkdir(draft, { recursive: true });
    for (const { name, bytes } of image.files) await writeFile(join(draft, name), bytes);
    // Renaming is atomic: an image exists whole or not at all.
    await rename(draft, join(folder, id));
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw asDiskOutage(error);
  }
  return id;
}

export function forgetImage(app: Place, id: string): Promise<void> {
  return rm(join(folderOf(app), id), { recursive: true, force: true });
}

/** Null when there is no such image or file. */
export async function readImage(app: Place, id: string, file: string) {
  const type = IMAGE_FILE_TYPES.get(file);
  if (!type || !ID.test(id)) return null;
  try {
    return { bytes: await readFile(join(folderOf(app), id, file)), type };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const BATCH = 100;

/**
 * Deletes images of archived products, and replaced ones, a day later: until then pages cached by a
 * browser or a proxy display them. The files go first, so that a process that dies in between leaves
 * a row for the next sweep.
 */
export async function sweepImages(app: App, now: Date): Promise<void> {
  const { db } = app;
  const shown = sql`EXISTS (
    SELECT FROM products p WHERE p.image_id = images.id AND p.archived_at IS NULL
  )`;
  // An image in use again loses its mark.
  await sql`
    UPDATE images SET unused_since = CASE WHEN ${shown} THEN NULL ELSE ${now}::timestamptz END
    WHERE (unused_since IS NULL) <> ${shown}
  `.execute(db);
  for (;;) {
    const rows = await many<{ id: string }>(db)`
      SELECT id FROM images WHERE unused_since < ${addMs(now, -DAY_MS)}
      ORDER BY unused_since, id LIMIT ${BATCH}
    `;
    const ids = rows.map(({ id }) => id);
    for (const id of ids) await forgetImage(app, id);
    if (ids.length > 0) {
      await db.transaction().execute(async (tx) => {
        // Images of archived products.
        await sql`
          UPDATE products SET image_id = NULL WHERE image_id = ANY(${ids}::text[])
        `.execute(tx);
        await sql`DELETE FROM images WHERE id = ANY(${ids}::text[])`.execute(tx);
      });
    }
    if (ids.length < BATCH) return;
  }
}

const DISK_CODES = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

/** A full or faulty disk is an outage, no bug: a later upload succeeds. */
function asDiskOutage(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const { code } = error;
  if (typeof code !== "string" || !DISK_CODES.has(code)) return error;
  return new Outage(`the disk of pictures: ${code}`, { party: "pictures", retryable: true });
}

/** Addresses of an image; `width` and `height` are of its largest size. */
export function pictureOf(image: { id: string; width: number; height: number }): PictureOnWire {
  const { id, width, height } = image;
  const sources = IMAGE_WIDTHS.map((wanted) => ({
    ...sizeWithin(image, wanted),
    avif: `/images/${id}/${wanted}.avif`,
    jpeg: `/images/${id}/${wanted}.jpg`,
  }));
  return { width, height, sources };
}

/** The encoder's size: never enlarged, at most twice as high as wide. */
function sizeWithin(image: { width: number; height: number }, wanted: number) {
  const scale = Math.min(1, wanted / image.width, (wanted * MAX_RATIO) / image.height);
  const shrunk = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: shrunk(image.width), height: shrunk(image.height) };
}

export function imageUrlOf(id: string): string {
  return `/images/${id}/${Math.max(...IMAGE_WIDTHS)}.jpg`;
}
