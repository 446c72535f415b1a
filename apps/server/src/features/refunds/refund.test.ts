import { assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { askWithdrawal, fundSeller, REQUEST } from "../../../test/funds.ts";
import type { SignedInBuyer, SignedInSeller } from "../../../test/harness.ts";
import { sayAnswer } from "../../../test/http.ts";
import { createOwnAccountFixtures, sellByAll } from "../../../test/payments.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { buyProduct, orderProduct, paymentIdOf, publishProduct } from "../../../test/sales.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { DONE } from "../../jobs/outbox.ts";
import { alertRefundThere } from "../checkout/settle.ts";
import { giveBack } from "./give-back.ts";

const { app, fixture, refunds, operator, agent } = await startRefunds();
const shop = await fixture.openShop();
await sellByAll(app, shop.seller);
afterEach(async () => expect(await refunds.broken()).toEqual([]));

const { act, refundOf } = refunds;
const said = (buyer: SignedInBuyer) => app.lastTo(buyer.person.id, "buyer").text;
const pay = (id: string, reference: string) =>
  app.send("POST /api/desk/refunds/:id/paid", agent, { id, reference });
/** An action on a refund, as the status and the code of its answer. */
const answerTo = async (...call: Parameters<typeof act>) => sayAnswer(await act(...call));
/** The operator refunds the order. → the refund, and the order as the back office sees it */
async function refundedByOperator(orderId: string, reason?: string) {
  const { status, body } = await refunds.byOperator(operator, orderId, reason);
  expect(status, JSON.stringify(body)).toBe(200);
  const [refund] = body.order.refunds;
  assert(refund, "a refunded order has its refund");
  return { refund, id: refund.id, order: body.order };
}

describe("a sale its seller refunds", () => {
  test("leaves the seller and the platform, ends the membership, and is sent to the buyer's number", async () => {
    const shop = await fixture.openShop();
    const { buyer, orderId } = await fixture.buyerInside(shop);
    const words = "Erreur <b>de ma part</b>";
    const asked = await refunds.bySeller(shop.seller, orderId, words, "k1");
    const begun = { amount: 5_000, status: "numero_attendu", rail: "staff" };
    expect(asked.body.refund).toMatchObject(begun);
    expect(await refunds.sellerHas(shop.seller)).toBe(0);
    expect(await refunds.francs("refunds:in-transit")).toBe(5_000);
    await app.drain();
    expect(fixture.memberStatus(shop, buyer.person.id)).not.toBe("member");
    expect(said(buyer)).toContain("Erreur <b>de ma part</b>");
    expect((await refundOf(buyer, orderId))?.status).toBe("numero_attendu");
    expect((await refunds.order(shop.seller, orderId)).status).toBe("refunded");
    // The same call again gives the same refund; another call is refused.
    const again = await refunds.bySeller(shop.seller, orderId, words, "k1");
    expect(again.body.refund.id).toBe(asked.body.refund.id);
    const refusal = { status: 409, body: { code: "refunds.already" } };
    expect(await refunds.bySeller(shop.seller, orderId)).toMatchObject(refusal);

    const number = await refunds.giveNumber(buyer, orderId);
    expect(number.body.refund).toMatchObject({ status: "a_payer", numero: "+2250701020304" });
    expect((await refunds.order(shop.seller, orderId)).refund?.numero).toBe("+225••••04");
    const { id } = asked.body.refund;
    const list = await app.read("GET /api/desk/refunds", agent);
    expect(list.refunds.map((each) => each.order_id)).toEqual([orderId]);
    const { counts } = await app.read("GET /api/desk", agent);
    expect(counts).toMatchObject({ refunds_to_pay: 1, complaints_operator: 0 });
    expect(await answerTo(agent, `${id}/wrong-number`, { reason: "Compte inactif" })).toBe("200");
    await app.drain();
    expect(said(buyer)).toContain("Compte inactif");
    await refunds.giveNumber(buyer, orderId, "0701020304");
    expect(await answerTo(agent, `${id}/take`)).toBe("200");
    const reference = "CI1116.0900.A1";
    const taken = await answerTo(operator, `${id}/paid`, { reference });
    expect(taken).toBe("409 refunds.taken-by-other");
    const paid = await pay(id, reference);
    expect(paid.body.refund).toMatchObject({ status: "rembourse", paid_by: "Ama" });
    expect(await refunds.francs("refunds:in-transit")).toBe(0);
    expect(await refunds.francs("float:orange-money-ci")).toBe(5_000);
    await app.drain();
    expect(said(buyer)).toContain(reference);
    const { lines, trace } = await refunds.sheet(agent, orderId);
    const moved = lines.map(({ transfer, amount }) => `${transfer.split(":")[0]} ${amount}`);
    for (const line of ["sale 4100", "refund -4100", "refund -900", "given-back -5000"]) {
      expect(moved).toContain(line);
    }
    expect(trace).toHaveLength(3);
    for (const q of [reference, "07 01 02 03 04"]) {
      const found = await app.call("GET", `/api/desk/search?q=${q}`, agent);
      expect(found.body, q).toMatchObject({ refunds: { items: [{ id, order_id: orderId }] } });
    }
  });

  test("keeps the time of other purchases, and opens the group again where necessary", async () => {
    const shop = await fixture.openShop();
    const { buyer, orderId: first } = await fixture.buyerInside(shop);
    await fixture.advance(6 * HOUR_MS);
    const second = await buyProduct(app, buyer, shop.reference);
    const third = await buyProduct(app, buyer, shop.reference);
    const begun = app.clock.now().getTime();
    // 18 h of the first were left: the two others move forward at once.
    await refunds.bySeller(shop.seller, first);
    await app.drain();
    const { access } = await refunds.order(buyer, third);
    expect(Date.parse(access?.expires_at ?? "") - begun).toBe(2 * DAY_MS);
    expect(fixture.memberStatus(shop, buyer.person.id)).toBe("member");
    await refunds.bySeller(shop.seller, third);
    await app.drain();
    const left = await refunds.order(buyer, second);
    expect(Date.parse(left.access?.expires_at ?? "") - begun).toBe(DAY_MS);
    await fixture.advance(DAY_MS);
    expect(fixture.memberStatus(shop, buyer.person.id)).not.toBe("member");
  });

  test("revokes the link of a buyer who was not inside yet, and keeps that of the other order", async () => {
    const shop = await fixture.openShop();
    const { buyer, orderId: first } = await fixture.buyerWaiting(shop);
    const second = await buyProduct(app, buyer, shop.reference);
    await refunds.bySeller(shop.seller, second);
    await app.drain();
    const link = await fixture.linkOf(buyer, first);
    expect(await fixture.join(buyer.person.id, link)).not.toBe("pending");
    expect(fixture.memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

describe("a refund is refused", () => {
  test("by the first reason that applies, in this order", async () => {
    const shop = await fixture.openShop();
    const { buyer, orderId } = await fixture.buyerWaiting(shop);
    const stranger = await app.signInSeller();
    const unpaid = (await orderProduct(app, await app.signInBuyer(), shop.reference)).id;
    const long = "a".repeat(501);
    const table: [string, Promise<{ status: number; body: { code?: string } }>, number][] = [
      ["refunds.order-not-found", refunds.bySeller(stranger, orderId, ""), 404],
      ["refunds.reason-missing", refunds.bySeller(shop.seller, unpaid, " a "), 422],
      ["refunds.reason-too-long", refunds.bySeller(shop.seller, unpaid, long), 422],
      ["refunds.not-paid", refunds.bySeller(shop.seller, unpaid), 409],
      ["refunds.order-not-found", refunds.byOperator(operator, "999999", ""), 404],
      ["desk.reason-missing", refunds.byOperator(operator, unpaid, ""), 422],
      ["refunds.not-paid", refunds.byOperator(operator, unpaid), 409],
      ["identity.wrong-role", refunds.byOperator(agent, orderId), 403],
      ["refunds.order-not-found", refunds.giveNumber(stranger, orderId), 404],
      ["withdrawals.phone-invalid", refunds.giveNumber(buyer, orderId, "0701020"), 422],
      ["refunds.number-not-awaited", refunds.giveNumber(buyer, orderId), 409],
      ["refunds.refund-not-found", pay("999999", "CI1"), 404],
    ];
    for (const [code, answer, status] of table) {
      const { body, status: answered } = await answer;
      expect([body.code, answered]).toEqual([code, status]);
    }
    const demande = await askWithdrawal(app, shop.seller, { montant: 3_000 });
    const short = await refunds.bySeller(shop.seller, orderId);
    expect(short.body).toMatchObject({ code: "refunds.seller-short" });
    expect(short.body.message).toContain("manque 3\u00a0000 FCFA");
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    await app.call("DELETE", `/api/users/retrait/annuler/${demande.id}`, shop.seller);
    await app.sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(shop.seller.id)}, ${app.clock.now()}, 'operator', ${app.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at, frozen_by = 'operator'`;
    expect((await refunds.bySeller(shop.seller, orderId)).body.code).toBe("refunds.frozen");
    // The operator may, whatever prevents the seller.
    expect((await refunds.byOperator(operator, orderId)).status).toBe(200);
    const { id } = (await refunds.order(buyer, orderId)).refund ?? { id: "" };
    expect((await pay(id, "CI2.1")).body.code).toBe("refunds.nothing-to-pay");
    await refunds.giveNumber(buyer, orderId);
    expect((await pay(id, "")).body.code).toBe("desk.reference-missing");
    expect((await pay(id, "CI1116.0900.a1")).body.code).toBe("refunds.reference-used");
    expect((await pay(id, "CI2.1")).status).toBe(200);
    expect((await pay(id, "CI2.2")).body.code).toBe("refunds.nothing-to-pay");
  });

  test("to a member of the staff who is a party to it", async () => {
    const shop = await fixture.openShop();
    const orderId = await buyProduct(app, operator, shop.reference);
    expect((await refunds.byOperator(operator, orderId)).body.code).toBe("refunds.own-case");
  });
});

const userOf = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/:id", seller, { id: seller.id })).user;

describe("an operator's refund", () => {
  test("is advanced when the seller lacks it, and is recovered from the next sales", async () => {
    const shop = await fixture.openShop();
    const { seller } = shop;
    const { orderId } = await fixture.buyerWaiting(shop);
    await askWithdrawal(app, seller, { montant: 4_000 });
    const done = await refunds.byOperator(operator, orderId, "Vendeur injoignable");
    expect(done.body.order.refunds).toMatchObject([{ advanced: 4_000, status: "numero_attendu" }]);
    expect(await refunds.owed(seller)).toBe(4_000);
    expect(await app.auditEntries(`order:${orderId}`)).toEqual(["order.refund"]);
    await app.drain();
    expect(app.lastTo(seller.person.id, "seller").text).toMatch(/4.000 FCFA sont avancés/);
    // Between a sale and the recovery of the advance the seller cannot withdraw the debt.
    const request = { ...REQUEST, montant: 100 };
    const asked = await app.send("POST /api/users/retrait/demande", seller, request);
    expect(asked.body.code).toBe("withdrawals.balance-too-low");
    expect(asked.body.message).toContain("d'abord les 4\u00a0000 FCFA avancés par Sésame.");
    expect(await userOf(seller)).toMatchObject({ owed: 4_000, soldeDisponible: 0 });
    const limits = await app.read("GET /api/users/retrait/limites", seller);
    expect(limits).toMatchObject({ owed: 4_000, disponible: 0 });
    const small = await publishProduct(app, shop, { price: 1_000 });
    await buyProduct(app, await app.signInBuyer(), small.reference);
    await app.advance(MINUTE_MS);
    expect(await refunds.owed(seller)).toBe(3_180);
    const read = () => app.textsTo(seller.person.id, "seller");
    const recovered = /820 FCFA pour vous.\n.* d'abord les 3.180 FCFA avancés/;
    expect(read()).toContainEqual(expect.stringMatching(recovered));
    await buyProduct(app, await app.signInBuyer(), shop.reference);
    expect([await refunds.owed(seller), await refunds.sellerHas(seller)]).toEqual([0, 920]);
    expect(read()).toContainEqual(expect.stringMatching(/^✅ 3.180 FCFA .* entièrement repris/));
  });

  test("is one refund, whoever asks at the same moment", async () => {
    const shop = await fixture.openShop();
    const { buyer, orderId } = await fixture.buyerWaiting(shop);
    const renewal = await orderProduct(app, buyer, shop.reference);
    app.emulators.collectors.moneroo.settle(paymentIdOf(renewal.payment_url), "success");
    const answers = await Promise.all([
      refunds.bySeller(shop.seller, orderId),
      refunds.byOperator(operator, orderId),
      refunds.bySeller(shop.seller, orderId),
      app.drain().then(() => ({ status: 0 })),
      app.send("POST /api/users/retrait/demande", shop.seller, { ...REQUEST, montant: 4_000 }),
    ]);
    expect(answers.slice(0, 3).filter(({ status }) => status === 200)).toHaveLength(1);
    await app.drain();
    expect((await refunds.order(buyer, renewal.id)).access?.status).toBe("waiting");
    const texts = app.textsTo(buyer.person.id, "buyer");
    expect(texts.filter((text) => text.includes("sera remboursé"))).toHaveLength(1);
  });
});

describe("a refund by a provider", () => {
  let inTransit: number;
  beforeEach(async () => {
    inTransit = await refunds.francs("refunds:in-transit");
  });
  afterEach(async () => expect(await refunds.francs("refunds:in-transit")).toBe(inTransit));

  const { kkiapay, stars } = app.emulators.collectors;
  const saidTo = (buyer: SignedInBuyer) => app.textsTo(buyer.person.id, "buyer");

  describe("a provider with a call for refunds", () => {
    const buy = async () => {
      const buyer = await fixture.buyerInTouch();
      const asked = { reference: shop.reference, provider: "kkiapay" };
      const { id: orderId, amount } = await refunds.place(buyer, asked);
      await refunds.payByKkiapay(orderId, amount);
      return { buyer, orderId };
    };

    test("makes it, and the buyer is notified when it is done", async () => {
      const { buyer, orderId } = await buy();
      const asked = await refunds.bySeller(shop.seller, orderId);
      expect(asked.body.refund).toMatchObject({ rail: "provider", status: "en_cours" });
      await app.drain();
      expect(kkiapay.find(orderId)?.status).toBe("refunded");
      expect(await refundOf(buyer, orderId)).toMatchObject({ status: "rembourse", numero: null });
      // KkiaPay refunds the whole price, and keeps its fee for the collection.
      expect(await refunds.francs("provider:kkiapay")).toBe(95);
      const notified = saidTo(buyer).filter((text) => /sera remboursé|vous sont rendus/.test(text));
      expect(notified).toHaveLength(2);
    });

    test("is called by one process at a time, however long it takes, and by another after a crash", async () => {
      const { buyer, orderId } = await buy();
      const asked = await refunds.bySeller(shop.seller, orderId);
      const job = { ref: BigInt(asked.body.refund.id), attempts: 1, payload: {} } as Job;
      const gates: (() => void)[] = [];
      const provider = {
        id: "kkiapay",
        fetchPayment: async () => ({ status: "paid" }),
        refund: () => new Promise((answer) => gates.push(() => answer({ kind: "done" }))),
      } as unknown as PaymentProvider;
      const given = { ...app.core, providers: [provider] };
      const slow = giveBack(given, job);
      await eventually(() => expect(gates).toHaveLength(1));
      expect(await giveBack(given, job)).toMatchObject({ kind: "later" });
      app.clock.advance(2 * MINUTE_MS);
      const next = giveBack(given, job);
      await eventually(() => expect(gates).toHaveLength(2));
      for (const answer of gates) answer();
      expect(await Promise.all([slow, next])).toEqual([DONE, DONE]);
      expect(await refundOf(buyer, orderId)).toMatchObject({ status: "rembourse" });
      await app.drain();
    });

    test("refunds Stars to their payer", async () => {
      const buyer = await fixture.buyerInTouch();
      const { id } = await refunds.place(buyer, { reference: shop.reference, provider: "stars" });
      stars.settle(id, "success", { personId: buyer.person.id });
      await app.drain();
      expect((await refunds.order(buyer, id)).status).toBe("paid");
      await refunds.bySeller(shop.seller, id);
      await app.drain();
      expect((await refundOf(buyer, id))?.status).toBe("rembourse");
      expect(stars.find(id)?.status).toBe("refunded");
      expect(await refunds.francs("provider:stars")).toBe(0);
      expect(await fixture.alerts("payment.refunded-there")).toBe(0);
    });

    test.each(["timeout-after", "timeout-before", "500-after", "500"] as const)(
      "is called again when its answer was lost (%s), and the money returns once",
      async (fault) => {
        const { buyer, orderId } = await buy();
        kkiapay.fault("refund", fault);
        await refunds.bySeller(shop.seller, orderId);
        await app.drain();
        expect((await refundOf(buyer, orderId))?.status).toBe("en_cours");
        await fixture.advance(60_000);
        expect((await refundOf(buyer, orderId))?.status).toBe("rembourse");
        expect(saidTo(buyer).filter((text) => text.includes("vous sont rendus"))).toHaveLength(1);
      },
    );

    test("refuses: an agent sends it, when the buyer has entered a number", async () => {
      const { buyer, orderId } = await buy();
      kkiapay.fault("refund", "refuse");
      await refunds.bySeller(shop.seller, orderId);
      await app.drain();
      const refund = await refundOf(buyer, orderId);
      expect(refund).toMatchObject({ rail: "staff", status: "numero_attendu" });
      expect(saidTo(buyer).at(-1)).toContain("Indiquer mon numéro");
      await refunds.giveNumber(buyer, orderId);
      expect((await pay(refund?.id ?? "", "KK.NO.1")).status).toBe(200);
    });
  });

  test("an order that was paid twice refunds the second payment automatically, with a plain message", async () => {
    const buyer = await fixture.buyerInTouch();
    const order = await orderProduct(app, buyer, shop.reference);
    const second = { id: order.id, provider: "kkiapay" };
    await app.done("POST /api/orders/:id/payment", buyer, second);
    const reference = await app.value<string>`
      SELECT reference FROM payments WHERE order_id = ${order.id} AND provider = 'kkiapay'`;
    await refunds.payByKkiapay(reference, order.amount);
    await app.pay("moneroo", order.id);
    const seen = await refunds.order(buyer, order.id);
    expect(seen).toMatchObject({ status: "paid", paid_twice: true, access: { status: "waiting" } });
    const overpayment = { overpayment: true, status: "numero_attendu", amount: 5_000 };
    expect(seen.refund).toMatchObject(overpayment);
    expect(saidTo(buyer).at(-1)).toContain("payé deux fois");
    expect(await fixture.alerts("payment.overpayment")).toBe(1);
    await refunds.giveNumber(buyer, order.id);
    expect((await pay(seen.refund?.id ?? "", "TWICE.1")).status).toBe(200);
    expect(await fixture.alerts("payment.overpayment")).toBe(0);
    expect(await refunds.francs("suspense")).toBe(0);
    // The sale itself may still be refunded.
    expect((await refunds.bySeller(shop.seller, order.id)).status).toBe(200);
    await app.drain();
  });

  test("a refunded premium plan ends at once, and the seller's balance follows", async () => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 700, "free");
    const { id } = await refunds.place(seller, { plan: "payant", provider: "moneroo" });
    await app.pay("moneroo", id);
    expect(await userOf(seller)).toMatchObject({ type_plan: "payant", soldeDisponible: 700 });
    const { refund } = await refundedByOperator(id);
    expect(await userOf(seller)).toMatchObject({ type_plan: "gratuit", soldeDisponible: 700 });
    expect(await refunds.francs("platform:subscriptions")).toBe(0);
    expect(await app.auditEntries(`seller:${seller.id}`)).toContain("plan.change");
    await refunds.giveNumber(seller, id);
    expect((await pay(refund.id, "PLAN.1")).status).toBe(200);
  });

  test.each(["kkiapay", "fedapay"] as const)(
    "a sale collected by the seller's own account moves no franc of the ledger: %s",
    async (provider) => {
      const setup = createOwnAccountFixtures(app);
      const { seller, product, keys } = await setup.sellerCollecting(provider);
      const buyer = await fixture.buyerInTouch();
      await sellByAll(app, seller);
      const { id, amount } = (await setup.order(buyer, product.reference, provider)).body;
      const collector = app.emulators.collectors[provider];
      if (provider === "kkiapay") {
        kkiapay.open({ key: keys["publicKey"] ?? "", amount, data: id, partnerId: id });
      }
      collector.settle(id, "success");
      await app.drain();
      await fixture.advance(60_000);
      expect((await refunds.order(buyer, id)).direct).toBe(true);
      const asked = await refunds.bySeller(seller, id);
      expect(asked.status, JSON.stringify(asked.body)).toBe(200);
      await app.drain();
      if (provider === "fedapay") {
        const begun = { rail: "seller", status: "a_payer", direct: true };
        expect(asked.body.refund).toMatchObject(begun);
        await refunds.giveNumber(buyer, id);
        expect((await refunds.order(seller, id)).refund?.numero).toBe("+2250701020304");
        const path = `/api/refunds/${asked.body.refund.id}/given-back`;
        const proof = { reference: "OWN.1" };
        expect((await refunds.post(shop.seller, path, proof)).status).toBe(404);
        expect((await refunds.post(seller, path)).body.code).toBe("desk.reference-missing");
        expect((await refundOf(buyer, id))?.status).toBe("a_payer");
        expect((await refunds.post(seller, path, proof)).status).toBe(200);
        expect((await refunds.post(seller, path, proof)).body.code).toBe("refunds.nothing-to-pay");
      }
      await app.drain();
      expect((await refundOf(buyer, id))?.status).toBe("rembourse");
      const words = { fedapay: "Le vendeur dit vous avoir rendu", kkiapay: "vous sont rendus" };
      expect(said(buyer)).toContain(words[provider]);
    },
  );
});

/** Providers without a call for refunds. */
type Bank = "fedapay" | "paydunya";

async function buy(provider: Bank) {
  const buyer = await fixture.buyerInTouch();
  const { id } = await refunds.place(buyer, { reference: shop.reference, provider });
  await app.pay(provider, id);
  expect((await refunds.order(buyer, id)).status).toBe("paid");
  return { buyer, orderId: id };
}

const takeBack = (provider: Bank, orderId: string, status = "refunded") =>
  app.emulators.collectors[provider].alter(orderId, { status });
/** Applies an answer as after a webhook's lookup. */
async function receive(orderId: string, partly: boolean): Promise<void> {
  const paymentId = await app.value<bigint>`SELECT id FROM payments WHERE order_id = ${orderId}`;
  await alertRefundThere(app.db, { paymentId, partly }, app.clock.now());
}

describe("a payment that its provider has returned", () => {
  test.each(["fedapay", "paydunya"] as const)(
    "is refunded by the operator without sending anything, and its fee is recorded once: %s",
    async (provider) => {
      const [before, held] = [await refunds.sellerHas(shop.seller), `provider:${provider}`];
      const { buyer, orderId } = await buy(provider);
      takeBack(provider, orderId);
      const { refund, id, order } = await refundedByOperator(orderId, "Carte contestée");
      expect(refund).toMatchObject({ rail: "returned", status: "rembourse", provider_fee: 0 });
      expect(order).toMatchObject({ status: "refunded", access: { status: "ended" } });
      await app.drain();
      expect(said(buyer)).toContain("vous a déjà été rendu par");
      const number = await refunds.giveNumber(buyer, orderId);
      expect(number.body.code).toBe("refunds.number-not-awaited");
      expect(await refunds.sellerHas(shop.seller)).toBe(before);
      expect(await refunds.francs(held)).toBe(0);
      for (const montant of [0, "2000"]) {
        expect((await act(operator, `${id}/fee`, { montant })).status).toBe(422);
      }
      const fee = () => answerTo(operator, `${id}/fee`, { montant: 2_000 });
      expect([await fee(), await fee()]).toEqual(["200", "409 refunds.fee-noted"]);
      // Our balance there is less than the collection: the francs must come from elsewhere.
      expect(await refunds.francs(held)).toBe(2_000);
      expect(await app.auditEntries(`refund:${id}`)).toEqual(["refund.fee"]);
      const { lines } = await refunds.sheet(operator, orderId);
      const line = { transfer: `chargeback:${id}`, amount: 2_000 };
      expect(lines).toContainEqual(expect.objectContaining(line));
    },
  );

  test("is refunded by its seller in the same way", async () => {
    const { orderId } = await buy("fedapay");
    takeBack("fedapay", orderId);
    const asked = await refunds.bySeller(shop.seller, orderId);
    expect(asked.body.refund).toMatchObject({ rail: "returned", status: "rembourse" });
  });

  test("ends the refund by hand, when the provider confirms it", async () => {
    const { buyer, orderId } = await buy("fedapay");
    const { refund, id } = await refundedByOperator(orderId);
    expect(refund).toMatchObject({ rail: "staff", status: "numero_attendu" });
    const returned = (who = operator) => answerTo(who, `${id}/returned`);
    expect(await returned()).toBe("409 refunds.not-returned");
    expect(await returned(agent)).toMatch(/^403/);
    await refunds.giveNumber(buyer, orderId);
    expect(await answerTo(agent, `${id}/take`)).toBe("200");
    takeBack("fedapay", orderId);
    expect(await returned()).toBe("409 refunds.taken-by-other");
    await fixture.advance(16 * 60_000);
    const early = await answerTo(operator, `${id}/fee`, { montant: 500 });
    expect(early).toBe("409 refunds.not-returned");
    expect(await answerTo(agent, `${id}/take`)).toBe("409 refunds.returned-there");
    const ended = await act(operator, `${id}/returned`);
    expect(ended.body).toMatchObject({ refund: { rail: "returned", status: "rembourse" } });
    const paid = await answerTo(agent, `${id}/paid`, { reference: "MP.1" });
    const nothing = "409 refunds.nothing-to-pay";
    expect([paid, await returned()]).toEqual([nothing, nothing]);
    await app.drain();
    expect(said(buyer)).toContain("Rien d'autre ne sera envoyé");
    expect(await app.auditEntries(`refund:${id}`)).toContain("refund.returned");
  });

  test("in part cannot be refunded until the rest is returned", async () => {
    const { buyer, orderId } = await buy("fedapay");
    takeBack("fedapay", orderId, "approved_partially_refunded");
    const refusal = { status: 409, body: { code: "refunds.partly-returned" } };
    expect(await refunds.byOperator(operator, orderId)).toMatchObject(refusal);
    expect(await refunds.bySeller(shop.seller, orderId)).toMatchObject(refusal);
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    takeBack("fedapay", orderId);
    await refundedByOperator(orderId);
  });

  test("is not paid again by hand while the provider is unavailable", async () => {
    const { buyer, orderId } = await buy("fedapay");
    takeBack("fedapay", orderId);
    app.emulators.collectors.fedapay.fault("fetch", "500");
    expect((await refunds.byOperator(operator, orderId)).status).toBe(503);
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    expect((await refundedByOperator(orderId)).refund.rail).toBe("returned");
  });

  test("with another status than paid cannot be refunded", async () => {
    const { orderId } = await buy("fedapay");
    takeBack("fedapay", orderId, "disputed");
    expect((await refunds.byOperator(operator, orderId)).body.code).toBe("refunds.unclear-there");
    takeBack("fedapay", orderId, "approved");
    expect((await refundedByOperator(orderId)).refund.rail).toBe("staff");
  });

  test("needs the operator after an agent paid it by hand, and is notified whole after a part", async () => {
    const { buyer, orderId } = await buy("fedapay");
    const { id } = await refundedByOperator(orderId);
    await refunds.giveNumber(buyer, orderId);
    const open = () => fixture.alerts("payment.refunded-there");
    const close = () => app.sql`UPDATE alerts SET resolved_at = ${app.clock.now()}`;
    await receive(orderId, true);
    await close();
    await receive(orderId, true);
    expect(await open()).toBe(0);
    await receive(orderId, false);
    expect(await open()).toBe(1);
    expect((await pay(id, `MP.${orderId}`)).status).toBe(200);
    expect(await open()).toBe(1);
    await close();
  });

  test("notifies the seller who should have sent it to send nothing more", async () => {
    const setup = createOwnAccountFixtures(app);
    const { seller, product } = await setup.sellerCollecting("fedapay");
    const buyer = await fixture.buyerInTouch();
    const { id: orderId } = (await setup.order(buyer, product.reference, "fedapay")).body;
    await app.pay("fedapay", orderId);
    const { refund, id } = await refundedByOperator(orderId);
    expect(refund).toMatchObject({ rail: "seller", direct: true });
    await refunds.giveNumber(buyer, orderId);
    await app.drain();
    takeBack("fedapay", orderId);
    expect(await answerTo(operator, `${id}/returned`)).toBe("200");
    const fee = await answerTo(operator, `${id}/fee`, { montant: 1 });
    expect(fee).toBe("409 refunds.not-returned");
    await app.drain();
    expect(app.lastTo(seller.person.id, "seller").text).toContain("N'envoyez plus rien");
    expect(await refundOf(buyer, orderId)).toMatchObject({ numero: null });
  });

  test("that its bank gives up resolves its alert; taken back once more, it raises one again", async () => {
    const { orderId } = await buy("fedapay");
    const receives = async (status: string | null) => {
      await fixture.advance(1_000);
      app.emulators.collectors.fedapay.alter(orderId, { status }, { announced: true });
      await app.drain();
      const { taken_back: takenBack } = await refunds.sheet(operator, orderId);
      return [takenBack, await fixture.alerts("payment.refunded-there")];
    };
    const part = "approved_partially_refunded";
    for (const status of ["refunded", null, "refunded", part, null, part, "refunded"]) {
      expect(await receives(status)).toEqual(status === null ? [false, 0] : [true, 1]);
    }
    expect((await refundedByOperator(orderId)).refund.rail).toBe("returned");
  });

  test("that is there again without a new webhook resolves its alert when it is compared", async () => {
    const { orderId } = await buy("paydunya");
    const open = () => fixture.alerts("payment.refunded-there");
    const compare = async () => {
      await refunds.post(operator, "/api/desk/reconciliations");
      await app.drain();
      return fixture.alerts("reconciliation.difference");
    };
    const { paydunya } = app.emulators.collectors;
    paydunya.alter(orderId, { status: "refunded" }, { announced: true });
    await app.drain();
    expect([await open(), await compare()]).toEqual([1, 1]);
    // A webhook with the words of its sale, which causes no lookup.
    paydunya.alter(orderId, { status: null }, { announced: true });
    await app.drain();
    expect(await open()).toBe(1);
    expect([await compare(), await open()]).toEqual([0, 0]);
  });

  test("resolves its alert and ends its complaint", async () => {
    const { buyer, orderId } = await buy("paydunya");
    const words = { id: orderId, motif: "other", message: "Rien reçu du tout" };
    const { id } = (await app.done("POST /api/orders/:id/complaint", buyer, words)).complaint;
    takeBack("paydunya", orderId);
    await receive(orderId, false);
    expect(await fixture.alerts("payment.refunded-there")).toBe(1);
    await refundedByOperator(orderId);
    await app.drain();
    expect(await fixture.alerts("payment.refunded-there")).toBe(0);
    const seen = (await app.read("GET /api/complaints/:id", buyer, { id })).complaint;
    expect(seen.entries.map(({ step }) => step)).toEqual(["opened", "refund-begun", "refunded"]);
  });
});
