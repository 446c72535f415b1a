import { setTimeout as pause } from "node:timers/promises";
import { divideRate, isKnownProvider } from "@sesame/contract/checkout";
import { addMs, Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentName, PaymentProvider } from "@sesame/providers";
import type { App } from "../../app.ts";
import { sql } from "kysely";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { providerFor } from "../payment-accounts/index.ts";
import {
  type Answer,
  type Asked,
  applyAnswers,
  judgePayment,
  type Surplus,
} from "./apply-answers.ts";
import { claimChecks, type DueCheck, healthOf, postponeChecks } from "./checks.ts";

/** Questions taken in one look; at most one settlement's batch. */
const CLAIMED = 400;
/** At one provider. */
const CONCURRENCY = 32;
/**
 * A worker that dies gives its questions back by then. No call begins after the last one, so that
 * each ends within the lease (10 s at most) and a slow provider is not asked twice: what was not
 * asked is due again at once.
 */
const LEASE_MS = 12_000;
const LAST_CALL_MS = 1_500;
/**
 * Real time. A provider that takes longer goes on by itself, and the others are asked and settled
 * meanwhile: a dead one costs nobody's buyers but its own.
 */
const PATIENCE_MS = 400;

type Claim = { readonly checks: readonly DueCheck[]; readonly leaseEnd: Date };

/**
 * Asks the providers about the payments that are due and settles what they say, in batches, each
 * provider at its own pace: by time, and at once when a notice came (CHECKS_CHANNEL).
 */
export function createAskingLoop(app: App): Loop {
  // An account that refuses our pace (429) is left alone, not asked 31 times more: by the class of the
  // question, so that those asked by time alone do not keep signed webhooks waiting.
  const quietUntil = new Map<string, Date>();
  const underWay = new Map<string, Promise<boolean>>();
  // Answers that could not be written (the database fell): asked again without waiting.
  const unwritten = new Set<Claim>();

  async function askAndApply(claim: Claim): Promise<boolean> {
    unwritten.add(claim);
    const asked = await askAll(app, claim.checks, quietUntil);
    await applyAnswers(app, asked, claim.leaseEnd);
    unwritten.delete(claim);
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
    const request = { now, leaseEnd, limit: CLAIMED, except, paced };
    const checks = await claimChecks(app.db, request);
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
    if (more !== null) return checks.length === CLAIMED || more;
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

async function giveBack(app: App, unwritten: Set<Claim>, now: Date): Promise<void> {
  for (const claim of unwritten) {
    const again = claim.checks.map((check) => ({ ...check, due_at: now }));
    await postponeChecks(app.db, again, claim.leaseEnd);
    unwritten.delete(claim);
  }
}

/** Null when they take longer than our patience. */
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

async function askAll(
  app: App,
  checks: readonly DueCheck[],
  quietUntil: Map<string, Date>,
): Promise<Asked[]> {
  // The first claimed is the first asked.
  const waiting = checks.toReversed();
  const asked: Asked[] = [];
  const lastCall = addMs(app.clock.now(), LAST_CALL_MS);
  const lane = async () => {
    for (let check = waiting.pop(); check; check = waiting.pop()) {
      const late = app.clock.now() > lastCall;
      const answer = late ? NOT_ASKED : await ask(app, check, quietUntil);
      asked.push({ check, answer });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, checks.length) }, lane));
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
    // Closed since: what it was paid is asked again when it opens.
    if (!provider) return { kind: "outage", retryAfterMs: 0 };
    const answer = await fetchIt(app, provider, check);
    const expected = {
      providerPaymentId: check.provider_payment_id,
      amount: check.amount,
      reference: check.reference,
    };
    const judgement = judgePayment(expected, answer, app.config);
    const { transactionId = null, cost = null, unanswered = false } = answer ?? {};
    const hasPaid = judgement.kind === "paid" || check.status === "paid";
    const { surplus, lost } = await weighSurplus(provider, check, hasPaid ? answer : null);
    const isOpen = unanswered || lost;
    if (isOpen) app.log.warn({ payment: String(check.payment_id) }, "a name was not answered for");
    return { kind: "judged", judgement, askedAt, transactionId, cost, surplus, unanswered: isOpen };
  } catch (error) {
    if (!(error instanceof Outage)) {
      // A bug on one answer must not cost the others theirs.
      app.log.error({ err: error, payment: String(check.payment_id) }, "a payment was not judged");
      return { kind: "outage", retryAfterMs: 0 };
    }
    app.log.warn({ party: error.party, message: error.message }, "a payment was not verified");
    const retryAfterMs = error.retryAfterMs ?? 0;
    if (retryAfterMs > 0) quietUntil.set(account, addMs(askedAt, retryAfterMs));
    return { kind: "outage", retryAfterMs };
  }
}

async function fetchIt(
  app: App,
  provider: PaymentProvider,
  check: DueCheck,
): Promise<FetchedPayment | null> {
  const account = { provider: provider.id, keyId: check.key_id };
  try {
    const answer = await provider.fetchPayment(nameOf(check));
    // Before a name is heard there is nothing to ask KkiaPay about.
    const called = provider.id !== "kkiapay" || check.heard.length > 0;
    if (called) healthOf(app).note(account, "answered");
    return answer;
  } catch (error) {
    if (error instanceof Outage) healthOf(app).note(account, "failed");
    throw error;
  }
}

function nameOf(check: DueCheck): PaymentName {
  return {
    providerPaymentId: check.provider_payment_id,
    reference: check.reference,
    amount: check.amount,
    quote: check.quote,
    heard: check.heard,
    paidAs: check.status === "paid" ? check.transaction_id : null,
  };
}

/**
 * What else was paid under the same reference, each asked about by its own name: where the amount is
 * the browser's to say, it may be another one. `lost`: of one the provider said nothing, and of those
 * after it was not asked.
 */
async function weighSurplus(
  provider: PaymentProvider,
  check: DueCheck,
  answer: FetchedPayment | null,
): Promise<{ surplus: Surplus[]; lost: boolean }> {
  const { transactionId = null, surplus = [] } = answer ?? {};
  const kept = check.transaction_id ?? transactionId;
  const named = transactionId === null ? surplus : [transactionId, ...surplus];
  const others = named.filter((name) => name !== kept);
  const weighed: Surplus[] = [];
  for (const name of others) {
    const alone = await provider
      .fetchPayment({ ...nameOf(check), heard: [name], paidAs: name })
      .catch((error: unknown) => {
        if (!(error instanceof Outage)) throw error;
        return undefined;
      });
    if (alone === undefined) return { surplus: weighed, lost: true };
    // Of a booked name that the provider does not know now, another one may be told, which never paid.
    if (alone?.transactionId === name && alone.verdict !== "paid") continue;
    const reported = alone?.transactionId === name ? alone.amount : check.amount;
    const amount = alone && reported;
    weighed.push({ transactionId: name, amount, cost: alone?.cost ?? null });
  }
  return { surplus: weighed, lost: false };
}
