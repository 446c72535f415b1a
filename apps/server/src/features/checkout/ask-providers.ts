import { setTimeout as pause } from "node:timers/promises";
import { askAfterMs, divideRate, isKnownProvider } from "@sesame/contract/checkout";
import { addMs, type Fcfa, Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentName, PaymentProvider } from "@sesame/providers";
import type { App } from "../../app.ts";
import { sql } from "kysely";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { providerFor } from "../payment-accounts/index.ts";
import {
  leaseChecks,
  dropChecks,
  type DueCheck,
  healthOf,
  type Later,
  postponeChecks,
} from "./checks.ts";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { AlertKind } from "../../alerts/kinds.fr.ts";
import {
  alertRefundThere,
  resolveRefundsThere,
  closePayments,
  type Confirmed,
  type Mismatch,
  noteMismatched,
  settleConfirmed,
  settleOverpayment,
} from "./settle.ts";

/** Payment checks leased at a time; at most one settlement's batch. */
const LEASED_AT_MOST = 400;
/** Concurrent calls at one provider. */
const CONCURRENCY = 32;
/**
 * A worker that dies loses its checks by then. No call begins so late that it could end after the
 * lease (10 s at most), so a slow provider is not called twice; what was not called is due again at
 * once.
 */
const LEASE_MS = 12_000;
const LAST_CALL_MS = 1_500;
/**
 * In real time. A slower provider continues on its own while the others are called and settled:
 * only the buyers of a dead provider wait for it.
 */
const PATIENCE_MS = 400;

type Lease = { readonly checks: readonly DueCheck[]; readonly leaseEnd: Date };

/**
 * Looks due payments up at the providers and settles the answers, in batches, each provider at its
 * own pace: on schedule, and at once when a webhook came (CHECKS_CHANNEL).
 */
export function createAskingLoop(app: App): Loop {
  // An account that refuses the rate (429) is not called 31 times more. By class of the check, so that
  // scheduled ones do not delay signed webhooks.
  const quietUntil = new Map<string, Date>();
  const underWay = new Map<string, Promise<boolean>>();
  // Checks whose answers could not be written (the database failed): due again at once.
  const unwritten = new Set<Lease>();

  async function askAndApply(lease: Lease): Promise<boolean> {
    unwritten.add(lease);
    const asked = await askAll(app, lease.checks, quietUntil);
    await applyAnswers(app, asked, lease.leaseEnd);
    unwritten.delete(lease);
    await healthOf(app).flush();
    return asked.some(({ answer }) => answer.kind === "not-asked");
  }

  async function look(): Promise<boolean> {
    const now = app.clock.now();
    if (underWay.size === 0) await giveBack(app, unwritten, now);
    const leaseEnd = addMs(now, LEASE_MS);
    const except = [...underWay.keys()];
    const rates = Object.entries((await app.settings.current()).provider_rates);
    const paced = new Map(rates.map(([name, rate]) => [name, divideRate(rate).paced]));
    const request = { now, leaseEnd, limit: LEASED_AT_MOST, except, paced };
    const checks = await leaseChecks(app.db, request);
    if (checks.length === 0) return false;
    const groups = Map.groupBy(checks, ({ provider }) => provider);
    const tasks = [...groups].map(([provider, own]) => {
      let slow = false;
      const task = askAndApply({ checks: own, leaseEnd }).finally(() => {
        underWay.delete(provider);
        if (slow) loop.wake();
      });
      underWay.set(provider, task);
      return { task, late: () => (slow = true) };
    });
    const more = await inTime(tasks.map(({ task }) => task));
    if (more !== null) return checks.length === LEASED_AT_MOST || more;
    for (const { task, late } of tasks) {
      late();
      task.catch((error: unknown) => {
        app.log.error({ err: error }, "what a provider answered was not written");
      });
    }
    return true;
  }

  const loop = createLoop({
    name: "checkout ask providers",
    clock: app.clock,
    log: app.log,
    everyMs: WHOLE_ROUND_MS,
    due: () => sql<boolean>`${unwritten.size > 0} OR EXISTS (
      SELECT FROM (VALUES (true), (false)) AS class(reported) JOIN payment_checks c USING (reported)
      WHERE c.due_at <= ${app.clock.now()})`,
    run: look,
    underWay: () => underWay.values(),
  });
  return loop;
}

async function giveBack(app: App, unwritten: Set<Lease>, now: Date): Promise<void> {
  for (const lease of unwritten) {
    const again = lease.checks.map((check) => ({ ...check, due_at: now }));
    await postponeChecks(app.db, again, lease.leaseEnd);
    unwritten.delete(lease);
  }
}

/** Null when the calls take longer than PATIENCE_MS. */
async function inTime(tasks: readonly Promise<boolean>[]): Promise<boolean | null> {
  const end = new AbortController();
  const late = pause(PATIENCE_MS, null, { signal: end.signal }).catch(() => null);
  const all = Promise.all(tasks).then((mores) => mores.includes(true));
  try {
    return await Promise.race([all, late]);
  } finally {
    end.abort();
  }
}

async function askAll(app: App, checks: readonly DueCheck[], quietUntil: Map<string, Date>) {
  // The order of leasing is the order of calls.
  const waiting = checks.toReversed();
  const asked: Asked[] = [];
  const lastCall = addMs(app.clock.now(), LAST_CALL_MS);
  const worker = async () => {
    for (let check = waiting.pop(); check; check = waiting.pop()) {
      const late = app.clock.now() > lastCall;
      const answer = late ? NOT_ASKED : await ask(app, check, quietUntil);
      asked.push({ check, answer });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, checks.length) }, worker));
  return asked;
}

const NOT_ASKED: Answer = { kind: "not-asked" };

async function ask(app: App, check: DueCheck, quietUntil: Map<string, Date>): Promise<Answer> {
  const askedAt = app.clock.now();
  const asked = check.reported ? "reported" : "scheduled";
  const account = `${check.provider}:${check.key_id ?? ""}:${asked}`;
  const quiet = quietUntil.get(account);
  if (quiet && quiet > askedAt) {
    return { kind: "outage", retryAfterMs: quiet.getTime() - askedAt.getTime() };
  }
  try {
    const { provider: id, key_id: keyId } = check;
    const provider = isKnownProvider(id) ? await providerFor(app, id, keyId) : null;
    // The provider was closed since: the payment is looked up when it opens again.
    if (!provider) return { kind: "outage", retryAfterMs: 0 };
    // Without a reported transaction there is nothing to look up.
    const called = !provider.isMadeInBrowser || check.reported_transactions.length > 0;
    const fetchIt = () => provider.fetchPayment(nameOf(check));
    const answer = await healthOf(app).watch({ provider: provider.id, keyId }, called, fetchIt);
    const expected = {
      providerPaymentId: check.provider_payment_id,
      amount: check.amount,
      reference: check.reference,
    };
    const assessment = assessPayment(expected, answer, app.config);
    const { transactionId = null, cost = null, unanswered = false } = answer ?? {};
    const isPaid = assessment.kind === "paid" || check.status === "paid";
    const { overpayments, lost } = await weighOverpayments(provider, check, isPaid ? answer : null);
    const isOpen = unanswered || lost;
    if (isOpen) app.log.warn({ payment: String(check.payment_id) }, "a name was not answered for");
    return {
      kind: "answered",
      assessment,
      askedAt,
      transactionId,
      cost,
      overpayments,
      unanswered: isOpen,
    };
  } catch (error) {
    if (!(error instanceof Outage)) {
      // A bug on one answer must not lose the other answers.
      app.log.error(
        { err: error, payment: String(check.payment_id) },
        "a payment was not assessed",
      );
      return { kind: "outage", retryAfterMs: 0 };
    }
    app.log.warn({ party: error.party, message: error.message }, "a payment was not verified");
    const retryAfterMs = error.retryAfterMs ?? 0;
    if (retryAfterMs > 0) quietUntil.set(account, addMs(askedAt, retryAfterMs));
    return { kind: "outage", retryAfterMs };
  }
}

const nameOf = (check: DueCheck): PaymentName => ({
  ...check,
  providerPaymentId: check.provider_payment_id,
  reportedTransactionIds: check.reported_transactions,
  paidAs: check.status === "paid" ? check.transaction_id : null,
});

/**
 * Other transactions paid with the same reference, each looked up by its own id: where a browser sets
 * the amount, it may be another one. `lost`: one lookup got no answer, and those after it were not
 * made.
 */
async function weighOverpayments(
  provider: PaymentProvider,
  check: DueCheck,
  answer: FetchedPayment | null,
): Promise<{ overpayments: Overpayment[]; lost: boolean }> {
  const { transactionId = null, extraTransactionIds: extra = [] } = answer ?? {};
  const kept = check.transaction_id ?? transactionId;
  const named = transactionId === null ? extra : [transactionId, ...extra];
  const others = named.filter((name) => name !== kept);
  const weighed: Overpayment[] = [];
  for (const name of others) {
    const alone = await provider
      .fetchPayment({ ...nameOf(check), reportedTransactionIds: [name], paidAs: name })
      .catch((error: unknown) => {
        if (!(error instanceof Outage)) throw error;
        return undefined;
      });
    if (alone === undefined) return { overpayments: weighed, lost: true };
    // For a booked transaction that the provider no longer finds, it may return another one, which never paid.
    if (alone?.transactionId === name && alone.status !== "paid") continue;
    const reported = alone?.transactionId === name ? alone.amount : check.amount;
    const amount = alone && reported;
    weighed.push({ transactionId: name, amount, cost: alone?.cost ?? null });
  }
  return { overpayments: weighed, lost: false };
}

type ExpectedPayment = {
  readonly providerPaymentId: string;
  readonly amount: Fcfa;
  /** Our reference, as given to the provider. */
  readonly reference: string;
};

/**
 * `mismatch`: the provider reports a success of something else. `received`: the certain amount, in
 * francs; null when it is unknown (another currency, a sandbox, another payment).
 */
type Assessment =
  /** `refunded`: paid and refunded at the provider before we recorded it: no money for us, and an alert. */
  | { readonly kind: "paid" | "refused" | "pending" | "refunded" }
  | {
      readonly kind: "mismatch";
      readonly reason: NonNullable<ReturnType<typeof findMismatch>> | "partly-refunded";
      readonly received: Fcfa | null;
    };

/**
 * The meaning of a provider's answer for our payment (decision 0006): only a success of exactly
 * what was ordered is money. Null is "unknown payment": a sandbox deletes after 90 days.
 */
export function assessPayment(
  expected: ExpectedPayment,
  answer: FetchedPayment | null,
  mode: { readonly production: boolean },
): Assessment {
  if (answer === null) return { kind: "pending" };
  // The remaining amount is unknown and no full payment: a person decides.
  if (answer.status === "partly-refunded") {
    return { kind: "mismatch", reason: "partly-refunded", received: null };
  }
  if (answer.status !== "paid") return { kind: answer.status };
  const reason = findMismatch(expected, answer, mode);
  if (reason === null) return { kind: "paid" };
  const believable = reason === "amount" || reason === "reference";
  return { kind: "mismatch", reason, received: believable ? answer.amount : null };
}

function findMismatch(
  expected: ExpectedPayment,
  answer: FetchedPayment,
  mode: { readonly production: boolean },
) {
  if (mode.production && answer.environment !== "live") return "environment";
  if (answer.providerPaymentId !== expected.providerPaymentId) return "id";
  if (answer.currency !== "XOF") return "currency";
  // Every provider repeats our reference: an answer without it is not about our order.
  if (answer.reference !== expected.reference) return "reference";
  if (answer.amount !== expected.amount) return "amount";
  return null;
}

/** Another payment with the same reference; null: the amount is unknown. */
type Overpayment = {
  readonly transactionId: string;
  readonly amount: Fcfa | null;
  readonly cost: Fcfa | null;
};

type Answer =
  | {
      readonly kind: "answered";
      readonly assessment: Assessment;
      readonly askedAt: Date;
      /** The id for a refund. */
      readonly transactionId: string | null;
      /** The provider's fee, in francs; null: unknown. */
      readonly cost: Fcfa | null;
      readonly overpayments: readonly Overpayment[];
      /** Some reported ids got no answer: they are looked up again. */
      readonly unanswered: boolean;
    }
  | { readonly kind: "outage"; readonly retryAfterMs: number }
  | { readonly kind: "not-asked" };

type Asked = { readonly check: DueCheck; readonly answer: Answer };

type Answered = Extract<Answer, { kind: "answered" }>;

/** Writes the answers about many payments: money first. */
async function applyAnswers(app: App, asked: readonly Asked[], leaseEnd: Date): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const sorted = sortAnswers(asked, { now, leaseEnd });
  const unsettled = new Set<bigint>();
  // A failed batch does not stop the others.
  for (const confirmed of Map.groupBy(sorted.confirmed, ({ kind }) => kind).values()) {
    for (const paymentId of await settleEach(app, confirmed, now)) unsettled.add(paymentId);
  }
  await closePayments(db, "refused", { ids: sorted.refused, now, leaseEnd });
  for (const mismatch of sorted.mismatched) {
    try {
      await noteMismatched(db, mismatch, now);
    } catch (error) {
      // If one cannot be written, the others still are; it is looked up again.
      const payment = String(mismatch.check.payment_id);
      app.log.error({ err: error, payment }, "a mismatch was not noted");
      unsettled.add(mismatch.check.payment_id);
    }
  }
  const paid: { paymentId: bigint; transactionId: string | null }[] = [];
  for (const { check, answer } of asked) {
    if (answer.kind !== "answered" || unsettled.has(check.payment_id)) continue;
    await noteOddities(app, check, answer);
    if (answer.assessment.kind !== "paid") continue;
    paid.push({ paymentId: check.payment_id, transactionId: answer.transactionId });
  }
  await resolveRefundsThere(db, paid, now);
  const written = (ids: readonly bigint[]) => ids.filter((id) => !unsettled.has(id));
  await dropChecks(db, written(sorted.known), leaseEnd);
  await closePayments(db, "expired", { ids: written(sorted.over), now, leaseEnd });
  await postponeChecks(db, sorted.later, leaseEnd);
  const fruitless = asked.flatMap(({ check, answer }) =>
    check.reported && answer.kind === "answered" && answer.assessment.kind !== "paid"
      ? [check.payment_id]
      : [],
  );
  if (fruitless.length === 0) return;
  // Lookups caused by signed webhooks that found nothing paid count against the buyers of the orders.
  await sql`
    INSERT INTO person_calls AS c (provider, key_id, class, person_id, calls, counted_at)
    SELECT p.provider, counted_account(p.key_id), 'reported', o.buyer_id,
      sum(CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*) FROM reported_transactions r
        WHERE r.payment_id = p.id) ELSE 1 END), ${now}
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.id = ANY(${fruitless}::bigint[])
    GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
    ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
      calls = excluded.calls + recent_calls(c.calls, c.counted_at, excluded.counted_at)
  `.execute(db);
}

function sortAnswers(asked: readonly Asked[], { now, leaseEnd }: { now: Date; leaseEnd: Date }) {
  const sorted = {
    confirmed: [] as Confirmed[],
    refused: [] as bigint[],
    mismatched: [] as Mismatch[],
    later: [] as Later[],
    over: [] as bigint[],
    /** Paid, before or now: other transactions of it are looked up. */
    known: [] as bigint[],
  };
  for (const { check, answer } of asked) {
    const paymentId = check.payment_id;
    if (check.status === "paid") {
      if (answer.kind === "answered" && !answer.unanswered) {
        sorted.known.push(paymentId);
        continue;
      }
    } else if (answer.kind === "answered") {
      const { assessment, transactionId, cost, overpayments, unanswered } = answer;
      if (assessment.kind === "paid") {
        const { kind, reported_transactions: names } = check;
        const more = overpayments.length > 0 || unanswered;
        // A provider with one id for a payment has no other transactions.
        const unfinished = more || names.length > 0 ? { more, names, leaseEnd } : null;
        const paid = { paymentId, occurredAt: answer.askedAt, transactionId, cost };
        sorted.confirmed.push({ ...paid, kind, unfinished });
        if (overpayments.length > 0 && !unanswered) sorted.known.push(paymentId);
        continue;
      }
      if (assessment.kind === "refused" || assessment.kind === "refunded") {
        sorted.refused.push(paymentId);
      }
      if (assessment.kind === "mismatch") {
        sorted.mismatched.push({ check, ...assessment, transactionId, cost });
      }
      if (check.give_up_at <= now) {
        sorted.over.push(paymentId);
        continue;
      }
    }
    const reported = check.reported && answer.kind !== "answered";
    const due_at = addMs(now, waitMs(check, answer, now));
    sorted.later.push({ payment_id: paymentId, due_at, reported });
  }
  return sorted;
}

/**
 * After a failed batch each payment is settled alone; one that fails is looked up again. → those
 * that failed: the rest of their answers is ignored until then.
 */
async function settleEach(app: App, confirmed: readonly Confirmed[], now: Date): Promise<bigint[]> {
  try {
    await settleConfirmed(app.db, confirmed, now);
    return [];
  } catch (error) {
    const [first, ...others] = confirmed;
    if (first !== undefined && others.length === 0) {
      const payment = String(first.paymentId);
      app.log.error({ err: error, payment }, "a payment was not settled");
      return [first.paymentId];
    }
    const failed: bigint[] = [];
    for (const one of confirmed) failed.push(...(await settleEach(app, [one], now)));
    return failed;
  }
}

/** Money that no order can have: refunded before we recorded it, or paid in excess. */
async function noteOddities(app: App, check: DueCheck, answer: Answered): Promise<void> {
  if (check.status === "paid" && isTakenBack(answer.assessment)) {
    const partly = answer.assessment.kind !== "refunded";
    const of = { paymentId: check.payment_id, partly };
    await alertRefundThere(app.db, of, app.clock.now());
  } else if (answer.assessment.kind === "refunded") {
    const subject = `payment:${check.payment_id}`;
    await alert(app, check, { kind: "payment.refunded-there", subject, more: {} });
  }
  for (const { transactionId, amount, cost } of answer.overpayments) {
    if (amount !== null) {
      const { payment_id: paymentId, kind } = check;
      const sale = { kind, occurredAt: answer.askedAt, cost, now: app.clock.now() };
      if (await settleOverpayment(app.db, { paymentId, transactionId, amount }, sale)) continue;
    }
    const subject = `payment:${check.payment_id}:${transactionId}`;
    const more = { transaction: transactionId };
    await alert(app, check, { kind: "payment.paid-again-there", subject, more });
  }
}

const isTakenBack = (assessment: Assessment): boolean =>
  assessment.kind === "refunded" ||
  (assessment.kind === "mismatch" && assessment.reason === "partly-refunded");

function alert(
  { db, clock }: App,
  check: DueCheck,
  { kind, subject, more }: { kind: AlertKind; subject: string; more: Record<string, string> },
): Promise<boolean> {
  const details = {
    order_id: String(check.order_id),
    provider: check.provider,
    provider_payment_id: check.provider_payment_id,
    amount: String(check.amount),
    ...more,
  };
  return raiseAlert(db, { kind, subject, details, now: clock.now() });
}

/** An outage is no answer: the payment does not expire because of it. */
function waitMs(check: DueCheck, answer: Answer, now: Date): number {
  if (answer.kind === "not-asked") return 0;
  const wait = askAfterMs(now.getTime() - check.created_at.getTime());
  return answer.kind === "outage" ? Math.max(wait, answer.retryAfterMs) : wait;
}
