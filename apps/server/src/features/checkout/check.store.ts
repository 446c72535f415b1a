import { ASKED_FOR_MS, type OrderKind, type PaymentStatus } from "@sesame/contract/checkout";
import { addMs, type Fcfa, MINUTE_MS } from "@sesame/kernel";
import type { Quote } from "@sesame/providers";
import { type RawBuilder, sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";

/** A question to ask a provider now. */
export type DueCheck = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly kind: OrderKind;
  readonly provider: string;
  /** Whose account it is; null: the instance's. */
  readonly key_id: bigint | null;
  readonly provider_payment_id: string;
  /** A paid one is asked about when another name of theirs is heard for it. */
  readonly status: PaymentStatus;
  readonly transaction_id: string | null;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly quote: Quote | null;
  /** Names of theirs that rumours gave. */
  readonly heard: readonly string[];
  readonly amount: Fcfa;
  readonly created_at: Date;
  readonly give_up_at: Date;
  /** A signed webhook spoke of it. */
  readonly reported: boolean;
};

export type ClaimRequest = {
  readonly now: Date;
  readonly leaseEnd: Date;
  readonly limit: number;
  /** Slow providers that are being asked: what waits for them is passed over. */
  readonly except: readonly string[];
  /** Calls a minute that openings and questions asked by time may take, by provider. */
  readonly paced: ReadonlyMap<string, number>;
};

/**
 * Takes due questions until `leaseEnd`: a worker that dies gives them back by then. A webhook that
 * comes meanwhile makes its question due again, so the answer under way is not the last word. One
 * statement: what a signed webhook spoke of comes first, whatever the rate; then the others, as the
 * rate of each account allows, shared between the persons. What is not taken stays due.
 */
export async function claimChecks(db: Db, claim: ClaimRequest): Promise<DueCheck[]> {
  return many<DueCheck>(db)`${PREPARED}
    SELECT payment_id, order_id, kind, provider, key_id, provider_payment_id, status, transaction_id,
      reference, quote, amount, created_at, give_up_at, reported, heard
    FROM claim_payment_checks(${claim.now}, ${claim.leaseEnd}, ${claim.limit}::int,
      ${[...claim.except]}::text[], ${[...claim.paced.keys()]}::text[],
      ${[...claim.paced.values()]}::int[])
  `;
}

/** When to ask again; `reported` keeps its place before the others, until it is answered. */
export type Later = {
  readonly paymentId: bigint;
  readonly dueAt: Date;
  readonly reported: boolean;
};

/** Asks again later, unless somebody has moved the question since it was claimed. */
export async function postponeChecks(
  db: Db,
  checks: readonly Later[],
  leaseEnd: Date,
): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    UPDATE payment_checks c SET due_at = later.due_at, reported = later.reported
    FROM unnest(
      ${checks.map(({ paymentId }) => paymentId)}::bigint[],
      ${checks.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${checks.map(({ reported }) => reported)}::boolean[]
    ) AS later(payment_id, due_at, reported)
    WHERE c.payment_id = later.payment_id AND c.due_at = ${leaseEnd}
  `.execute(db);
}

/** A settled payment about which something is still to be written, or to be asked. */
export type Unfinished = {
  readonly paymentId: bigint;
  /** More was reported with it, which is written after it. */
  readonly more: boolean;
  /** Names of theirs that it was asked about by. */
  readonly names: readonly string[];
  /** The question's. */
  readonly leaseEnd: Date;
};

/**
 * Asks again about payments that were settled in this transaction: one with more to write at the
 * lease's end, in case its writer dies; one for which another name was heard meanwhile, now.
 */
export async function keepChecks(
  tx: Db,
  settled: readonly Unfinished[],
  at: { now: Date; giveUpAt: Date },
): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    INSERT INTO payment_checks (payment_id, due_at, give_up_at)
    SELECT s.id, CASE WHEN other.heard THEN ${at.now}::timestamptz ELSE s.lease_end END,
      ${at.giveUpAt}::timestamptz
    FROM unnest(
      ${settled.map(({ paymentId }) => paymentId)}::bigint[],
      ${settled.map(({ more }) => more)}::boolean[],
      ${settled.map(({ names }) => JSON.stringify(names))}::jsonb[],
      ${settled.map(({ leaseEnd }) => leaseEnd)}::timestamptz[]
    ) AS s(id, more, names, lease_end)
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM payment_rumours r
      WHERE r.payment_id = s.id AND NOT s.names ? r.transaction_id) AS heard) AS other
    WHERE s.more OR other.heard
    ORDER BY s.id
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

/** Questions that signed webhooks asked for, and that found nothing paid: counted to who made the orders. */
export async function countFruitless(
  db: Db,
  paymentIds: readonly bigint[],
  now: Date,
): Promise<void> {
  if (paymentIds.length === 0) return;
  await sql`
    SELECT add_person_calls(a.provider, a.key_id, 'reported', a.buyer_id, a.calls, ${now})
    FROM (
      SELECT p.provider, counted_account(p.key_id) AS key_id, o.buyer_id,
        sum(CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*) FROM payment_rumours r
          WHERE r.payment_id = p.id) ELSE 1 END)::int AS calls
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE p.id = ANY(${[...paymentIds]}::bigint[])
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ) AS a
  `.execute(db);
}

/** Counts of persons that are a minute old: nothing is left of them. */
export async function forgetCalls(db: Db, now: Date): Promise<void> {
  await sql`${PREPARED}
    DELETE FROM person_calls WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM person_calls WHERE counted_at < ${addMs(now, -MINUTE_MS)}
      FOR UPDATE SKIP LOCKED))
  `.execute(db);
}

/** Asks no more, unless a notice has asked for it since the question was claimed. */
export async function dropChecks(
  tx: Db,
  paymentIds: readonly bigint[],
  leaseEnd: Date,
): Promise<void> {
  await sql`
    DELETE FROM payment_checks
    WHERE payment_id = ANY(${[...paymentIds]}::bigint[]) AND due_at = ${leaseEnd}
  `.execute(tx);
}

/**
 * How many orders, `whose` of them, have a payment that may still bring or take money: asked about as
 * long as one is from its making, not what was ordered, or to be given back. One that is asked about
 * for longer, or again, holds nobody's account open. `whose` speaks of `orders o`.
 */
export function countUnsettledOrders(whose: RawBuilder<unknown>, now: Date): RawBuilder<number> {
  return sql`(
    SELECT count(DISTINCT o.id)::int FROM (
      SELECT c.payment_id FROM payment_checks c JOIN payments p ON p.id = c.payment_id
      WHERE p.created_at > ${addMs(now, -ASKED_FOR_MS)}
      UNION
      SELECT substr(d.subject, 9)::bigint FROM desk_alerts d
      WHERE d.kind = 'payment.mismatch' AND d.resolved_at IS NULL
      UNION
      SELECT j.ref FROM outbox j WHERE j.topic = 'refunds.surplus'
    ) AS unsettled(payment_id)
    JOIN payments p ON p.id = unsettled.payment_id JOIN orders o ON o.id = p.order_id
    WHERE ${whose}
  )`;
}
