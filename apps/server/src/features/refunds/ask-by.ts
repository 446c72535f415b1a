import { type DeskRefusal, readReason } from "@sesame/contract/desk";
import {
  MISMATCH_OUTCOMES,
  type MismatchOutcome,
  readRefundReason,
  type RefundsRefusal,
} from "@sesame/contract/refunds";
import type { CommonRefusal } from "@sesame/contract";
import { fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import { decideMismatchIn } from "../checkout/index.ts";
import { askIn } from "./ask-refund.ts";
import { chooseLane } from "./choose-lane.ts";
import { findOrder } from "./order.view.ts";

export type RefundCall = {
  readonly orderId: bigint;
  readonly caller: Principal;
  readonly reason: unknown;
  readonly call: IdempotentCall | null;
};

export type RefundBegun = { readonly id: string; readonly advanced: string };

type Outcome<R> = Promise<Result<RefundBegun, R | CommonRefusal>>;

/** A seller gives one of his sales back. */
export async function askBySeller(app: App, asked: RefundCall): Outcome<RefundsRefusal> {
  const { orderId, caller, call } = asked;
  const order = await findOrder(app.db, orderId);
  if (order?.seller_id !== caller.personId) return refuse({ kind: "refunds.order-not-found" });
  const reason = readRefundReason(asked.reason);
  if (!reason.ok) return reason;
  const chosen = await chooseLane(app, orderId);
  const by = { as: "seller", personId: caller.personId } as const;
  return once(app, call, async (tx) => {
    const begun = await askIn(app, tx, { orderId, by, reason: reason.value, chosen });
    return begun.ok ? ok(toRemember(begun.value)) : begun;
  });
}

/** The operator gives any paid order back; what its seller lacks is advanced. */
export async function askByOperator(
  app: App,
  asked: RefundCall,
): Outcome<RefundsRefusal | DeskRefusal> {
  const { orderId, caller, call } = asked;
  if (!(await findOrder(app.db, orderId))) return refuse({ kind: "refunds.order-not-found" });
  const words = readReason(asked.reason);
  if (!words.ok) return words;
  const reason = words.value;
  const chosen = await chooseLane(app, orderId);
  const by = { as: "operator", personId: caller.personId } as const;
  const now = app.clock.now();
  return once(app, call, async (tx) => {
    const begun = await askIn(app, tx, { orderId, by, reason, chosen });
    if (!begun.ok) return begun;
    const deed = { action: "order.refund", subject: `order:${orderId}`, reason };
    const after = { refund_id: begun.value.id, advanced: begun.value.advanced };
    await audit(tx, { ...deed, actor: actorOf(caller), after }, now);
    return ok(toRemember(begun.value));
  });
}

type MismatchCall = {
  readonly paymentId: bigint;
  readonly caller: Principal;
  readonly body: {
    readonly outcome?: unknown;
    readonly montant?: unknown;
    readonly reason?: unknown;
  };
  readonly call: IdempotentCall | null;
};

type Decided = { readonly orderId: string; readonly outcome: MismatchOutcome };

/** The operator says what becomes of a payment that is not what was ordered. */
export async function decideMismatch(
  { db, clock }: App,
  { paymentId, caller, body, call }: MismatchCall,
): Promise<Result<Decided, RefundsRefusal | DeskRefusal | CommonRefusal>> {
  const outcome = MISMATCH_OUTCOMES.find((each) => each === body.outcome);
  if (!outcome) return refuse({ kind: "refunds.outcome-unknown" });
  const reason = readReason(body.reason);
  if (!reason.ok) return reason;
  const { montant } = body;
  const isAmount = typeof montant === "number" && Number.isSafeInteger(montant) && montant >= 0;
  const received = isAmount ? fcfa(montant) : null;
  const now = clock.now();
  return once({ db, clock }, call, async (tx) => {
    const decision = { paymentId, caller, outcome, received, reason: reason.value };
    const done = await decideMismatchIn(tx, decision, now);
    return done.ok ? ok({ orderId: String(done.value.orderId), outcome }) : done;
  });
}

const toRemember = ({ id, advanced }: { id: bigint; advanced: bigint }): RefundBegun => ({
  id: String(id),
  advanced: String(advanced),
});
