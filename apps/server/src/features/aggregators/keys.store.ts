import type { AggregatorKey, KeyName, MethodKey } from "@sesame/contract/aggregators";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { Sealed } from "../../secrets/vault.ts";

/** Changes of one seller's methods take turns, and his plan stands still meanwhile. */
export async function lockSeller(tx: Db, sellerId: bigint): Promise<void> {
  await sql`SELECT FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(tx);
}

type Written = {
  readonly id: bigint;
  readonly sealed: Sealed;
  readonly masked: Readonly<Partial<Record<KeyName, string>>>;
  /** Sellers who share an account share its rate. */
  readonly accountHash: Buffer;
  readonly now: Date;
};

/** A row's number is known before it is written: its secrets are bound to it. */
export async function drawKeysId(tx: Db): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT nextval(pg_get_serial_sequence('seller_keys', 'id')) AS id
  `.execute(tx);
  assert(rows[0], "a sequence answers");
  return rows[0].id;
}

export async function insertKeys(
  tx: Db,
  owner: { sellerId: bigint; provider: AggregatorKey },
  { id, sealed, masked, accountHash, now }: Written,
): Promise<void> {
  await sql`
    INSERT INTO seller_keys (id, seller_id, provider, secrets, secrets_key_id, masked,
      account_hash, created_at, changed_at, verified_at)
    OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${owner.sellerId}, ${owner.provider}, ${sealed.bytes}, ${sealed.keyId},
      ${JSON.stringify(masked)}, ${accountHash}, ${now}, ${now}, ${now})
  `.execute(tx);
}

/** The same account, verified now; what opens no account may be other. */
export async function rewriteKeys(
  tx: Db,
  { id, sealed, masked, accountHash, now }: Written,
): Promise<void> {
  await sql`
    UPDATE seller_keys SET secrets = ${sealed.bytes}, secrets_key_id = ${sealed.keyId},
      masked = ${JSON.stringify(masked)}, account_hash = ${accountHash}, version = version + 1,
      changed_at = ${now}, verified_at = ${now}, refused_at = NULL
    WHERE id = ${id}
  `.execute(tx);
}

/** The very same keys were accepted once more. */
export async function confirmKeys(
  tx: Db,
  { id, accountHash, now }: Pick<Written, "id" | "accountHash" | "now">,
): Promise<void> {
  await sql`
    UPDATE seller_keys SET account_hash = ${accountHash}, verified_at = ${now}, refused_at = NULL,
      version = version + 1
    WHERE id = ${id}
  `.execute(tx);
}

/** They sell no more; payments opened by them are still asked about. False when none were in use. */
export async function endKeys(
  tx: Db,
  of: { sellerId: bigint; provider: AggregatorKey; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE seller_keys SET ended_at = ${of.now}
    WHERE seller_id = ${of.sellerId} AND provider = ${of.provider} AND ended_at IS NULL
    RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** False when it is not these keys any more, or it was noted before. */
export async function markRefused(
  tx: Db,
  of: { id: bigint; version: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE seller_keys SET refused_at = ${of.now}
    WHERE id = ${of.id} AND version = ${of.version} AND ended_at IS NULL AND refused_at IS NULL
    RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** → what it was, null by the rule; the same when nothing changed. */
export async function setSwitch(
  tx: Db,
  of: { sellerId: bigint; provider: MethodKey; active: boolean; now: Date },
): Promise<boolean | null> {
  const before = await sql<{ active: boolean }>`
    SELECT active FROM seller_methods
    WHERE seller_id = ${of.sellerId} AND provider = ${of.provider}
  `.execute(tx);
  await sql`
    INSERT INTO seller_methods AS m (seller_id, provider, active, changed_at)
    VALUES (${of.sellerId}, ${of.provider}, ${of.active}, ${of.now})
    ON CONFLICT (seller_id, provider) DO UPDATE
      SET active = excluded.active, changed_at = excluded.changed_at
      WHERE m.active <> excluded.active
  `.execute(tx);
  return before.rows[0]?.active ?? null;
}

/**
 * Puts keys that cannot be opened on the desk. False when it stands there already: the seller was
 * told then.
 */
export async function alertUnreadable(
  tx: Db,
  of: { id: bigint; sellerId: bigint; provider: string; reason: string; now: Date },
): Promise<boolean> {
  const { sellerId, provider, reason } = of;
  const details = { seller_id: String(sellerId), provider, reason };
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    VALUES ('aggregator.keys-unreadable', ${`seller-keys:${of.id}`},
      ${JSON.stringify(details)}, ${of.now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE d.resolved_at IS NOT NULL
    RETURNING id
  `.execute(tx);
  return rows.length > 0;
}
