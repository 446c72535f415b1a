import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** `width` and `height` of the largest kept size. */
export type NewImage = {
  readonly id: string;
  readonly sellerId: bigint;
  readonly width: number;
  readonly height: number;
  readonly now: Date;
};

export async function insertImage(tx: Db, image: NewImage): Promise<void> {
  await sql`
    INSERT INTO images (id, seller_id, width, height, created_at)
    VALUES (${image.id}, ${image.sellerId}, ${image.width}, ${image.height}, ${image.now})
  `.execute(tx);
}

/** Pictures that one seller may upload in 24 hours: ten times a large shop. */
export const UPLOADS_A_DAY_MAX = 200;

/** Uploads since, those replaced meanwhile included: a row lives a day at least. */
export async function countUploads(db: Db, sellerId: bigint, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM images
    WHERE seller_id = ${sellerId} AND created_at > ${since}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Notes which pictures no product shows any more, and forgets the note of one shown again. */
export async function markUnused(db: Db, now: Date): Promise<void> {
  const shown = sql`EXISTS (
    SELECT FROM products p WHERE p.image_id = images.id AND p.archived_at IS NULL
  )`;
  await sql`
    UPDATE images SET unused_since = CASE WHEN ${shown} THEN NULL ELSE ${now}::timestamptz END
    WHERE (unused_since IS NULL) <> ${shown}
  `.execute(db);
}

export async function findUnused(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM images WHERE unused_since < ${before} ORDER BY unused_since, id LIMIT ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Takes the pictures out of the archived products that had them, and forgets them. */
export async function deleteImages(tx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE products SET image_id = NULL WHERE image_id = ANY(${[...ids]}::text[])
  `.execute(tx);
  await sql`DELETE FROM images WHERE id = ANY(${[...ids]}::text[])`.execute(tx);
}
