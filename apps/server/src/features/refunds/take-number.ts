import type { RefundsRefusal } from "@sesame/contract/refunds";
import {
  isPayoutMethod,
  normalisePhone,
  readNumber,
  type WithdrawalsRefusal,
} from "@sesame/contract/withdrawals";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { findOrder } from "./order.view.ts";
import { lockNumberless, writeNumber } from "./refund.store.ts";
import { findRefund, type RefundRow } from "./refund.view.ts";
import { announce } from "./tell.ts";

export type NumberGiven = {
  readonly orderId: bigint;
  readonly buyerId: bigint;
  readonly method: unknown;
  readonly number: unknown;
};

export type NumberRefusal = RefundsRefusal | WithdrawalsRefusal;

/**
 * Where the buyer wants his money: for every refund of the order that waits for it, or that nobody
 * has in hand yet.
 */
export async function takeNumberIn(
  app: App,
  tx: Db,
  given: NumberGiven,
): Promise<Result<RefundRow, NumberRefusal>> {
  const { orderId, buyerId } = given;
  const order = await findOrder(tx, orderId);
  if (order?.buyer_id !== buyerId) return refuse({ kind: "refunds.order-not-found" });
  const number = await readTarget(app, given);
  if (!number.ok) return number;
  const now = app.clock.now();
  const ids = await lockNumberless(tx, { orderId, buyerId, now });
  const [first] = ids;
  if (first === undefined) return refuse({ kind: "refunds.number-not-awaited" });
  for (const id of ids) {
    await writeNumber(tx, id, number.value);
    const { status } = order;
    const changed = { refundId: id, orderId, status, persons: [buyerId, order.seller_id] } as const;
    await announce(tx, changed, { tellings: [], now });
  }
  const row = await findRefund(tx, first);
  return row ? ok(row) : refuse({ kind: "refunds.refund-not-found" });
}

async function readTarget(
  app: App,
  { method, number }: NumberGiven,
): Promise<Result<{ method: string; phone: string }, NumberRefusal>> {
  if (typeof method !== "string" || method.trim() === "") {
    return refuse({ kind: "withdrawals.method-missing" });
  }
  if (!isPayoutMethod(method)) return refuse({ kind: "withdrawals.method-unknown" });
  const { methods } = await app.settings.current();
  if (!methods[method].open) return refuse({ kind: "withdrawals.method-closed", method });
  const written = readNumber(number);
  if (written === null) return refuse({ kind: "refunds.number-missing" });
  const phone = normalisePhone(written, method);
  return phone.ok ? ok({ method, phone: phone.value }) : phone;
}
