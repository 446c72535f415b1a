import type { Fcfa } from "@sesame/kernel";
import type { FetchedPayout, Quote } from "@sesame/providers";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import { raiseAlert } from "./alert.store.ts";
import type { Compared, Difference, OurPayout } from "./compare-payouts.ts";

export type Run = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly since: Date;
  readonly byList: boolean;
};

export async function beginRun(db: Db, run: Omit<Run, "id">, now: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO reconciliations (provider, what, since, started_at, by_list)
    VALUES (${run.provider}, ${run.what}, ${run.since}, ${now}, ${run.byList}) RETURNING id
  `.execute(db);
  if (!rows[0]) throw new Error("a reconciliation was begun");
  return rows[0].id;
}

export async function finishRun(tx: Db, id: bigint, end: Compared & { now: Date }): Promise<void> {
  await sql`
    UPDATE reconciliations SET finished_at = ${end.now}, compared = ${end.compared},
      differences = ${end.differences.length}, last_payment_id = ${end.lastPaymentId ?? null},
      stopped = ${end.stopped ?? null}
    WHERE id = ${id}
  `.execute(tx);
}

export async function stopRun(db: Db, id: bigint, end: { now: Date; why: string }): Promise<void> {
  await sql`
    UPDATE reconciliations SET finished_at = ${end.now}, stopped = ${end.why} WHERE id = ${id}
  `.execute(db);
}

/**
 * Keeps each difference once, says since when, puts new ones on the desk. Ended are those whose
 * subject was compared again and agrees; what was not compared stays as it was.
 */
export async function noteDifferences(
  tx: Db,
  run: Run,
  found: { subjects: readonly string[]; differences: readonly Difference[]; now: Date },
): Promise<void> {
  const { subjects, now } = found;
  for (const difference of found.differences) {
    await noteDifference(tx, run, { difference, now });
  }
  await sql`
    WITH gone AS (
      UPDATE reconciliation_differences SET gone_at = ${now}
      WHERE provider = ${run.provider} AND what = ${run.what} AND gone_at IS NULL
        AND reconciliation_id <> ${run.id} AND subject = ANY(${[...subjects]}::text[])
      RETURNING provider || ':' || kind || ':' || subject AS subject
    )
    UPDATE desk_alerts d SET resolved_at = ${now} FROM gone
    WHERE d.kind = 'reconciliation.difference' AND d.subject = gone.subject
      AND d.resolved_at IS NULL
  `.execute(tx);
}

async function noteDifference(
  tx: Db,
  run: Run,
  { difference, now }: { difference: Difference; now: Date },
): Promise<void> {
  const { kind, subject, ours, theirs } = difference;
  const { rows } = await sql<{ fresh: boolean }>`
    WITH before AS (
      SELECT gone_at FROM reconciliation_differences WHERE provider = ${run.provider}
        AND what = ${run.what} AND kind = ${kind} AND subject = ${subject}
    )
    INSERT INTO reconciliation_differences AS d (provider, what, kind, subject, ours, theirs,
      first_seen_at, last_seen_at, reconciliation_id)
    VALUES (${run.provider}, ${run.what}, ${kind}, ${subject},
      ${ours && JSON.stringify(ours)}::jsonb, ${theirs && JSON.stringify(theirs)}::jsonb,
      ${now}, ${now}, ${run.id})
    ON CONFLICT (provider, what, kind, subject) DO UPDATE SET ours = excluded.ours,
      theirs = excluded.theirs, last_seen_at = excluded.last_seen_at, gone_at = NULL,
      first_seen_at = CASE WHEN d.gone_at IS NULL THEN d.first_seen_at ELSE excluded.first_seen_at
        END,
      reconciliation_id = excluded.reconciliation_id
    RETURNING NOT EXISTS (SELECT FROM before WHERE gone_at IS NULL) AS fresh
  `.execute(tx);
  // One somebody has resolved and that is still there does not come back each day.
  if (!rows[0]?.fresh) return;
  await raiseAlert(tx, {
    kind: "reconciliation.difference",
    subject: `${run.provider}:${kind}:${subject}`,
    details: { what: run.what, kind, ours, theirs },
    now,
  });
}

/** What differed when it was last compared: it is compared each time, however old. */
function openSubjects(what: Run["what"], provider: string) {
  const prefix = what === "payouts" ? "payout:" : "payment:";
  return sql`(
    SELECT substr(d.subject, ${prefix.length + 1}::int)::bigint FROM reconciliation_differences d
    WHERE d.provider = ${provider} AND d.what = ${what} AND d.gone_at IS NULL
      AND starts_with(d.subject, ${prefix})
  )`;
}

/** Told to send since then, whatever theirs name, and what differed before. */
export async function readOurPayouts(
  db: Db,
  scope: { lane: string; since: Date; named: readonly FetchedPayout[] },
): Promise<OurPayout[]> {
  const ids = scope.named.map(({ providerPayoutId }) => providerPayoutId);
  const references = scope.named.map(({ reference }) => reference);
  return many<OurPayout>(db)`
    SELECT p.id, p.reference, p.amount, p.status, p.cost, p.handle, p.provider_payout_id, p.late_at,
      p.returned_at,
      coalesce(p.submitted_at < ${scope.since}, true) AS is_old,
      (SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
        JOIN ledger_accounts a ON a.id = e.account_id AND a.key = 'provider:' || p.lane
        WHERE e.transfer_id IN ('sent:' || p.id, 'late:' || p.id, 'cost:' || p.id,
          'reversed:' || p.id)) AS in_ledger
    FROM payouts p
    WHERE p.lane = ${scope.lane} AND (p.submitted_at >= ${scope.since}
      OR p.id IN ${openSubjects("payouts", scope.lane)}
      OR p.provider_payout_id = ANY(${ids}::text[]) OR p.reference = ANY(${references}::text[]))
    ORDER BY p.id
  `;
}

export type OurPayment = {
  readonly id: bigint;
  readonly provider_payment_id: string;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly amount: Fcfa;
  /** What came in, where somebody decided about it; null: what was asked for. */
  readonly received: Fcfa | null;
  /** Null: none was booked. */
  readonly cost: Fcfa | null;
  readonly quote: Quote | null;
  /** Names of theirs: the one that is booked, and those that were heard. */
  readonly paidAs: string | null;
  readonly heard: readonly string[];
  /** Given back by the provider, or on its way. */
  readonly given_back: boolean;
  /** Known not to be what was ordered: an operator has decided about it. */
  readonly is_decided: boolean;
  /** It had taken it back, and our refund ended with that. */
  readonly is_returned: boolean;
  /** What is left of it, by the operator's word. */
  readonly is_counted: boolean;
  /** When it was last compared. */
  readonly differed: boolean;
};

/**
 * Those that became money on the instance's account: what differed before, then the next ones after
 * the last that a run came to, from the first again when there are no more.
 */
export async function readOurPayments(
  db: Db,
  scope: { provider: string; since: Date; limit: number },
): Promise<OurPayment[]> {
  return many<OurPayment>(db)`
    WITH reached AS MATERIALIZED (
      SELECT coalesce(max(last_payment_id), 0) AS id FROM (
        SELECT last_payment_id FROM reconciliations
        WHERE provider = ${scope.provider} AND what = 'payments' AND last_payment_id IS NOT NULL
        ORDER BY id DESC LIMIT 1
      ) AS last
    ), chosen AS MATERIALIZED (
      SELECT id, true AS differed FROM ${openSubjects("payments", scope.provider)} AS open(id)
      UNION ALL (
        SELECT p.id, false FROM payments p, reached
        WHERE p.provider = ${scope.provider} AND p.status = 'paid' AND p.key_id IS NULL
          AND p.decided_at >= ${scope.since}
          AND p.id NOT IN ${openSubjects("payments", scope.provider)}
        ORDER BY p.id <= reached.id, p.id LIMIT ${scope.limit}
      )
    )
    SELECT p.id, p.provider_payment_id, coalesce(p.reference, p.order_id::text) AS reference,
      p.amount, p.received, p.cost, p.quote, c.differed, p.decided_as IS NOT NULL AS is_decided,
      p.counted AS is_counted,
      p.transaction_id AS "paidAs",
      ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id) AS heard,
      EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id
        AND f.lane IN ('provider', 'returned')) AS given_back,
      EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id AND f.lane = 'returned') AS is_returned
    FROM chosen c JOIN payments p ON p.id = c.id CROSS JOIN reached
    ORDER BY c.differed DESC, p.id <= reached.id, p.id
  `;
}

/** The daily task is due now. */
export async function requestReconciliation(db: Db, now: Date): Promise<void> {
  await sql`
    UPDATE upkeep_tasks SET due_at = ${now} WHERE name = 'payouts.reconcile'
  `.execute(db);
}
