import type { Clock } from "@sesame/kernel";
import type { KnownCharge, ReadCharges, StarCharges } from "@sesame/providers";
import { sql } from "kysely";
import { type Db, many, maybe } from "../postgres/database.ts";

/** Stores the content of Telegram's list of transactions for the adapter. */
export function createStarCharges({ db, clock }: { db: Db; clock: Clock }): StarCharges {
  return {
    async find(reference) {
      return many<KnownCharge>(db)`
        SELECT charge_id AS "chargeId", reference, telegram_id AS "telegramId",
          stars::float8 AS stars, charged_at AS "chargedAt", refunded_at IS NOT NULL AS refunded
        FROM star_charges WHERE reference = ${reference} ORDER BY charged_at, charge_id
      `;
    },
    add: (read) => db.transaction().execute((tx) => addCharges(tx, read, clock.now())),
    async read() {
      const row = await maybe<{ read: number }>(db)`
        SELECT transactions_read::float8 AS read FROM star_reading
      `;
      return row?.read ?? 0;
    },
  };
}

async function addCharges(tx: Db, { charges, refunds, transactionsRead }: ReadCharges, now: Date) {
  if (charges.length > 0) {
    await sql`
      INSERT INTO star_charges (charge_id, reference, telegram_id, stars, charged_at)
      SELECT * FROM unnest(
        ${charges.map(({ chargeId }) => chargeId)}::text[],
        ${charges.map(({ reference }) => reference)}::text[],
        ${charges.map(({ telegramId }) => telegramId)}::bigint[],
        ${charges.map(({ stars }) => stars)}::bigint[],
        ${charges.map(({ chargedAt }) => chargedAt)}::timestamptz[]
      ) AS u(charge_id, reference, telegram_id, stars, charged_at)
      ORDER BY charge_id
      ON CONFLICT DO NOTHING
    `.execute(tx);
  }
  if (refunds.length > 0) {
    await sql`
      UPDATE star_charges SET refunded_at = ${now}
      WHERE charge_id = ANY(${[...refunds]}::text[]) AND refunded_at IS NULL
    `.execute(tx);
  }
  if (transactionsRead !== null) {
    await sql`UPDATE star_reading SET transactions_read = ${transactionsRead}`.execute(tx);
  }
}
