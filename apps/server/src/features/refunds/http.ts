import * as contract from "@sesame/contract/refunds";
import { readReason } from "@sesame/contract/treasury";
import { assert, fcfa, ok, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Asked, on, once } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { type Db, nextCursor, one } from "../../postgres/database.ts";
import { decideMismatchIn } from "../checkout/index.ts";
import { getRefund, selectRefunds, shown, shownToStaff, answerSheet } from "./answers.ts";
import { ask } from "./ask.ts";
import * as byHand from "./by-hand.ts";
import * as messages from "./messages.fr.ts";

/** Routes of refunds, for sellers, buyers and the back office. */
export function registerRefundsHttp(app: App, http: HttpServer): void {
  on(http, contract.refundSale, async ({ params, body, caller, call }) => {
    const reason = contract.readRefundReason(body?.motif);
    const begun = await ask(app, { orderId: params.id, caller, reason, call }, "seller");
    if (!begun.ok) return begun;
    const row = await getRefund(app.db, BigInt(begun.value.id));
    return { message: messages.REFUND_BEGUN, refund: shown(row, "seller") };
  });
  on(http, contract.giveRefundNumber, async ({ params, body, caller, call }) => {
    const { methode: method, numero: number } = body ?? {};
    const given = { orderId: params.id, buyerId: caller.personId, method, number };
    const taken = await once(app, call, async (tx) => {
      const first = await byHand.takeNumberIn(app, tx, given);
      return first.ok ? ok(String(first.value)) : first;
    });
    if (!taken.ok) return taken;
    const row = await getRefund(app.db, BigInt(taken.value));
    return { message: messages.REFUND_NUMBER_TAKEN, refund: shown(row, "buyer") };
  });
  on(http, contract.noteGivenBack, async ({ params: { id }, body, caller, call }) => {
    const given = { id, sellerId: caller.personId, reference: body?.reference };
    const done = await once(app, call, (tx) => byHand.givenBackBySellerIn(app, tx, given));
    if (!done.ok) return done;
    const row = await getRefund(app.db, id);
    return { message: messages.REFUND_NOTED_DONE, refund: shown(row, "seller") };
  });

  // Refunds by hand.
  const { db, clock } = app;
  on(http, contract.listStaffRefunds, async ({ query: { view, limit, cursor }, caller }) => {
    const turn = sql`(r.rail = 'staff' AND r.status = 'to-pay')`;
    const seen = sql`(SELECT last.rail = 'staff' AND last.status = 'to-pay' FROM refunds last
      WHERE last.id = ${cursor})`;
    const rows = await selectRefunds(
      db,
      view === "done"
        ? sql`WHERE r.status = 'done' AND (${cursor}::bigint IS NULL OR r.id < ${cursor})
            ORDER BY r.id DESC LIMIT ${limit}`
        : sql`WHERE r.status <> 'done' AND (${cursor}::bigint IS NULL
              OR (NOT ${turn}, r.id) > (NOT coalesce(${seen}, false), ${cursor}))
            ORDER BY NOT ${turn}, r.id LIMIT ${limit}`,
    );
    const now = clock.now();
    const counts = await one<{ to_pay: number; open: number }>(db)`
      SELECT count(*) FILTER (WHERE rail = 'staff' AND status = 'to-pay')::int AS to_pay,
        count(*)::int AS open
      FROM refunds WHERE status <> 'done'
    `;
    const refunds = rows.map((row) => shownToStaff(row, caller, now));
    return { now, refunds, counts, next_cursor: nextCursor(rows, limit) };
  });
  const act = async (
    asked: Pick<Asked<typeof contract.takeRefund>, "params" | "caller" | "call">,
    message: string,
    run: (tx: Db, hand: byHand.Hand) => byHand.Outcome,
  ) => {
    const { caller, call } = asked;
    const { id } = asked.params;
    const done = await once(app, call, (tx) => run(tx, { id, caller }));
    if (!done.ok) return done;
    const row = await getRefund(db, id);
    const now = clock.now();
    return { now, message, refund: shownToStaff(row, caller, now) };
  };
  on(http, contract.takeRefund, async (asked) => {
    const rail = await byHand.askRail(app, asked.params.id);
    return act(asked, messages.REFUND_TAKEN, (tx, hand) => byHand.takeIn(app, tx, hand, rail));
  });
  on(http, contract.noteRefundPaid, ({ body, ...asked }) =>
    act(asked, messages.REFUND_NOTED_DONE, (tx, hand) =>
      byHand.paidIn(app, tx, hand, body?.reference),
    ),
  );
  on(http, contract.refuseRefundNumber, ({ body, ...asked }) =>
    act(asked, messages.REFUND_NUMBER_ASKED_AGAIN, (tx, hand) =>
      byHand.wrongNumberIn(app, tx, hand, body?.reason),
    ),
  );
  on(http, contract.noteRefundReturned, async (asked) => {
    const rail = await byHand.askRail(app, asked.params.id);
    return act(asked, messages.REFUND_RETURNED, (tx, hand) =>
      byHand.returnedIn(app, tx, hand, rail),
    );
  });
  on(http, contract.noteProviderFee, ({ body, ...asked }) =>
    act(asked, messages.PROVIDER_FEE_NOTED, (tx, hand) =>
      byHand.noteFeeIn(app, tx, hand, body?.montant),
    ),
  );

  // The details of an order, and the operator's decisions on it.
  on(http, contract.readStaffOrder, async ({ params, caller }) => {
    return (
      (await answerSheet(app, caller, params.id)) ?? refuse({ kind: "refunds.order-not-found" })
    );
  });
  on(http, contract.refundStaffOrder, async ({ params: { id }, body, caller, call }) => {
    const reason = readReason(body?.reason);
    const begun = await ask(app, { orderId: id, caller, reason, call }, "operator");
    if (!begun.ok) return begun;
    const sheet = await answerSheet(app, caller, id);
    assert(sheet, "an order that was refunded is there");
    return { ...sheet, message: messages.REFUND_BEGUN };
  });
  // The operator's decision about a mismatched payment.
  on(http, contract.decidePayment, async ({ params, body = {}, caller, call }) => {
    const outcome = contract.MISMATCH_OUTCOMES.find((each) => each === body.outcome);
    if (!outcome) return refuse({ kind: "refunds.outcome-unknown" });
    const reason = readReason(body.reason);
    if (!reason.ok) return reason;
    const { montant } = body;
    const isAmount = typeof montant === "number" && Number.isSafeInteger(montant) && montant >= 0;
    const received = isAmount ? fcfa(montant) : null;
    const now = app.clock.now();
    const decided = await once(app, call, async (tx) => {
      const decision = { paymentId: params.id, caller, outcome, received, reason: reason.value };
      const done = await decideMismatchIn(tx, decision, now);
      return done.ok ? ok({ orderId: String(done.value.orderId), outcome }) : done;
    });
    if (!decided.ok) return decided;
    const sheet = await answerSheet(app, caller, BigInt(decided.value.orderId));
    assert(sheet, "an order whose payment was decided is there");
    return { ...sheet, message: messages.MISMATCH_DECIDED[decided.value.outcome] };
  });
}
