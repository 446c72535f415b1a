import type { Clock } from "@sesame/kernel";
import type { KnownCharge, ReadCharges, StarCharges } from "@sesame/providers";
import { sql } from "kysely";
import { type Db, many, maybe } from "../postgres/database.ts";

/** What Telegram's list of transactions told, kept for the adapter. */
export function createStarCharges({ db, clock }: { db: Db; clock: Clock }): StarCharges {
  return {
    async find(reference) {
      const rows = await many<ChargeRow>(db)`
        SELECT charge_id, reference, telegram_id, stars, charged_at,
          refunded_at IS NOT NULL AS refunded
        FROM star_charges WHERE reference = ${reference} ORDER BY charged_at, charge_id
      `;
      return rows.map(chargeOf);
    },
    add: (read) => db.transaction().execute((tx) => addCharges(tx, read, clock.now())),
    async read() {
      const row = await maybe<{ read: bigint }>(db)`
        SELECT transactions_read AS read FROM star_reading
      `;
      return Number(row?.read ?? 0);
    },
  };
}

type ChargeRow = {
  readonly charge_id: string;
  readonly reference: string;
  readonly telegram_id: bigint;
  readonly stars: bigint;
  readonly charged_at: Date;
  readonly refunded: boolean;
};

function chargeOf(row: ChargeRow): KnownCharge {
  return {
    chargeId: row.charge_id,
    reference: row.reference,
    telegramId: row.telegram_id,
    stars: Number(row.stars),
    chargedAt: row.charged_at,
    refunded: row.refunded,
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
