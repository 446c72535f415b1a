import type { difference, runOnWire } from "@sesame/contract/treasury";
import { addMs, DAY_MS, describeError, Outage } from "@sesame/kernel";
import type { FetchedPayout, PaymentProvider, PayoutProvider } from "@sesame/providers";
import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";
import type { App, Log } from "../../app.ts";
import { type Db, many, one, maybe, nextCursor } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { PAYMENT_NAME, resolveRefundsThere } from "../checkout/index.ts";
import * as compare from "./compare.ts";
import { applyFetched } from "./drive.ts";
import { hasArrived } from "./payouts.ts";
import { nameDifference, nameLink, sayDifference } from "./staff/messages.fr.ts";

type Run = Pick<ReconciliationRun, "id" | "provider" | "what"> & {
  readonly since: Date;
  readonly byList: boolean;
};

/** A payout of a week ago may still end, or be found to have ended. */
const BACK_MS = 7 * DAY_MS;
/** How long a bank may take a payment back. */
const PAYMENTS_BACK_MS = 120 * DAY_MS;
/** The provider's list is read from earlier: it may have created a payout before we submitted it. */
const LIST_MARGIN_MS = DAY_MS;

/** Compares every provider's report with our ledger, both ways, as far as each allows. */
export async function reconcilePayouts(app: App, now: Date): Promise<void> {
  for (const provider of app.payoutProviders) {
    const since = addMs(now, -BACK_MS);
    const byList = provider.list !== null;
    const run = { provider: provider.id, what: "payouts", since, byList } as const;
    await runOne(app, run, () => comparePayoutsOf(app, provider, since));
  }
  for (const provider of app.providers) {
    const since = addMs(now, -PAYMENTS_BACK_MS);
    const run = { provider: provider.id, what: "payments", since, byList: false } as const;
    await runOne(app, run, () => reconcilePayments(app, provider, since));
  }
  await publish(app.db, [staffChanged("reconciliation", "all")]);
}

/** A run stopped by the provider keeps the differences of the previous one. */
async function runOne(
  { db, clock, log }: App,
  begun: Omit<Run, "id">,
  comparing: () => Promise<compare.Compared>,
): Promise<void> {
  const { provider, what } = begun;
  const { id } = await one<{ id: bigint }>(db)`
    INSERT INTO reconciliations (provider, what, since, started_at, by_list)
    VALUES (${provider}, ${what}, ${begun.since}, ${clock.now()}, ${begun.byList}) RETURNING id
  `;
  try {
    const found = await comparing();
    const now = clock.now();
    await db.transaction().execute(async (tx) => {
      await noteDifferences(tx, { ...begun, id }, { ...found, now });
      await sql`
        UPDATE reconciliations SET finished_at = ${now}, compared = ${found.compared},
          differences = ${found.differences.length},
          last_payment_id = ${found.lastPaymentId ?? null}, stopped = ${found.stopped ?? null}
        WHERE id = ${id}
      `.execute(tx);
    });
    if (found.differences.length > 0) {
      log.warn({ provider, what, count: found.differences.length }, "a provider says otherwise");
    }
  } catch (error) {
    const why = describeError(error);
    // A provider that cannot be compared must not stop the others.
    if (error instanceof Outage)
      log.warn({ provider, what, why }, "a reconciliation was cut short");
    else log.error({ err: error, provider, what }, "a reconciliation met a bug");
    await sql`
      UPDATE reconciliations SET finished_at = ${clock.now()}, stopped = ${why} WHERE id = ${id}
    `.execute(db);
  }
}

async function comparePayoutsOf(app: App, provider: PayoutProvider, since: Date) {
  const rail = provider.id;
  const askedAt = app.clock.now();
  const listed = provider.list ? await provider.list(addMs(since, -LIST_MARGIN_MS)) : [];
  const named = await readOurPayouts(app.db, { rail, since, named: listed });
  const lone = compare
    .matchPayouts(named, listed)
    .pairs.filter(({ ours, theirs }) => theirs.length === 0 && (!provider.list || ours.is_old))
    .map(({ ours }) => ours);
  const { found, skipped } = await lookUpEach(provider, lone, app.log);
  const theirs = [...listed, ...found];
  await catchUp(app, compare.matchPayouts(named, theirs).pairs, askedAt);
  const scope = { rail, since, named: theirs };
  const ours = (await readOurPayouts(app.db, scope)).filter(({ id }) => !skipped.has(id));
  const matched = compare.matchPayouts(ours, theirs);
  return compare.comparePayouts(rail, matched);
}

/** One by one: for a provider without a list, and for payouts older than its list. */
async function lookUpEach(provider: PayoutProvider, ours: readonly compare.OurPayout[], log: Log) {
  const ask = skipOutages(log);
  const found: FetchedPayout[] = [];
  const skipped = new Set<bigint>();
  for (const { id, reference, handle, provider_payout_id: providerPayoutId } of ours) {
    const theirs = await ask(() => provider.lookup({ reference, handle, providerPayoutId }));
    if (theirs === "outage") skipped.add(id);
    // Found by the provider's id of ours: it is ours, even if the answer has no reference.
    else if (theirs)
      found.push({ ...theirs, providerPayoutId, reference: theirs.reference ?? reference });
  }
  return { found, skipped };
}

/** A delay is no difference: reported ends are applied as after any lookup. */
async function catchUp(app: App, pairs: readonly compare.Pair[], askedAt: Date): Promise<void> {
  for (const pair of pairs) {
    if (hasArrived(pair.ours) && compare.bestOf(pair.theirs)?.status !== "failed") continue;
    for (const fetched of pair.theirs) {
      if (fetched.status !== "succeeded" && fetched.status !== "failed") continue;
      await applyFetched(app, pair.ours.id, { fetched, askedAt, now: app.clock.now() });
    }
  }
}

/** Lookups of one run: no provider has a list of payments here, and each lookup is a call. */
const ASKED = 100;

/** This many outages in a row are the provider's, not the subject's. */
const OUTAGES_MAX = 3;

/** → a lookup; an outage skips its subject, and the third in a row is thrown. */
function skipOutages(log: Log): <T>(ask: () => Promise<T>) => Promise<T | "outage"> {
  let inARow = 0;
  return async (ask) => {
    try {
      const answer = await ask();
      inARow = 0;
      return answer;
    } catch (error) {
      inARow += 1;
      if (!(error instanceof Outage) || inARow === OUTAGES_MAX) throw error;
      log.warn({ why: describeError(error) }, "one of many was not compared");
      return "outage";
    }
  };
}

/**
 * Compares settled payments with the provider's current report, one by one: some each day, all in
 * turn. A payment that was never reported to us stays unseen: payment providers have no list here.
 */
async function reconcilePayments(app: App, provider: PaymentProvider, since: Date) {
  const scope = { provider: provider.id, since, limit: ASKED };
  const ask = skipOutages(app.log);
  const subjects: string[] = [];
  const differences: compare.Difference[] = [];
  let lastPaymentId: bigint | null = null;
  const found = (): compare.Compared => ({
    compared: subjects.length,
    subjects,
    differences,
    lastPaymentId,
  });
  for (const payment of await readOurPayments(app.db, scope)) {
    if (!payment.differed) lastPaymentId = payment.id;
    try {
      const theirs = await ask(() => provider.fetchPayment(payment));
      if (theirs === "outage") continue;
      subjects.push(compare.subjectOfPayment(payment));
      if (theirs?.status === "paid") {
        const paid = { paymentId: payment.id, transactionId: theirs.transactionId ?? null };
        await resolveRefundsThere(app.db, [paid], app.clock.now());
      }
      differences.push(...compare.comparePayment(payment, theirs));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return { ...found(), stopped: describeError(error) };
    }
  }
  return found();
}

/**
 * Stores each difference once with its first instant, and reports new ones to the back office. A
 * difference ends when its subject was compared again and agrees; subjects not compared stay.
 */
async function noteDifferences(
  tx: Db,
  run: Run,
  found: { subjects: readonly string[]; differences: readonly compare.Difference[]; now: Date },
): Promise<void> {
  const { now } = found;
  for (const difference of found.differences) {
    const { kind, subject, ours, theirs } = difference;
    const noted = await maybe<{ fresh: boolean }>(tx)`
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
    `;
    // A resolved one that still differs raises no alert each day.
    if (!noted?.fresh) continue;
    await raiseAlert(tx, {
      kind: "reconciliation.difference",
      subject: `${run.provider}:${kind}:${subject}`,
      details: { what: run.what, kind, ours, theirs },
      now,
    });
  }
  const gone = await many<{ subject: string }>(tx)`
    UPDATE reconciliation_differences SET gone_at = ${now}
    WHERE provider = ${run.provider} AND what = ${run.what} AND gone_at IS NULL
      AND reconciliation_id <> ${run.id} AND subject = ANY(${[...found.subjects]}::text[])
    RETURNING provider || ':' || kind || ':' || subject AS subject
  `;
  const subjects = gone.map(({ subject }) => subject);
  await resolveAlerts(tx, { kinds: ["reconciliation.difference"], subjects, now });
}

/** What differed in the last comparison: it is compared each time, however old. */
function openSubjects(what: Run["what"], provider: string) {
  const prefix = what === "payouts" ? "payout:" : "payment:";
  return sql`(
    SELECT substr(d.subject, ${prefix.length + 1}::int)::bigint FROM reconciliation_differences d
    WHERE d.provider = ${provider} AND d.what = ${what} AND d.gone_at IS NULL
      AND starts_with(d.subject, ${prefix})
  )`;
}

/** Submitted since then, named in the provider's list, or different before. */
async function readOurPayouts(
  db: Db,
  scope: { rail: string; since: Date; named: readonly FetchedPayout[] },
): Promise<compare.OurPayout[]> {
  const ids = scope.named.map(({ providerPayoutId }) => providerPayoutId);
  const references = scope.named.map(({ reference }) => reference);
  return many<compare.OurPayout>(db)`
    SELECT p.id, p.reference, p.amount, p.status, p.cost, p.handle, p.provider_payout_id, p.late_at,
      p.returned_at,
      coalesce(p.submitted_at < ${scope.since}, true) AS is_old,
      (SELECT coalesce(sum(e.amount), 0)::bigint FROM ledger_entries e
        JOIN ledger_accounts a ON a.id = e.account_id AND a.key = 'provider:' || p.rail
        WHERE e.transfer_id IN ('sent:' || p.id, 'late:' || p.id, 'cost:' || p.id,
          'reversed:' || p.id)) AS in_ledger
    FROM payouts p
    WHERE p.rail = ${scope.rail} AND (p.submitted_at >= ${scope.since}
      OR p.id IN ${openSubjects("payouts", scope.rail)}
      OR p.provider_payout_id = ANY(${ids}::text[]) OR p.reference = ANY(${references}::text[]))
    ORDER BY p.id
  `;
}

/**
 * Settled payments on the instance's account: those that differed before, then the next ones after
 * the last run's end, from the first again when there are no more.
 */
const readOurPayments = (
  db: Db,
  scope: { provider: string; since: Date; limit: number },
) => many<compare.OurPayment>(db)`
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
  SELECT ${PAYMENT_NAME}, p.id, p.received, p.cost, c.differed,
    p.decided_as IS NOT NULL AS is_decided, p.counted AS is_counted,
    EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id
      AND f.rail IN ('provider', 'returned')) AS given_back,
    EXISTS (SELECT FROM refunds f WHERE f.payment_id = p.id AND f.rail = 'returned') AS is_returned
  FROM chosen c JOIN payments p ON p.id = c.id CROSS JOIN reached
  ORDER BY c.differed DESC, p.id <= reached.id, p.id
`;

type ReconciliationRun = Omit<z.output<typeof runOnWire>, "stopped"> & {
  /** Why it stopped early. */
  readonly stopped: string | null;
};

/** The last run of each provider. */
export const listReconciliations = (db: Db) => many<ReconciliationRun>(db)`
  SELECT DISTINCT ON (provider, what) id, provider, what, started_at, finished_at, by_list, compared,
    differences, stopped
  FROM reconciliations ORDER BY provider, what, id DESC
`;

type DifferenceRow = Omit<z.output<typeof difference>, "label" | "links" | "ours" | "theirs"> & {
  readonly id: bigint;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  /** The withdrawal of our payout, or the order of our payment. */
  readonly withdrawal_id: bigint | null;
  readonly order_id: bigint | null;
};

const PAGE = 30;

/** Differences between providers' reports and our ledger: newest first. */
export async function viewReconciliations(
  { db, clock }: App,
  { status, cursor }: { status: "open" | "gone" | "all"; cursor: bigint | null },
) {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (status === "open") conditions.push(sql`d.gone_at IS NULL`);
  if (status === "gone") conditions.push(sql`d.gone_at IS NOT NULL`);
  if (cursor !== null) conditions.push(sql`d.id < ${cursor}`);
  const rows = await many<DifferenceRow>(db)`
    SELECT d.id, d.provider, d.what, d.kind, d.subject, d.ours, d.theirs, d.first_seen_at,
      d.last_seen_at, d.gone_at,
      (SELECT p.withdrawal_id FROM payouts p
        WHERE p.id = CASE WHEN d.subject ~ '^payout:[0-9]{1,18}$'
          THEN substr(d.subject, 8)::bigint END) AS withdrawal_id,
      (SELECT p.order_id FROM payments p
        WHERE p.id = CASE WHEN d.subject ~ '^payment:[0-9]{1,18}$'
          THEN substr(d.subject, 9)::bigint END) AS order_id
    FROM reconciliation_differences d WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY d.id DESC LIMIT ${PAGE}
  `;
  const runs = await listReconciliations(db);
  return {
    now: clock.now(),
    runs: runs.map((run) => ({ ...run, stopped: run.stopped !== null })),
    differences: rows.map((row) => ({
      ...row,
      label: nameDifference(row.kind),
      ours: row.ours && sayDifference(row.ours, "ours"),
      theirs: row.theirs && sayDifference(row.theirs, "theirs"),
      links: (["withdrawal", "order"] as const).flatMap((type) => {
        const id = row[`${type}_id`];
        return id === null ? [] : [{ type, id, label: nameLink(type, String(id), null) }];
      }),
    })),
    next_cursor: nextCursor(rows, PAGE),
  };
}
