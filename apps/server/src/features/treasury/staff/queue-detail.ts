import {
  type deskWithdrawalDetail,
  LANE_NAMES,
  PAYOUT_RETURNED,
  PAYOUT_STATUS_NAMES,
} from "@sesame/contract/treasury";
import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import { addMs, DAY_MS } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../../app.ts";
import { type Db, many, one } from "../../../postgres/database.ts";
import { laneRefusal, lanesOf } from "../decide.ts";
import { isBack } from "../payouts.ts";
import {
  MONEY_RECEIVED,
  REQUEST_MADE,
  sayAction,
  sayLaneRefusal,
  sayStep,
  whatsappUrl,
} from "./messages.fr.ts";
import { type DeskRow, findDeskRow, needsSecond, stageOf } from "./queue-rows.ts";
import { type DeskReader, type Reading, readingOf, shown } from "./queue.ts";

type Detail = z.output<typeof deskWithdrawalDetail>;
type History = Detail["history"];
type SellerRow = Omit<History, "last_withdrawals" | "payouts"> & {
  readonly payouts: Omit<History["payouts"], "success_percent">;
};

const LAST_SHOWN = 10;
const TRACE_SHOWN = 60;

/** All an agent needs to decide, in one answer. Null: there is no such request. */
export async function viewWithdrawal(app: App, me: DeskReader, id: bigint) {
  const reading = await readingOf(app, me);
  const row = await findDeskRow(app.db, id);
  if (!row) return null;
  const { db } = app;
  const [history, last, payouts, trace] = await Promise.all([
    readHistory(db, row, addMs(reading.now, -30 * DAY_MS)),
    listPast(db, row, reading),
    listPayouts(db, row.id),
    listTrace(db, row),
  ]);
  const lanes = lanesOf(app).map(({ lane }) => {
    const refusal = laneRefusal(app, lane, row);
    const reason = refusal && sayLaneRefusal(lane, refusal);
    return { id: lane, label: LANE_NAMES[lane], open: refusal === null, reason };
  });
  const withdrawal: Detail = {
    ...shown(row, reading),
    history: { ...history, last_withdrawals: last },
    lanes,
    payouts,
    trace,
    whatsapp_url: whatsappUrl(row),
  };
  return { now: reading.now, withdrawal };
}

/** What the desk knows of a seller: his standing, his sales, how his withdrawals ended. */
async function readHistory(db: Db, row: DeskRow, since: Date) {
  const { payouts, ...seller } = await one<SellerRow>(db)`
    SELECT s.created_at AS since, p.telegram_id::float8 AS telegram_id, s.country,
      free.posted + premium.posted - free.held - premium.held AS available,
      free.held + premium.held AS held, sold.sales, sent.payouts,
      CASE WHEN profile.frozen_at IS NOT NULL THEN
        json_build_object('at', profile.frozen_at, 'reason', profile.frozen_reason) END AS frozen,
      CASE WHEN s.suspended_at IS NOT NULL THEN
        json_build_object('at', s.suspended_at, 'reason', s.suspended_reason) END AS suspended
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles profile ON profile.seller_id = s.id
    CROSS JOIN LATERAL (
      SELECT json_build_object('count', count(*) FILTER (WHERE o.status = 'paid'),
        'gross', coalesce(sum(o.price) FILTER (WHERE o.status = 'paid'), 0),
        'net', coalesce(sum(o.price - o.fee) FILTER (WHERE o.status = 'paid'), 0),
        'last_30_days',
          coalesce(sum(o.price) FILTER (WHERE o.status = 'paid' AND o.paid_at >= ${since}), 0),
        'refunds', count(*) FILTER (WHERE o.status = 'refunded')) AS sales
      FROM orders o WHERE o.seller_id = s.id
    ) sold
    CROSS JOIN LATERAL (
      SELECT json_build_object('paid', count(*) FILTER (WHERE w.paid_at IS NOT NULL),
        'paid_amount', coalesce(sum(w.amount) FILTER (WHERE w.paid_at IS NOT NULL), 0),
        'median_amount', percentile_disc(0.5) WITHIN GROUP (ORDER BY w.amount)
          FILTER (WHERE w.paid_at IS NOT NULL),
        'failed', count(*) FILTER (WHERE w.status = 'rejected' AND tried.at_all),
        'rejected', count(*) FILTER (WHERE w.status = 'rejected' AND NOT tried.at_all)) AS payouts
      FROM withdrawals w
      CROSS JOIN LATERAL (
        SELECT w.status = 'rejected'
          AND EXISTS (SELECT FROM payouts po WHERE po.withdrawal_id = w.id) AS at_all
      ) tried
      WHERE w.seller_id = s.id
    ) sent
    WHERE s.id = ${row.seller_id}
  `;
  const over = payouts.paid + payouts.failed;
  const percent = over === 0 ? null : Math.round((payouts.paid * 100) / over);
  return { ...seller, payouts: { ...payouts, success_percent: percent } };
}

type PastWithdrawal = Pick<
  DeskRow,
  | "id"
  | "reference"
  | "amount"
  | "method"
  | "phone"
  | "status"
  | "created_at"
  | "payout_lane"
  | "payout_status"
> & { readonly claimed: boolean; readonly awaits_second: boolean };

/** The seller's last requests beside this one. */
async function listPast(db: Db, row: DeskRow, reading: Reading) {
  const past = await many<PastWithdrawal>(db)`
    SELECT w.id, w.reference, w.amount, w.method, w.phone, w.status, w.created_at,
      coalesce(w.claimed_until > ${reading.now}, false) AS claimed,
      w.first_approved_by IS NOT NULL AS awaits_second,
      payout.lane AS payout_lane, payout.status AS payout_status
    FROM withdrawals w
    LEFT JOIN LATERAL (
      SELECT lane, status FROM payouts WHERE withdrawal_id = w.id ORDER BY id DESC LIMIT 1
    ) payout ON true
    WHERE w.seller_id = ${row.seller_id} AND w.id <> ${row.id}
    ORDER BY w.id DESC LIMIT ${LAST_SHOWN}
  `;
  return past.map((other) => {
    const { amount, awaits_second } = other;
    const second = needsSecond({ amount, paid_before: row.paid_before }, reading.settings);
    return {
      ...other,
      method_label: sayMethod(other.method),
      phone_label: groupPhone(other.phone),
      stage: stageOf({ ...other, awaits_second: awaits_second && second }),
      same_number: other.phone === row.phone,
    };
  });
}

type PayoutRow = Omit<Detail["payouts"][number], "status_label"> & {
  readonly late_at: Date | null;
  readonly returned_at: Date | null;
};

/** All payouts tried, the last first. */
async function listPayouts(db: Db, withdrawalId: bigint) {
  const payouts = await many<PayoutRow>(db)`
    SELECT p.id, p.lane, p.status, p.reference, p.provider_payout_id, p.operator_reference, p.word,
      p.failure, p.cost, p.created_at, p.submitted_at, p.settled_at, p.check_at, p.checks,
      p.late_at, p.returned_at,
      CASE WHEN p.created_by IS NOT NULL THEN json_build_object('id', p.created_by,
        'name', who.name) END AS by
    FROM payouts p LEFT JOIN people who ON who.id = p.created_by
    WHERE p.withdrawal_id = ${withdrawalId} ORDER BY p.id DESC
  `;
  return payouts.map((payout) => ({
    ...payout,
    status_label: isBack(payout) ? PAYOUT_RETURNED : PAYOUT_STATUS_NAMES[payout.status],
  }));
}

type TraceRow = Omit<Detail["trace"][number], "label"> & {
  /** A deed of the audit log, or a step of the payout. */
  readonly kind: "deed" | "step";
  readonly word: string;
};

/**
 * Who did what with the request, and what became of its money, the last first: from the log and the
 * payout's steps; its two ends stand in the request itself.
 */
async function listTrace(db: Db, row: DeskRow): Promise<Detail["trace"]> {
  const trace = await many<TraceRow>(db)`
    SELECT at, kind, word, by, reason FROM (
      SELECT a.at, 'deed' AS kind, a.action AS word, who.name AS by, a.reason, a.seq AS n
      FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
      WHERE a.subject = 'withdrawal:' || ${row.id}::bigint
      UNION ALL
      SELECT s.at, 'step', s.step, NULL, s.details, s.id
      FROM payouts p JOIN payout_steps s ON s.payout_id = p.id
      WHERE p.withdrawal_id = ${row.id}
    ) trace ORDER BY at DESC, kind, n DESC LIMIT ${TRACE_SHOWN}
  `;
  const asked = trace.some(({ word }) => word === "withdrawal.request");
  const end = (at: Date, label: string) => ({ at, label, by: null, reason: null });
  return [
    ...(row.paid_at ? [end(row.paid_at, MONEY_RECEIVED)] : []),
    ...trace.map(({ kind, word, ...step }) => ({
      ...step,
      label: kind === "deed" ? sayAction(word) : sayStep(word),
    })),
    ...(asked ? [] : [end(row.created_at, REQUEST_MADE)]),
  ];
}
