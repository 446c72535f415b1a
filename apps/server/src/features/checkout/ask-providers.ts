import { askAfterMs } from "@sesame/contract/checkout";
import { addMs, Outage } from "@sesame/kernel";
import {
  failRefused,
  giveUp,
  type Mismatch,
  noteMismatched,
  settleConfirmed,
} from "./apply-judgements.ts";
import { claimChecks, type DueCheck, postponeChecks } from "./check.store.ts";
import { type Judgement, judgePayment } from "./judge-payment.ts";
import type { CheckoutDeps } from "./needs.ts";

type AskDeps = Pick<CheckoutDeps, "db" | "clock" | "log" | "production" | "providers">;

type Answer =
  | { readonly kind: "judged"; readonly judgement: Judgement; readonly askedAt: Date }
  | { readonly kind: "outage"; readonly retryAfterMs: number }
  | { readonly kind: "not-asked" };

type Asked = { readonly check: DueCheck; readonly answer: Answer };

/** Questions taken in one look; at most one settlement's batch. */
const CLAIMED = 400;
const CONCURRENCY = 32;
/**
 * A worker that dies gives its questions back by then. No call begins after the last one, so that
 * each ends within the lease (10 s at most) and a slow provider is not asked twice: what was not
 * asked is due again at once.
 */
const LEASE_MS = 12_000;
const LAST_CALL_MS = 1_500;

type Claim = { readonly checks: readonly DueCheck[]; readonly leaseEnd: Date };

/**
 * One look: asks the providers about the payments that are due and settles what they say, in
 * batches. → true when there may be more at once.
 */
export function createAsking(deps: AskDeps): () => Promise<boolean> {
  // A provider that refuses our pace (429) is left alone, not asked 31 times more.
  const quietUntil = new Map<string, Date>();
  // Answers that could not be written (the database fell): asked again without waiting.
  let unwritten: Claim | null = null;
  return async () => {
    const now = deps.clock.now();
    if (unwritten) {
      const again = unwritten.checks.map(({ payment_id }) => ({
        paymentId: payment_id,
        dueAt: now,
      }));
      await postponeChecks(deps.db, again, unwritten.leaseEnd);
      unwritten = null;
    }
    const leaseEnd = addMs(now, LEASE_MS);
    const checks = await claimChecks(deps.db, { now, leaseEnd, limit: CLAIMED });
    if (checks.length === 0) return false;
    unwritten = { checks, leaseEnd };
    const asked = await askAll(deps, checks, quietUntil);
    await applyAll(deps, asked, leaseEnd);
    unwritten = null;
    return checks.length === CLAIMED || asked.some(({ answer }) => answer.kind === "not-asked");
  };
}

async function askAll(
  deps: AskDeps,
  checks: readonly DueCheck[],
  quietUntil: Map<string, Date>,
): Promise<Asked[]> {
  const waiting = [...checks];
  const asked: Asked[] = [];
  const lastCall = addMs(deps.clock.now(), LAST_CALL_MS);
  const lane = async () => {
    for (let check = waiting.pop(); check; check = waiting.pop()) {
      const late = deps.clock.now() > lastCall;
      const answer = late ? NOT_ASKED : await ask(deps, check, quietUntil);
      asked.push({ check, answer });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, checks.length) }, lane));
  return asked;
}

const NOT_ASKED: Answer = { kind: "not-asked" };

async function ask(deps: AskDeps, check: DueCheck, quietUntil: Map<string, Date>): Promise<Answer> {
  const askedAt = deps.clock.now();
  const quiet = quietUntil.get(check.provider);
  if (quiet && quiet > askedAt) {
    return { kind: "outage", retryAfterMs: quiet.getTime() - askedAt.getTime() };
  }
  const provider = deps.providers.find(({ id }) => id === check.provider);
  // Closed since: what it was paid is asked again when it opens.
  if (!provider) return { kind: "outage", retryAfterMs: 0 };
  try {
    const answer = await provider.fetchPayment(check.provider_payment_id);
    const expected = {
      providerPaymentId: check.provider_payment_id,
      amount: check.amount,
      reference: String(check.order_id),
    };
    return { kind: "judged", judgement: judgePayment(expected, answer, deps), askedAt };
  } catch (error) {
    if (!(error instanceof Outage)) {
      // A bug on one answer must not cost the others theirs.
      deps.log.error({ err: error, payment: String(check.payment_id) }, "a payment was not judged");
      return { kind: "outage", retryAfterMs: 0 };
    }
    deps.log.warn({ party: error.party, message: error.message }, "a payment was not verified");
    const retryAfterMs = error.retryAfterMs ?? 0;
    if (retryAfterMs > 0) quietUntil.set(check.provider, addMs(askedAt, retryAfterMs));
    return { kind: "outage", retryAfterMs };
  }
}

async function applyAll(deps: AskDeps, asked: readonly Asked[], leaseEnd: Date): Promise<void> {
  const { db, clock } = deps;
  const confirmed: { paymentId: bigint; occurredAt: Date }[] = [];
  const refused: bigint[] = [];
  const mismatched: Mismatch[] = [];
  const later: { paymentId: bigint; dueAt: Date }[] = [];
  const over: bigint[] = [];
  const now = clock.now();
  for (const { check, answer } of asked) {
    const paymentId = check.payment_id;
    if (answer.kind === "judged") {
      const { judgement } = answer;
      if (judgement.kind === "paid") {
        confirmed.push({ paymentId, occurredAt: answer.askedAt });
        continue;
      }
      if (judgement.kind === "refused") refused.push(paymentId);
      if (judgement.kind === "mismatch") mismatched.push({ check, ...judgement });
      if (check.give_up_at <= now) {
        over.push(paymentId);
        continue;
      }
    }
    later.push({ paymentId, dueAt: addMs(now, waitMs(check, answer, now)) });
  }
  await settleEach(deps, confirmed, now);
  await failRefused(db, refused, now);
  for (const mismatch of mismatched) await noteMismatched(db, mismatch, now);
  await giveUp(db, over, { now, leaseEnd });
  await postponeChecks(db, later, leaseEnd);
}

/** A payment that spoils its batch is settled alone, fails alone, and is asked about again. */
async function settleEach(
  deps: AskDeps,
  confirmed: readonly { paymentId: bigint; occurredAt: Date }[],
  now: Date,
): Promise<void> {
  try {
    await settleConfirmed(deps.db, confirmed, now);
  } catch (error) {
    if (confirmed.length === 1) {
      const payment = String(confirmed[0]?.paymentId);
      deps.log.error({ err: error, payment }, "a payment was not settled");
      return;
    }
    for (const one of confirmed) await settleEach(deps, [one], now);
  }
}

/** An outage is no answer: the payment is not given up on it. */
function waitMs(check: DueCheck, answer: Answer, now: Date): number {
  if (answer.kind === "not-asked") return 0;
  const wait = askAfterMs(now.getTime() - check.created_at.getTime());
  return answer.kind === "outage" ? Math.max(wait, answer.retryAfterMs) : wait;
}
