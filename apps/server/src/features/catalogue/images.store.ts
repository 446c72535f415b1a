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
