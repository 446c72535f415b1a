import {
  type DeskLaneOnWire,
  type DeskPayoutOnWire,
  type DeskWithdrawalDetail,
  LANE_NAMES,
  needsSecondAgent,
} from "@sesame/contract/desk";
import { PAYOUT_RETURNED, PAYOUT_STATUS_NAMES } from "@sesame/contract/payouts";
import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import { addMs, DAY_MS, type Fcfa, fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { isBack, laneRefusal, lanesOf } from "../payouts/index.ts";
import { stageOf } from "./queue-facts.ts";
import {
  type PastWithdrawal,
  type PayoutRow,
  type SellerRow,
  type TraceRow,
  viewPastWithdrawals,
  viewPayouts,
  viewSeller,
  viewTrace,
} from "./queue-history.view.ts";
import { type Reading, withdrawalToWire } from "./queue-on-wire.ts";
import {
  MONEY_RECEIVED,
  REQUEST_MADE,
  sayAction,
  sayLaneRefusal,
  sayStep,
  whatsappDigits,
  whatsappWords,
} from "./messages.fr.ts";
import type { DeskRow } from "./queue.view.ts";

/** All an agent needs to decide, in one answer. */
export async function withdrawalInDetail(
  app: App,
  row: DeskRow,
  reading: Reading,
): Promise<DeskWithdrawalDetail> {
  const { db } = app;
  const { now } = reading;
  const [seller, past, payouts, trace] = await Promise.all([
    viewSeller(db, { sellerId: row.seller_id, since: addMs(now, -30 * DAY_MS) }),
    viewPastWithdrawals(db, { id: row.id, sellerId: row.seller_id, now }),
    viewPayouts(db, row.id),
    viewTrace(db, row.id),
  ]);
  return {
    ...withdrawalToWire(row, reading),
    history: {
      ...historyOf(seller),
      last_withdrawals: past.map((other) => pastToWire(other, { row, reading })),
    },
    lanes: lanesFor(app, row),
    payouts: payouts.map(payoutToWire),
    trace: traceOf(row, trace),
    whatsapp_url: whatsappUrl(row),
  };
}

function historyOf(seller: SellerRow): Omit<DeskWithdrawalDetail["history"], "last_withdrawals"> {
  const over = seller.paid + seller.failed;
  return {
    since: seller.since.toISOString(),
    telegram_id: Number(seller.telegram_id),
    country: seller.country,
    available: fcfaToJson((seller.posted - seller.held) as Fcfa),
    held: fcfaToJson(seller.held),
    sales: {
      count: seller.sales,
      gross: fcfaToJson(seller.gross),
      net: fcfaToJson(seller.net),
      last_30_days: fcfaToJson(seller.last_30_days),
      refunds: seller.refunds,
    },
    payouts: {
      paid: seller.paid,
      paid_amount: fcfaToJson(seller.paid_amount),
      median_amount: seller.median === null ? null : fcfaToJson(seller.median),
      failed: seller.failed,
      rejected: seller.rejected,
      success_percent: over === 0 ? null : Math.round((seller.paid * 100) / over),
    },
    frozen: since(seller.frozen_at, seller.frozen_reason),
    suspended: since(seller.suspended_at, seller.suspended_reason),
  };
}

function since(at: Date | null, reason: string | null) {
  return at && { at: at.toISOString(), reason };
}

type About = { readonly row: DeskRow; readonly reading: Reading };

function pastToWire(
  other: PastWithdrawal,
  { row, reading }: About,
): DeskWithdrawalDetail["history"]["last_withdrawals"][number] {
  const { payout_lane: lane, payout_status: status } = other;
  const risk = { amount: other.amount, paidBefore: row.paid_before };
  return {
    id: String(other.id),
    reference: other.reference,
    amount: fcfaToJson(other.amount),
    method_label: sayMethod(other.method),
    phone_label: groupPhone(other.phone),
    stage: stageOf({
      status: other.status,
      payout: lane === null || status === null ? null : { lane, status },
      claimed: other.claimed,
      awaitsSecond: other.awaits_second && needsSecondAgent(risk, reading.settings),
    }),
    created_at: other.created_at.toISOString(),
    same_number: other.phone === row.phone,
  };
}

function lanesFor(app: App, row: DeskRow): DeskLaneOnWire[] {
  return lanesOf(app).map(({ lane }) => {
    const refusal = laneRefusal(app, lane, row);
    const reason = refusal && sayLaneRefusal(lane, refusal);
    return { id: lane, label: LANE_NAMES[lane], open: refusal === null, reason };
  });
}

function payoutToWire(payout: PayoutRow): DeskPayoutOnWire {
  const { created_by: by } = payout;
  return {
    id: String(payout.id),
    lane: payout.lane,
    status: payout.status,
    status_label: isBack(payout) ? PAYOUT_RETURNED : PAYOUT_STATUS_NAMES[payout.status],
    reference: payout.reference,
    provider_payout_id: payout.provider_payout_id,
    operator_reference: payout.operator_reference,
    word: payout.word,
    failure: payout.failure,
    cost: fcfaToJson(payout.cost),
    by: by === null ? null : { id: String(by), name: payout.by_name },
    created_at: payout.created_at.toISOString(),
    submitted_at: payout.submitted_at?.toISOString() ?? null,
    settled_at: payout.settled_at?.toISOString() ?? null,
    check_at: payout.check_at?.toISOString() ?? null,
    checks: payout.checks,
  };
}

/** From the log and the payout's steps; its two ends stand in the request itself. */
function traceOf(row: DeskRow, trace: readonly TraceRow[]): DeskWithdrawalDetail["trace"] {
  const told = trace.map(({ at, kind, word, by_name: by, reason }) => ({
    at: at.toISOString(),
    label: kind === "deed" ? sayAction(word) : sayStep(word),
    by,
    reason,
  }));
  const asked = trace.some(({ word }) => word === "withdrawal.request");
  const end = (at: Date, label: string) => ({
    at: at.toISOString(),
    label,
    by: null,
    reason: null,
  });
  return [
    ...(row.paid_at ? [end(row.paid_at, MONEY_RECEIVED)] : []),
    ...told,
    ...(asked ? [] : [end(row.created_at, REQUEST_MADE)]),
  ];
}

function whatsappUrl(row: DeskRow): string | null {
  const digits = whatsappDigits(row.whatsapp, row.country);
  if (digits === null) return null;
  return `https://wa.me/${digits}?text=${encodeURIComponent(whatsappWords(row))}`;
}
