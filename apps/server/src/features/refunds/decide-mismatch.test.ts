import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { sayAnswer } from "../../../test/http.ts";
import { sellByAll } from "../../../test/payments.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { settleConfirmed } from "../checkout/settle.ts";

const { app, fixture, refunds, operator, agent } = await startRefunds();
const shop = await fixture.openShop();
await sellByAll(app, shop.seller);
const { fedapay, kkiapay, paydunya } = app.emulators.collectors;
const { act, refundOf } = refunds;
afterEach(async () => {
  expect(await refunds.broken()).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
});

type Odd = { readonly amount?: number; readonly currency?: string; readonly status?: string };

const orderBy = (provider: "fedapay" | "kkiapay", buyer: SignedInBuyer) =>
  refunds.place(buyer, { reference: shop.reference, provider });

/** Paid by FedaPay, which reports something else than what was ordered. */
async function paidOtherwise(odd: Odd) {
  const buyer = await fixture.buyerInTouch();
  const { id: orderId } = await orderBy("fedapay", buyer);
  fedapay.alter(orderId, odd);
  await app.pay("fedapay", orderId);
  expect((await refunds.order(buyer, orderId)).status).toBe("pending");
  const [payment] = (await refunds.sheet(operator, orderId)).payments;
  expect(payment).toMatchObject({ status: "mismatched", may_decide: true });
  return { buyer, orderId, paymentId: payment?.id ?? "", payment };
}

const decide = (who: SignedInBuyer, id: string, body: object) =>
  app.send("POST /api/desk/payments/:id/decide", who, { id, reason: "Vu chez eux", ...body });
const said = async (paymentId: string, body: object, who = operator) =>
  sayAnswer(await decide(who, paymentId, body));
async function payByHand(id: string) {
  expect((await act(agent, `${id}/take`)).status).toBe(200);
  expect((await act(agent, `${id}/paid`, { reference: `HAND.${id}` })).status).toBe(200);
}
const paymentOf = async (orderId: string) =>
  (await refunds.sheet(operator, orderId)).payments[0]?.id ?? "";
/** The order is paid, and this is refunded of what came beside its price. */
const paidBeside = (amount: number) => ({
  status: "paid",
  refunds: [{ amount, overpayment: true }],
});
/** Our balance at the provider, and the suspense account. */
const held = async () => ({
  fedapay: await refunds.francs("provider:fedapay"),
  suspense: await refunds.francs("suspense"),
  mismatches: await refunds.francs("platform:mismatches"),
});
const openAlerts = (paymentId: string) => app.openAlertsAbout(`payment:${paymentId}`);

describe("a payment of another amount", () => {
  test("that could not be recorded does not stop others, and is looked up again, however late it is", async () => {
    const order = async () => {
      const { id: orderId } = await orderBy("fedapay", await fixture.buyerInTouch());
      const payment = async () => (await refunds.sheet(operator, orderId)).payments[0];
      return { orderId, paymentId: (await payment())?.id ?? "", payment };
    };
    const [first, odd, last] = [await order(), await order(), await order()];
    await app.sql`
      CREATE FUNCTION refuse_an_alert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01';
      END $$`;
    await app.sql`
      CREATE TRIGGER refuse_an_alert BEFORE INSERT ON alerts FOR EACH ROW
      WHEN (NEW.subject = ${sql.lit(`payment:${odd.paymentId}`)}) EXECUTE FUNCTION refuse_an_alert()
    `;
    for (const { orderId } of [first, odd, last]) {
      fedapay.alter(orderId, { amount: 4_999 });
      fedapay.settle(orderId, "success");
    }
    await app.drain();
    expect(app.takeErrors().join()).toContain("a mismatch was not noted");
    for (const { paymentId, payment } of [first, last]) {
      expect(await payment()).toMatchObject({ status: "mismatched", received: 4_999 });
      expect(await said(paymentId, { outcome: "returned" })).toBe("200");
    }
    // Past the time in which an unpaid payment is looked up.
    for (let hours = 0; hours < 78; hours += 6) await fixture.advance(6 * HOUR_MS);
    expect(await odd.payment()).toMatchObject({ status: "pending" });
    await app.sql`DROP FUNCTION refuse_an_alert() CASCADE`;
    await fixture.advance(HOUR_MS);
    expect(await odd.payment()).toMatchObject({ status: "mismatched", received: 4_999 });
    app.takeErrors();
    expect(await said(odd.paymentId, { outcome: "returned" })).toBe("200");
    await app.drain();
  });

  test.each([
    [4_999, "at once"],
    [5_001, "at once"],
    [4_999, "a day later"],
    [7_000, "a day later"],
  ] as const)("honoured at %i F, %s, is the sale that was ordered", async (amount, when) => {
    const before = { ...(await held()), seller: await refunds.sellerHas(shop.seller) };
    const { buyer, orderId, paymentId, payment } = await paidOtherwise({ amount });
    expect(payment?.received).toBe(amount);
    if (when === "a day later") {
      await refunds.aDayLater();
      expect((await held()).suspense).toBe(before.suspense + amount);
    }
    const done = await decide(operator, paymentId, { outcome: "honour" });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body.order).toMatchObject({ status: "paid", access: { status: "waiting" } });
    expect(done.body.order.payments).toMatchObject([{ status: "paid", may_decide: false }]);
    expect(await held()).toEqual({
      fedapay: before.fedapay - amount,
      suspense: before.suspense,
      mismatches: before.mismatches + amount - 5_000,
    });
    expect(await refunds.sellerHas(shop.seller)).toBe(before.seller + 4_100);
    expect(await openAlerts(paymentId)).toEqual([]);
    expect(await app.auditEntries(`order:${orderId}`)).toEqual(["payment.honour"]);
    await app.drain();
    expect((await refunds.order(buyer, orderId)).access?.invite_link).toBeTruthy();
    expect(await said(paymentId, { outcome: "honour" })).toBe("409 refunds.no-mismatch");
    expect(await said(paymentId, { outcome: "give-back" })).toBe("409 refunds.no-mismatch");
  });

  test.each(["at once", "a day later"] as const)(
    "refunded %s goes to the buyer's number, and the buyer may order again",
    async (when) => {
      const before = await held();
      const { buyer, orderId, paymentId } = await paidOtherwise({ amount: 4_999 });
      if (when === "a day later") await refunds.aDayLater();
      const done = await decide(operator, paymentId, { outcome: "give-back" });
      expect(done.body.order).toMatchObject({ status: "failed" });
      expect(await openAlerts(paymentId)).toEqual(["payment.overpayment"]);
      // It is not reported as unpaid.
      const seen = async () => (await refunds.order(buyer, orderId)).payments;
      expect(await seen()).toMatchObject([{ status: "mismatched" }]);
      await app.drain();
      expect(await seen()).toMatchObject([{ status: "expired" }]);
      const { text } = app.lastTo(buyer.person.id, "buyer");
      expect(text).toContain("ne correspond pas à la commande");
      const refund = await refundOf(buyer, orderId);
      expect(refund).toMatchObject({ amount: 4_999, rail: "staff", status: "numero_attendu" });
      expect(await held()).toMatchObject({ suspense: before.suspense });
      // The provider reports the right amount at last: it is refunded all the same, once.
      const late = { paymentId: BigInt(paymentId), occurredAt: app.clock.now() };
      expect(await settleConfirmed(app.db, [late], app.clock.now())).toEqual([]);
      expect((await refunds.order(buyer, orderId)).status).toBe("failed");
      await refunds.giveNumber(buyer, orderId);
      await payByHand(refund?.id ?? "");
      expect(await held()).toEqual({ ...before, fedapay: before.fedapay - 4_999 });
      expect(await openAlerts(paymentId)).toEqual([]);
      const again = await orderBy("fedapay", buyer);
      await app.pay("fedapay", again.id);
      expect((await refunds.order(buyer, again.id)).status).toBe("paid");
    },
  );

  test("that its provider has returned is recorded, and nothing is sent", async () => {
    const before = await held();
    const { buyer, orderId, paymentId } = await paidOtherwise({ amount: 4_000 });
    await decide(operator, paymentId, { outcome: "returned" });
    await app.drain();
    const refund = { amount: 4_000, rail: "returned", status: "rembourse" };
    expect(await refundOf(buyer, orderId)).toMatchObject(refund);
    expect(await held()).toEqual(before);
  });

  test("is refunded by a provider that has a call for it, to the franc", async () => {
    const { buyer, id, paymentId } = await paidInWidget(3_000);
    await decide(operator, paymentId, { outcome: "give-back" });
    await app.drain();
    const refund = { amount: 3_000, rail: "provider", status: "rembourse" };
    expect(await refundOf(buyer, id)).toMatchObject(refund);
    expect(await refunds.francs("suspense")).toBe(0);
  });

  test("of an order that another payment has paid can only be refunded", async () => {
    const buyer = await fixture.buyerInTouch();
    const { id: orderId } = await orderBy("fedapay", buyer);
    const other = { provider: "paydunya" };
    const opened = await refunds.post(buyer, `/api/orders/${orderId}/payment`, other);
    expect(opened.status, JSON.stringify(opened.body)).toBe(201);
    fedapay.alter(orderId, { amount: 4_999 });
    await app.pay("fedapay", orderId);
    await app.pay("paydunya", paydunya.latest(1)[0]?.id ?? "");
    const payments = (await refunds.sheet(operator, orderId)).payments;
    const paymentId = payments.find(({ provider }) => provider === "fedapay")?.id ?? "";
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    expect(await said(paymentId, { outcome: "honour" })).toBe("409 refunds.paid-otherwise");
    expect(await said(paymentId, { outcome: "give-back" })).toBe("200");
    await app.drain();
    const given = [{ amount: 4_999, kind: "overpayment" }];
    const sheet = { status: "paid", refunds: given };
    expect(await refunds.sheet(operator, orderId)).toMatchObject(sheet);
  });
});

/** Ordered with KkiaPay; each `pay` is a transaction in its widget. */
async function openWidget() {
  const buyer = await fixture.buyerInTouch();
  const { id } = await orderBy("kkiapay", buyer);
  return { buyer, id, pay: (amount: number) => refunds.payByKkiapay(id, amount) };
}
async function paidInWidget(amount: number) {
  const widget = await openWidget();
  await widget.pay(amount);
  return { ...widget, paymentId: await paymentOf(widget.id) };
}

describe("another transaction beside a mismatched one", () => {
  test("is the price and pays the order: the smaller one is refunded, not the whole", async () => {
    const { buyer, id, pay } = await openWidget();
    const before = await refunds.francs("provider:kkiapay");
    await pay(100);
    expect((await refunds.order(buyer, id)).status).toBe("pending");
    await pay(5_000);
    const sheet = await refunds.sheet(operator, id);
    expect(sheet).toMatchObject(paidBeside(100));
    expect(await openAlerts(sheet.payments.at(-1)?.id ?? "")).toEqual([]);
    // KkiaPay keeps 95 F of the price and 2 F of the smaller one.
    expect(await refunds.francs("provider:kkiapay")).toBe(before - 5_000 + 97);
    await refunds.byOperator(operator, id);
    await app.drain();
    expect(await refunds.francs("provider:kkiapay")).toBe(before + 97);
  });

  test("is looked up again when the process that wrote the sale died before the rest", async () => {
    const { id, pay } = await openWidget();
    await pay(100);
    await app.sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P01'; END $$`;
    await app.sql`CREATE TRIGGER die BEFORE INSERT ON payments FOR EACH ROW WHEN (NEW.amount = 100)
      EXECUTE FUNCTION die()`;
    await pay(5_000);
    expect(await refunds.sheet(operator, id)).toMatchObject({ status: "paid", refunds: [] });
    app.takeErrors();
    await app.sql`DROP FUNCTION die() CASCADE`;
    await app.advance(DAY_MS / 2);
    const { refunds: given } = await refunds.sheet(operator, id);
    expect(given).toMatchObject([{ amount: 100, overpayment: true }]);
    const rows = await app.sql`SELECT FROM payment_checks c JOIN payments p ON p.id = c.payment_id
      WHERE p.order_id = ${BigInt(id)}`;
    expect(rows).toEqual([]);
  });

  /** Paid or refused, and reported by its webhook only: not looked up yet. → its id in the widget */
  function payUnasked(id: string, amount: number, how: "success" | "failure" = "success"): string {
    const opening = app.emulators.kkiapay.open({ amount, data: id, partnerId: id });
    return kkiapay.settle(opening.id, how).id;
  }
  const names = (id: string, count = 2) =>
    eventually(async () => {
      const rows = await app.sql<{ payment_id: bigint; transaction_id: string }>`
        SELECT r.* FROM reported_transactions r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = ${BigInt(id)}`;
      return rows.length === count && rows;
    });
  type Reported = Awaited<ReturnType<typeof names>>;
  /** Settles the transaction as after a lookup at which only these had been reported. */
  async function settle(transactionId: string, at: { more: boolean; reported: Reported }) {
    const now = app.clock.now();
    const reported = at.reported.map((one) => one.transaction_id);
    const unfinished = { more: at.more, names: reported, leaseEnd: now };
    const paymentId = at.reported[0]?.payment_id ?? 0n;
    const one = { paymentId, transactionId, occurredAt: now, unfinished };
    expect(await settleConfirmed(app.db, [one], now)).toHaveLength(1);
  }

  test("is refunded if it was reported, but not looked up, before the other was honoured", async () => {
    const { id, paymentId } = await paidInWidget(3_000);
    payUnasked(id, 5_000);
    await names(id);
    expect(await said(paymentId, { outcome: "honour" })).toBe("200");
    await app.drain();
    expect(await refunds.sheet(operator, id)).toMatchObject(paidBeside(5_000));
  });

  test("is refunded too when the one that pays the order was taken back before either was known", async () => {
    const { id, pay } = await openWidget();
    await pay(100);
    const paying = payUnasked(id, 5_000);
    const reported = await names(id);
    // As if the smaller one had not been reported when both were looked up.
    await settle(kkiapay.find(paying)?.transactionId ?? "", { more: true, reported });
    kkiapay.alter(paying, { status: "REVERTED" });
    await app.advance(HOUR_MS);
    const sheet = await refunds.sheet(operator, id);
    expect(sheet).toMatchObject(paidBeside(100));
    expect(await openAlerts(sheet.payments.at(-1)?.id ?? "")).toEqual(["payment.refunded-there"]);
    await refunds.byOperator(operator, id);
    await app.drain();
  });

  test("is the only payment, when the booked id is no longer found at the provider", async () => {
    const { id } = await openWidget();
    const booked = payUnasked(id, 5_000);
    await app.drain();
    kkiapay.alter(booked, { reference: "" });
    for (const status of ["failure", "success"] as const) {
      const again = payUnasked(id, 5_000, status);
      if (status === "success") kkiapay.alter(again, { status: "REVERTED" });
      await names(id, status === "failure" ? 2 : 3);
      await app.drain();
      await app.advance(HOUR_MS);
      const sheet = await refunds.sheet(operator, id);
      expect(sheet).toMatchObject({ status: "paid", refunds: [] });
      expect(sheet.payments).toHaveLength(1);
    }
  });

  test("pays the order after an operator decided that nothing had been received", async () => {
    const { id, paymentId } = await paidInWidget(3_000);
    expect(await said(paymentId, { outcome: "returned", montant: 0 })).toBe("200");
    payUnasked(id, 5_000);
    await app.drain();
    const { status, refunds: given } = await refunds.sheet(operator, id);
    expect([status, given.filter(({ amount }) => amount === 5_000)]).toEqual(["paid", []]);
  });

  test("is refunded too when it is reported while the other is being settled", async () => {
    const { id } = await openWidget();
    for (const amount of [5_000, 5_000]) payUnasked(id, amount);
    const reported = (await names(id)).slice(0, 1);
    // As if only one of them had been reported at the lookup.
    await settle(reported[0]?.transaction_id ?? "", { more: false, reported });
    await app.drain();
    expect(await refunds.sheet(operator, id)).toMatchObject(paidBeside(5_000));
  });

  test("after the order's refund is left to the back office, and after it was honoured is refunded", async () => {
    for (const outcome of ["give-back", "honour"] as const) {
      const { id, pay, paymentId } = await paidInWidget(3_000);
      expect(await said(paymentId, { outcome })).toBe("200");
      await app.drain();
      await pay(5_000);
      const kinds = await app.values`
        SELECT kind FROM alerts WHERE starts_with(subject, ${`payment:${paymentId}:`})`;
      const { status, refunds: given } = await refunds.sheet(operator, id);
      if (outcome === "honour") {
        expect([status, kinds, given.map(({ amount }) => amount)]).toEqual(["paid", [], [5_000]]);
      } else {
        expect([status, kinds]).toEqual(["failed", ["payment.paid-again-there"]]);
      }
    }
  });
});

describe("the refund of an honoured order", () => {
  test("goes by hand where a call would refund the received amount", async () => {
    const { buyer, id, paymentId } = await paidInWidget(3_000);
    await decide(operator, paymentId, { outcome: "honour" });
    await refunds.byOperator(operator, id);
    await app.drain();
    expect(await refundOf(buyer, id)).toMatchObject({ amount: 5_000, rail: "staff" });
  });

  test.each([4_000, 6_000])(
    "with %i F received leaves no gain when the payment was taken back",
    async (amount) => {
      const before = await held();
      const { orderId, paymentId } = await paidOtherwise({ amount });
      await decide(operator, paymentId, { outcome: "honour" });
      fedapay.alter(orderId, { status: "refunded" });
      const done = await refunds.byOperator(operator, orderId, "Carte contestée");
      expect(done.body.order.refunds).toMatchObject([{ rail: "returned", status: "rembourse" }]);
      expect(await held()).toEqual(before);
    },
  );
});

describe("a refund of a mismatched payment", () => {
  test("whose provider is unclear waits for a person, and ends by the operator's statement", async () => {
    const before = await held();
    const { buyer, orderId, paymentId } = await paidOtherwise({ amount: 4_999 });
    fedapay.alter(orderId, { status: "pending" });
    await decide(operator, paymentId, { outcome: "give-back" });
    await app.drain();
    expect(await openAlerts(paymentId)).toEqual(["payment.overpayment"]);
    await refunds.giveNumber(buyer, orderId);
    const id = (await refundOf(buyer, orderId))?.id;
    expect((await act(agent, `${id}/take`)).body.code).toBe("refunds.unclear-there");
    expect((await act(operator, `${id}/returned`)).status).toBe(200);
    expect(await openAlerts(paymentId)).toEqual([]);
    expect(await held()).toEqual(before);
  });

  test("of which the provider has returned a part since has the amount the operator counts", async () => {
    const before = await held();
    const { buyer, orderId, paymentId } = await paidOtherwise({ amount: 4_999 });
    await refunds.aDayLater();
    fedapay.alter(orderId, { status: "partially_refunded" });
    await app.advance(6 * HOUR_MS);
    for (const [outcome, montant, answer] of [
      ["give-back", undefined, "422 refunds.received-missing"],
      ["honour", 2_999, "409 refunds.partly-returned"],
      ["returned", 0, "422 refunds.received-missing"],
      ["give-back", 5_000, "422 refunds.received-missing"],
      ["give-back", 2_999, "200"],
    ]) {
      expect(await said(paymentId, { outcome, montant })).toBe(answer);
    }
    await app.drain();
    await refunds.giveNumber(buyer, orderId);
    const refund = await refundOf(buyer, orderId);
    expect(refund).toMatchObject({ amount: 2_999, rail: "staff", overpayment: false });
    await payByHand(refund?.id ?? "");
    expect(await held()).toEqual({ ...before, fedapay: before.fedapay - 2_999 });
  });
});

async function planPaidWith(amount: number) {
  const seller = await app.signInSeller();
  const { id: orderId } = await refunds.place(seller, { plan: "payant", provider: "fedapay" });
  fedapay.alter(orderId, { amount });
  await app.pay("fedapay", orderId);
  return { seller, orderId, paymentId: await paymentOf(orderId) };
}
const planOf = ({ id }: { id: string }) =>
  app.value<string>`SELECT plan FROM sellers WHERE id = ${BigInt(id)}`;

test("a plan that was paid with another amount is granted when honoured, and not when refunded", async () => {
  const honoured = await planPaidWith(4_000);
  await refunds.aDayLater();
  expect(await said(honoured.paymentId, { outcome: "honour" })).toBe("200");
  expect(await planOf(honoured.seller)).toBe("premium");
  const back = await planPaidWith(6_000);
  expect(await said(back.paymentId, { outcome: "give-back" })).toBe("200");
  await app.drain();
  expect(await planOf(back.seller)).not.toBe("premium");
  expect((await refunds.order(back.seller, back.orderId)).refund).toMatchObject({ amount: 6_000 });
});

describe("a payment of unknown received amount", () => {
  test("is counted by the operator, at most twice the price", async () => {
    const { paymentId, buyer, orderId, payment } = await paidOtherwise({ currency: "GHS" });
    expect(payment?.received).toBeNull();
    for (const body of [{}, { montant: 10_001 }, { montant: "3000" }, { montant: 0 }]) {
      const outcome = { outcome: "give-back", ...body };
      expect(await said(paymentId, outcome)).toBe("422 refunds.received-missing");
    }
    expect(await openAlerts(paymentId)).toEqual(["payment.mismatch"]);
    expect(await said(paymentId, { outcome: "give-back", montant: 3_000 })).toBe("200");
    await app.drain();
    expect(await refundOf(buyer, orderId)).toMatchObject({ amount: 3_000 });
  });

  test("may be zero: it is closed, and reported again when it happens again", async () => {
    const { paymentId, buyer, orderId } = await paidOtherwise({ currency: "GHS" });
    expect(await said(paymentId, { outcome: "returned", montant: 0 })).toBe("200");
    await app.drain();
    expect(await refunds.order(buyer, orderId)).toMatchObject({ status: "failed", refund: null });
    fedapay.repeatWebhook(fedapay.webhookViews().at(-1)?.id ?? 0);
    await app.drain();
    expect(await openAlerts(paymentId)).toEqual(["payment.mismatch"]);
    expect(await said(paymentId, { outcome: "honour", montant: 5_000 })).toBe("200");
  });

  test("of which the provider returned a part is refunded by the rest", async () => {
    const { paymentId, buyer, orderId } = await paidOtherwise({ status: "partially_refunded" });
    expect(await said(paymentId, { outcome: "give-back", montant: 2_000 })).toBe("200");
    await app.drain();
    expect(await refundOf(buyer, orderId)).toMatchObject({ amount: 2_000, rail: "staff" });
  });
});

describe("a decision", () => {
  test("is an operator's, with outcome and reason, and is of a payment that waits for it", async () => {
    const { paymentId, orderId, buyer } = await paidOtherwise({ amount: 4_999 });
    expect((await decide(agent, paymentId, { outcome: "honour" })).status).toBe(403);
    expect((await decide(buyer, paymentId, { outcome: "honour" })).status).toBe(403);
    expect(await said(paymentId, { outcome: "keep" })).toBe("422 refunds.outcome-unknown");
    const unreasoned = { outcome: "honour", reason: " " };
    expect(await said(paymentId, unreasoned)).toBe("422 desk.reason-missing");
    expect(await said("999999999", { outcome: "honour" })).toBe("409 refunds.no-mismatch");
    expect((await refunds.sheet(agent, orderId)).payments).toMatchObject([{ may_decide: false }]);
    expect(await openAlerts(paymentId)).toEqual(["payment.mismatch"]);
    await decide(operator, paymentId, { outcome: "honour" });
  });

  test("resolves the alert of the back office, which no note resolves", async () => {
    const { paymentId } = await paidOtherwise({ amount: 4_999 });
    const id = await app.value`SELECT id FROM alerts WHERE subject = ${`payment:${paymentId}`}`;
    const note = { id, note: "C'est fait" };
    const words = await app.send("POST /api/desk/alerts/:id/resolve", operator, note);
    expect(words).toMatchObject({ status: 409, body: { code: "desk.alert-by-action" } });
    await decide(operator, paymentId, { outcome: "returned" });
    await app.drain();
    expect(await openAlerts(paymentId)).toEqual([]);
  });

  test("made many times at once, while the provider corrects it, happens once", async () => {
    const before = { ...(await held()), seller: await refunds.sellerHas(shop.seller) };
    const { buyer, orderId, paymentId } = await paidOtherwise({ amount: 4_999 });
    await refunds.aDayLater();
    fedapay.alter(orderId, { amount: 5_000 });
    app.clock.advance(DAY_MS);
    const outcomes = ["honour", "give-back", "returned"] as const;
    const acts = Array.from({ length: 12 }, (_, at) =>
      decide(operator, paymentId, { outcome: outcomes[at % 3] }),
    );
    const [answers] = await Promise.all([Promise.all(acts), app.drain()]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    await app.drain();
    const { status, refund } = await refunds.order(buyer, orderId);
    const isPaid = status === "paid";
    expect(await refunds.sellerHas(shop.seller)).toBe(before.seller + (isPaid ? 4_100 : 0));
    expect(refund === null).toBe(isPaid);
    expect((await held()).suspense).toBe(before.suspense);
  });
});
