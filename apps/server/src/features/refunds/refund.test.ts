import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { lastTo, messagesTo } from "../../../test/groups.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { buyProduct, orderProduct } from "../../../test/sales.ts";
import { askWithdrawal } from "../../../test/withdrawals.ts";

const { app, scene, refunds, operator, agent } = await startRefunds();
afterEach(async () => expect(await refunds.broken()).toEqual([]));
afterAll(() => app.close());

const said = (buyer: SignedInBuyer) => lastTo(app.emulators, buyer.person.id, "buyer").text;
const pay = (id: string, reference: string, who = agent) =>
  refunds.post<AnswerOf<"POST /api/desk/refunds/:id/paid">>(who, `/api/desk/refunds/${id}/paid`, {
    reference,
  });

describe("a sale its seller gives back", () => {
  test("leaves him and the platform, ends the access, and is sent to the buyer's number", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId } = await scene.buyerInside(shop);
    const keyed = { motif: "Erreur <b>de ma part</b>", key: "k1" };
    const asked = await refunds.bySellerOnce(shop.seller, orderId, keyed);
    expect(asked.body.refund).toMatchObject({
      amount: 5_000,
      status: "numero_attendu",
      lane: "desk",
    });
    expect(await refunds.sellerHas(shop.seller)).toBe(0);
    expect(await refunds.francs("refunds:in-transit")).toBe(5_000);
    await app.drain();
    expect(scene.memberStatus(shop, buyer.person.id)).not.toBe("member");
    expect(said(buyer)).toContain("Erreur <b>de ma part</b>");
    expect((await refunds.order(buyer, orderId)).refund?.status).toBe("numero_attendu");
    expect((await refunds.order(shop.seller, orderId)).status).toBe("refunded");
    // The same call again is the same refund; another one is one too many.
    const again = await refunds.bySellerOnce(shop.seller, orderId, keyed);
    expect(again.body.refund.id).toBe(asked.body.refund.id);
    const other = await refunds.bySeller(shop.seller, orderId);
    expect([other.status, other.body.code]).toEqual([409, "refunds.already"]);

    const number = await refunds.giveNumber(buyer, orderId);
    expect(number.body.refund).toMatchObject({ status: "a_payer", numero: "+2250701020304" });
    expect((await refunds.order(shop.seller, orderId)).refund?.numero).toBe("+225••••04");
    const { id } = asked.body.refund;
    const list = await app.call<AnswerOf<"GET /api/desk/refunds">>(
      "GET",
      "/api/desk/refunds",
      agent,
    );
    expect(list.body.refunds.map((each) => each.order_id)).toEqual([orderId]);
    expect((await app.call("GET", "/api/desk", agent)).body).toMatchObject({
      counts: { refunds_to_pay: 1, claims_operator: 0 },
    });
    const wrong = await refunds.post(agent, `/api/desk/refunds/${id}/wrong-number`, {
      reason: "Compte inactif",
    });
    expect(wrong.status).toBe(200);
    await app.drain();
    expect(said(buyer)).toContain("Compte inactif");
    await refunds.giveNumber(buyer, orderId, "0701020304");
    expect((await refunds.post(agent, `/api/desk/refunds/${id}/take`)).status).toBe(200);
    const taken = await pay(id, "CI1116.0900.A1", operator);
    expect([taken.status, taken.body.code]).toEqual([409, "refunds.taken-by-other"]);
    const paid = await pay(id, "CI1116.0900.A1");
    expect(paid.body.refund).toMatchObject({ status: "rembourse", paid_by: "Ama" });
    expect(await refunds.francs("refunds:in-transit")).toBe(0);
    expect(await refunds.francs("float:orange-money-ci")).toBe(5_000);
    await app.drain();
    expect(said(buyer)).toContain("CI1116.0900.A1");
    const sheet = await refunds.sheet(agent, orderId);
    expect(
      sheet.lines.map(({ transfer, amount }) => `${transfer.split(":")[0]} ${amount}`),
    ).toEqual(
      expect.arrayContaining(["sale 4100", "refund -4100", "refund -900", "given-back -5000"]),
    );
    expect(sheet.trace.map(({ label }) => label)).toHaveLength(3);
    const found = await app.call("GET", "/api/desk/search?q=CI1116.0900.A1", agent);
    expect(found.body).toMatchObject({ refunds: { items: [{ id, order_id: orderId }] } });
  });

  test("keeps the time other purchases have paid, and opens the door again where it must", async () => {
    const shop = await scene.openShop();
    const { buyer, orderId: first } = await scene.buyerInside(shop);
    await scene.advance(6 * HOUR_MS);
    const second = await buyProduct(app, buyer, shop.reference);
    const third = await buyProduct(app, buyer, shop.reference);
    const begun = app.clock.now().getTime();
    // 18 h of the first were left: the two others follow at once.
    await refunds.bySeller(shop.seller, first);
    await app.drain();
    const { access } = await refunds.order(buyer, third);
    expect(Date.parse(access?.expires_at ?? "") - begun).toBe(2 * DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    await refunds.bySeller(shop.seller, third);
    await app.drain();
    const left = await refunds.order(buyer, second);
    expect(Date.parse(left.access?.expires_at ?? "") - begun).toBe(DAY_MS);
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, buyer.person.id)).not.toBe("member");
  });

  test("takes the link away from who was not inside yet, and leaves the other order's", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const first = await buyProduct(app, buyer, shop.reference);
    const second = await buyProduct(app, buyer, shop.reference);
    await refunds.bySeller(shop.seller, second);
    await app.drain();
    const link = await scene.linkOf(buyer, first);
    expect(await scene.join(buyer.person.id, link)).not.toBe("pending");
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });
});

describe("a refund is refused", () => {
  test("for the first reason that holds, in this order", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const stranger = await app.signInSeller();
    const unpaid = (await orderProduct(app, await app.signInBuyer(), shop.reference)).id;
    const orderId = await buyProduct(app, buyer, shop.reference);
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
    expect(short.body.message).toContain("manque 3\u202f000 FCFA");
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    await app.call("DELETE", `/api/users/retrait/annuler/${demande.id}`, shop.seller);
    await sql`
      INSERT INTO payout_profiles (seller_id, frozen_at, frozen_by, updated_at)
      VALUES (${BigInt(shop.seller.id)}, ${app.clock.now()}, 'operator', ${app.clock.now()})
      ON CONFLICT (seller_id) DO UPDATE SET frozen_at = excluded.frozen_at, frozen_by = 'operator'
    `.execute(app.db);
    expect((await refunds.bySeller(shop.seller, orderId)).body.code).toBe("refunds.frozen");
    // The operator may, whatever stands in the seller's way.
    expect((await refunds.byOperator(operator, orderId)).status).toBe(200);
    const { id } = (await refunds.order(buyer, orderId)).refund ?? { id: "" };
    expect((await pay(id, "CI2.1")).body.code).toBe("refunds.nothing-to-pay");
    await refunds.giveNumber(buyer, orderId);
    expect((await pay(id, "")).body.code).toBe("desk.reference-missing");
    expect((await pay(id, "CI1116.0900.a1")).body.code).toBe("refunds.reference-used");
    expect((await pay(id, "CI2.1")).status).toBe(200);
    expect((await pay(id, "CI2.2")).body.code).toBe("refunds.nothing-to-pay");
  });

  test("to who is a party to it at the desk", async () => {
    const shop = await scene.openShop();
    const orderId = await buyProduct(app, operator, shop.reference);
    expect((await refunds.byOperator(operator, orderId)).body.code).toBe("refunds.own-case");
  });
});

describe("what the operator gives back", () => {
  test("is advanced when the seller lacks it, and comes back from his next sales", async () => {
    const shop = await scene.openShop();
    const { seller } = shop;
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    await askWithdrawal(app, seller, { montant: 4_000 });
    const done = await refunds.byOperator(operator, orderId, "Vendeur injoignable");
    expect(done.body.order.refunds).toMatchObject([{ advanced: 4_000, status: "numero_attendu" }]);
    expect(await refunds.owed(seller)).toBe(4_000);
    expect(await refunds.deeds(`order:${orderId}`)).toEqual(["order.refund"]);
    await app.drain();
    expect(lastTo(app.emulators, seller.person.id, "seller").text).toMatch(
      /4.000 FCFA sont avancés/,
    );
    // Between a sale and the look that takes the advance back, the debt is not his to withdraw.
    const asked = await app.call("POST", "/api/users/retrait/demande", {
      token: seller.token,
      body: {
        montant: 100,
        methode_paiement: "orange-money-ci",
        numero_transfert: "0701020304",
        numero_whatsapp: "0701020304",
      },
    });
    expect(asked.body.code).toBe("withdrawals.balance-too-low");
    await buyProduct(app, await app.signInBuyer(), shop.reference);
    expect([await refunds.owed(seller), await refunds.sellerHas(seller)]).toEqual([0, 100]);
    expect(lastTo(app.emulators, seller.person.id, "seller").text).toContain("entièrement repris");
  });

  test("is one refund, whoever asks at the same moment", async () => {
    const shop = await scene.openShop();
    const buyer = await scene.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    const renewal = await orderProduct(app, buyer, shop.reference);
    app.emulators.collectors.moneroo.settle(
      new URL(renewal.payment_url).pathname.split("/").at(-1) ?? "",
      "success",
    );
    const answers = await Promise.all([
      refunds.bySeller(shop.seller, orderId),
      refunds.byOperator(operator, orderId),
      refunds.bySeller(shop.seller, orderId),
      app.drain().then(() => ({ status: 0 })),
      app.call("POST", "/api/users/retrait/demande", {
        token: shop.seller.token,
        body: {
          montant: 4_000,
          methode_paiement: "orange-money-ci",
          numero_transfert: "0701020304",
          numero_whatsapp: "0701020304",
        },
      }),
    ]);
    expect(answers.slice(0, 3).filter(({ status }) => status === 200)).toHaveLength(1);
    await app.drain();
    expect((await refunds.order(buyer, renewal.id)).access?.status).toBe("waiting");
    const begun = messagesTo(app.emulators, buyer.person.id, "buyer").filter(({ text }) =>
      text.includes("est remboursé"),
    );
    expect(begun).toHaveLength(1);
  });
});
