import * as contract from "@sesame/contract/checkout";
import { addMs, DAY_MS, type Fcfa, MINUTE_MS, Outage } from "@sesame/kernel";
import type { Quote } from "@sesame/providers";
import { type RawBuilder, sql } from "kysely";
import { perApp } from "../../app.ts";
import { type Db, many, one, PREPARED } from "../../postgres/database.ts";
import { hashOf } from "../../secrets/vault.ts";
import { datesAhead, LONGEST_PAUSE_MS } from "../../jobs/leases.ts";
import type { Account } from "./opening.ts";

/** Notifies that checks are due at once. */
export const CHECKS_CHANNEL = "sesame_checks";

/** More ids than a browser may report, so that it cannot keep out a webhook's id. */
export const NAMES_KEPT = 2 * contract.NAMES_REPORTED_MAX;

/**
 * The new due time of a check `c` when more was reported, `excluded`: at once, and always another instant than before,
 * whatever the clock's state. So the answer of a lookup in progress, even one whose lease is over, is not the last.
 */
export const MOVED = sql`least(c.due_at - interval '1 microsecond', excluded.due_at)`;

/** How long an expired payment is checked again after a webhook about it. */
export const REOPENED_FOR_MS = DAY_MS;

/** A payment to look up at its provider now. */
export type DueCheck = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly kind: contract.OrderKind;
  readonly provider: string;
  /** The seller's keys of its account; null: the instance's account. */
  readonly key_id: bigint | null;
  readonly provider_payment_id: string;
  /** A paid one is looked up when another transaction id is reported for it. */
  readonly status: contract.PaymentStatus;
  readonly transaction_id: string | null;
  /** Our reference at the provider. */
  readonly reference: string;
  readonly quote: Quote | null;
  /** The provider's transaction ids that were reported. */
  readonly reported_transactions: readonly string[];
  readonly amount: Fcfa;
  readonly created_at: Date;
  readonly give_up_at: Date;
  /** A signed webhook reported it. */
  readonly reported: boolean;
};

type LeaseRequest = {
  readonly now: Date;
  readonly leaseEnd: Date;
  readonly limit: number;
  /** Slow providers with calls in progress: their checks are skipped. */
  readonly except: readonly string[];
  /** Calls a minute for openings and scheduled checks, by provider. */
  readonly paced: ReadonlyMap<string, number>;
};

/**
 * Leases due checks until `leaseEnd`, when a dead worker loses them. A webhook that comes meanwhile
 * makes its check due again, so the answer in progress is not the last. One statement: checks of
 * signed webhooks come first, at any rate; then the others within the rate of each account, shared
 * between persons. The rest stays due.
 */
export async function leaseChecks(db: Db, lease: LeaseRequest): Promise<DueCheck[]> {
  const paced = [...lease.paced.values()];
  return many<DueCheck>(db)`${PREPARED}
    SELECT payment_id, order_id, kind, provider, key_id, provider_payment_id, status, transaction_id,
      reference, quote, amount, created_at, give_up_at, reported, reported_transactions
    FROM lease_payment_checks(${lease.now}, ${lease.leaseEnd}, ${lease.limit}::int,
      ${[...lease.except]}::text[], ${[...lease.paced.keys()]}::text[],
      ${paced}::int[], ${paced.map(leftToOthers)}::int[])
  `;
}

/**
 * Of the calls that may be paced, what a person with many calls in the last minute leaves to others:
 * eight, the calls of one buyer's payment in its first minute.
 */
export function leftToOthers(paced: number): number {
  return Math.min(Math.floor(paced / 2), Math.max(8, Math.floor(paced / 13)));
}

/** When to look up again; `reported` keeps its priority until there is an answer. */
export type Later = Pick<DueCheck, "payment_id" | "reported"> & { readonly due_at: Date };

/** Postpones checks, unless one was moved since it was leased. */
export async function postponeChecks(db: Db, checks: readonly Later[], leaseEnd: Date) {
  if (checks.length === 0) return;
  await sql`
    UPDATE payment_checks c SET due_at = later.due_at, reported = later.reported
    FROM unnest(
      ${checks.map(({ payment_id }) => payment_id)}::bigint[],
      ${checks.map(({ due_at }) => due_at)}::timestamptz[],
      ${checks.map(({ reported }) => reported)}::boolean[]
    ) AS later(payment_id, due_at, reported)
    WHERE c.payment_id = later.payment_id AND c.due_at = ${leaseEnd}
  `.execute(db);
}

/** A settled payment about which something must still be written or looked up. */
export type Unfinished = {
  readonly paymentId: bigint;
  /** More was reported, which is written after the settlement. */
  readonly more: boolean;
  /** The transaction ids of the lookup. */
  readonly names: readonly string[];
  /** The check's lease. */
  readonly leaseEnd: Date;
};

/**
 * Keeps the checks of payments settled in this transaction: one with more to write is due at the
 * lease's end, in case its writer dies; one with an id reported meanwhile is due now.
 */
export async function keepChecks(
  tx: Db,
  settled: readonly Unfinished[],
  at: { now: Date; giveUpAt: Date },
): Promise<void> {
  if (settled.length === 0) return;
  await sql`
    INSERT INTO payment_checks (payment_id, due_at, give_up_at)
    SELECT s.id, CASE WHEN other.is_reported THEN ${at.now}::timestamptz ELSE s.lease_end END,
      ${at.giveUpAt}::timestamptz
    FROM unnest(
      ${settled.map(({ paymentId }) => paymentId)}::bigint[],
      ${settled.map(({ more }) => more)}::boolean[],
      ${settled.map(({ names }) => JSON.stringify(names))}::jsonb[],
      ${settled.map(({ leaseEnd }) => leaseEnd)}::timestamptz[]
    ) AS s(id, more, names, lease_end)
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM reported_transactions r
      WHERE r.payment_id = s.id AND NOT s.names ? r.transaction_id) AS is_reported) AS other
    WHERE s.more OR other.is_reported
    ORDER BY s.id
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

/** Makes an order's payments due now, expired ones included: its buyer reports that he paid. */
export const askAgain = (
  tx: Db,
  orderId: bigint,
  { now, giveUpAt }: { now: Date; giveUpAt: Date },
) =>
  sql`
    INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at)
    SELECT p.id, ${now}, ${giveUpAt} FROM payments p
    WHERE p.order_id = ${orderId} AND p.status <> 'paid'
    ORDER BY p.id
    ON CONFLICT (payment_id) DO UPDATE SET due_at = excluded.due_at,
      give_up_at = greatest(c.give_up_at, excluded.give_up_at)
  `.execute(tx);

/** Ends checks, unless a webhook came since they were leased. */
export const dropChecks = (tx: Db, paymentIds: readonly bigint[], leaseEnd: Date) =>
  sql`
    DELETE FROM payment_checks
    WHERE payment_id = ANY(${[...paymentIds]}::bigint[]) AND due_at = ${leaseEnd}
  `.execute(tx);

type Report = { readonly transactionId: string; readonly now: Date } & (
  | { readonly secret: string }
  | { readonly provider: string; readonly providerPaymentId: string }
);

/**
 * A new transaction id of a payment: stored, and looked up at once; for a paid payment too, which may
 * have been paid again with the same reference. From a browser that has the `secret`, a few for a
 * payment at most; one from the provider itself is looked up before all others.
 * → false when there is no such payment
 */
export async function noteReported(db: Db, report: Report): Promise<boolean> {
  const { transactionId, now } = report;
  const isBrowsers = "secret" in report;
  const namesMax = isBrowsers ? contract.NAMES_REPORTED_MAX : NAMES_KEPT;
  const isMeant = isBrowsers
    ? sql`return_secret_hash = ${hashOf(report.secret)}`
    : sql`provider = ${report.provider} AND provider_payment_id = ${report.providerPaymentId}
        AND key_id IS NULL`;
  const { known } = await one<{ known: boolean }>(db)`
    WITH payment AS MATERIALIZED (
      SELECT id, status, transaction_id FROM payments WHERE ${isMeant}
    ), added AS (
      INSERT INTO reported_transactions (payment_id, transaction_id, reported_at)
      SELECT p.id, ${transactionId}, ${now}::timestamptz FROM payment p
      WHERE (SELECT count(*) FROM reported_transactions r WHERE r.payment_id = p.id) < ${namesMax}
        AND (p.status <> 'paid' OR p.transaction_id IS DISTINCT FROM ${transactionId})
      ON CONFLICT DO NOTHING
      RETURNING payment_id
    ), pulled AS (
      INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at, reported)
      SELECT t.payment_id, ${now}::timestamptz, ${addMs(now, REOPENED_FOR_MS)}::timestamptz,
        ${!isBrowsers}::boolean
      FROM added t
      ON CONFLICT (payment_id) DO UPDATE
      SET due_at = ${MOVED}, reported = c.reported OR excluded.reported
      RETURNING 1
    ), woken AS (
      SELECT pg_notify(${CHECKS_CHANNEL}, '') WHERE EXISTS (SELECT FROM pulled)
    )
    SELECT EXISTS (SELECT FROM payment) AS known, (SELECT count(*) FROM woken)
  `;
  return known;
}

/**
 * The number of orders matching `whose` with a payment that may still bring or take money: one with a
 * check, created within ASKED_FOR_MS; a mismatched one; or one to be refunded. An older one that is
 * checked again does not keep an account open. `whose` is a condition on `orders o`.
 */
export function countUnsettledOrders(whose: RawBuilder<unknown>, now: Date): RawBuilder<number> {
  return sql`(
    SELECT count(DISTINCT o.id)::int FROM (
      SELECT c.payment_id FROM payment_checks c JOIN payments p ON p.id = c.payment_id
      WHERE p.created_at > ${addMs(now, -contract.ASKED_FOR_MS)}
      UNION
      SELECT substr(d.subject, 9)::bigint FROM alerts d
      WHERE d.kind = 'payment.mismatch' AND d.resolved_at IS NULL
      UNION
      SELECT j.ref FROM outbox j WHERE j.topic = 'refunds.return-overpayment'
    ) AS unsettled(payment_id)
    JOIN payments p ON p.id = unsettled.payment_id JOIN orders o ON o.id = p.order_id
    WHERE ${whose}
  )`;
}

/** Columns of future instants, and the furthest that a correct clock can write. */
export const CHECKOUT_DATES = [
  ...datesAhead("payment_checks", [["due_at", LONGEST_PAUSE_MS]]),
  ...datesAhead("orders", [
    ["stock_reserved_until", contract.PLACE_RESERVED_MS, "status IN ('pending', 'failed')"],
  ]),
];

type CallsOfMinute = {
  readonly provider: string;
  readonly minute: Date;
  readonly answered: number;
  readonly failed: number;
};

/** In real time: successes need not be written at once. */
const SUCCESSES_WAIT_MS = 2_000;

/** Results of providers' calls: collected in memory, written at the end of a batch. */
export const healthOf = perApp(({ db, clock, log }) => {
  const calls = new Map<string, CallsOfMinute>();
  let writtenAt = Number.NEGATIVE_INFINITY;
  /**
   * One statement for many calls: at once after a failure, else every few seconds. A failed write
   * is ignored.
   */
  const flush = async () => {
    const minutes = [...calls.values()];
    const waits = performance.now() - writtenAt < SUCCESSES_WAIT_MS;
    if (minutes.length === 0 || (waits && minutes.every(({ failed }) => failed === 0))) return;
    calls.clear();
    writtenAt = performance.now();
    try {
      await sql`
        WITH forgotten AS (
          DELETE FROM provider_minutes
          WHERE minute < ${addMs(clock.now(), -contract.DISTURBED_WINDOW_MS * 2)}
        )
        INSERT INTO provider_minutes AS m (provider, minute, answered, failed)
        SELECT * FROM unnest(
          ${minutes.map(({ provider }) => provider)}::text[],
          ${minutes.map(({ minute }) => minute)}::timestamptz[],
          ${minutes.map(({ answered }) => answered)}::int[],
          ${minutes.map(({ failed }) => failed)}::int[]
        ) AS u(provider, minute, answered, failed)
        ORDER BY provider, minute
        ON CONFLICT (provider, minute) DO UPDATE SET answered = m.answered + excluded.answered,
          failed = m.failed + excluded.failed
      `.execute(db);
    } catch (error) {
      log.warn({ err: error }, "how providers answer was not written");
    }
  };
  const note = ({ provider, keyId }: Account, end: "answered" | "failed") => {
    // A seller's own account may fail because of the seller.
    if (keyId !== null) return;
    const minute = new Date(Math.floor(clock.now().getTime() / MINUTE_MS) * MINUTE_MS);
    const name = `${provider} ${minute.getTime()}`;
    const known = calls.get(name) ?? { provider, minute, answered: 0, failed: 0 };
    calls.set(name, { ...known, [end]: known[end] + 1 });
  };
  return {
    flush,
    /** Records whether a call of a provider got an answer, whatever it was, or none, or an invalid one. */
    async watch<T>(account: Account, called: boolean, call: () => Promise<T>): Promise<T> {
      try {
        const answer = await call();
        if (called) note(account, "answered");
        return answer;
      } catch (error) {
        if (error instanceof Outage) note(account, "failed");
        throw error;
      }
    },
    /** Providers that are "perturbé" by the calls of the last 30 minutes. */
    async disturbed(): Promise<ReadonlySet<string>> {
      const since = addMs(clock.now(), -contract.DISTURBED_WINDOW_MS);
      const rows = await many<Omit<CallsOfMinute, "minute">>(db)`
        SELECT provider, sum(answered)::int AS answered, sum(failed)::int AS failed
        FROM provider_minutes WHERE minute > ${since} GROUP BY provider
      `;
      return new Set(rows.filter(contract.isDisturbed).map(({ provider }) => provider));
    },
  };
});
