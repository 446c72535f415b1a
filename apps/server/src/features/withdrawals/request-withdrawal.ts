import type { InstanceSettings } from "@sesame/contract/settings";
import {
  checkWithdrawal,
  type CheckedWithdrawal,
  deadlineOf,
  PAYOUT_METHODS,
  type RequestRefusal,
  type WithdrawalForm,
  type WithdrawalLimits,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { assert, fcfa, ok, Outage, type Result, refuse, unreachable } from "@sesame/kernel";
import { type App, perApp } from "../../app.ts";
import { createBatcher } from "../../jobs/batcher.ts";
import { publish } from "../../realtime/events.store.ts";
import { changedEvents } from "./announce.ts";
import { noteAutomaticAsked } from "./automatic-notes.ts";
import { leftOf, limitsFor } from "./seller-limits.ts";
import { withdrawalAsAccepted } from "./withdrawal-on-wire.ts";
import {
  hashOf,
  type NewWithdrawal,
  type RequestKey,
  type RequestRow,
  requestWithdrawals,
} from "./withdrawals.store.ts";
import {
  viewByKey,
  viewSellerFacts,
  viewWithdrawal,
  type WithdrawalRow,
} from "./withdrawals.view.ts";

export type WithdrawalRequest = {
  readonly sellerId: bigint;
  readonly form: WithdrawalForm;
  readonly key: RequestKey | null;
  /** The date an automatic payout is run for; null: asked by the seller himself. */
  readonly automaticOn: string | null;
};

type Refused = RequestRefusal | { readonly kind: "withdrawals.key-reused" };

export type AcceptedRequest = {
  readonly withdrawal: WithdrawalOnWire;
  /** Accepted before, under the same key or for the same date. */
  readonly before: boolean;
};

/** What waits for its batch; its outcome is written back into it. */
type Asked = NewWithdrawal & { row: RequestRow | null; lost: unknown };

const REQUESTS_IN_A_WRITE = 500;
/** A seller's stay in one: batches of different lanes wait for each other's sellers never. */
const LANES = 2;

/**
 * Requests of all sellers, and of one seller at once, share commits: those that come while one is
 * under way are the next one's (QUALITY R5).
 */
const lanesOf = perApp((app) =>
  Array.from({ length: LANES }, () =>
    createBatcher<Asked>({
      write: (items) => writeRequests(app, items),
      maxBatch: REQUESTS_IN_A_WRITE,
    }),
  ),
);

export async function requestWithdrawal(
  app: App,
  asked: WithdrawalRequest,
): Promise<Result<AcceptedRequest, Refused>> {
  const settings = await app.settings.current();
  const checked = checkWithdrawal(asked.form, widest(settings, app.config.timeZone));
  if (!checked.ok) return refuseOrRepeat(app, asked, settings);
  const { sellerId, key, automaticOn } = asked;
  const item: Asked = { sellerId, checked: checked.value, key, automaticOn, row: null, lost: null };
  await lanesOf(app)[Number(sellerId % BigInt(LANES))]?.submit(item);
  if (item.lost !== null) throw item.lost;
  assert(item.row, "a written request has an outcome");
  return answerOf(app, item, { row: item.row, settings });
}

/** Lets all through that some seller may ask: what depends on him is judged under his lock. */
function widest(settings: InstanceSettings, zone: string): WithdrawalLimits {
  const { min, maxFree, maxPremium } = settings.withdrawals;
  const max = maxFree > maxPremium ? maxFree : maxPremium;
  return {
    min,
    max,
    available: max,
    methods: settings.methods,
    standing: null,
    reopensAt: null,
    firstMax: null,
    zone,
  };
}

/**
 * Refused already by what needs no lock: said in the contract's order with the seller's own limits,
 * unless its key was accepted before.
 */
async function refuseOrRepeat(
  app: App,
  asked: WithdrawalRequest,
  settings: InstanceSettings,
): Promise<Result<AcceptedRequest, Refused>> {
  const { sellerId, key } = asked;
  const known = key === null ? null : await viewByKey(app.db, sellerId, key.key);
  if (known !== null && key !== null) {
    return known.idempotency_hash.equals(hashOf(key.content))
      ? ok({ withdrawal: withdrawalAsAccepted(known), before: true })
      : refuse({ kind: "withdrawals.key-reused" });
  }
  const facts = await viewSellerFacts(app.db, sellerId);
  assert(facts, `no seller ${sellerId}`);
  const at = { now: app.clock.now(), zone: app.config.timeZone };
  const checked = checkWithdrawal(asked.form, limitsFor(facts, settings, at));
  assert(!checked.ok, "the seller's own limits are no wider than the widest");
  return checked;
}

async function writeRequests(app: App, items: readonly Asked[]): Promise<void> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  const dueAt = deadlineOf(now, settings.hours.payouts, app.config.timeZone);
  try {
    const rows = await app.db.transaction().execute(async (tx) => {
      const answered = await requestWithdrawals(tx, items, { settings, dueAt, now });
      await noteAutomaticAsked(app, tx, { asked: automaticOnes(items, answered), now });
      await publish(
        tx,
        answered.flatMap((row, index) => eventsOf(row, items[index])),
      );
      return answered;
    });
    for (const [index, item] of items.entries()) item.row = rows[index] ?? null;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    // Whether it was written is not known: written again one by one, it would be asked for twice.
    for (const item of items) item.lost = error;
  }
}

/** Those of automatic payouts that were accepted now. */
function automaticOnes(items: readonly Asked[], rows: readonly RequestRow[]) {
  return items.flatMap((item, index) => {
    const reference = rows[index]?.outcome === "accepted" ? rows[index].reference : null;
    if (item.automaticOn === null || reference === null) return [];
    const { amount, method, phone } = item.checked;
    return [{ sellerId: item.sellerId, amount, method, phone, reference }];
  });
}

function eventsOf(row: RequestRow, item: Asked | undefined) {
  if (row.outcome !== "accepted" || row.withdrawal_id === null || item === undefined) return [];
  return changedEvents({ id: row.withdrawal_id, sellerId: item.sellerId, status: "pending" });
}

async function answerOf(
  app: App,
  item: Asked,
  { row, settings }: { row: RequestRow; settings: InstanceSettings },
): Promise<Result<AcceptedRequest, Refused>> {
  switch (row.outcome) {
    case "accepted":
      return ok({ withdrawal: withdrawalAsAccepted(rowOf(item, row)), before: false });
    case "repeated":
    case "run-before": {
      assert(row.withdrawal_id !== null, "one accepted before has its id");
      const known = await viewWithdrawal(app.db, row.withdrawal_id, item.sellerId);
      assert(known, "one accepted before is there");
      return ok({ withdrawal: withdrawalAsAccepted(known), before: true });
    }
    default:
      return refuse(
        refusalOf(row, { ...settings, outcome: row.outcome, zone: app.config.timeZone }),
      );
  }
}

type RefusedOutcome = Exclude<RequestRow["outcome"], "accepted" | "repeated" | "run-before">;

function refusalOf(
  row: RequestRow,
  terms: Pick<InstanceSettings, "withdrawals"> & {
    outcome: RefusedOutcome;
    zone: string;
  },
): Refused {
  const { outcome, zone, withdrawals } = terms;
  const { reason, review_at: reviewAt } = row;
  switch (outcome) {
    case "key-reused":
      return { kind: "withdrawals.key-reused" };
    case "too-large": {
      const max = row.plan === "premium" ? withdrawals.maxPremium : withdrawals.maxFree;
      return { kind: "withdrawals.amount-too-large", max };
    }
    case "too-low":
      return { kind: "withdrawals.balance-too-low" };
    case "closed":
      return { kind: "withdrawals.seller-closed" };
    case "suspended":
      return { kind: "withdrawals.seller-suspended", reason, reviewAt, zone };
    case "frozen": {
      const by = row.frozen_by ?? "operator";
      return { kind: "withdrawals.payouts-frozen", by, reason, reviewAt, zone };
    }
    case "weekly":
      assert(row.reopens_at, "a week that is closed reopens");
      return { kind: "withdrawals.weekly", reopensAt: row.reopens_at, zone };
    case "first-too-large":
      assert(row.first_left !== null, "what is left is told");
      return { kind: "withdrawals.first-too-large", max: leftOf(row.first_left, withdrawals) };
    default:
      return unreachable(outcome);
  }
}

function rowOf(item: NewWithdrawal, row: RequestRow): WithdrawalRow {
  const { withdrawal_id: id, reference, created_at, due_at } = row;
  assert(id !== null && reference !== null && created_at && due_at, "an accepted one is written");
  const { amount, method, phone, whatsapp }: CheckedWithdrawal = item.checked;
  const { operator, country } = PAYOUT_METHODS[method];
  return {
    id,
    seller_id: item.sellerId,
    amount: fcfa(amount),
    method,
    operator,
    country,
    phone,
    whatsapp,
    reference,
    origin: item.automaticOn === null ? "manual" : "automatic",
    status: "pending",
    created_at,
    due_at,
    claimed_until: null,
    decided_at: null,
    reject_reason: null,
    paid_at: null,
  };
}
