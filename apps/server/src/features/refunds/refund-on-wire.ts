import { nameProvider } from "@sesame/contract/checkout";
import {
  type DeskRefundOnWire,
  REFUND_STATUS_NAMES,
  REFUND_STATUS_WORDS,
  type RefundOnWire,
  type RefundsRefusal,
  refundsRefusals,
} from "@sesame/contract/refunds";
import { sayRefusal } from "@sesame/contract";
import { groupPhone, isPayoutMethod, maskPhone, sayMethod } from "@sesame/contract/withdrawals";
import { fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/principal.ts";
import { claimCareOf } from "../claims/index.ts";
import { ASKED_BY_NAMES } from "./messages.fr.ts";
import { forbidFee, forbidHand, forbidReturned } from "./judge-hand.ts";
import { findRefundsOf, type RefundRow } from "./refund.view.ts";

export type RefundReader = "buyer" | "seller" | "desk";

export function refundToWire(row: RefundRow, reader: RefundReader): RefundOnWire {
  const status = REFUND_STATUS_WORDS[row.status];
  const method = row.method !== null && isPayoutMethod(row.method) ? row.method : null;
  // The seller needs it whole only where it is he who sends the money.
  const whole = reader !== "seller" || row.lane === "seller";
  return {
    id: String(row.id),
    order_id: String(row.order_id),
    amount: fcfaToJson(row.amount),
    status,
    status_label: REFUND_STATUS_NAMES[status],
    lane: row.lane,
    direct: row.direct,
    surplus: row.kind === "surplus" && !row.is_mismatch,
    motif: row.reason,
    date_creation: row.created_at.toISOString(),
    date_remboursement: row.done_at?.toISOString() ?? null,
    methode: method,
    methode_nom: method && sayMethod(method),
    numero: row.phone === null ? null : whole ? row.phone : maskPhone(row.phone),
    reference_operateur: row.operator_reference,
  };
}

/** The one of an order that needs its reader most; null to anybody but its buyer and seller. */
export async function refundOfOrder({ db }: App, orderId: bigint, readerId: bigint) {
  const [row] = await findRefundsOf(db, orderId);
  if (row?.buyer_id === readerId) return refundToWire(row, "buyer");
  return row?.seller_id === readerId ? refundToWire(row, "seller") : null;
}

/** What went wrong with an order, and what is done about it, to its buyer or its seller. */
export async function careOf(app: App, orderId: bigint, readerId: bigint) {
  const [refund, care] = await Promise.all([
    refundOfOrder(app, orderId, readerId),
    claimCareOf(app, orderId, readerId),
  ]);
  return { refund, ...care };
}

export function deskRefundToWire(row: RefundRow, caller: Principal, now: Date): DeskRefundOnWire {
  const hand = mayOf(forbidHand(row, caller.personId, now));
  const taken = row.taken_by !== null && row.taken_until !== null && row.taken_until > now;
  return {
    ...refundToWire(row, "desk"),
    kind: row.kind,
    title: row.title,
    provider: row.provider,
    provider_name: nameProvider(row.provider),
    provider_payment_id: row.provider_payment_id,
    buyer: {
      id: String(row.buyer_id),
      name: row.buyer_name,
      username: row.buyer_username,
      telegram_id: Number(row.buyer_telegram_id),
    },
    seller: row.seller_id === null ? null : { id: String(row.seller_id), name: row.seller_name },
    asked_by: ASKED_BY_NAMES[row.asked_as],
    advanced: fcfaToJson(row.advanced),
    numero_label: row.phone && groupPhone(row.phone),
    checks: row.checks,
    check_at: row.check_at?.toISOString() ?? null,
    paid_by: row.payer_name === "" ? null : row.payer_name,
    provider_fee: fcfaToJson(row.provider_fee),
    taken: taken
      ? {
          by: { id: String(row.taken_by), name: row.taker_name },
          mine: row.taken_by === caller.personId,
          until: row.taken_until?.toISOString() ?? "",
        }
      : null,
    may: {
      take: hand,
      // Of who took it, however long ago: the money may have left his phone already.
      paid: row.taken_by === caller.personId ? hand : NOT_HIS,
      number: hand,
      returned: mayOf(forbidReturned(row, caller, now)),
      fee: mayOf(forbidFee(row, caller)),
    },
  };
}

const NOT_HIS = { allowed: false, reason: null };

function mayOf(forbidden: RefundsRefusal | null) {
  if (forbidden === null) return { allowed: true, reason: null };
  return { allowed: false, reason: sayRefusal(forbidden, refundsRefusals).body.message };
}
