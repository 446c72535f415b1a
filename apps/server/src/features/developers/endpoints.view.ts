import type { EventType } from "@sesame/contract/developers";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

export type EndpointRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly url: string;
  readonly events: EventType[];
  readonly active: boolean;
  readonly off_reason: "failing" | "gone" | null;
  readonly secret: Buffer;
  readonly secret_key_id: string;
  readonly old_secret: Buffer | null;
  readonly old_secret_key_id: string | null;
  readonly old_secret_until: Date | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
};

async function select(db: Db, rest: RawBuilder<unknown>): Promise<EndpointRow[]> {
  return many<EndpointRow>(db)`
    SELECT id, seller_id, url, events, active, off_reason, secret, secret_key_id, old_secret,
      old_secret_key_id, old_secret_until, failing_since, created_at
    FROM webhook_endpoints WHERE deleted_at IS NULL AND ${rest}
  `;
}

/** Oldest first. */
export function viewEndpoints(db: Db, sellerId: bigint): Promise<EndpointRow[]> {
  return select(db, sql`seller_id = ${sellerId} ORDER BY id`);
}

/** Null for an absent, deleted or foreign one alike; held until the commit when `lock`. */
export async function viewEndpoint(
  db: Db,
  { sellerId, id, lock = false }: { sellerId: bigint; id: bigint; lock?: boolean },
): Promise<EndpointRow | null> {
  const held = lock ? sql`FOR NO KEY UPDATE` : sql``;
  const [row] = await select(db, sql`seller_id = ${sellerId} AND id = ${id} ${held}`);
  return row ?? null;
}
