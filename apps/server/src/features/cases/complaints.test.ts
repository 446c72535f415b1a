import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { afterEach, describe, expect, test } from "vitest";
import { createGroupFixtures } from "../../../test/groups.ts";
import { startTestApp } from "../../../test/harness.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { orderProduct } from "../../../test/sales.ts";

// The first people of the emulators.
const ids = [7_100_000_001, 7_100_000_002];
const app = await startTestApp({ env: { OPERATOR_TELEGRAM_IDS: ids.join(",") } });
const { talk, openShop, buyerInTouch, advance, join, alerts, buyerInside, buyerWaiting } =
  createGroupFixtures(app);
const care = createRefundFixtures(app);
const signIn = (id: number) => app.signInBuyer({ id, first_name: `Opérateur ${id}` });
const operators = await Promise.all(ids.map(signIn));
for (const { person } of operators) await talk(person.id, "seller", "/start");
const shop = await openShop();
afterEach(async () => expect(await care.broken()).toEqual([]));

const WHY = "Vu les preuves";
type Who = { readonly token: string };
const open = (who: Who, id: string, [motif, message]: readonly [unknown, unknown?]) => {
  // Only a complaint of this kind needs words.
  const words = message ?? (motif === "other" ? "Rien de promis" : undefined);
  return app.send("POST /api/orders/:id/complaint", who, { id, motif, message: words });
};
const act = (who: Who, path: string, message: unknown = "Voici pourquoi") =>
  care.post<AnswerOf<"GET /api/complaints/:id">>(who, `/api/complaints/${path}`, { message });
const decide = (who: Who, id: string, [decision, reason = WHY]: readonly [unknown, unknown?]) =>
  app.send("POST /api/desk/complaints/:id/decide", who, { id, decision, reason });
const operator = () => operators[0] ?? { token: "" };
/** All texts: of two messages at once either may come first. */
const notified = (personId: number, bot: "seller" | "buyer") =>
  app.textsTo(personId, bot).join("\n");
const notifiedOperator = () => notified(operators[0]?.person.id ?? 0, "seller");
const notifiedSeller = () => notified(shop.seller.person.id, "seller");
const complaintOf = async (who: Who, id: string) =>
  (await app.read("GET /api/complaints/:id", who, { id })).complaint;
const steps = async (who: Who, id: string) =>
  (await complaintOf(who, id)).entries.map(({ author, step }) => `${author} ${step}`);

/** A buyer who paid, is not inside, and has complained. */
async function complaining(motif = "other") {
  const waiting = await buyerWaiting(shop);
  const { body } = await open(waiting.buyer, waiting.orderId, [motif]);
  return { ...waiting, id: body.complaint.id };
}

describe("a buyer who paid and got nothing", () => {
  test("complains in two taps; the seller has 72 hours, then the operator decides", async () => {
    const { buyer, orderId } = await buyerWaiting(shop);
    expect((await care.order(buyer, orderId)).may_complain).toEqual(["no-access", "other"]);
    expect((await care.order(shop.seller, orderId)).may_complain).toEqual([]);
    const opened = await open(buyer, orderId, ["no-access", "<b>Rien</b> & [lien](x)"]);
    expect([opened.status, opened.body.complaint.status]).toEqual([201, "vendeur"]);
    const { id } = opened.body.complaint;
    await app.drain();
    expect(notifiedSeller()).toContain("<b>Rien</b> & [lien](x)");
    const listed = await app.read("GET /api/complaints", shop.seller);
    expect(listed).toMatchObject({ waiting: 1, complaints: [{ id, order_id: orderId }] });
    expect((await decide(operator(), id, ["refund"])).body.code).toBe("complaints.with-seller");
    await act(shop.seller, `${id}/answer`, "Je regarde");
    await app.drain();
    expect(notified(buyer.person.id, "buyer")).toContain("Je regarde");
    await advance(49 * HOUR_MS);
    expect(notifiedSeller()).toContain("Il vous reste un jour");
    await advance(HOUR_MS);
    await advance(22 * HOUR_MS);
    expect(notifiedOperator()).toContain("n'a pas répondu dans les 72 heures");
    const { counts } = await app.read("GET /api/desk", operator());
    expect(counts).toMatchObject({ complaints_operator: 1 });
    const done = await decide(operator(), id, ["refund", "Le vendeur ne répond pas"]);
    expect(done.body.complaint).toMatchObject({ status: "rembourse", may: { decide: false } });
    await app.drain();
    expect((await care.order(buyer, orderId)).status).toBe("refunded");
    await care.giveNumber(buyer, orderId);
    const sheet = await care.sheet(operator(), orderId);
    expect(sheet.complaints).toMatchObject([{ id, status: "rembourse" }]);
    const path = `/api/desk/refunds/${sheet.refunds[0]?.id}/paid`;
    expect((await care.post(operator(), path, { reference: "CLAIM.1" })).status).toBe(200);
    const record = [
      "acheteur opened",
      "vendeur said",
      "systeme timed-out",
      "operateur refund-begun",
      "systeme refunded",
    ];
    expect(await steps(buyer, id)).toEqual(record);
    expect(await steps(shop.seller, id)).toEqual(record);
    expect(await app.auditEntries(`complaint:${id}`)).toEqual(["complaint.refund"]);
  });

  test("gets the seller's contest and the operator's refusal, which both read", async () => {
    const { buyer, orderId, id } = await complaining();
    const contested = await act(shop.seller, `${id}/contest`, "Il est entré");
    expect(contested.body.complaint.status).toBe("operateur");
    await app.drain();
    expect(notifiedOperator()).toContain("Il est entré");
    await decide(operator(), id, ["reject", "L'accès fonctionne"]);
    await app.drain();
    expect(notified(buyer.person.id, "buyer")).toContain("L'accès fonctionne");
    expect(notifiedSeller()).toContain("L'accès fonctionne");
    // A second complaint is allowed, but not a third.
    const again = await open(buyer, orderId, ["no-access"]);
    await act(shop.seller, `${again.body.complaint.id}/contest`);
    await decide(operator(), again.body.complaint.id, ["reject"]);
    expect((await care.order(buyer, orderId)).may_complain).toEqual([]);
    expect((await open(buyer, orderId, ["other"])).body.code).toBe("complaints.too-many");
  });

  test("needs nobody any more once he is inside, or is refunded", async () => {
    const first = await complaining("no-access");
    await join(first.buyer.person.id, first.link);
    expect(await complaintOf(first.buyer, first.id)).toMatchObject({ status: "resolu" });
    expect((await care.order(first.buyer, first.orderId)).may_complain).toEqual(["other"]);
    const { buyer, orderId, id } = await complaining();
    expect((await complaintOf(shop.seller, id)).may).toMatchObject({ refund: true });
    await care.bySeller(shop.seller, orderId, "Toutes mes excuses");
    expect(await steps(buyer, id)).toEqual(["acheteur opened", "vendeur refund-begun"]);
    expect((await complaintOf(buyer, id)).status).toBe("rembourse");
  });

  test("has an unconfirmed payment looked up at once", async () => {
    const buyer = await buyerInTouch();
    const { id: orderId } = await orderProduct(app, buyer, shop.reference);
    await advance(4 * DAY_MS);
    expect((await care.order(buyer, orderId)).status).toBe("failed");
    app.emulators.collectors.moneroo.settle(orderId, "success", { silent: true });
    const opened = await open(buyer, orderId, ["paid-not-confirmed"]);
    expect(opened.body.complaint.status).toBe("operateur");
    expect(await alerts("complaint.paid-not-confirmed")).toBe(1);
    await app.drain();
    expect((await care.order(buyer, orderId)).status).toBe("paid");
    expect(await complaintOf(buyer, opened.body.complaint.id)).toMatchObject({ status: "resolu" });
    expect(await alerts("complaint.paid-not-confirmed")).toBe(0);
    expect(notified(buyer.person.id, "buyer")).toContain("Le paiement a été confirmé");
  });
});

describe("a complaint is refused", () => {
  test("by the first reason that applies, in this order", async () => {
    const { buyer, orderId, id } = await complaining();
    const stranger = await app.signInSeller();
    const unpaid = (await orderProduct(app, await app.signInBuyer(), shop.reference)).id;
    const long = "a".repeat(1_001);
    const inner = await buyerInside(shop);
    const table: [string, Promise<{ status: number; body: { code?: string } }>, number][] = [
      ["complaints.order-not-found", open(stranger, orderId, ["none", long]), 404],
      ["complaints.order-not-found", open(shop.seller, orderId, ["other"]), 404],
      ["complaints.kind-missing", open(buyer, orderId, ["none", long]), 422],
      ["complaints.words-too-long", open(buyer, orderId, ["other", long]), 422],
      ["complaints.words-missing", open(buyer, orderId, ["other", "  "]), 422],
      ["complaints.open-already", open(buyer, orderId, ["paid-not-confirmed"]), 409],
      ["complaints.not-for-order", open(inner.buyer, inner.orderId, ["no-access"]), 422],
      ["complaints.order-not-found", open(buyer, unpaid, ["paid-not-confirmed"]), 404],
      ["complaints.not-found", act(stranger, `${id}/answer`, ""), 404],
      ["complaints.words-missing", act(buyer, `${id}/answer`, "  "), 422],
      ["complaints.not-found", act(stranger, `${id}/contest`, ""), 404],
      ["complaints.words-missing", act(shop.seller, `${id}/contest`, ""), 422],
      ["complaints.not-found", act(shop.seller, `${id}/withdraw`), 404],
      ["complaints.not-found", decide(operator(), "999999", ["none", ""]), 404],
      ["complaints.decision-missing", decide(operator(), id, ["none", ""]), 422],
      ["desk.reason-missing", decide(operator(), id, ["reject", ""]), 422],
      ["complaints.with-seller", decide(operator(), id, ["reject"]), 409],
      ["identity.wrong-role", decide(buyer, id, ["reject"]), 403],
    ];
    for (const [code, answer, status] of table) {
      const { body, status: answered } = await answer;
      expect([body.code, answered]).toEqual([code, status]);
    }
    expect((await act(buyer, `${id}/withdraw`)).body.complaint.status).toBe("retire");
    expect((await act(buyer, `${id}/answer`)).body.code).toBe("complaints.closed");
    expect((await act(shop.seller, `${id}/contest`)).body.code).toBe("complaints.closed");
    await care.bySeller(shop.seller, orderId);
    expect((await open(buyer, orderId, ["other"])).body.code).toBe("complaints.order-refunded");
  });

  test("a second decision, when two operators decide at the same moment", async () => {
    const { buyer, orderId, id } = await complaining();
    await act(shop.seller, `${id}/contest`);
    const answers = await Promise.all([
      ...operators.flatMap((who) => [decide(who, id, ["refund"]), decide(who, id, ["reject"])]),
      care.bySeller(shop.seller, orderId),
      act(buyer, `${id}/withdraw`),
      open(buyer, orderId, ["no-access"]),
    ]);
    const decided = answers.slice(0, 4).filter(({ status }) => status === 200);
    expect(decided.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const closing = /refund-begun|rejected|withdrawn/;
    expect((await steps(buyer, id)).filter((step) => closing.test(step))).toHaveLength(1);
    await app.drain();
  });

  test("when more than 90 days have passed since the end of the purchase", async () => {
    const { buyer, orderId } = await buyerInside(shop);
    await advance(92 * DAY_MS);
    const again = await app.signInBuyer(buyer.person);
    const late = await open(again, orderId, ["other"]);
    expect([late.status, late.body.code]).toEqual([422, "complaints.too-late"]);
    expect((await care.order(again, orderId)).may_complain).toEqual([]);
  });
});
