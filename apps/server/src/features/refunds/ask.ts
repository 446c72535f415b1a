import type { RefundRail, RefundsRefusal } from "@sesame/contract/refunds";
import type { StaffRefusal } from "@sesame/contract/treasury";
import { assert, type Fcfa, fcfa, ok, type Result, refuse, ZERO_FCFA } from "@sesame/kernel";
import { postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { actorOf, audit, auditSeller } from "../../audit/audit.store.ts";
import type { Html } from "../../bot/message.ts";
import { type IdempotentCall, once } from "../../http/on.ts";
import type { Principal } from "../../http/server.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { noteOrders } from "../../outbound/events.store.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { lockOpenIn, noteRefundedIn } from "../cases/index.ts";
import { refundOrder } from "../checkout/index.ts";
import { announceChange } from "../groups/index.ts";
import { takeBackIn } from "../memberships/index.ts";
import { planChanged } from "../plans/index.ts";
import { GIVE_BACK, type ChosenRail, chooseRail } from "./give-back.ts";
import * as texts from "./messages.fr.ts";
import * as refunds from "./refunds.ts";

type RefundCall<R> = {
  readonly orderId: bigint;
  readonly caller: Principal;
  readonly reason: Result<string, R>;
  readonly call: IdempotentCall | null;
};

/** A seller refunds one of his sales, or the operator any paid order: the platform advances what its seller lacks. */
export async function ask<R extends RefundsRefusal | StaffRefusal>(
  app: App,
  { orderId, caller, reason, call }: RefundCall<R>,
  as: RefundAsked["by"]["as"],
) {
  const order = await refunds.findOrder(app.db, orderId);
  if (!order || (as === "seller" && order.seller_id !== caller.personId)) {
    return refuse({ kind: "refunds.order-not-found" });
  }
  if (!reason.ok) return reason;
  const words = reason.value;
  const chosen = await chooseRail(app, orderId);
  const by = { as, personId: caller.personId };
  const now = app.clock.now();
  return once(app, call, async (tx) => {
    const begun = await askIn(app, tx, { orderId, by, reason: words, chosen });
    if (!begun.ok) return begun;
    const { id, advanced } = begun.value;
    if (as === "operator") {
      const auditEntry = { action: "order.refund", subject: `order:${orderId}`, reason: words };
      const after = { refund_id: id, advanced };
      await audit(tx, { ...auditEntry, actor: actorOf(caller), after }, now);
    }
    return ok({ id: String(id), advanced: String(advanced) });
  });
}

type RefundAsked = {
  readonly orderId: bigint;
  readonly by: { readonly as: "seller" | "operator"; readonly personId: bigint };
  /** For the buyer and the seller. */
  readonly reason: string;
  /** Read before the transaction; null: no payment had paid the order. */
  readonly chosen: ChosenRail | null;
};

type RefundContext = Omit<RefundAsked, "chosen"> & {
  readonly tx: Db;
  readonly order: refunds.OrderToRefund;
  readonly chosen: Pick<ChosenRail, "payment"> & { rail: RefundRail };
  readonly complaintId: bigint | null;
  readonly now: Date;
};

/**
 * Refunds an order whole (decision 83): the francs leave their accounts, what was bought ends,
 * everybody is notified; a job or a person sends the money itself. All in the caller's transaction,
 * which has locked nothing of these before except the order's complaint.
 */
export async function askIn(app: App, tx: Db, asked: RefundAsked) {
  const now = app.clock.now();
  const complaintId = await lockOpenIn(tx, asked.orderId);
  const known = await refunds.findOrder(tx, asked.orderId);
  if (!known) return refuse({ kind: "refunds.order-not-found" });
  await refunds.lockOrders(tx, known);
  // Read again: the transaction that held the locks may have settled or refunded it.
  const order = await refunds.findOrder(tx, asked.orderId);
  assert(order, "an order that is locked is there");
  const forbidden = decide(order, asked.by);
  if (forbidden) return refuse(forbidden);
  const { chosen } = asked;
  // Paid since the first read: a second call will find it.
  if (!chosen) return refuse({ kind: "refunds.not-paid" });
  const { payment, rail } = chosen;
  if (rail === "partly") return refuse({ kind: "refunds.partly-returned" });
  if (rail === "unclear") return refuse({ kind: "refunds.unclear-there" });
  const context: RefundContext = {
    ...asked,
    tx,
    order,
    chosen: { payment, rail },
    complaintId,
    now,
  };
  return order.kind === "plan" ? refundPlan(app, context) : refundSale(app, context);
}

export function decide(
  order: Pick<refunds.OrderToRefund, "kind" | "status" | "buyer_id" | "seller_id">,
  { as, personId }: RefundAsked["by"],
): RefundsRefusal | null {
  if (as === "seller" && order.seller_id !== personId) return { kind: "refunds.order-not-found" };
  const party = order.seller_id === personId || order.buyer_id === personId;
  if (as === "operator" && party) return { kind: "refunds.own-case" };
  if (order.kind === "trial") return { kind: "refunds.trial" };
  switch (order.status) {
    case "pending":
    case "failed":
      return { kind: "refunds.not-paid" };
    case "refunded":
      return { kind: "refunds.already" };
    case "paid":
      return null;
  }
}

async function refundSale(app: App, context: RefundContext) {
  const { tx, order, chosen, by, now } = context;
  const { seller_id: sellerId } = order;
  assert(sellerId !== null, "a sale has a seller");
  if (by.as === "seller") {
    const standing = await maybe<{ closed: boolean; frozen: boolean }>(tx)`
      SELECT s.closed_at IS NOT NULL AS closed, coalesce(f.frozen_at IS NOT NULL, false) AS frozen
      FROM sellers s LEFT JOIN payout_profiles f ON f.seller_id = s.id WHERE s.id = ${sellerId}
    `;
    if (standing?.closed) return refuse({ kind: "refunds.seller-closed" });
    // Sales on the seller's own account are no funds that we could freeze.
    if (standing?.frozen && !order.direct) return refuse({ kind: "refunds.frozen" });
  }
  const ending = await takeBack(context);
  const net = fcfa(order.price - order.fee);
  const balance = order.direct ? null : await refunds.lockBalance(tx, sellerId);
  const advanced = balance ? lackingOf(balance, net, by.as) : ZERO_FCFA;
  if (balance && by.as === "seller" && advanced > 0n) {
    const available = balance.available > balance.owed ? balance.available - balance.owed : 0n;
    return refuse({
      kind: "refunds.seller-short",
      available: fcfa(available),
      lacking: advanced,
      owed: balance.owed,
    });
  }
  const refund = await writeRefund(context, advanced);
  const { id } = refund;
  if (balance) {
    const { account } = balance;
    await refunds.postSaleRefund(tx, { id, sellerId, account, net, fee: order.fee, advanced, now });
  }
  // A seller who refunds a sale himself gets no message, unless he must send the money.
  const seller =
    chosen.rail === "seller"
      ? texts.sellerMustSend(refund)
      : by.as === "seller"
        ? null
        : order.direct
          ? texts.directRefunded(refund, chosen.rail)
          : texts.sellerRefunded(refund, { net, advanced });
  await finish(app, context, { refund, ending, seller });
  return ok({ id, advanced });
}

/** Ends what was bought; a donation gave nothing. */
async function takeBack({ tx, order, now }: RefundContext): Promise<texts.Ending> {
  const unusedSeconds = await refundOrder(tx, order, now);
  if (order.kind === "donation") return { kind: "donation" };
  const { group_id } = order;
  assert(group_id !== null, "a sale of an access has a group");
  const left = await takeBackIn(tx, { ...order, group_id }, { unusedSeconds, now });
  const group = order.group_title ?? "";
  return left
    ? { kind: "access-left", group, endsAt: left.endsAt }
    : { kind: "access-ended", group };
}

/** What the seller's sales do not cover now; what he owes already is not his. */
function lackingOf({ available, owed }: refunds.Balance, net: Fcfa, as: "seller" | "operator") {
  const his = as === "seller" ? available - owed : available;
  const covered = his > 0n ? his : 0n;
  return fcfa(net > covered ? net - covered : 0n);
}

const PREMIUM_ENDED = { kind: "premium-ended" } as const;

async function refundPlan(app: App, context: RefundContext) {
  const { tx, order, by, now } = context;
  const sellerId = order.buyer_id;
  const unusedSeconds = await refundOrder(tx, order, now);
  const seller = await maybe<{ plan: string | null; until: Date | null }>(tx)`
    SELECT s.plan, s.premium_until - make_interval(secs => ${unusedSeconds}::float8) AS until
    FROM sellers s WHERE s.id = ${sellerId} FOR NO KEY UPDATE
  `;
  const until = seller?.plan === "premium" ? seller.until : null;
  const left = until && until > now ? until : null;
  const after = { plan: left ? "premium" : "free", until: left } as const;
  // A change of plan locks posting alone: before anything is posted.
  if (until) {
    await sql`SELECT plan_change(${sellerId}, ${after.plan}, ${left}, ${now})`.execute(tx);
  }
  const refund = await writeRefund(context, ZERO_FCFA);
  const { id } = refund;
  const move = { from: "platform:subscriptions", to: refunds.IN_TRANSIT, amount: order.price, now };
  await postBetween(tx, `refund:${id}`, move);
  const ending = left ? { kind: "premium-left" as const, until: left } : PREMIUM_ENDED;
  await finish(app, context, { refund, ending, seller: null });
  if (!until) return ok({ id, advanced: ZERO_FCFA });
  await publish(tx, [planChanged({ sellerId, ...after })]);
  if (!left) await announceChange(tx, { sellerId, now });
  const actor = { personId: by.personId, role: "operator" } as const;
  const change = { before: { plan: "premium" }, after, reason: context.reason };
  await auditSeller(tx, sellerId, { actor, action: "plan.change", ...change }, now);
  return ok({ id, advanced: ZERO_FCFA });
}

async function writeRefund(context: RefundContext, advanced: Fcfa) {
  const { tx, order, by, reason, chosen, complaintId, now } = context;
  const refund = await refunds.insertRefund(tx, order, {
    kind: "sale",
    payment_id: chosen.payment.id,
    amount: order.price,
    direct: order.direct,
    advanced,
    asked_by: by.personId,
    asked_as: by.as,
    reason,
    complaint_id: complaintId,
    rail: chosen.rail,
    now,
  });
  assert(refund, "an order that is paid was not refunded");
  await noteOrders(tx, { type: "order.refunded", ids: [order.id] }, now);
  return refund;
}

async function finish(
  app: App,
  { tx, chosen, complaintId, by, reason, now }: RefundContext,
  end: { refund: refunds.LockedRefund; ending: texts.Ending; seller: Html | null },
): Promise<void> {
  const { refund, ending, seller } = end;
  const { rail } = refund;
  if (rail === "provider") await enqueue(tx, [{ topic: GIVE_BACK, ref: refund.id, dueAt: now }]);
  if (complaintId !== null) {
    const said = { by: { as: by.as, id: by.personId }, words: reason, now };
    await noteRefundedIn(tx, complaintId, said);
  }
  if (rail === "returned") await refunds.finishRefund(app, tx, refund, refunds.RETURNED);
  const way = { rail, provider: chosen.payment.provider };
  const text = texts.refundBegun(refund, { way, ending, sayInstant: app.sayInstant });
  await refunds.announce(app, tx, refund, { said: { rail, text }, seller, now });
}
