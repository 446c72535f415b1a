import { sayRefusal } from "@sesame/contract";
import { ACCESS_STATUS_NAMES } from "@sesame/contract/access";
import { nameProvider, ORDER_STATUS_NAMES, sayQuote } from "@sesame/contract/checkout";
import {
  type DeskOrderOnWire,
  type RefundsRefusal,
  refundsRefusals,
} from "@sesame/contract/refunds";
import { fcfa, fcfaToJson, ZERO_FCFA } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/principal.ts";
import { claimsOf } from "../claims/index.ts";
import { judge } from "./ask-refund.ts";
import {
  nameAccount,
  nameDeed,
  ORDER_KIND_NAMES,
  PAYMENT_GIVEN_BACK,
  PAYMENT_STATUS_NAMES,
} from "./messages.fr.ts";
import { findPayingPayment } from "./order.view.ts";
import {
  findSheet,
  findSheetDeeds,
  findSheetLines,
  findSheetPayments,
  type SheetDeed,
  type SheetLine,
  type SheetPayment,
  type SheetRow,
} from "./order-sheet.view.ts";
import { deskRefundToWire } from "./refund-on-wire.ts";
import { findRefundsOf } from "./refund.view.ts";

/** Everything about one order; null: there is none. */
export async function answerSheet(app: App, caller: Principal, orderId: bigint) {
  const { db, clock } = app;
  const row = await findSheet(db, orderId);
  if (!row) return null;
  const now = clock.now();
  const [paying, payments, refunds, claims, lines, deeds] = await Promise.all([
    findPayingPayment(db, orderId),
    findSheetPayments(db, orderId),
    findRefundsOf(db, orderId),
    claimsOf(app, orderId, caller),
    findSheetLines(db, orderId),
    findSheetDeeds(db, orderId),
  ]);
  const isParty = [row.buyer_id, row.seller_id].includes(caller.personId);
  const mayDecide = caller.isOperator && !isParty;
  const order = {
    ...orderToWire(row),
    payments: payments.map((payment) => paymentToWire(payment, mayDecide)),
    refunds: refunds.map((refund) => deskRefundToWire(refund, caller, now)),
    claims,
    lines: lines.map(lineToWire),
    trace: deeds.map(deedToWire),
    taken_back: paying?.is_taken_back ?? false,
    may: { refund: mayRefund(row, caller) },
  };
  return { now: now.toISOString(), order };
}

type OwnFields = Omit<
  DeskOrderOnWire,
  "payments" | "refunds" | "claims" | "lines" | "trace" | "taken_back" | "may"
>;

function orderToWire(row: SheetRow): OwnFields {
  return {
    id: String(row.id),
    kind: row.kind,
    kind_label: ORDER_KIND_NAMES[row.kind],
    status: row.status,
    status_label: ORDER_STATUS_NAMES[row.status],
    title: row.title,
    amount: fcfaToJson(row.price),
    fee: fcfaToJson(row.fee),
    net: fcfaToJson(fcfa(row.price - row.fee)),
    currency: "XOF",
    duration: row.duration_minutes,
    direct: row.direct,
    is_renewal: row.is_renewal,
    provider: row.provider,
    provider_name: nameProvider(row.provider),
    buyer: {
      id: String(row.buyer_id),
      name: row.buyer_name,
      username: row.buyer_username,
      telegram_id: Number(row.buyer_telegram_id),
    },
    seller: row.seller_id === null ? null : { id: String(row.seller_id), name: row.seller_name },
    product_id: row.product_id === null ? null : String(row.product_id),
    group:
      row.group_title === null
        ? null
        : { name: row.group_title, type: row.group_kind === "channel" ? "canal" : "groupe" },
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
    access_until: row.access_until?.toISOString() ?? null,
    access: accessOf(row),
    seller_available: row.seller_available === null ? null : fcfaToJson(row.seller_available),
  };
}

function accessOf(row: SheetRow): DeskOrderOnWire["access"] {
  const { access_status: status, access_ends_at: endsAt, access_joined_at: joinedAt } = row;
  if (status === null || endsAt === null) return null;
  return {
    status,
    status_label: ACCESS_STATUS_NAMES[status],
    ends_at: endsAt.toISOString(),
    joined_at: joinedAt?.toISOString() ?? null,
  };
}

function paymentToWire(row: SheetPayment, mayDecide: boolean): DeskOrderOnWire["payments"][number] {
  return {
    id: String(row.id),
    provider: row.provider,
    provider_name: nameProvider(row.provider),
    own: row.own,
    status: row.status,
    status_label: row.is_given_back
      ? PAYMENT_GIVEN_BACK
      : (PAYMENT_STATUS_NAMES[row.status] ?? row.status),
    amount: fcfaToJson(row.amount),
    reference: row.reference,
    provider_payment_id: row.provider_payment_id,
    transaction_id: row.transaction_id,
    quote_label: row.quote && sayQuote(row.quote),
    suspended: fcfaToJson(row.suspended_amount ?? ZERO_FCFA),
    received: row.received === null ? null : fcfaToJson(row.received),
    may_decide: mayDecide && row.status === "mismatched",
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

function lineToWire(row: SheetLine): DeskOrderOnWire["lines"][number] {
  const { transfer, account, amount, at } = row;
  return {
    at: at.toISOString(),
    transfer,
    label: nameAccount(account),
    amount: fcfaToJson(amount),
  };
}

function deedToWire(row: SheetDeed): DeskOrderOnWire["trace"][number] {
  const { at, action, by_name: by, reason } = row;
  return { at: at.toISOString(), label: nameDeed(action), by, reason };
}

const OPERATOR_ONLY = { kind: "refunds.operator-only" } as const;

function mayRefund(row: SheetRow, caller: Principal): { allowed: boolean; reason: string | null } {
  const by = { as: "operator", personId: caller.personId } as const;
  const refusal: RefundsRefusal | null = caller.isOperator ? judge(row, by) : OPERATOR_ONLY;
  if (refusal === null) return { allowed: true, reason: null };
  return { allowed: false, reason: sayRefusal(refusal, refundsRefusals).body.message };
}
