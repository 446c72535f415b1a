import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { lastTo } from "../../../test/groups.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import { createOwnAccountFixtures } from "../../../test/payments.ts";
import { startRefunds } from "../../../test/refunds.ts";
import { alertRefundThere } from "../checkout/settle.ts";

const { app, scene, refunds, operator, agent } = await startRefunds();
const shop = await scene.openShop();
afterEach(async () => expect(await refunds.broken()).toEqual([]));
afterAll(() => app.close());

/** None of them gives a payment back by a call. */
type Bank = "fedapay" | "paydunya";

async function buy(buyer: SignedInBuyer, provider: Bank): Promise<string> {
  const { id } = await refunds.place(buyer, { reference: shop.reference, provider });
  app.emulators.collectors[provider].settle(id, "success");
  await app.drain();
  expect((await refunds.order(buyer, id)).status).toBe("paid");
  return id;
}

const takeBack = (provider: Bank, orderId: string, status = "refunded") =>
  app.emulators.collectors[provider].alter(orderId, { status });
const { act } = refunds;
/** As the question that a webhook wakes is answered. */
async function hear(orderId: string, partly: boolean): Promise<void> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM payments WHERE order_id = ${BigInt(orderId)}
  `.execute(app.db);
  await alertRefundThere(app.db, { paymentId: rows[0]?.id ?? 0n, partly }, app.clock.now());
}

const lastSaid = (buyer: SignedInBuyer) => lastTo(app.emulators, buyer.person.id, "buyer").text;

describe("a payment that its provider has returned", () => {
  test.each(["fedapay", "paydunya"] as const)(
    "is refunded by the operator without sending anything, and its fee is noted once: %s",
    async (provider) => {
      const buyer = await scene.buyerInTouch();
      const [before, held] = [await refunds.sellerHas(shop.seller), `provider:${provider}`];
      const orderId = await buy(buyer, provider);
      takeBack(provider, orderId);
      const done = await refunds.byOperator(operator, orderId, "Carte contestée");
      expect(done.status, JSON.stringify(done.body)).toBe(200);
      const [refund] = done.body.order.refunds;
      expect(refund).toMatchObject({ lane: "returned", status: "rembourse", provider_fee: 0 });
      expect(done.body.order).toMatchObject({ status: "refunded", access: { status: "ended" } });
      await app.drain();
      expect(lastSaid(buyer)).toContain("vous a déjà été rendu par");
      expect((await refunds.giveNumber(buyer, orderId)).body.code).toBe(
        "refunds.number-not-awaited",
      );
      expect(await refunds.sellerHas(shop.seller)).toBe(before);
      expect(await refunds.francs(held)).toBe(0);
      expect((await act(operator, `${refund?.id}/fee`, { montant: 0 })).status).toBe(422);
      expect((await act(operator, `${refund?.id}/fee`, { montant: "2000" })).status).toBe(422);
      expect((await act(operator, `${refund?.id}/fee`, { montant: 2_000 })).status).toBe(200);
      const again = await act(operator, `${refund?.id}/fee`, { montant: 2_000 });
      expect(again.body.code).toBe("refunds.fee-noted");
      // It holds less than what it collected: francs that must come from elsewhere.
      expect(await refunds.francs(held)).toBe(2_000);
      expect(await refunds.deeds(`refund:${refund?.id}`)).toEqual(["refund.fee"]);
      const { lines } = await refunds.sheet(operator, orderId);
      expect(lines).toContainEqual(
        expect.objectContaining({ transfer: `chargeback:${refund?.id}`, amount: 2_000 }),
      );
    },
  );

  test("is refunded by its seller alike", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    takeBack("fedapay", orderId);
    const asked = await refunds.bySeller(shop.seller, orderId);
    expect(asked.body.refund).toMatchObject({ lane: "returned", status: "rembourse" });
  });

  test("ends the refund that waits for a hand, when the provider confirms it", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    const { body } = await refunds.byOperator(operator, orderId);
    const id = body.order.refunds[0]?.id;
    expect(body.order.refunds[0]).toMatchObject({ lane: "desk", status: "numero_attendu" });
    expect((await act(operator, `${id}/returned`)).body.code).toBe("refunds.not-returned");
    expect((await act(agent, `${id}/returned`)).status).toBe(403);
    await refunds.giveNumber(buyer, orderId);
    expect((await act(agent, `${id}/take`)).status).toBe(200);
    takeBack("fedapay", orderId);
    expect((await act(operator, `${id}/returned`)).body.code).toBe("refunds.taken-by-other");
    await scene.advance(16 * 60_000);
    expect((await act(operator, `${id}/fee`, { montant: 500 })).body.code).toBe(
      "refunds.not-returned",
    );
    expect((await act(agent, `${id}/take`)).body.code).toBe("refunds.returned-there");
    const ended = await act(operator, `${id}/returned`);
    expect(ended.body).toMatchObject({ refund: { lane: "returned", status: "rembourse" } });
    expect((await act(agent, `${id}/paid`, { reference: "MP.1" })).body.code).toBe(
      "refunds.nothing-to-pay",
    );
    expect((await act(operator, `${id}/returned`)).body.code).toBe("refunds.nothing-to-pay");
    await app.drain();
    expect(lastSaid(buyer)).toContain("Rien d'autre ne sera envoyé");
    expect(await refunds.deeds(`refund:${id}`)).toContain("refund.returned");
  });

  test("in part is refunded by nobody until the rest is", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    takeBack("fedapay", orderId, "approved_partially_refunded");
    for (const asked of [
      await refunds.byOperator(operator, orderId),
      await refunds.bySeller(shop.seller, orderId),
    ]) {
      expect(asked).toMatchObject({ status: 409, body: { code: "refunds.partly-returned" } });
    }
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    takeBack("fedapay", orderId);
    expect((await refunds.byOperator(operator, orderId)).status).toBe(200);
  });

  test("is not paid again by hand while nobody can be asked", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    takeBack("fedapay", orderId);
    app.emulators.collectors.fedapay.fault("fetch", "500");
    expect((await refunds.byOperator(operator, orderId)).status).toBe(503);
    expect((await refunds.order(buyer, orderId)).status).toBe("paid");
    const asked = await refunds.byOperator(operator, orderId);
    expect(asked.body.order.refunds[0]).toMatchObject({ lane: "returned" });
  });

  test("after KkiaPay had refused to give it back is not sent by hand either", async () => {
    const buyer = await scene.buyerInTouch();
    await refunds.switchKkiapayOn(shop.seller);
    const orderId = await refunds.buyByKkiapay(shop.reference, buyer);
    app.emulators.collectors.kkiapay.fault("refund", "refuse");
    const { body } = await refunds.byOperator(operator, orderId);
    await app.drain();
    await refunds.giveNumber(buyer, orderId);
    app.emulators.collectors.kkiapay.alter(orderId, { status: "REVERTED" });
    const id = body.order.refunds[0]?.id;
    expect((await act(agent, `${id}/take`)).body.code).toBe("refunds.returned-there");
    expect((await act(operator, `${id}/returned`)).status).toBe(200);
  });

  test("that says something else than paid is refunded by nobody", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    takeBack("fedapay", orderId, "disputed");
    expect((await refunds.byOperator(operator, orderId)).body.code).toBe("refunds.unclear-there");
    takeBack("fedapay", orderId, "approved");
    const asked = await refunds.byOperator(operator, orderId);
    expect(asked.body.order.refunds[0]).toMatchObject({ lane: "desk" });
  });

  test("stays the operator's matter when an agent paid it by hand, and is told whole after a part", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    const { body } = await refunds.byOperator(operator, orderId);
    const id = body.order.refunds[0]?.id;
    await refunds.giveNumber(buyer, orderId);
    const open = () => scene.alerts("payment.refunded-there");
    const close = () =>
      sql`UPDATE desk_alerts SET resolved_at = ${app.clock.now()}`.execute(app.db);
    await hear(orderId, true);
    await close();
    await hear(orderId, true);
    expect(await open()).toBe(0);
    await hear(orderId, false);
    expect(await open()).toBe(1);
    expect((await act(agent, `${id}/paid`, { reference: `MP.${orderId}` })).status).toBe(200);
    expect(await open()).toBe(1);
    await close();
  });

  test("tells the seller who was to send it to send nothing more", async () => {
    const stage = createOwnAccountFixtures(app);
    const { seller, product } = await stage.sellerCollecting("fedapay");
    const buyer = await scene.buyerInTouch();
    const { id: orderId } = (await stage.order(buyer, product.reference, "fedapay")).body;
    app.emulators.collectors.fedapay.settle(orderId, "success");
    await app.drain();
    const { body } = await refunds.byOperator(operator, orderId);
    const [refund] = body.order.refunds;
    expect(refund).toMatchObject({ lane: "seller", direct: true });
    await refunds.giveNumber(buyer, orderId);
    await app.drain();
    takeBack("fedapay", orderId);
    expect((await act(operator, `${refund?.id}/returned`)).status).toBe(200);
    expect((await act(operator, `${refund?.id}/fee`, { montant: 1 })).body.code).toBe(
      "refunds.not-returned",
    );
    await app.drain();
    expect(lastTo(app.emulators, seller.person.id, "seller").text).toContain("N'envoyez plus rien");
    expect((await refunds.order(buyer, orderId)).refund).toMatchObject({ numero: null });
  });

  test("that its bank gives up ends its alert; taken back once more, it is said once more", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "fedapay");
    const hears = async (status: string | null) => {
      await scene.advance(1_000);
      app.emulators.collectors.fedapay.alter(orderId, { status }, { announced: true });
      await app.drain();
      const { taken_back: takenBack } = await refunds.sheet(operator, orderId);
      return [takenBack, await scene.alerts("payment.refunded-there")];
    };
    expect(await hears("refunded")).toEqual([true, 1]);
    expect(await hears(null)).toEqual([false, 0]);
    expect(await hears("refunded")).toEqual([true, 1]);
    expect(await hears("approved_partially_refunded")).toEqual([true, 1]);
    expect(await hears(null)).toEqual([false, 0]);
    expect(await hears("approved_partially_refunded")).toEqual([true, 1]);
    expect(await hears("refunded")).toEqual([true, 1]);
    const refunded = await refunds.byOperator(operator, orderId);
    expect(refunded.body.order.refunds[0]).toMatchObject({ lane: "returned" });
  });

  test("that is there again without a new word of its provider ends its alert when it is compared", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "paydunya");
    const open = () => scene.alerts("payment.refunded-there");
    const compare = async () => {
      await refunds.post(operator, "/api/desk/reconciliations");
      await app.drain();
      return scene.alerts("reconciliation.difference");
    };
    const { paydunya } = app.emulators.collectors;
    paydunya.alter(orderId, { status: "refunded" }, { announced: true });
    await app.drain();
    expect([await open(), await compare()]).toEqual([1, 1]);
    // Told in the words of its sale, which wake no question.
    paydunya.alter(orderId, { status: null }, { announced: true });
    await app.drain();
    expect(await open()).toBe(1);
    expect([await compare(), await open()]).toEqual([0, 0]);
  });

  test("calms its alert and ends its claim", async () => {
    const buyer = await scene.buyerInTouch();
    const orderId = await buy(buyer, "paydunya");
    const claim = await refunds.post<AnswerOf<"GET /api/claims/:id">>(
      buyer,
      `/api/orders/${orderId}/claim`,
      {
        motif: "other",
        message: "Rien reçu du tout",
      },
    );
    expect(claim.status, JSON.stringify(claim.body)).toBe(201);
    takeBack("paydunya", orderId);
    await hear(orderId, false);
    expect(await scene.alerts("payment.refunded-there")).toBe(1);
    expect((await refunds.byOperator(operator, orderId)).status).toBe(200);
    await app.drain();
    expect(await scene.alerts("payment.refunded-there")).toBe(0);
    const path = `/api/claims/${claim.body.claim.id}`;
    const seen = (await app.call<AnswerOf<"GET /api/claims/:id">>("GET", path, buyer)).body.claim;
    expect(seen.entries.map(({ step }) => step)).toEqual(["opened", "refund-begun", "refunded"]);
  });
});
