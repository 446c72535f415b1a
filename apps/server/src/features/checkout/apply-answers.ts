import { askAfterMs } from "@sesame/contract/checkout";
import { addMs, type Fcfa } from "@sesame/kernel";
import type { FetchedPayment } from "@sesame/providers";
import { sql } from "kysely";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { AlertKind } from "../../alerts/kinds.fr.ts";
import type { App } from "../../app.ts";
import { type DueCheck, dropChecks, type Later, postponeChecks } from "./checks.ts";
import {
  alertRefundThere,
  calmRefundThere,
  closePayments,
  type Confirmed,
  type Mismatch,
  noteMismatched,
  settleConfirmed,
  settleSurplus,
} from "./settle.ts";

type ExpectedPayment = {
  readonly providerPaymentId: string;
  readonly amount: Fcfa;
  /** Ours, as given to the provider. */
  readonly reference: string;
};

type MismatchReason =
  | "id"
  | "amount"
  | "currency"
  | "reference"
  | "environment"
  | "partly-refunded";

/**
 * `mismatch`: the provider says yes to something else. `received` is what surely came in, in
 * francs; null when that cannot be said (another currency, a sandbox, another payment).
 */
type Judgement =
  | { readonly kind: "paid" }
  | { readonly kind: "refused" }
  | { readonly kind: "pending" }
  /** Paid and given back there before we knew: no money for us, and the desk should look. */
  | { readonly kind: "refunded" }
  | {
      readonly kind: "mismatch";
      readonly reason: MismatchReason;
      readonly received: Fcfa | null;
    };

/**
 * What a provider's answer means for the payment we asked about (decision 0006): only a yes to
 * exactly what was ordered is money. Null is "unknown payment": a sandbox forgets after 90 days.
 */
export function judgePayment(
  expected: ExpectedPayment,
  answer: FetchedPayment | null,
  mode: { readonly production: boolean },
): Judgement {
  if (answer === null) return { kind: "pending" };
  // What is left of the money is not said, and it is no payment in full: a person decides.
  if (answer.verdict === "partly-refunded") {
    return { kind: "mismatch", reason: "partly-refunded", received: null };
  }
  if (answer.verdict !== "paid") return { kind: answer.verdict };
  const reason = findMismatch(expected, answer, mode);
  if (reason === null) return { kind: "paid" };
  const believable = reason === "amount" || reason === "reference";
  return { kind: "mismatch", reason, received: believable ? answer.amount : null };
}

function findMismatch(
  expected: ExpectedPayment,
  answer: FetchedPayment,
  mode: { readonly production: boolean },
): MismatchReason | null {
  if (mode.production && answer.environment !== "live") return "environment";
  if (answer.providerPaymentId !== expected.providerPaymentId) return "id";
  if (answer.currency !== "XOF") return "currency";
  // Every provider gives our reference back: an answer without it is not about our order.
  if (answer.reference !== expected.reference) return "reference";
  if (answer.amount !== expected.amount) return "amount";
  return null;
}

/** Paid under the same reference beside the one that counts; null: nobody said how much. */
export type Surplus = {
  readonly transactionId: string;
  readonly amount: Fcfa | null;
  readonly cost: Fcfa | null;
};

export type Answer =
  | {
      readonly kind: "judged";
      readonly judgement: Judgement;
      readonly askedAt: Date;
      /** By what a refund names it. */
      readonly transactionId: string | null;
      /** What the provider keeps of it, in francs; null: it does not say. */
      readonly cost: Fcfa | null;
      readonly surplus: readonly Surplus[];
      /** Of some names that were heard it said nothing: it is asked about them again. */
      readonly unanswered: boolean;
    }
  | { readonly kind: "outage"; readonly retryAfterMs: number }
  | { readonly kind: "not-asked" };

export type Asked = { readonly check: DueCheck; readonly answer: Answer };

type Judged = Extract<Answer, { kind: "judged" }>;

type Sorted = {
  readonly confirmed: Confirmed[];
  readonly refused: bigint[];
  readonly mismatched: Mismatch[];
  readonly later: Later[];
  readonly over: bigint[];
  /** Paid, before or now: asked about for what else was paid. */
  readonly known: bigint[];
};

/** Writes what a provider said of many payments: money first. */
export async function applyAnswers(
  app: App,
  asked: readonly Asked[],
  leaseEnd: Date,
): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const sorted = sortAnswers(asked, { now, leaseEnd });
  const unsettled = new Set<bigint>();
  // A batch that is spoiled spoils no other.
  for (const confirmed of Map.groupBy(sorted.confirmed, ({ kind }) => kind).values()) {
    for (const paymentId of await settleEach(app, confirmed, now)) unsettled.add(paymentId);
  }
  await closePayments(db, "refused", { ids: sorted.refused, now, leaseEnd });
  for (const mismatch of sorted.mismatched) {
    try {
      await noteMismatched(db, mismatch, now);
    } catch (error) {
      // One that cannot be noted costs the others nothing, and is asked about again.
      const payment = String(mismatch.check.payment_id);
      app.log.error({ err: error, payment }, "a mismatch was not noted");
      unsettled.add(mismatch.check.payment_id);
    }
  }
  for (const { check, answer } of asked) {
    if (answer.kind !== "judged" || unsettled.has(check.payment_id)) continue;
    await noteOddities(app, check, answer);
  }
  const written = (ids: readonly bigint[]) => ids.filter((id) => !unsettled.has(id));
  await dropChecks(db, written(sorted.known), leaseEnd);
  await closePayments(db, "expired", { ids: written(sorted.over), now, leaseEnd });
  await postponeChecks(db, sorted.later, leaseEnd);
  const fruitless = asked.flatMap(({ check, answer }) =>
    check.reported && answer.kind === "judged" && answer.judgement.kind !== "paid"
      ? [check.payment_id]
      : [],
  );
  if (fruitless.length === 0) return;
  // Signed webhooks asked for them, and nothing is paid: counted to who made the orders.
  await sql`
    INSERT INTO person_calls AS c (provider, key_id, class, person_id, calls, counted_at)
    SELECT p.provider, counted_account(p.key_id), 'reported', o.buyer_id,
      sum(CASE p.provider WHEN 'kkiapay' THEN (SELECT count(*) FROM payment_rumours r
        WHERE r.payment_id = p.id) ELSE 1 END), ${now}
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.id = ANY(${fruitless}::bigint[])
    GROUP BY 1, 2, 4 ORDER BY 1, 2, 4
    ON CONFLICT (provider, key_id, class, person_id) DO UPDATE SET counted_at = excluded.counted_at,
      calls = excluded.calls + recent_calls(c.calls, c.counted_at, excluded.counted_at)
  `.execute(db);
}

function sortAnswers(
  asked: readonly Asked[],
  { now, leaseEnd }: { now: Date; leaseEnd: Date },
): Sorted {
  const sorted: Sorted = {
    confirmed: [],
    refused: [],
    mismatched: [],
    later: [],
    over: [],
    known: [],
  };
  for (const { check, answer } of asked) {
    const paymentId = check.payment_id;
    if (check.status === "paid") {
      if (answer.kind === "judged" && !answer.unanswered) {
        sorted.known.push(paymentId);
        continue;
      }
    } else if (answer.kind === "judged") {
      const { judgement, askedAt: occurredAt, transactionId, cost, surplus, unanswered } = answer;
      if (judgement.kind === "paid") {
        const { kind, heard: names } = check;
        const more = surplus.length > 0 || unanswered;
        // Who knows its payments by one name has nothing beside them.
        const unfinished = more || names.length > 0 ? { more, names, leaseEnd } : null;
        sorted.confirmed.push({ paymentId, occurredAt, transactionId, cost, kind, unfinished });
        if (surplus.length > 0 && !unanswered) sorted.known.push(paymentId);
        continue;
      }
      if (judgement.kind === "refused" || judgement.kind === "refunded") {
        sorted.refused.push(paymentId);
      }
      if (judgement.kind === "mismatch") {
        sorted.mismatched.push({ check, ...judgement, transactionId, cost });
      }
      if (check.give_up_at <= now) {
        sorted.over.push(paymentId);
        continue;
      }
    }
    const reported = check.reported && answer.kind !== "judged";
    const due_at = addMs(now, waitMs(check, answer, now));
    sorted.later.push({ payment_id: paymentId, due_at, reported });
  }
  return sorted;
}

/**
 * A payment that spoils its batch is settled alone, fails alone, and is asked about again. → those
 * that failed: of the rest of their answers nothing is believed until then.
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

/** What no order can hold: money that came and went, and money beyond what was asked. */
async function noteOddities(app: App, check: DueCheck, answer: Judged): Promise<void> {
  if (check.status === "paid" && isTakenBack(answer.judgement)) {
    const partly = answer.judgement.kind !== "refunded";
    const of = { paymentId: check.payment_id, partly };
    await alertRefundThere(app.db, of, app.clock.now());
  } else if (answer.judgement.kind === "paid") {
    const paid = { paymentId: check.payment_id, transactionId: answer.transactionId };
    await calmRefundThere(app.db, paid, app.clock.now());
  } else if (answer.judgement.kind === "refunded") {
    const subject = `payment:${check.payment_id}`;
    await alert(app, check, { kind: "payment.refunded-there", subject, more: {} });
  }
  for (const { transactionId, amount, cost } of answer.surplus) {
    if (amount !== null) {
      const { payment_id: paymentId, kind } = check;
      const sale = { kind, occurredAt: answer.askedAt, cost, now: app.clock.now() };
      if (await settleSurplus(app.db, { paymentId, transactionId, amount }, sale)) continue;
    }
    const subject = `payment:${check.payment_id}:${transactionId}`;
    const more = { transaction: transactionId };
    await alert(app, check, { kind: "payment.paid-again-there", subject, more });
  }
}

function isTakenBack(judgement: Judgement): boolean {
  return (
    judgement.kind === "refunded" ||
    (judgement.kind === "mismatch" && judgement.reason === "partly-refunded")
  );
}

function alert(
  { db, clock }: App,
  check: DueCheck,
  about: { kind: AlertKind; subject: string; more: Record<string, string> },
): Promise<boolean> {
  const { kind, subject, more } = about;
  const details = {
    order_id: String(check.order_id),
    provider: check.provider,
    provider_payment_id: check.provider_payment_id,
    amount: String(check.amount),
    ...more,
  };
  return raiseAlert(db, { kind, subject, details, now: clock.now() });
}

/** An outage is no answer: the payment is not given up on it. */
function waitMs(check: DueCheck, answer: Answer, now: Date): number {
  if (answer.kind === "not-asked") return 0;
  const wait = askAfterMs(now.getTime() - check.created_at.getTime());
  return answer.kind === "outage" ? Math.max(wait, answer.retryAfterMs) : wait;
}
