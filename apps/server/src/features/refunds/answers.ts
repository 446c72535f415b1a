import { mayOf } from "@sesame/contract";
import { nameProvider, ORDER_STATUS_NAMES, sayQuote } from "@sesame/contract/checkout";
import type { AccessStatus } from "@sesame/contract/memberships";
import {
  type staffRefundOnWire,
  REFUND_STATUS_WORDS,
  refundsRefusals,
  type staffOrderOnWire,
} from "@sesame/contract/refunds";
import { groupPhone, isPayoutMethod, maskPhone, sayMethod } from "@sesame/contract/withdrawals";
import { assert, type Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { complaintCareOf, complaintsOf } from "../cases/index.ts";
import { IS_GIVEN_BACK, reportedReceived } from "../checkout/index.ts";
import { ACCESS_STATUS_NAMES } from "../memberships/index.ts";
import { decide } from "./ask.ts";
import { forbidFee, forbidHand, forbidReturned, type HandFacts } from "./by-hand.ts";
import { findPayingPayment } from "./give-back.ts";
import * as messages from "./messages.fr.ts";
import type { OrderToRefund } from "./refunds.ts";

/** Fields added when the row is shown. */
type Added =
  | "status_label"
  | "methode_nom"
  | "provider_name"
  | "asked_by"
  | "numero_label"
  | "taken"
  | "may";

/** A refund with everything that any reader may see. */
type RefundRow = HandFacts &
  Omit<z.output<typeof staffRefundOnWire>, Added | "status" | "methode" | "provider_fee"> & {
    readonly methode: string | null;
    readonly asked_as: keyof typeof messages.ASKED_BY_NAMES;
    readonly provider_fee: Fcfa;
  };

export const selectRefunds = (db: Db, rest: RawBuilder<unknown>) => many<RefundRow>(db)`
  SELECT r.id, r.kind, r.kind = 'overpayment' AND NOT ${IS_GIVEN_BACK} AS overpayment, r.order_id, o.title,
    r.amount, r.direct, r.advanced, r.asked_as, r.reason AS motif, r.rail, r.status,
    r.method AS methode, r.phone AS numero, r.operator_reference AS reference_operateur,
    nullif(payer.name, '') AS paid_by,
    r.created_at AS date_creation, r.done_at AS date_remboursement, r.check_at, r.checks,
    p.provider, p.provider_payment_id, r.provider_fee, r.buyer_id, r.seller_id,
    json_build_object('id', r.buyer_id, 'name', buyer.name,
      'username', buyer.username, 'telegram_id', buyer.telegram_id) AS buyer,
    CASE WHEN r.seller_id IS NOT NULL THEN json_build_object('id', r.seller_id, 'name',
      seller_name(s, owner)) END AS seller,
    r.taken_by, r.taken_until, coalesce(taker.name, '') AS taker_name
  FROM refunds r
  JOIN orders o ON o.id = r.order_id
  JOIN payments p ON p.id = r.payment_id
  JOIN people buyer ON buyer.id = r.buyer_id
  LEFT JOIN sellers s ON s.id = r.seller_id
  LEFT JOIN people owner ON owner.id = s.id
  LEFT JOIN people payer ON payer.id = r.paid_by
  LEFT JOIN people taker ON taker.id = r.taken_by
  ${rest}
`;

/** The refunds of an order: first those that need the buyer, then open ones, then the newest. */
const findRefundsOf = (db: Db, orderId: bigint): Promise<RefundRow[]> =>
  selectRefunds(
    db,
    sql`WHERE r.order_id = ${orderId}
      ORDER BY r.status = 'needs-number' DESC, r.status <> 'done' DESC, r.kind, r.id DESC`,
  );

/** A refund just written or changed. */
export async function getRefund(db: Db, id: bigint): Promise<RefundRow> {
  const [row] = await selectRefunds(db, sql`WHERE r.id = ${id}`);
  assert(row, "a refund that was acted upon is there");
  return row;
}

export function shown(row: RefundRow, reader: "buyer" | "seller" | "staff") {
  const { rail, numero } = row;
  const status = REFUND_STATUS_WORDS[row.status];
  const methode = row.methode !== null && isPayoutMethod(row.methode) ? row.methode : null;
  // The seller gets the whole number only to send the money himself.
  const isWhole = reader !== "seller" || rail === "seller";
  return {
    ...row,
    status,
    status_label: messages.REFUND_STATUS_NAMES[status],
    methode,
    methode_nom: methode && sayMethod(methode),
    numero: isWhole ? numero : numero && maskPhone(numero),
  };
}

/** A refund for the back office; `may`: what the caller may do with it now. */
export function shownToStaff(row: RefundRow, caller: Principal, now: Date) {
  const { taken_by: takenBy, taken_until: until } = row;
  const hand = mayOf(forbidHand(row, caller.personId, now), refundsRefusals);
  const isHis = takenBy === caller.personId;
  return {
    ...shown(row, "staff"),
    provider_name: nameProvider(row.provider),
    asked_by: messages.ASKED_BY_NAMES[row.asked_as],
    numero_label: row.numero && groupPhone(row.numero),
    taken:
      takenBy !== null && until !== null && until > now
        ? { by: { id: takenBy, name: row.taker_name }, mine: isHis, until }
        : null,
    may: {
      take: hand,
      // For the agent who took it, however long ago: the money may have left the agent's phone already.
      paid: isHis ? hand : { allowed: false, reason: null },
      number: hand,
      returned: mayOf(forbidReturned(row, caller, now), refundsRefusals),
      fee: mayOf(forbidFee(row, caller), refundsRefusals),
    },
  };
}

/**
 * Complaint and refund of an order, for its buyer or its seller; of several refunds the one that
 * needs its reader most.
 */
export async function careOf(app: App, orderId: bigint, readerId: bigint) {
  const [[row], care] = await Promise.all([
    findRefundsOf(app.db, orderId),
    complaintCareOf(app, orderId, readerId),
  ]);
  const reader = row?.buyer_id === readerId ? "buyer" : "seller";
  const isHis = row && (reader === "buyer" || row.seller_id === readerId);
  return { refund: isHis ? shown(row, reader) : null, ...care };
}

/** Everything about one order; null: no such order. */
export async function answerSheet(app: App, caller: Principal, orderId: bigint) {
  const { db, clock } = app;
  const row = await findSheet(db, orderId);
  if (!row) return null;
  const now = clock.now();
  const [paying, payments, refunds, complaints, lines, auditEntries] = await Promise.all([
    findPayingPayment(db, orderId),
    findPayments(db, orderId),
    findRefundsOf(db, orderId),
    complaintsOf(app, orderId, caller),
    findLines(db, orderId),
    findAuditEntries(db, orderId),
  ]);
  const by = { as: "operator", personId: caller.personId } as const;
  const isParty = [row.buyer_id, row.seller_id].includes(caller.personId);
  const mayDecide = caller.isOperator && !isParty;
  const { access } = row;
  const order = {
    ...row,
    kind_label: messages.ORDER_KIND_NAMES[row.kind],
    status_label: ORDER_STATUS_NAMES[row.status],
    currency: "XOF" as const,
    provider_name: nameProvider(row.provider),
    access: access && { ...access, status_label: ACCESS_STATUS_NAMES[access.status] },
    payments: payments.map((payment) => ({
      ...payment,
      provider_name: nameProvider(payment.provider),
      status_label: payment.is_given_back
        ? messages.PAYMENT_GIVEN_BACK
        : (messages.PAYMENT_STATUS_NAMES[payment.status] ?? payment.status),
      quote_label: payment.quote && sayQuote(payment.quote),
      may_decide: mayDecide && payment.status === "mismatched",
    })),
    refunds: refunds.map((refund) => shownToStaff(refund, caller, now)),
    complaints,
    lines: lines.map((line) => ({ ...line, label: messages.nameAccount(line.account) })),
    trace: auditEntries.map((auditEntry) => ({
      ...auditEntry,
      label: messages.AUDIT_ENTRIES[auditEntry.action] ?? auditEntry.action,
    })),
    taken_back: paying?.is_taken_back ?? false,
    may: {
      refund: mayOf(
        caller.isOperator ? decide(row, by) : { kind: "refunds.operator-only" },
        refundsRefusals,
      ),
    },
  };
  return { now, order };
}

type Sheet = z.output<typeof staffOrderOnWire>;
/** Fields added when the row is shown. */
type AddedToSheet =
  | "payments"
  | "refunds"
  | "complaints"
  | "lines"
  | "trace"
  | "taken_back"
  | "may";
type SheetRow = Omit<
  Sheet,
  AddedToSheet | "kind_label" | "status_label" | "currency" | "provider_name" | "access"
> &
  Pick<OrderToRefund, "buyer_id" | "seller_id"> & {
    readonly access:
      | (Omit<NonNullable<Sheet["access"]>, "status" | "status_label"> & { status: AccessStatus })
      | null;
  };

const findSheet = (db: Db, orderId: bigint) => maybe<SheetRow>(db)`
  SELECT o.id, o.kind, o.status, o.direct, o.title, o.price AS amount, o.fee,
    o.price - o.fee AS net, o.duration_minutes AS duration, o.access_until, o.buyer_id,
    o.seller_id, o.is_renewal, o.provider, o.product_id, o.created_at, o.paid_at,
    json_build_object('id', o.buyer_id, 'name', buyer.name,
      'username', buyer.username, 'telegram_id', buyer.telegram_id) AS buyer,
    CASE WHEN o.seller_id IS NOT NULL THEN json_build_object('id', o.seller_id, 'name',
      seller_name(s, owner)) END AS seller,
    CASE WHEN g.title IS NOT NULL THEN json_build_object('name', g.title,
      'type', CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END) END AS "group",
    CASE WHEN a.status IS NOT NULL AND a.ends_at IS NOT NULL THEN json_build_object(
      'status', a.status, 'ends_at', a.ends_at, 'joined_at', a.joined_at) END AS access,
    greatest(0, account.posted - account.held) AS seller_available
  FROM orders o
  JOIN people buyer ON buyer.id = o.buyer_id
  LEFT JOIN groups g ON g.id = o.group_id
  LEFT JOIN sellers s ON s.id = o.seller_id
  LEFT JOIN people owner ON owner.id = s.id
  LEFT JOIN ledger_accounts account ON account.id = s.account_id
  LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    AND o.status IN ('paid', 'refunded')
  WHERE o.id = ${orderId}
`;

type Payment = Omit<
  Sheet["payments"][number],
  "provider_name" | "status_label" | "quote_label" | "may_decide"
> & {
  readonly quote: { readonly currency: string; readonly amount: string } | null;
  readonly is_given_back: boolean;
};

/** Newest first. A refunded overpayment is no longer in suspense. */
const findPayments = (db: Db, orderId: bigint): Promise<Payment[]> => many<Payment>(db)`
    SELECT p.id, p.provider, p.key_id IS NOT NULL AS own, p.status, p.amount,
      coalesce(p.reference, p.order_id::text) AS reference, p.provider_payment_id,
      p.transaction_id, p.quote,
      coalesce(CASE WHEN r.id IS NULL THEN p.suspended_amount END, 0) AS suspended,
      p.created_at, p.decided_at,
      ${IS_GIVEN_BACK} AS is_given_back,
      CASE WHEN p.status = 'mismatched' THEN ${reportedReceived(sql`a.details`)} ELSE p.received END
        AS received
    FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id AND r.kind = 'overpayment'
    LEFT JOIN alerts a ON a.kind = 'payment.mismatch' AND a.subject = 'payment:' || p.id
    WHERE p.order_id = ${orderId} ORDER BY p.id DESC
  `;

type Line = Omit<Sheet["lines"][number], "label"> & { readonly account: string };

/** Every ledger line of an order, its payments and its refunds. */
const findLines = (db: Db, orderId: bigint) => many<Line>(db)`
  WITH named AS (
    SELECT 'sale:' || ${orderId}::bigint AS id
    UNION ALL
    SELECT x.id FROM payments p
    CROSS JOIN LATERAL (VALUES ('suspense:' || p.id), ('suspense-rest:' || p.id),
      ('unsuspense:' || p.id), ('suspense-less:' || p.id), ('mismatch:' || p.id),
      ('collected:' || p.id)) AS x(id)
    WHERE p.order_id = ${orderId}
    UNION ALL
    SELECT x.id FROM refunds r
    CROSS JOIN LATERAL (VALUES ('refund:' || r.id), ('given-back:' || r.id),
      ('chargeback:' || r.id), ('mismatch-returned:' || r.id)) AS x(id)
    WHERE r.order_id = ${orderId}
  )
  SELECT t.recorded_at AS at, t.id AS transfer, a.key AS account, leg.amount
  FROM named JOIN ledger_transfers t ON t.id = named.id
  CROSS JOIN LATERAL (
    SELECT split_part(l.leg, ':', 1)::bigint AS account, split_part(l.leg, ':', 2)::bigint AS amount,
      l.ord
    FROM unnest(string_to_array(t.legs, ',')) WITH ORDINALITY AS l(leg, ord)
  ) AS leg
  JOIN ledger_accounts a ON a.id = leg.account
  ORDER BY t.recorded_at, t.id, leg.ord
`;

type AuditEntry = Omit<Sheet["trace"][number], "label"> & { readonly action: string };

const AUDIT_ENTRIES_SHOWN = 60;

const findAuditEntries = (db: Db, orderId: bigint) => many<AuditEntry>(db)`
  SELECT a.at, a.action, a.reason, who.name AS by
  FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
  WHERE a.subject IN (
    SELECT 'order:' || ${orderId}::bigint
    UNION ALL SELECT 'refund:' || r.id FROM refunds r WHERE r.order_id = ${orderId}
    UNION ALL SELECT 'complaint:' || c.id FROM complaints c WHERE c.order_id = ${orderId})
  ORDER BY a.seq DESC LIMIT ${AUDIT_ENTRIES_SHOWN}
`;
