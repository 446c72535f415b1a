import { balanceOf, check } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../../src/postgres/database.ts";
import { withLongStatements } from "../../src/postgres/connections.ts";
import { brokenSales } from "../../src/upkeep/books.view.ts";

export type Damage = {
  /** Orders whose notice was acknowledged, and is not stored. */
  readonly lostNotices: readonly string[];
  /** Orders whose notice was acknowledged, and that are not paid. */
  readonly lostSales: readonly string[];
  /** Money or time given twice, or books that do not balance. */
  readonly doubled: readonly string[];
};

/** Acknowledged orders still to be settled. */
export async function findUnpaid(db: Db, acknowledged: ReadonlySet<bigint>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT a.id::text AS id FROM unnest(${[...acknowledged]}::bigint[]) AS a(id)
    LEFT JOIN orders o USING (id) WHERE o.status IS DISTINCT FROM 'paid'
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Compares what was acknowledged with what the database holds once all is quiet. */
export async function assessDamage(db: Db, acknowledged: ReadonlySet<bigint>): Promise<Damage> {
  // A database that falls every few seconds never counts its rows, and plans badly for as many.
  await sql`ANALYZE`.execute(db);
  const { rows: lost } = await sql<{ id: string }>`
    SELECT a.id::text AS id FROM unnest(${[...acknowledged]}::bigint[]) AS a(id)
    WHERE NOT EXISTS (SELECT FROM payments p
      JOIN provider_notices n USING (provider, provider_payment_id) WHERE p.order_id = a.id)
  `.execute(db);
  return {
    lostNotices: lost.map(({ id }) => id),
    lostSales: await findUnpaid(db, acknowledged),
    doubled: await withLongStatements(db, async (tx) => [
      ...(await brokenBooks(tx)),
      ...(await brokenTime(tx)),
    ]),
  };
}

async function brokenBooks(db: Db): Promise<string[]> {
  const faults = [...(await check(db)), ...(await brokenSales(db, 10))];
  const broken = faults.map((one) => JSON.stringify(one));
  const { rows } = await sql<{ paid: bigint; price: bigint; fee: bigint; transfers: bigint }>`
    SELECT count(*) AS paid, coalesce(sum(price), 0)::bigint AS price,
      coalesce(sum(fee), 0)::bigint AS fee, (SELECT count(*) FROM ledger_transfers) AS transfers
    FROM orders WHERE status = 'paid'
  `.execute(db);
  const sold = rows[0];
  const fees = await balanceOf(db, "platform:fees");
  const provider = await balanceOf(db, "provider:moneroo");
  if (fees?.posted !== sold?.fee) broken.push(`fees ${fees?.posted} of ${sold?.fee}`);
  if (-(provider?.posted ?? 0n) !== sold?.price) broken.push(`collected of ${sold?.price}`);
  if (sold?.transfers !== sold?.paid) broken.push(`${sold?.transfers} sales of ${sold?.paid}`);
  return broken;
}

/** Each access lasts exactly the time paid for it. */
async function brokenTime(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT a.id FROM accesses a JOIN orders o
      ON o.buyer_id = a.person_id AND o.group_id = a.group_id AND o.status = 'paid'
    GROUP BY a.id, a.ends_at, a.started_at
    HAVING extract(epoch FROM a.ends_at - a.started_at) <> sum(o.duration_minutes) * 60
  `.execute(db);
  return rows.map(({ id }) => `access ${id} does not last what was paid for it`);
}
