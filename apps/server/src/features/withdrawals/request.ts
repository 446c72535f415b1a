import {
  checkWithdrawal,
  deadlineOf,
  PAYOUT_METHODS,
  type RequestRefusal,
  type WithdrawalForm,
  COUNTRY_TERMS,
  PAYOUT_METHOD_IDS,
  type PayoutMethodId,
  type StandingRefusal,
  weeklyReopening,
  type WithdrawalLimits,
  withdrawalsRefusals,
} from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse, type Fcfa, fcfa, ZERO_FCFA } from "@sesame/kernel";
import { hold } from "@sesame/ledger";
import type { App } from "../../app.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { maybe, one, type Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { hashOf } from "../../secrets/vault.ts";
import {
  asAccepted,
  changedEvents,
  shownColumns,
  type Withdrawal,
  type WithdrawalRow,
} from "./withdrawals.ts";
import { sayRefusal } from "@sesame/contract";
import { planToWire } from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/back-office";
import { lockSeller } from "../../people/people.ts";

type WithdrawalRequest = {
  readonly form: WithdrawalForm;
  /** The idempotency key and the content of the call. Keys belong to one seller. */
  readonly key: { readonly key: string; readonly content: string } | null;
  /** The date of an automatic payout, YYYY-MM-DD; null: requested by the seller himself. */
  readonly automaticOn: string | null;
};

export type Asked = Result<
  {
    readonly withdrawal: Withdrawal;
    /** Accepted before, with the same key or for the same date. */
    readonly before: boolean;
  },
  RequestRefusal | { readonly kind: "withdrawals.key-reused" }
>;

/** Copies of an accepted request are answered without waiting for the seller's lock. */
export async function requestWithdrawal(
  app: App,
  { sellerId, ...request }: WithdrawalRequest & { readonly sellerId: bigint },
): Promise<Asked> {
  const before = await acceptedBefore(app.db, { sellerId, now: app.clock.now() }, request);
  return before ?? withLockedSeller(app, sellerId, (seller) => requestIn(app, seller, request));
}

/** The answer to a copy of an accepted request, or to another request with its key. */
async function acceptedBefore(
  db: Db,
  { sellerId, now }: { readonly sellerId: bigint; readonly now: Date },
  { key, automaticOn }: WithdrawalRequest,
): Promise<Asked | null> {
  const known = await maybe<WithdrawalRow & { readonly hash: Buffer | null }>(db)`
    SELECT ${shownColumns(now)}, w.idempotency_hash AS hash FROM withdrawals w
    WHERE w.seller_id = ${sellerId}
      AND (w.idempotency_key = ${key?.key ?? null} OR w.automatic_on = ${automaticOn}::date)
  `;
  if (known === null) return null;
  const { hash, ...row } = known;
  const isSame = key === null || hash?.equals(hashOf(key.content));
  return isSame
    ? ok({ withdrawal: asAccepted(row), before: true })
    : refuse({ kind: "withdrawals.key-reused" });
}

/**
 * Checks a request and accepts it: the francs are held, the row is written, a job notifies the
 * agents. Every request of a seller passes here, one after the other. Francs leave a seller's account
 * only under the lock on the seller, so the available amount read here can be held.
 */
export async function requestIn(
  app: App,
  { tx, sellerId, settings, facts, limits, now }: LockedSeller,
  { form, key, automaticOn }: WithdrawalRequest,
): Promise<Asked> {
  const before = await acceptedBefore(tx, { sellerId, now }, { form, key, automaticOn });
  if (before !== null) return before;
  const checked = checkWithdrawal(form, limits);
  if (!checked.ok) return checked;
  const { amount, method, phone, whatsapp } = checked.value;
  const { operator, country } = PAYOUT_METHODS[method];
  const { plan, account_id: account } = facts;
  const origin = automaticOn === null ? "manual" : "automatic";
  const dueAt = deadlineOf(now, settings.hours.payouts, app.config.timeZone);
  const row = await one<WithdrawalRow & { readonly id: bigint }>(tx)`
    INSERT INTO withdrawals AS w (id, seller_id, account_id, plan, amount, method, operator, country,
      phone, whatsapp, reference, idempotency_key, idempotency_hash, origin, automatic_on,
      created_at, due_at)
    OVERRIDING SYSTEM VALUE
    SELECT n.id, ${sellerId}, ${account}, ${plan}, ${amount}, ${method}, ${operator}, ${country},
      ${phone}, ${whatsapp}, 'RT-' || lpad(n.id::text, greatest(6, length(n.id::text)), '0'),
      ${key?.key ?? null}, ${key && hashOf(key.content)}, ${origin}, ${automaticOn}, ${now}, ${dueAt}
    FROM nextval('withdrawals_id_seq') AS n(id)
    RETURNING ${shownColumns(now)}
  `;
  const held = await hold(tx, { id: `hold:${row.id}`, from: account, amount }, now);
  assert(held.ok && held.value === "done", `the francs of the withdrawal ${row.id} were not held`);
  await enqueue(tx, [{ topic: "desk.notify-agents", ref: row.id, dueAt: now }]);
  await publish(tx, changedEvents({ id: row.id, sellerId, status: "pending" }));
  return ok({ withdrawal: asAccepted(row), before: false });
}

/** The facts that limit a seller's requests, and the form's defaults. */
type SellerFacts = {
  readonly plan: "free" | "premium";
  /** The account of the current plan. */
  readonly account_id: bigint;
  /** The sum of both accounts. */
  readonly posted: Fcfa;
  readonly available: Fcfa;
  /** Advanced for refunds, and not recovered yet. */
  readonly owed: Fcfa;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly suspended_review_at: Date | null;
  readonly frozen_at: Date | null;
  readonly frozen_by: "seller" | "operator" | null;
  readonly frozen_reason: string | null;
  readonly frozen_review_at: Date | null;
  /** The date of the newest request that is pending or approved. */
  readonly last_at: Date | null;
  /** The sum of open requests, for a seller without a paid withdrawal; null: there is one. */
  readonly unpaid: Fcfa | null;
  readonly whatsapp_number: string | null;
  readonly last_method: PayoutMethodId | null;
  readonly last_phone: string | null;
  readonly last_whatsapp: string | null;
};

export const sellerFacts = (db: Db, sellerId: bigint) => one<SellerFacts>(db)`
  SELECT coalesce(s.plan, 'free') AS plan, a.id AS account_id,
    (SELECT sum(b.posted)::bigint FROM ledger_accounts b
      WHERE b.id IN (s.free_account_id, s.premium_account_id)) AS posted,
    greatest(0, a.posted - a.held - coalesce(advance.owed, 0)) AS available,
    coalesce(advance.owed, 0)::bigint AS owed,
    s.closed_at, s.suspended_at, s.suspended_reason, s.suspended_review_at,
    p.frozen_at, p.frozen_by, p.frozen_reason, p.frozen_review_at,
    (SELECT w.created_at FROM withdrawals w
      WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
      ORDER BY w.id DESC LIMIT 1) AS last_at,
    CASE WHEN NOT EXISTS (
      SELECT FROM withdrawals w WHERE w.seller_id = s.id AND w.paid_at IS NOT NULL
    ) THEN (
      SELECT coalesce(sum(w.amount), 0)::bigint FROM withdrawals w
      WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
    ) END AS unpaid,
    s.whatsapp_number, coalesce(last.method, p.method) AS last_method,
    coalesce(last.phone, p.phone) AS last_phone, last.whatsapp AS last_whatsapp
  FROM sellers s
  JOIN ledger_accounts a ON a.id = s.account_id
  LEFT JOIN payout_profiles p ON p.seller_id = s.id
  LEFT JOIN seller_advances advance ON advance.seller_id = s.id
  LEFT JOIN LATERAL (
    SELECT w.method, w.phone, w.whatsapp FROM withdrawals w
    WHERE w.seller_id = s.id ORDER BY w.id DESC LIMIT 1
  ) AS last ON true
  WHERE s.id = ${sellerId}
`;

/** A seller, locked until the transaction ends, with the facts for the checks: read once. */
export type LockedSeller = {
  readonly tx: Db;
  readonly sellerId: bigint;
  readonly settings: InstanceSettings;
  readonly facts: SellerFacts;
  readonly limits: WithdrawalLimits;
  readonly now: Date;
};

export async function withLockedSeller<T>(
  app: App,
  sellerId: bigint,
  act: (seller: LockedSeller) => Promise<T>,
): Promise<T> {
  const settings = await app.settings.current();
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, sellerId);
    // A separate statement: it sees what others committed while it waited for the lock.
    const facts = await sellerFacts(tx, sellerId);
    const limits = limitsFor(facts, settings, { now, zone: app.config.timeZone });
    return act({ tx, sellerId, settings, facts, limits, now });
  });
}

/** The limits of this seller's requests now. */
function limitsFor(
  facts: SellerFacts,
  settings: InstanceSettings,
  at: { now: Date; zone: string },
): WithdrawalLimits {
  const { withdrawals, methods } = settings;
  const left = facts.unpaid === null ? null : fcfa(settings.first_payout_max - facts.unpaid);
  return {
    min: withdrawals.min,
    max: facts.plan === "premium" ? withdrawals.max_premium : withdrawals.max_free,
    available: facts.available,
    owed: facts.owed,
    methods,
    standing: standingOf(facts, at.zone),
    reopensAt: facts.plan === "premium" ? null : weeklyReopening(facts.last_at, at.now),
    // An amount below the minimum counts as none.
    firstMax: left !== null && left < withdrawals.min ? ZERO_FCFA : left,
    zone: at.zone,
  };
}

export function standingOf(facts: SellerFacts, zone: string): StandingRefusal | null {
  if (facts.closed_at !== null) return { kind: "withdrawals.seller-closed" };
  if (facts.suspended_at !== null) {
    return {
      kind: "withdrawals.seller-suspended",
      reason: facts.suspended_reason,
      reviewAt: facts.suspended_review_at,
      zone,
    };
  }
  if (facts.frozen_at === null) return null;
  return {
    kind: "withdrawals.payouts-frozen",
    by: facts.frozen_by ?? "operator",
    reason: facts.frozen_reason,
    reviewAt: facts.frozen_review_at,
    zone,
  };
}

/** The active measure, for the seller's screens. */
export function sayStanding(standing: StandingRefusal | null) {
  if (standing === null) return null;
  const { code, message } = sayRefusal(standing, withdrawalsRefusals).body;
  return { code, message, date_revision: "reviewAt" in standing ? standing.reviewAt : null };
}

/** The values with which the form makes the server's checks. */
export async function limitsAnswerOf(app: App, sellerId: bigint) {
  const [settings, facts] = await Promise.all([
    app.settings.current(),
    sellerFacts(app.db, sellerId),
  ]);
  const { timeZone: zone } = app.config;
  const now = app.clock.now();
  const limits = limitsFor(facts, settings, { now, zone });
  const { days, from_hour, to_hour } = settings.hours.payouts;
  return {
    type_plan: planToWire(facts.plan),
    min: limits.min,
    max: limits.max,
    frais: 0,
    solde: facts.posted,
    disponible: facts.available,
    owed: facts.owed,
    premier_max: limits.firstMax,
    prochaine_date: limits.reopensAt,
    date_limite: deadlineOf(now, settings.hours.payouts, zone),
    horaires: { jours: [...days], debut: from_hour, fin: to_hour },
    fuseau: zone,
    bloque: sayStanding(limits.standing),
    methodes: PAYOUT_METHOD_IDS.map((id) => {
      const { label: nom, operator: operateur, country: pays } = PAYOUT_METHODS[id];
      const { open: ouvert, min, step: pas } = settings.methods[id];
      return { id, nom, operateur, pays, indicatif: COUNTRY_TERMS[pays].dial, min, pas, ouvert };
    }),
    payment_method: facts.last_method,
    transfer_number: facts.last_phone,
    whatsapp_number: facts.last_whatsapp ?? facts.whatsapp_number,
  };
}
