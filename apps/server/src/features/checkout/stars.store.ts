import type { Clock } from "@sesame/kernel";
import type { KnownCharge, Quote, ReadCharges, StarCharges } from "@sesame/providers";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { noteTold } from "./heard.store.ts";

/** What Telegram's list of transactions told, kept for the adapter. */
export function createStarCharges({ db, clock }: { db: Db; clock: Clock }): StarCharges {
  return {
    async find(reference) {
      const { rows } = await sql<ChargeRow>`
        SELECT charge_id, reference, telegram_id, stars, charged_at,
          refunded_at IS NOT NULL AS refunded
        FROM star_charges WHERE reference = ${reference} ORDER BY charged_at, charge_id
      `.execute(db);
      return rows.map(chargeOf);
    },
    add: (read) => db.transaction().execute((tx) => addCharges(tx, read, clock.now())),
    async read() {
      const { rows } = await sql<{ read: bigint }>`
        SELECT transactions_read AS read FROM star_reading
      `.execute(db);
      return Number(rows[0]?.read ?? 0);
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

/** An invoice somebody wants to pay now. */
export type StarInvoice = {
  readonly status: string;
  readonly buyer_id: bigint;
  /** Of the buyer. */
  readonly telegram_id: bigint;
  readonly quote: Quote | null;
  readonly created_at: Date;
  /** Null for a plan. */
  readonly product_reference: string | null;
  /** A payment of it was told, proved or not. */
  readonly charged: boolean;
};

export async function viewInvoice(db: Db, reference: string): Promise<StarInvoice | null> {
  const { rows } = await sql<StarInvoice>`
    SELECT o.status, o.buyer_id, buyer.telegram_id, p.quote, p.created_at,
      product.reference AS product_reference,
      p.status IN ('paid', 'mismatched')
        OR EXISTS (SELECT FROM payment_rumours r WHERE r.payment_id = p.id)
        OR EXISTS (SELECT FROM star_charges c WHERE c.reference = p.reference) AS charged
    FROM payments p
    JOIN orders o ON o.id = p.order_id
    JOIN people buyer ON buyer.id = o.buyer_id
    LEFT JOIN products product ON product.id = o.product_id
    WHERE p.provider = 'stars' AND p.provider_payment_id = ${reference}
  `.execute(db);
  return rows[0] ?? null;
}

/** Telegram told of a payment: its list is asked at once. */
export function noteCharge(
  db: Db,
  told: { reference: string; chargeId: string; now: Date },
): Promise<void> {
  const { reference: providerPaymentId, chargeId: transactionId, now } = told;
  return noteTold(db, { provider: "stars", providerPaymentId, transactionId, now });
}
