import { hashOf } from "../../secrets/hash.ts";
import type { InstanceSettings } from "@sesame/contract/settings";
import {
  type CheckedWithdrawal,
  checkWithdrawal,
  deadlineOf,
  PAYOUT_METHODS,
  type RequestRefusal,
  WEEKLY_MS,
  type WithdrawalForm,
  type WithdrawalLimits,
} from "@sesame/contract/withdrawals";
import {
  addMs,
  assert,
  type Fcfa,
  ok,
  Outage,
  type Result,
  refuse,
  unreachable,
} from "@sesame/kernel";
import { sql } from "kysely";
import { type App, perApp } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { createBatcher } from "../../jobs/batcher.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { leftOf, limitsFor, sellerFacts } from "./limits.ts";
import { automaticAsked, BUTTONS } from "./messages.fr.ts";
import {
  asAccepted,
  changedEvents,
  findWithdrawal,
  shownColumns,
  type Withdrawal,
  type WithdrawalRow,
} from "./withdrawals.ts";

type WithdrawalRequest = {
  readonly sellerId: bigint;
  readonly form: WithdrawalForm;
  /** The caller's name for his request, and what it asked. */
  readonly key: { readonly key: string; readonly content: string } | null;
  /** The date an automatic payout is run for, YYYY-MM-DD; null: asked by the seller himself. */
  readonly automaticOn: string | null;
};

type Refused = RequestRefusal | { readonly kind: "withdrawals.key-reused" };

export type AcceptedRequest = {
  readonly withdrawal: Withdrawal;
  /** Accepted before, under the same key or for the same date. */
  readonly before: boolean;
};

/** What became of one request (request_withdrawals). */
type Outcome = {
  readonly outcome:
    | "accepted"
    | "repeated"
    | "key-reused"
    | "run-before"
    | "too-large"
    | "too-low"
    | "closed"
    | "suspended"
    | "frozen"
    | "weekly"
    | "first-too-large";
  readonly plan: "free" | "premium";
  /** Of one accepted, now or before. */
  readonly withdrawal_id: bigint | null;
  readonly reference: string | null;
  readonly created_at: Date | null;
  readonly due_at: Date | null;
  readonly reopens_at: Date | null;
  readonly reason: string | null;
  readonly review_at: Date | null;
  readonly frozen_by: "seller" | "operator" | null;
  /** Of one that is too large before anything was paid. */
  readonly first_left: Fcfa | null;
};

/** What waits for its batch, checked by all that needs no database; its outcome is written into it. */
type Asked = Omit<WithdrawalRequest, "form"> & {
  readonly checked: CheckedWithdrawal;
  row: Outcome | null;
  lost: unknown;
};

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
  const { min, max_free: maxFree, max_premium: maxPremium } = settings.withdrawals;
  const max = maxFree > maxPremium ? maxFree : maxPremium;
  const { methods } = settings;
  return {
    min,
    max,
    available: max,
    methods,
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
  { sellerId, key, form }: WithdrawalRequest,
  settings: InstanceSettings,
): Promise<Result<AcceptedRequest, Refused>> {
  if (key !== null) {
    const known = await maybe<WithdrawalRow & { readonly hash: Buffer }>(app.db)`
      SELECT ${shownColumns(app.clock.now())}, w.idempotency_hash AS hash FROM withdrawals w
      WHERE w.seller_id = ${sellerId} AND w.idempotency_key = ${key.key}
    `;
    if (known !== null) {
      const { hash, ...row } = known;
      return hash.equals(hashOf(key.content))
        ? ok({ withdrawal: asAccepted(row), before: true })
        : refuse({ kind: "withdrawals.key-reused" });
    }
  }
  const facts = await sellerFacts(app.db, sellerId);
  const limits = limitsFor(facts, settings, { now: app.clock.now(), zone: app.config.timeZone });
  const checked = checkWithdrawal(form, limits);
  assert(!checked.ok, "the seller's own limits are no wider than the widest");
  return checked;
}

/** Judges and writes them in their order, in one call; each is told what became of it. */
async function writeRequests(app: App, items: readonly Asked[]): Promise<void> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  const dueAt = deadlineOf(now, settings.hours.payouts, app.config.timeZone);
  const { max_free: maxFree, max_premium: maxPremium } = settings.withdrawals;
  const methods = items.map(({ checked }) => PAYOUT_METHODS[checked.method]);
  try {
    const rows = await app.db.transaction().execute(async (tx) => {
      const answered = await many<Outcome>(tx)`
        SELECT outcome, plan, withdrawal_id, reference, created_at, due_at, reopens_at, reason,
          review_at, frozen_by, first_left
        FROM request_withdrawals(
          ${items.map(({ sellerId }) => sellerId)}::bigint[],
          ${items.map(({ key }) => key?.key ?? null)}::text[],
          ${items.map(({ key }) => (key === null ? null : hashOf(key.content)))}::bytea[],
          ${items.map(({ checked }) => checked.amount)}::bigint[],
          ${methods.map(({ id }) => id)}::text[],
          ${methods.map(({ operator }) => operator)}::text[],
          ${methods.map(({ country }) => country)}::text[],
          ${items.map(({ checked }) => checked.phone)}::text[],
          ${items.map(({ checked }) => checked.whatsapp)}::text[],
          ${items.map(({ automaticOn }) => automaticOn)}::date[],
          ${maxFree}, ${maxPremium},
          ${settings.first_payout_max}, ${addMs(now, -WEEKLY_MS)}, ${dueAt}, ${now}
        )
      `;
      assert(answered.length === items.length, "every request is answered");
      await noteAutomatic(app, tx, { items, answered, now });
      const events = answered.flatMap(({ outcome, withdrawal_id: id }, index) => {
        const sellerId = items[index]?.sellerId;
        if (outcome !== "accepted" || id === null || sellerId === undefined) return [];
        return changedEvents({ id, sellerId, status: "pending" });
      });
      await publish(tx, events);
      return answered;
    });
    for (const [index, item] of items.entries()) item.row = rows[index] ?? null;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    // Whether it was written is not known: written again one by one, it would be asked for twice.
    for (const item of items) item.lost = error;
  }
}

/**
 * Those of automatic payouts that were accepted now are written and said with the requests, exactly
 * once; when each runs next is the engine's to say.
 */
async function noteAutomatic(
  { appButton }: App,
  tx: Db,
  written: { items: readonly Asked[]; answered: readonly Outcome[]; now: Date },
): Promise<void> {
  const { items, answered, now } = written;
  const asked = items.flatMap((item, index) => {
    const reference = answered[index]?.outcome === "accepted" ? answered[index].reference : null;
    if (item.automaticOn === null || reference === null) return [];
    return [{ ...item.checked, sellerId: item.sellerId, reference }];
  });
  if (asked.length === 0) return;
  await sql`
    UPDATE payout_profiles p SET last_run_at = ${now}, last_outcome = 'asked'
    FROM (
      SELECT seller_id FROM payout_profiles
      WHERE seller_id = ANY(${asked.map(({ sellerId }) => sellerId)}::bigint[])
      ORDER BY seller_id FOR UPDATE
    ) AS locked
    WHERE p.seller_id = locked.seller_id
  `.execute(tx);
  const buttons = [appButton(BUTTONS.history, "/HistoriqueRetraits")];
  const tellings = asked.map((request) => {
    const message = { text: automaticAsked(request), buttons };
    return { bot: "seller", personId: request.sellerId, message } as const;
  });
  await tell(tx, tellings, now);
}

async function answerOf(
  app: App,
  item: Asked,
  { row, settings }: { row: Outcome; settings: InstanceSettings },
): Promise<Result<AcceptedRequest, Refused>> {
  const { withdrawals } = settings;
  const { timeZone: zone } = app.config;
  const { outcome, withdrawal_id: id, reason, review_at: reviewAt } = row;
  switch (outcome) {
    case "accepted":
      return ok({ withdrawal: acceptedNow(item, row), before: false });
    case "repeated":
    case "run-before": {
      assert(id !== null, "one accepted before has its id");
      const mine = { sellerId: item.sellerId, now: app.clock.now() };
      const known = await findWithdrawal(app.db, sql`w.id = ${id}`, mine);
      assert(known, "one accepted before is there");
      return ok({ withdrawal: asAccepted(known), before: true });
    }
    case "key-reused":
      return refuse({ kind: "withdrawals.key-reused" });
    case "too-large": {
      const max = row.plan === "premium" ? withdrawals.max_premium : withdrawals.max_free;
      return refuse({ kind: "withdrawals.amount-too-large", max });
    }
    case "too-low":
      return refuse({ kind: "withdrawals.balance-too-low" });
    case "closed":
      return refuse({ kind: "withdrawals.seller-closed" });
    case "suspended":
      return refuse({ kind: "withdrawals.seller-suspended", reason, reviewAt, zone });
    case "frozen": {
      const by = row.frozen_by ?? "operator";
      return refuse({ kind: "withdrawals.payouts-frozen", by, reason, reviewAt, zone });
    }
    case "weekly":
      assert(row.reopens_at, "a week that is closed reopens");
      return refuse({ kind: "withdrawals.weekly", reopensAt: row.reopens_at, zone });
    case "first-too-large": {
      assert(row.first_left !== null, "what is left is told");
      const max = leftOf(row.first_left, withdrawals);
      return refuse({ kind: "withdrawals.first-too-large", max });
    }
    default:
      return unreachable(outcome);
  }
}

/** What the database has just written, without reading it. */
function acceptedNow({ checked, automaticOn }: Asked, row: Outcome): Withdrawal {
  const { withdrawal_id: id, reference, created_at, due_at } = row;
  assert(id !== null && reference !== null && created_at && due_at, "an accepted one is written");
  const { operator, country, label } = PAYOUT_METHODS[checked.method];
  return {
    id,
    montant: checked.amount,
    methode_paiement: checked.method,
    methode_nom: label,
    operateur: operator,
    pays: country,
    numero_transfert: checked.phone,
    numero_whatsapp: checked.whatsapp,
    status: "pending",
    date_creation: created_at,
    reference_transaction: reference,
    motif: null,
    date_limite: due_at,
    date_decision: null,
    date_paiement: null,
    annulable: true,
    automatique: automaticOn !== null,
  };
}
