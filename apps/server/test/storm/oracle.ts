import { balanceOf } from "@sesame/ledger";
import { sql } from "kysely";
import { checkChain } from "../../src/audit/audit.store.ts";
import { checkLedger } from "../../src/maintenance/maintenance.ts";
import { type Cash, COLLECTORS, PAYOUT_RAILS, type StormState } from "./state.ts";
import { payoutsOf } from "./withdraw.ts";

const sum = (francs: readonly number[]) => francs.reduce((total, each) => total + each, 0);

/** Every invariant that holds at any instant, whatever is in progress. */
export async function brokenNow({ app }: StormState): Promise<string[]> {
  const broken = [...(await checkLedger(app.db)), ...(await checkChain(app.db))];
  return broken.map((each) => JSON.stringify(each));
}

/** Cases that nobody will handle: not decided, and in no open alert and no list of the back office. */
export const forgotten = (storm: StormState): Promise<string[]> =>
  storm.values<string>`
    WITH left_open(subject, what, kinds) AS (
      SELECT 'payment:' || p.id, p.status, ARRAY['payment.mismatch'] FROM payments p
      WHERE p.status = 'mismatched' OR (p.status = 'pending' AND EXISTS (
        SELECT FROM payment_checks c WHERE c.payment_id = p.id))
      UNION ALL
      SELECT 'payout:' || id, rail || ' ' || status, ARRAY['payout.uncertain', 'payout.slow',
        'payout.mismatch', 'payout.delayed', 'payout.float-short']
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
    SELECT concat_ws(' ', 'left open:', subject, what) FROM left_open
    WHERE NOT EXISTS (SELECT FROM alerts a WHERE a.resolved_at IS NULL
      AND a.subject = left_open.subject AND a.kind = ANY(left_open.kinds))
  `;

/** Cases that people, or time, have still to end. */
export const undecided = (storm: StormState): Promise<string[]> =>
  storm.values<string>`
    SELECT concat_ws(' ', 'payout', id, rail, status) FROM payouts
    WHERE status NOT IN ('succeeded', 'failed')
    UNION ALL
    SELECT concat_ws(' ', 'refund', id, rail, status) FROM refunds WHERE status <> 'done'
  `;

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

/** Each membership ends when all the time paid for it is over; the ledger check covers refunded buyers. */
async function wrongAccesses(storm: StormState): Promise<string[]> {
  const rows = await storm.sql<Record<"id" | "ends" | "at" | "minutes", number>>`
    SELECT a.id::float8, o.duration_minutes::float8 AS minutes,
      extract(epoch FROM a.ends_at)::float8 AS ends, extract(epoch FROM o.settled_at)::float8 AS at
    FROM accesses a JOIN orders o ON o.buyer_id = a.person_id AND o.group_id = a.group_id
      AND o.kind = 'product' AND o.status = 'paid'
    WHERE NOT EXISTS (SELECT FROM orders r WHERE r.buyer_id = a.person_id
      AND r.group_id = a.group_id AND r.status = 'refunded')
    ORDER BY a.id, o.access_until
  `;
  const ends = new Map<number, { ends: number; due: number }>();
  for (const { id, ends: end, at, minutes } of rows) {
    const due = Math.max(ends.get(id)?.due ?? 0, Math.round(at * 1_000)) + minutes * 60_000;
    ends.set(id, { ends: Math.round(end * 1_000), due });
  }
  return [...ends].flatMap(([id, { ends: end, due }]) => differ(`access ${id}`, end, due));
}

const differ = (what: string, ours: number, theirs: number): string[] =>
  ours === theirs ? [] : [`${what}: the books say ${ours}, the emulators ${theirs}`];

/** What the provider says of a payment, or of KkiaPay's widget. */
const seenOf = ({ app }: StormState, { provider, name }: Cash) =>
  app.emulators.collectors[provider].find(name);

/** Whether the buyer has it back from the provider. */
function isTaken(storm: StormState, cash: Cash): boolean {
  if (cash.provider !== "kkiapay") return cash.taken === "whole";
  return seenOf(storm, cash)?.status === "refunded";
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
  const known = await storm.sql<Known>`
    SELECT p.id::text AS id, p.transaction_id AS transaction, p.received::float8 AS received,
      p.cost::float8 AS cost,
      ARRAY(SELECT split_part(a.subject, ':', 2) FROM alerts a
        WHERE a.kind = 'reconciliation.difference' AND a.resolved_at IS NULL
          AND a.subject LIKE p.provider || ':%:payment:' || p.id) AS differs,
      EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'done'
        AND r.rail = 'staff' AND ${isOnAlertList}) AS twice
    FROM payments p
  `;
  const again = await storm.values<string>`
    SELECT split_part(subject, ':', 3) FROM alerts
    WHERE kind = 'payment.paid-again-there' AND resolved_at IS NULL
  `;
  const inBooks = (cash: Cash): number => {
    const seen = seenOf(storm, cash)?.transactionId ?? "";
    if (again.includes(seen)) return 0;
    const one =
      known.find(({ transaction }) => transaction === seen) ??
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
    const fees = await storm.value<number>`
      SELECT coalesce(sum(r.provider_fee), 0)::float8
      FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.provider = ${provider}
    `;
    const theirs = sum(here.map(inBooks)) - sentBy(storm, provider) - fees;
    const ours = Number((await balanceOf(storm.app.db, `provider:${provider}`))?.posted ?? 0n);
    wrong.push(...differ(`cash at ${provider}`, -ours, theirs));
  }
  return wrong;
}

/** With the fees, which the provider keeps of a payout that came back. */
function sentBy(storm: StormState, provider: string): number {
  const all = payoutsOf(storm, provider)?.list() ?? [];
  const received = all.filter(({ status }) => status === "success");
  const reversed = all.filter(({ id }) => storm.reversed.has(`${provider}:${id}`));
  return (
    sum(received.map(({ amount }) => amount)) +
    sum([...received, ...reversed].map(({ cost }) => cost))
  );
}

async function wrongFloats(storm: StormState): Promise<string[]> {
  const floats = await storm.value<number>`
    SELECT coalesce(sum(ledger_balance(id)), 0)::float8 FROM ledger_accounts
    WHERE key LIKE 'float:%'
  `;
  const done = await storm.values<string>`
    SELECT id::text FROM refunds WHERE rail = 'staff' AND status = 'done'
  `;
  const unsaid = [...storm.givenBack.keys()].filter((id) => !done.includes(id));
  const sent = [...storm.sent.values(), ...storm.givenBack.values()];
  const stillSent = sum(sent.filter(({ isBack }) => !isBack).map(({ amount }) => amount));
  return [
    ...unsaid.map((id) => `refund ${id} was sent by hand and is not done`),
    ...differ("agents' floats", floats, stillSent),
  ];
}

/** A seller has what was paid to him and not refunded, less what his phone has received. */
async function wrongSellers(storm: StormState): Promise<string[]> {
  const rows = await storm.sql<{ id: bigint } & Record<"has" | "held" | "due", number>>`
    SELECT s.id, (f.posted + p.posted)::float8 AS has, (f.held + p.held)::float8 AS held,
      (coalesce(a.owed, 0)
        + (SELECT coalesce(sum(o.price - o.fee), 0) FROM orders o WHERE o.seller_id = s.id
          AND o.status = 'paid' AND NOT o.direct)
        + (SELECT coalesce(sum(w.amount), 0) FROM write_offs w
          WHERE w.seller_id = s.id AND w.decided_at IS NOT NULL))::float8 AS due
    FROM sellers s
    JOIN ledger_accounts f ON f.id = s.free_account_id
    JOIN ledger_accounts p ON p.id = s.premium_account_id
    LEFT JOIN seller_advances a ON a.seller_id = s.id
  `;
  const payouts = await ourPayouts(storm);
  return rows.flatMap(({ id, has, held, due }) => {
    const his = payouts.filter((each) => each.seller_id === id && times(storm, each) > 0);
    const received = sum(his.map(({ amount }) => amount));
    return [...differ(`seller ${id}`, has, due - received), ...differ(`held of ${id}`, held, 0)];
  });
}

type Payout = Record<"request" | "rail" | "reference" | "status", string> & {
  seller_id: bigint;
  amount: number;
  /** Whether it must have arrived, by what we say of it. */
  said: boolean;
};

const ourPayouts = (storm: StormState) =>
  storm.sql<Payout>`
    SELECT w.id::text AS request, w.seller_id, p.rail, p.reference, p.amount::float8, p.status,
      (p.status = 'succeeded' AND p.returned_at IS NULL) OR p.late_at IS NOT NULL AS said
    FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
  `;

/** How often the seller's phone has it, by the sender. */
function times(storm: StormState, { rail, reference, request }: Payout): number {
  if (rail === "manual") return Number(storm.sent.get(request)?.isBack === false);
  const there = payoutsOf(storm, rail).list();
  return there.filter((one) => one.reference === reference && one.status === "success").length;
}

async function wrongPayouts(storm: StormState): Promise<string[]> {
  return (await ourPayouts(storm)).flatMap((payout) => {
    const { rail, reference, status, said } = payout;
    return differ(`payout ${rail} ${reference} (${status})`, Number(said), times(storm, payout));
  });
}

/**
 * A buyer has back what we report, and at most once what he paid; else an alert is open: the
 * provider returned what an agent had sent.
 */
async function wrongRefunds(storm: StormState): Promise<string[]> {
  const given = await storm.sql<
    Record<"order_id" | "provider", string> & { ids: string[]; alerted: boolean }
  >`
    SELECT r.order_id::text, p.provider, array_agg(r.id::text) AS ids,
      bool_or(${isOnAlertList}) AS alerted
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'done' AND NOT r.direct GROUP BY r.order_id, p.provider
  `;
  return given.flatMap(({ order_id: orderId, provider, ids, alerted }) => {
    const cash = storm.cash.filter(
      (each) => each.orderId === orderId && each.provider === provider,
    );
    const byProvider = cash.filter((each) => isTaken(storm, each)).length;
    const times = byProvider + ids.filter((id) => storm.givenBack.has(id)).length;
    const isKnown = alerted && cash.some(({ isLate }) => isLate);
    if (times >= ids.length && (times <= cash.length || isKnown)) return [];
    return [`refunds ${ids} of order ${orderId} at ${provider}: given back ${times} times`];
  });
}

/** Every payment of a phone, and all our records: to explain a failure. */
export async function describeMoney(storm: StormState): Promise<string[]> {
  const seen = storm.cash.map((cash) => ({ ...cash, status: seenOf(storm, cash)?.status }));
  const records = await storm.values<object>`
    SELECT to_jsonb(o) FROM orders o UNION ALL SELECT to_jsonb(p) FROM payments p
    UNION ALL SELECT to_jsonb(r) FROM refunds r UNION ALL SELECT to_jsonb(w) FROM withdrawals w
    UNION ALL SELECT to_jsonb(p) FROM payouts p UNION ALL SELECT to_jsonb(a) FROM alerts a
  `;
  return [...seen, ...records].map((each) => JSON.stringify(each));
}
