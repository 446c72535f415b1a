import type { UserAnswer } from "@sesame/contract/identity";
import { MINUTE_MS } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { lastTo, messagesTo } from "../../../test/groups.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { createOwnAccountFixtures } from "../../../test/payments.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { orderProduct } from "../../../test/sales.ts";
import { fundSeller } from "../../../test/withdrawals.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { DONE } from "../../jobs/outbox.ts";
import { giveBack } from "./give-back.ts";

const { app, scene, refunds, operator, agent } = await startRefunds();
const shop = await scene.openShop();
await refunds.switchKkiapayOn(shop.seller);
afterEach(async () => {
  expect(await refunds.broken()).toEqual([]);
  expect(await refunds.francs("refunds:in-transit")).toBe(0);
});
afterAll(() => app.close());

const kkiapay = () => app.emulators.collectors.kkiapay;
const saidTo = (buyer: SignedInBuyer) =>
  messagesTo(app.emulators, buyer.person.id, "buyer").map(({ text }) => text);
const refundOf = async (buyer: SignedInBuyer, orderId: string) =>
  (await refunds.order(buyer, orderId)).refund;

describe("a provider that can give a payment back", () => {
  test("does it, and the buyer is told when it is done", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await refunds.buyByKkiapay(shop.reference, buyer);
    const asked = await refunds.bySeller(shop.seller, orderId);
    expect(asked.body.refund).toMatchObject({ lane: "provider", status: "en_cours" });
    await app.drain();
    expect(kkiapay().find(orderId)?.status).toBe("refunded");
    expect(await refundOf(buyer, orderId)).toMatchObject({ status: "rembourse", numero: null });
    // It gives the whole price back, and keeps what it took for collecting it.
    expect(await refunds.francs("provider:kkiapay")).toBe(95);
    const told = saidTo(buyer).filter((text) => /est remboursé|vous sont rendus/.test(text));
    expect(told).toHaveLength(2);
  });

  test("is told by one process at a time, however long it takes, and by another when that one died", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await refunds.buyByKkiapay(shop.reference, buyer);
    const asked = await refunds.bySeller(shop.seller, orderId);
    const job = { ref: BigInt(asked.body.refund.id), attempts: 1, payload: {} } as Job;
    const gates: (() => void)[] = [];
    const provider = {
      id: "kkiapay",
      fetchPayment: async () => ({ verdict: "paid" }),
      refund: () =>
        new Promise((answer) => {
          gates.push(() => answer({ kind: "done" }));
        }),
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

  test("gives Stars back to who paid them", async () => {
    const buyer = await scene.buyerInTouch();
    const { id } = await refunds.place(buyer, { reference: shop.reference, provider: "stars" });
    app.emulators.collectors.stars.settle(id, "success", { personId: buyer.person.id });
    await app.drain();
    expect((await refunds.order(buyer, id)).status).toBe("paid");
    await refunds.bySeller(shop.seller, id);
    await app.drain();
    expect((await refundOf(buyer, id))?.status).toBe("rembourse");
    expect(app.emulators.collectors.stars.find(id)?.status).toBe("refunded");
    expect(await refunds.francs("provider:stars")).toBe(0);
    expect(await scene.alerts("payment.refunded-there")).toBe(0);
  });

  test.each(["timeout-after", "timeout-before", "500-after", "500"] as const)(
    "is asked again when its answer was lost (%s), and the money goes back once",
    async (fault) => {
      const buyer = await scene.buyerInTouch();
      const orderId = await refunds.buyByKkiapay(shop.reference, buyer);
      kkiapay().fault("refund", fault);
      await refunds.bySeller(shop.seller, orderId);
      await app.drain();
      expect((await refundOf(buyer, orderId))?.status).toBe("en_cours");
      await scene.advance(60_000);
      expect((await refundOf(buyer, orderId))?.status).toBe("rembourse");
      expect(saidTo(buyer).filter((text) => text.includes("vous sont rendus"))).toHaveLength(1);
    },
  );

  test("says no: an agent sends it, when the buyer has said where", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await refunds.buyByKkiapay(shop.reference, buyer);
    kkiapay().fault("refund", "refuse");
    await refunds.bySeller(shop.seller, orderId);
    await app.drain();
    const refund = await refundOf(buyer, orderId);
    expect(refund).toMatchObject({ lane: "desk", status: "numero_attendu" });
    expect(saidTo(buyer).at(-1)).toContain("Indiquer mon numéro");
    await refunds.giveNumber(buyer, orderId);
    const path = `/api/desk/refunds/${refund?.id}/paid`;
    expect((await refunds.post(agent, path, { reference: "KK.NO.1" })).status).toBe(200);
  });
});

describe("an order that was paid twice", () => {
  test("gives the second payment back by itself, and says so plainly", async () => {
    const buyer = await scene.buyerInTouch();
    const order = await orderProduct(app, buyer, shop.reference);
    const other = await refunds.post(buyer, `/api/orders/${order.id}/payment`, {
      provider: "kkiapay",
    });
    expect(other.status, JSON.stringify(other.body)).toBe(201);
    const reference = await referenceOf(order.id, "kkiapay");
    await refunds.payByKkiapay(reference, order.amount);
    app.emulators.collectors.moneroo.settle(order.id, "success");
    await app.drain();
    const seen = await refunds.order(buyer, order.id);
    expect(seen).toMatchObject({ status: "paid", paid_twice: true, access: { status: "waiting" } });
    expect(seen.refund).toMatchObject({ surplus: true, status: "numero_attendu", amount: 5_000 });
    expect(saidTo(buyer).at(-1)).toContain("payé deux fois");
    expect(await scene.alerts("payment.surplus")).toBe(1);
    await refunds.giveNumber(buyer, order.id);
    const path = `/api/desk/refunds/${seen.refund?.id}/paid`;
    expect((await refunds.post(agent, path, { reference: "TWICE.1" })).status).toBe(200);
    expect(await scene.alerts("payment.surplus")).toBe(0);
    expect(await refunds.francs("suspense")).toBe(0);
    // The sale itself may still be given back.
    expect((await refunds.bySeller(shop.seller, order.id)).status).toBe(200);
    await app.drain();
  });
});

async function referenceOf(orderId: string, provider: string): Promise<string> {
  const { rows } = await sql<{ reference: string }>`
    SELECT reference FROM payments WHERE order_id = ${BigInt(orderId)} AND provider = ${provider}
  `.execute(app.db);
  return rows[0]?.reference ?? "";
}

describe("a premium plan", () => {
  test("given back ends at once, and the seller's balance follows", async () => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 700, "free");
    const { id } = await refunds.place(seller, { plan: "payant", provider: "moneroo" });
    app.emulators.collectors.moneroo.settle(id, "success");
    await app.drain();
    const user = async () =>
      (await app.call<UserAnswer>("GET", `/api/users/${seller.id}`, seller)).body.user;
    expect(await user()).toMatchObject({ type_plan: "payant", soldeDisponible: 700 });
    const done = await refunds.byOperator(operator, id);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(await user()).toMatchObject({ type_plan: "gratuit", soldeDisponible: 700 });
    expect(await refunds.francs("platform:subscriptions")).toBe(0);
    expect(await refunds.deeds(`seller:${seller.id}`)).toContain("plan.change");
    await refunds.giveNumber(seller, id);
    const [refund] = done.body.order.refunds;
    const path = `/api/desk/refunds/${refund?.id}/paid`;
    expect((await refunds.post(agent, path, { reference: "PLAN.1" })).status).toBe(200);
  });
});

describe("a sale collected by the seller's own account", () => {
  test.each(["kkiapay", "fedapay"] as const)("moves no franc of ours: %s", async (provider) => {
    const stage = createOwnAccountFixtures(app);
    const { seller, product, keys } = await stage.sellerCollecting(provider);
    const buyer = await scene.buyerInTouch();
    await refunds.switchKkiapayOn(seller);
    const { id, amount } = (await stage.order(buyer, product.reference, provider)).body;
    const collector = app.emulators.collectors[provider];
    if (provider === "kkiapay") {
      kkiapay().open({ key: keys["publicKey"] ?? "", amount, data: id, partnerId: id });
    }
    collector.settle(id, "success");
    await app.drain();
    await scene.advance(60_000);
    expect((await refunds.order(buyer, id)).direct).toBe(true);
    const asked = await refunds.bySeller(seller, id);
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    await app.drain();
    if (provider === "fedapay") {
      expect(asked.body.refund).toMatchObject({ lane: "seller", status: "a_payer", direct: true });
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
    const { text } = lastTo(app.emulators, buyer.person.id, "buyer");
    expect(text).toContain(
      provider === "fedapay" ? "Le vendeur dit vous avoir rendu" : "vous sont rendus",
    );
  });
});
