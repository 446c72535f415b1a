import * as contract from "@sesame/contract/cases";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import { addMs, HOUR_MS, ok, refuse } from "@sesame/kernel";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import type { Asked } from "../../http/on.ts";
import { type Db, maybe, takeTurn } from "../../postgres/database.ts";
import { IS_GIVEN_BACK, askAgain } from "../checkout/index.ts";
import { type LockedComplaint, lockKnown, note, toOperators, toSeller } from "./complaints.ts";
import { forOperator, openedForSeller } from "./messages.fr.ts";

/** The facts of an order that decide whether its buyer may complain. */
type OrderFacts = {
  readonly buyerId: bigint;
  readonly sellerId: bigint | null;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly createdAt: Date;
  readonly accessUntil: Date | null;
  /** A payment was opened for it. */
  readonly hasPayment: boolean;
  /** More than one payment of it was made. */
  readonly paidTwice: boolean;
  /** For a product: whether the buyer is in the group now. Null for a plan or a donation, without a group. */
  readonly isInside: boolean | null;
  readonly complaintOpen: boolean;
  readonly complaints: number;
  readonly rejections: number;
};

export function findOrderFacts(db: Db, orderId: bigint): Promise<OrderFacts | null> {
  return maybe<OrderFacts>(db)`
    SELECT o.buyer_id AS "buyerId", o.seller_id AS "sellerId", o.kind, o.status,
      o.created_at AS "createdAt", o.access_until AS "accessUntil",
      made.all_of_them > 0 AS "hasPayment", made.paid > 1 AS "paidTwice",
      CASE WHEN o.kind = 'product' THEN coalesce(a.status = 'inside', false) END AS "isInside",
      said.open > 0 AS "complaintOpen", said.complaints::int AS complaints, said.rejections::int AS rejections
    FROM orders o
    LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    CROSS JOIN LATERAL (
      SELECT count(*) AS all_of_them, count(*) FILTER (WHERE p.status = 'paid'
          AND NOT ${IS_GIVEN_BACK}) AS paid
      FROM payments p WHERE p.order_id = o.id
    ) AS made
    CROSS JOIN LATERAL (
      SELECT count(*) AS complaints, count(*) FILTER (WHERE c.closed_at IS NULL) AS open,
        count(*) FILTER (WHERE c.status = 'rejected') AS rejections
      FROM complaints c WHERE c.order_id = o.id
    ) AS said
    WHERE o.id = ${orderId}
  `;
}

/** How long an expired payment is looked up again. */
const ASKED_AGAIN_MS = HOUR_MS;

/** A buyer complains about a purchase. → the complaint's id */
export async function openComplaintIn(
  app: App,
  tx: Db,
  { params: { id: orderId }, body, caller }: Asked<typeof contract.openComplaint>,
) {
  const now = app.clock.now();
  const { personId: buyerId } = caller;
  const { motif: kind, message: said } = body ?? {};
  const order = await findOrderFacts(tx, orderId);
  if (order?.buyerId !== buyerId || order.kind === "trial") {
    return refuse({ kind: "complaints.order-not-found" });
  }
  if (!contract.isComplaintKind(kind)) return refuse({ kind: "complaints.kind-missing" });
  const words = contract.readComplaintWords(said, kind === "other");
  if (!words.ok) return words;
  const isUnconfirmed = kind === "paid-not-confirmed";
  const forbidden =
    checkComplaint(order, kind, now) ?? (isUnconfirmed ? await checkCount(tx, buyerId, now) : null);
  if (forbidden) return forbidden;
  const { sellerId } = order;
  const isForSeller = sellerId !== null && !isUnconfirmed;
  const opened = await maybe<{ id: bigint }>(tx)`
    INSERT INTO complaints (order_id, buyer_id, seller_id, kind, status, opened_at, seller_due_at)
    VALUES (${orderId}, ${buyerId}, ${sellerId}, ${kind}, ${isForSeller ? "seller" : "operator"},
      ${now}, ${isForSeller ? addMs(now, contract.COMPLAINT_SELLER_MS) : now})
    ON CONFLICT (order_id) WHERE closed_at IS NULL DO NOTHING
    RETURNING id
  `;
  if (!opened) return refuse({ kind: "complaints.open-already" });
  const { id } = opened;
  if (isUnconfirmed) await askAtOnce(tx, { id, orderId, now });
  const complaint = await lockKnown(tx, id);
  await note(tx, complaint, {
    by: { as: "buyer", id: buyerId },
    step: "opened",
    words: words.value,
    notifications: await notificationsOf(app, tx, complaint, words.value),
    now,
  });
  return ok(String(id));
}

async function notificationsOf(app: App, tx: Db, complaint: LockedComplaint, words: string | null) {
  // For unconfirmed payments the sweep notifies the operators, of several at once.
  if (complaint.kind === "paid-not-confirmed") return [];
  if (complaint.status === "operator") {
    return toOperators(app, tx, forOperator(complaint, "opened", words), complaint);
  }
  const due = { at: complaint.seller_due_at, sayInstant: app.sayInstant };
  return toSeller(app, complaint, openedForSeller(complaint, words, due));
}

/** The complaints that the buyer may open now, in the order of the buttons. */
export const complaintKindsOf = (order: OrderFacts, now: Date): contract.ComplaintKind[] =>
  contract.COMPLAINT_KINDS.filter((kind) => checkComplaint(order, kind, now) === null);

/** Why the buyer may not complain; null: allowed. */
function checkComplaint(order: OrderFacts, kind: contract.ComplaintKind, now: Date) {
  const { status, complaints, rejections } = order;
  if (status === "refunded") return refuse({ kind: "complaints.order-refunded" });
  if (order.complaintOpen) return refuse({ kind: "complaints.open-already" });
  const end = order.accessUntil ?? order.createdAt;
  if (now.getTime() - end.getTime() > contract.COMPLAINT_WITHIN_MS)
    return refuse({ kind: "complaints.too-late" });
  const isOf = {
    "paid-not-confirmed": status !== "paid" && order.hasPayment,
    "no-access": status === "paid" && order.isInside === false,
    other: status === "paid",
  };
  if (!isOf[kind]) return refuse({ kind: "complaints.not-for-order" });
  const isWornOut =
    complaints >= contract.COMPLAINTS_PER_ORDER_MAX ||
    rejections >= contract.COMPLAINT_REJECTIONS_MAX;
  return isWornOut ? refuse({ kind: "complaints.too-many" }) : null;
}

/**
 * A person's complaints about unpaid orders are serialized, and limited to a few a day. One whose
 * order was paid after all does not count.
 */
async function checkCount(tx: Db, buyerId: bigint, now: Date) {
  await takeTurn(tx, `complaints:${buyerId}`);
  const full = await maybe<{ opened_at: Date }>(tx)`
    SELECT c.opened_at FROM orders o JOIN complaints c ON c.order_id = o.id
    WHERE o.buyer_id = ${buyerId} AND o.status <> 'paid' AND c.kind = 'paid-not-confirmed'
      AND c.opened_at > ${addMs(now, -contract.UNCONFIRMED_WINDOW_MS)}
    ORDER BY c.opened_at DESC OFFSET ${contract.UNCONFIRMED_PER_DAY_MAX - 1} LIMIT 1
  `;
  if (!full) return null;
  const waitMs = addMs(full.opened_at, contract.UNCONFIRMED_WINDOW_MS).getTime() - now.getTime();
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return refuse({ kind: "complaints.too-many-today", retryAfterSeconds });
}

/**
 * A buyer reports that he paid: the order's payments are looked up at once, expired ones included,
 * and an alert asks staff to look, whatever the result. One alert for all complaints of a day (in
 * UTC, which is never displayed): it names the newest, and counts them.
 */
async function askAtOnce(tx: Db, { id, orderId, now }: { id: bigint; orderId: bigint; now: Date }) {
  await askAgain(tx, orderId, { now, giveUpAt: addMs(now, ASKED_AGAIN_MS) });
  const subject = `complaints:${now.toISOString().slice(0, 10)}`;
  const details = { order_id: String(orderId), complaint_id: String(id), count: 1 };
  const alert = { kind: "complaint.paid-not-confirmed", subject, details } as const;
  await raiseAlert(tx, { ...alert, whenOpen: "updated", now });
}
