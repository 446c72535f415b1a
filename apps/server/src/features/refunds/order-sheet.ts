import { mayOf } from "@sesame/contract";
import type { AccessStatus } from "@sesame/contract/memberships";
import { nameProvider, ORDER_STATUS_NAMES, sayQuote } from "@sesame/contract/checkout";
import { type deskOrderOnWire, refundsRefusals } from "@sesame/contract/refunds";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { IS_GIVEN_BACK, reportedReceived } from "../checkout/index.ts";
import { findRefundsOf, shownAtDesk } from "./answers.ts";
import { judge } from "./ask.ts";
import { findPayingPayment } from "./lanes.ts";
import {
  DEEDS,
  nameAccount,
  ORDER_KIND_NAMES,
  PAYMENT_GIVEN_BACK,
  PAYMENT_STATUS_NAMES,
} from "./messages.fr.ts";
import type { OrderToRefund } from "./refunds.ts";
import { claimsOf } from "../cases/index.ts";
import { ACCESS_STATUS_NAMES } from "../memberships/index.ts";

/** Everything about one order; null: there is none. */
export async function answerSheet(app: App, caller: Principal, orderId: bigint) {
  const { db, clock } = app;
  const row = await findSheet(db, orderId);
  if (!row) return null;
  const now = clock.now();
  const [paying, payments, refunds, claims, lines, deeds] = await Promise.all([
    findPayingPayment(db, orderId),
    findPayments(db, orderId),
    findRefundsOf(db, orderId),
    claimsOf(app, orderId, caller),
    findLines(db, orderId),
    findDeeds(db, orderId),
  ]);
  const by = { as: "operator", personId: caller.personId } as const;
  const isParty = [row.buyer_id, row.seller_id].includes(caller.personId);
  const mayDecide = caller.isOperator && !isParty;
  const { access } = row;
  const order = {
    ...row,
    kind_label: ORDER_KIND_NAMES[row.kind],
    status_label: ORDER_STATUS_NAMES[row.status],
    currency: "XOF" as const,
    provider_name: nameProvider(row.provider),
    access: access && { ...access, status_label: ACCESS_STATUS_NAMES[access.status] },
    payments: payments.map((payment) => ({
      ...payment,
      provider_name: nameProvider(payment.provider),
      status_label: payment.is_given_back
        ? PAYMENT_GIVEN_BACK
        : (PAYMENT_STATUS_NAMES[payment.status] ?? payment.status),
      quote_label: payment.quote && sayQuote(payment.quote),
      may_decide: mayDecide && payment.status === "mismatched",
    })),
    refunds: refunds.map((refund) => shownAtDesk(refund, caller, now)),
    claims,
    lines: lines.map((line) => ({ ...line, label: nameAccount(line.account) })),
    trace: deeds.map((deed) => ({ ...deed, label: DEEDS[deed.action] ?? deed.action })),
    taken_back: paying?.is_taken_back ?? false,
    may: {
      refund: mayOf(
        caller.isOperator ? judge(row, by) : { kind: "refunds.operator-only" },
        refundsRefusals,
      ),
    },
  };
  return { now, order };
}

type Sheet = z.output<typeof deskOrderOnWire>;
/** Added where the row is shown. */
type Added = "payments" | "refunds" | "claims" | "lines" | "trace" | "taken_back" | "may";
type SheetRow = Omit<
  Sheet,
  Added | "kind_label" | "status_label" | "currency" | "provider_name" | "access"
> &
  Pick<OrderToRefund, "buyer_id" | "seller_id"> & {
    readonly access:
      | (Omit<NonNullable<Sheet["access"]>, "status" | "status_label"> & { status: AccessStatus })
      | null;
  };

function findSheet(db: Db, orderId: bigint): Promise<SheetRow | null> {
  return maybe<SheetRow>(db)`
    SELECT o.id, o.kind, o.status, o.direct, o.title, o.price AS amount, o.fee,
      o.price - o.fee AS net, o.duration_minutes AS duration, o.access_until, o.buyer_id,
      o.seller_id, o.is_renewal, o.provider, o.product_id, o.created_at, o.paid_at,
      json_build_object('id', o.buyer_id,
        'name', person_name(buyer.first_name, buyer.last_name),
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
    LEFT JOIN ledger_accounts account
      ON account.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
      AND o.status IN ('paid', 'refunded')
    WHERE o.id = ${orderId}
  `;
}

type Payment = Omit<
  Sheet["payments"][number],
  "provider_name" | "status_label" | "quote_label" | "may_decide"
> & {
  readonly quote: { readonly currency: string; readonly amount: string } | null;
  readonly is_given_back: boolean;
};

/** Newest first. A surplus that was given back stands in suspense no more. */
function findPayments(db: Db, orderId: bigint): Promise<Payment[]> {
  return many<Payment>(db)`
    SELECT p.id, p.provider, p.key_id IS NOT NULL AS own, p.status, p.amount,
      coalesce(p.reference, p.order_id::text) AS reference, p.provider_payment_id,
      p.transaction_id, p.quote,
      coalesce(CASE WHEN r.id IS NULL THEN p.suspended_amount END, 0) AS suspended,
      p.created_at, p.decided_at,
      ${IS_GIVEN_BACK} AS is_given_back,
      CASE WHEN p.status = 'mismatched' THEN ${reportedReceived(sql`a.details`)} ELSE p.received END
        AS received
    FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id AND r.kind = 'surplus'
    LEFT JOIN desk_alerts a ON a.kind = 'payment.mismatch' AND a.subject = 'payment:' || p.id
    WHERE p.order_id = ${orderId} ORDER BY p.id DESC
  `;
}

type Line = Omit<Sheet["lines"][number], "label"> & { readonly account: string };

/** Every line of the books about an order, its payments and its refunds. */
function findLines(db: Db, orderId: bigint): Promise<Line[]> {
  return many<Line>(db)`
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
}

type Deed = Omit<Sheet["trace"][number], "label"> & { readonly action: string };

const DEEDS_SHOWN = 60;

function findDeeds(db: Db, orderId: bigint): Promise<Deed[]> {
  return many<Deed>(db)`
    SELECT a.at, a.action, a.reason,
      CASE WHEN who.id IS NOT NULL THEN person_name(who.first_name, who.last_name) END AS "by"
    FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
    WHERE a.subject IN (
      SELECT 'order:' || ${orderId}::bigint
      UNION ALL SELECT 'refund:' || r.id FROM refunds r WHERE r.order_id = ${orderId}
      UNION ALL SELECT 'claim:' || c.id FROM claims c WHERE c.order_id = ${orderId})
    ORDER BY a.seq DESC LIMIT ${DEEDS_SHOWN}
  `;
}
