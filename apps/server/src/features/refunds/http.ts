import {
  decidePayment,
  giveRefundNumber,
  listDeskRefunds,
  MISMATCH_DECIDED,
  noteGivenBack,
  noteProviderFee,
  noteRefundPaid,
  noteRefundReturned,
  PROVIDER_FEE_NOTED,
  REFUND_BEGUN,
  REFUND_NOTED_DONE,
  REFUND_NUMBER_ASKED_AGAIN,
  REFUND_NUMBER_TAKEN,
  REFUND_RETURNED,
  REFUND_TAKEN,
  readDeskOrder,
  refundDeskOrder,
  refundSale,
  refuseRefundNumber,
  takeRefund,
} from "@sesame/contract/refunds";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Asked, on } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";
import { askByOperator, askBySeller, decideMismatch } from "./ask-by.ts";
import { answerSheet } from "./order-sheet.ts";
import {
  givenBackBySellerIn,
  type HandRefusal,
  paidIn,
  takeIn,
  wrongNumberIn,
} from "./pay-by-hand.ts";
import { deskRefundToWire, type RefundReader, refundToWire } from "./refund-on-wire.ts";
import { countRefunds, findRefund, findRefunds } from "./refund.view.ts";
import { askLane, noteFeeIn, returnedIn } from "./returned-there.ts";
import { takeNumberIn } from "./take-number.ts";

/** What sellers, buyers and the back office do about money that goes back. */
export function registerRefundsHttp(app: App, http: HttpServer): void {
  on(http, refundSale, async ({ params, body, caller, call }) => {
    const asked = { orderId: params.id, caller, reason: body?.motif, call };
    const begun = await askBySeller(app, asked);
    if (!begun.ok) return begun;
    return {
      message: REFUND_BEGUN,
      refund: await refundFor(app, BigInt(begun.value.id), "seller"),
    };
  });
  on(http, giveRefundNumber, async ({ params, body, caller, call }) => {
    const given = {
      orderId: params.id,
      buyerId: caller.personId,
      method: body?.methode,
      number: body?.numero,
    };
    const taken = await once(app, call, async (tx) => {
      const row = await takeNumberIn(app, tx, given);
      return row.ok ? ok(String(row.value.id)) : row;
    });
    if (!taken.ok) return taken;
    return {
      message: REFUND_NUMBER_TAKEN,
      refund: await refundFor(app, BigInt(taken.value), "buyer"),
    };
  });
  on(http, noteGivenBack, async ({ params: { id }, body, caller, call }) => {
    const given = { id, sellerId: caller.personId, reference: body?.reference };
    const done = await once(app, call, (tx) => givenBackBySellerIn(app, tx, given));
    if (!done.ok) return done;
    return { message: REFUND_NOTED_DONE, refund: await refundFor(app, id, "seller") };
  });
  registerHands(app, http);
  registerOrders(app, http);
}

/** Money sent by hand. */
function registerHands(app: App, http: HttpServer): void {
  on(http, listDeskRefunds, async ({ query: { view, limit, cursor = "" }, caller }) => {
    if (!/^\d{0,18}$/.test(cursor)) return refuse({ kind: "request.malformed" });
    const after = cursor === "" ? null : BigInt(cursor);
    const rows = await findRefunds(app.db, { view, after, limit });
    const now = app.clock.now();
    return {
      now: now.toISOString(),
      refunds: rows.map((row) => deskRefundToWire(row, caller, now)),
      counts: await countRefunds(app.db),
      next_cursor: rows.length === limit ? String(rows.at(-1)?.id) : null,
    };
  });
  type Run = (
    tx: Db,
    hand: { id: bigint; caller: Principal },
  ) => Promise<Result<null, HandRefusal>>;
  const act = async (
    { params: { id }, caller, call }: Pick<Asked<typeof takeRefund>, "params" | "caller" | "call">,
    { message, run }: { message: string; run: Run },
  ) => {
    const done = await once(app, call, (tx) => run(tx, { id, caller }));
    if (!done.ok) return done;
    const row = await findRefund(app.db, id);
    assert(row, "a refund that was acted upon is there");
    const now = app.clock.now();
    return { now: now.toISOString(), message, refund: deskRefundToWire(row, caller, now) };
  };
  on(http, takeRefund, async (asked) => {
    const lane = await askLane(app, asked.params.id);
    const run: Run = (tx, hand) => takeIn(app, tx, { ...hand, lane });
    return act(asked, { message: REFUND_TAKEN, run });
  });
  on(http, noteRefundPaid, ({ body, ...asked }) => {
    const run: Run = (tx, hand) => paidIn(app, tx, { ...hand, reference: body?.reference });
    return act(asked, { message: REFUND_NOTED_DONE, run });
  });
  on(http, refuseRefundNumber, ({ body, ...asked }) => {
    const run: Run = (tx, hand) => wrongNumberIn(app, tx, { ...hand, reason: body?.reason });
    return act(asked, { message: REFUND_NUMBER_ASKED_AGAIN, run });
  });
  on(http, noteRefundReturned, async (asked) => {
    const lane = await askLane(app, asked.params.id);
    const run: Run = (tx, hand) => returnedIn(app, tx, { ...hand, lane });
    return act(asked, { message: REFUND_RETURNED, run });
  });
  on(http, noteProviderFee, ({ body, ...asked }) => {
    const run: Run = (tx, hand) => noteFeeIn(app, tx, { ...hand, fee: body?.montant });
    return act(asked, { message: PROVIDER_FEE_NOTED, run });
  });
}

/** An order's sheet, and what the operator decides on it. */
function registerOrders(app: App, http: HttpServer): void {
  on(
    http,
    readDeskOrder,
    async ({ params, caller }) =>
      (await answerSheet(app, caller, params.id)) ?? refuse({ kind: "refunds.order-not-found" }),
  );
  on(http, refundDeskOrder, async ({ params: { id }, body, caller, call }) => {
    const asked = { orderId: id, caller, reason: body?.reason, call };
    const begun = await askByOperator(app, asked);
    if (!begun.ok) return begun;
    const sheet = await answerSheet(app, caller, id);
    assert(sheet, "an order that was refunded is there");
    return { ...sheet, message: REFUND_BEGUN };
  });
  on(http, decidePayment, async ({ params, body = {}, caller, call }) => {
    const decided = await decideMismatch(app, { paymentId: params.id, caller, body, call });
    if (!decided.ok) return decided;
    const { orderId, outcome } = decided.value;
    const sheet = await answerSheet(app, caller, BigInt(orderId));
    assert(sheet, "an order whose payment was decided is there");
    return { ...sheet, message: MISMATCH_DECIDED[outcome] };
  });
}

async function refundFor({ db }: App, id: bigint, reader: RefundReader) {
  const row = await findRefund(db, id);
  assert(row, "a refund that was written is there");
  return refundToWire(row, reader);
}
