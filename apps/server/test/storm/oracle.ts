import { balanceOf } from "@sesame/ledger";
import { sql } from "kysely";
import { checkChain } from "../../src/audit/audit.store.ts";
import { checkLedger } from "../../src/maintenance/maintenance.ts";
import { type Cash, type PayoutRail, PAYOUT_RAILS, COLLECTORS, type StormState } from "./state.ts";
import { payoutsOf } from "./withdraw.ts";

const sum = (francs: readonly number[]) => francs.reduce((total, each) => total + each, 0);

/** Every invariant that holds at any instant, whatever is in progress. */
export async function brokenNow({ app }: StormState): Promise<string[]> {
  const broken = [...(await checkLedger(app.db)), ...(await checkChain(app.db))];
  return broken.map((each) => JSON.stringify(each));
}

/** Cases that nobody will handle: not decided, and in no open alert and no list of the back office. */
export async function forgotten(storm: StormState): Promise<string[]> {
  const rows = await storm.rows(sql<{ what: string }>`
    WITH alert AS (SELECT kind, subject FROM alerts WHERE resolved_at IS NULL), left_open AS (
      SELECT 'payment:' || p.id AS subject, p.status AS what, ARRAY['payment.mismatch'] AS kinds
      FROM payments p
      WHERE p.status = 'mismatched' OR (p.status = 'pending' AND EXISTS (
        SELECT FROM payment_checks c WHERE c.payment_id = p.id))
      UNION ALL
      SELECT 'payout:' || id, rail || ' ' || status, ARRAY['payout.uncertain', 'payout.slow', 'payout.mismatch',
        'payout.delayed', 'payout.float-short']
      FROM payouts WHERE status NOT IN ('succeeded', 'failed') AND rail <> 'manual'
      UNION ALL
      SELECT 'refund:' || id, rail || ' ' || status, ARRAY['refund.delayed']
      FROM refunds WHERE status = 'sending'
      UNION ALL
      SELECT 'payment:' || payment_id, 'overpayment', ARRAY['payment.overpayment']
      FROM refunds WHERE status <> 'done' AND kind = 'overpayment'
      UNION ALL
      SELECT 'job:' || topic, coalesce(last_error, 'failed'), ARRAY[]::text[]
      FROM outbox WHERE failed_at IS NOT NULL
        -- Work that is repeated anyway, or useful only at its hour, is given up in an outage.
        AND NOT (expired AND topic IN ('groups.recheck', 'bot.notify'))
    )
    SELECT subject || ' ' || what AS what FROM left_open
    WHERE NOT EXISTS (SELECT FROM alert a
      WHERE a.subject = left_open.subject AND a.kind = ANY(left_open.kinds))
  `);
  return rows.map(({ what }) => `left open: ${what}`);
}

/** Everything that must be true when all is decided: the money in the emulators, on phones, and in the ledger. */
export async function differences(storm: StormState): Promise<string[]> {
  return [
    ...(await wrongCash(storm)),
    ...(await wrongFloats(storm)),
    ...(await wrongSellers(storm)),
    ...(await wrongPayouts(storm)),
    ...(await wrongRefunds(storm)),
    ...(await wrongAccesses(storm)),
  ];
}

const differ = (what: string, ours: number, theirs: number): string[] =>
  ours === theirs ? [] : [`${what}: the books say ${ours}, the emulators ${theirs}`];

const posted = async ({ app }: StormState, key: string) =>
  Number((await balanceOf(app.db, key))?.posted ?? 0n);

/** Whether the buyer has it back from the provider. */
function isTaken({ app }: StormState, cash: Cash): boolean {
  if (cash.provider !== "kkiapay") return cash.taken === "whole";
  return app.emulators.kkiapay.find(cash.name)?.status === "refunded";
}

/** For a refund `r` sent by hand: an alert reports that the provider returned the money too. */
const isOnAlertList = sql<boolean>`EXISTS (SELECT FROM alerts a JOIN payments p ON p.id = r.payment_id
  WHERE a.resolved_at IS NULL AND (a.kind, a.subject) IN (
    ('payment.refunded-there', 'payment:' || p.id),
    ('reconciliation.difference', p.provider || ':status:payment:' || p.id)))`;

type Known = {
  id: string;
  transaction: string | null;
  received: number | null;
  cost: number | null;
  /** Differences of the daily comparison with an open alert. */
  differs: string[];
  /** Refunded by hand too. */
  twice: boolean;
};

/**
 * Our balance at each provider: paid by phones and still there, less what it sent for us. An open
 * alert names each payment that the ledger has otherwise: paid again after all was decided,
 * corrected by its provider after the decision, or returned by it and by hand.
 */
async function wrongCash(storm: StormState): Promise<string[]> {
  const known = await storm.rows(sql<Known>`
    SELECT p.id::text AS id, p.transaction_id AS transaction, p.received::float8 AS received,
      p.cost::float8 AS cost,
      ARRAY(SELECT split_part(a.subject, ':', 2) FROM alerts a
        WHERE a.kind = 'reconciliation.difference' AND a.resolved_at IS NULL
          AND a.subject LIKE p.provider || ':%:payment:' || p.id) AS differs,
      EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'done'
        AND r.rail = 'staff' AND ${isOnAlertList}) AS twice
    FROM payments p
  `);
  const again = await storm.rows(sql<{ transaction: string }>`
    SELECT split_part(subject, ':', 3) AS transaction FROM alerts
    WHERE kind = 'payment.paid-again-there' AND resolved_at IS NULL
  `);
  const fees = await storm.rows(sql<{ provider: string; francs: number }>`
    SELECT p.provider, sum(r.provider_fee)::float8 AS francs
    FROM refunds r JOIN payments p ON p.id = r.payment_id GROUP BY 1
  `);
  const inBooks = (cash: Cash): number => {
    const seen = storm.app.emulators.collectors[cash.provider].find(cash.name)?.transactionId;
    if (again.some(({ transaction }) => transaction === seen)) return 0;
    const one =
      known.find(({ transaction }) => transaction !== null && transaction === seen) ??
      known.find(({ id, transaction }) => id === cash.paymentId && transaction === null);
    const isHeld = !isTaken(storm, cash) || one?.twice;
    const amount = one?.differs.includes("amount") ? (one.received ?? cash.price) : cash.amount;
    const fee = one?.differs.includes("cost") ? (one.cost ?? 0) : cash.fee;
    // The fee for collecting stays a cost; a payment returned before we recorded it has none.
    return (isHeld ? amount : 0) - (isHeld || one?.cost ? fee : 0);
  };
  const wrong: string[] = [];
  for (const provider of new Set([...COLLECTORS, ...PAYOUT_RAILS])) {
    const here = storm.cash.filter((each) => each.provider === provider && !each.own);
    const held = sum(here.map(inBooks));
    const sent = provider === "kkiapay" ? 0 : sentBy(storm, provider);
    const fee = fees.find((each) => each.provider === provider)?.francs ?? 0;
    const ours = -(await posted(storm, `provider:${provider}`));
    wrong.push(...differ(`cash at ${provider}`, ours, held - sent - fee));
  }
  return wrong;
}

function sentBy(storm: StormState, rail: PayoutRail): number {
  const all = payoutsOf(storm, rail).list();
  const received = all.filter(({ status }) => status === "success");
  const reversed = all.filter(({ id }) => storm.reversed.has(`${rail}:${id}`));
  return (
    sum(received.map(({ amount, cost }) => amount + cost)) + sum(reversed.map(({ cost }) => cost))
  );
}

const amounts = (sent: ReadonlyMap<string, { amount: number }>) =>
  sum([...sent.values()].map(({ amount }) => amount));

async function wrongFloats(storm: StormState): Promise<string[]> {
  const [floats] = await storm.rows(sql<{ francs: bigint }>`
    SELECT coalesce(sum(ledger_balance(id)), 0)::bigint AS francs FROM ledger_accounts
    WHERE key LIKE 'float:%'
  `);
  const own = await storm.rows(sql<{ id: bigint; amount: bigint }>`
    SELECT id, amount FROM refunds WHERE rail = 'staff' AND status = 'done'
  `);
  const unsaid = [...storm.givenBack.keys()].filter(
    (id) => !own.some((each) => String(each.id) === id),
  );
  const sent = amounts(storm.sent) - amounts(storm.cameBack) + amounts(storm.givenBack);
  return [
    ...unsaid.map((id) => `refund ${id} was sent by hand and is not done`),
    ...differ("agents' floats", Number(floats?.francs ?? 0n), sent),
  ];
}

/** A seller has what was paid to him and not refunded, less what his phone has received. */
async function wrongSellers(storm: StormState): Promise<string[]> {
  const rows = await storm.rows(sql<{
    id: bigint;
    has: bigint;
    held: bigint;
    sold: bigint;
    owed: bigint;
    lost: bigint;
  }>`
    SELECT s.id, f.posted + p.posted AS has, f.held + p.held AS held,
      (SELECT coalesce(sum(o.price - o.fee), 0)::bigint FROM orders o WHERE o.seller_id = s.id
        AND o.status = 'paid' AND NOT o.direct) AS sold,
      coalesce(a.owed, 0)::bigint AS owed,
      (SELECT coalesce(sum(w.amount), 0)::bigint FROM write_offs w
        WHERE w.seller_id = s.id AND w.decided_at IS NOT NULL) AS lost
    FROM sellers s
    JOIN ledger_accounts f ON f.id = s.free_account_id
    JOIN ledger_accounts p ON p.id = s.premium_account_id
    LEFT JOIN seller_advances a ON a.seller_id = s.id
  `);
  const payouts = await ourPayouts(storm);
  return rows.flatMap(({ id, has, held, sold, owed, lost }) => {
    const his = payouts.filter((each) => each.seller_id === id);
    const received = sum(
      his.filter((each) => arrived(storm, each)).map(({ amount }) => Number(amount)),
    );
    const due = Number(sold) - received + Number(owed) + Number(lost);
    return [
      ...differ(`seller ${id}`, Number(has), due),
      ...differ(`held of ${id}`, Number(held), 0),
    ];
  });
}

type Payout = Record<"withdrawal_id" | "seller_id" | "amount", bigint> &
  Record<"rail" | "reference" | "status", string> &
  Record<"late" | "returned", boolean>;

const ourPayouts = (storm: StormState) =>
  storm.rows(sql<Payout>`
    SELECT p.withdrawal_id, w.seller_id, p.rail, p.reference, p.amount, p.status,
      p.late_at IS NOT NULL AS late, p.returned_at IS NOT NULL AS returned
    FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
  `);

/** Whether the seller's phone has it, by the sender. */
function arrived(storm: StormState, { rail, reference, withdrawal_id: id }: Payout): boolean {
  const key = String(id);
  if (rail === "manual") return storm.sent.has(key) && !storm.cameBack.has(key);
  return there(storm, rail, reference).length > 0;
}

const there = (storm: StormState, rail: string, reference: string) =>
  payoutsOf(storm, rail as PayoutRail)
    .list()
    .filter((each) => each.reference === reference && each.status === "success");

async function wrongPayouts(storm: StormState): Promise<string[]> {
  const payouts = await ourPayouts(storm);
  return payouts.flatMap((payout) => {
    const { rail, reference, status, late, returned } = payout;
    const said = (status === "succeeded" && !returned) || late;
    const count =
      rail === "manual" ? Number(arrived(storm, payout)) : there(storm, rail, reference).length;
    return differ(`payout ${rail} ${reference} (${status})`, Number(said), count);
  });
}

/**
 * A buyer has back what we report, and at most once what he paid; else an alert is open: the
 * provider returned what an agent had sent.
 */
async function wrongRefunds(storm: StormState): Promise<string[]> {
  const given = await storm.rows(sql<Given>`
    SELECT r.order_id, p.provider, array_agg(r.id::text) AS ids,
      bool_or(${isOnAlertList}) AS alerted
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'done' AND NOT r.direct GROUP BY r.order_id, p.provider
  `);
  return given.flatMap(({ order_id: orderId, provider, ids, alerted }) => {
    const cash = storm.cash.filter(
      (each) => each.orderId === String(orderId) && each.provider === provider,
    );
    const byProvider = cash.filter((each) => isTaken(storm, each)).length;
    const byHand = ids.filter((id) => storm.givenBack.has(id)).length;
    const times = byProvider + byHand;
    const isKnown = alerted && cash.some(({ isLate }) => isLate);
    const isTwice = times > cash.length && !isKnown;
    if (times >= ids.length && !isTwice) return [];
    return [`refunds ${ids} of order ${orderId} at ${provider}: given back ${times} times`];
  });
}

type Given = { order_id: bigint; provider: string; ids: string[]; alerted: boolean };

/** Each membership ends when all the time paid for it is over; the ledger check covers refunded buyers. */
async function wrongAccesses(storm: StormState): Promise<string[]> {
  const rows = await storm.rows(sql<{ id: bigint; ends: Date; at: Date; minutes: number }>`
    SELECT a.id, a.ends_at AS ends, o.settled_at AS at, o.duration_minutes AS minutes
    FROM accesses a JOIN orders o ON o.buyer_id = a.person_id AND o.group_id = a.group_id
      AND o.kind = 'product' AND o.status = 'paid'
    WHERE NOT EXISTS (SELECT FROM orders r WHERE r.buyer_id = a.person_id
      AND r.group_id = a.group_id AND r.status = 'refunded')
    ORDER BY a.id, o.access_until
  `);
  const ends = new Map<bigint, { ends: number; due: number }>();
  for (const { id, ends: end, at, minutes } of rows) {
    const due = Math.max(ends.get(id)?.due ?? 0, at.getTime()) + minutes * 60_000;
    ends.set(id, { ends: end.getTime(), due });
  }
  return [...ends].flatMap(([id, { ends: end, due }]) => differ(`access ${id}`, end, due));
}

/** Every payment of a phone, beside our records: to explain a failure. */
export const describeCash = (storm: StormState): Promise<string[]> =>
  Promise.all(
    storm.cash.map(async (cash) => {
      const known = await storm.rows(sql<{ known: string }>`
        SELECT concat_ws(' ', o.kind, o.status, p.id, p.status, p.amount, p.received,
          p.suspended_amount, p.decided_as, p.cost, p.transaction_id,
          (SELECT string_agg(concat_ws(' ', r.id, r.kind, r.rail, r.status, r.amount), ', ')
            FROM refunds r WHERE r.payment_id = p.id),
          (SELECT string_agg(concat_ws(' ', a.kind, a.resolved_at), ', ') FROM alerts a
            WHERE a.subject ~ ('payment:' || p.id || '(:|$)'))) AS known
        FROM payments p JOIN orders o ON o.id = p.order_id
        WHERE o.id = ${BigInt(cash.orderId)} AND p.provider = ${cash.provider} ORDER BY p.id
      `);
      const seen = storm.app.emulators.collectors[cash.provider].find(cash.name);
      return JSON.stringify([cash, seen?.status, known.map((each) => each.known)]);
    }),
  );
