import type { OrderAnswer } from "@sesame/contract/checkout";
import type { PlansAnswer } from "@sesame/contract/plans";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_ID, startTestApp, type TestApp } from "../../../test/harness.ts";
import { createOwnAccountFixtures, type OwnAccountFixtures } from "../../../test/payments.ts";
import { fundSeller, sellerBalance } from "../../../test/withdrawals.ts";

let app: TestApp;
let stage: OwnAccountFixtures;

beforeAll(async () => {
  app = await startTestApp();
  stage = createOwnAccountFixtures(app);
});
afterAll(() => app?.close());

describe("own keys", () => {
  test("take the sale's money: the access opens, and no franc is in the books", async () => {
    const { seller, product } = await stage.sellerCollecting("moneroo");
    await app.drain();
    const who = await app.signInBuyer();
    const made = await stage.order(who, product.reference, "moneroo");
    expect(made.status).toBe(201);
    app.emulators.collectors.moneroo.settle(made.body.id, "success");
    await app.drain();
    const paid = await app.call<OrderAnswer>("GET", `/api/orders/${made.body.id}`, {
      token: who.token,
    });
    expect(paid.body).toMatchObject({
      status: "paid",
      direct: true,
      access: { status: "waiting" },
    });
    expect(await sellerBalance(app, seller, "premium")).toMatchObject({ posted: 0, held: 0 });
  });

  test("are tried by 100 francs of the seller's, to himself", async () => {
    const seller = await stage.sellerOn("premium");
    await stage.put(seller, "fedapay", { keys: stage.openAccount("fedapay").keys });
    const trial = await stage.tryOut(seller, "fedapay");
    expect(trial.status).toBe(201);
    expect(trial.body).toMatchObject({ success: true, amount: 100, status: "pending" });
    app.emulators.collectors.fedapay.settle(trial.body.id, "success");
    await app.drain();
    app.clock.advance(60_000);
    await app.drain();
    const { token } = seller;
    const paid = await app.call<OrderAnswer>("GET", `/api/orders/${trial.body.id}`, { token });
    expect(paid.body).toMatchObject({ kind: "trial", status: "paid", direct: true });
    const none = await stage.tryOut(seller, "moneroo");
    expect([none.status, none.body.code]).toEqual([409, "aggregators.no-own-keys"]);
  });

  test("refused later stop that method alone, and send no money elsewhere", async () => {
    const seller = await stage.sellerOn("premium");
    const product = await stage.shopOf(seller);
    const { keys } = stage.openAccount("moneroo");
    await stage.put(seller, "moneroo", { keys });
    // A bad hour of the provider's is no refusal: it is asked once more.
    app.emulators.collectors.moneroo.fault("create", "keys", 1);
    expect((await stage.order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(
      422,
    );
    expect((await stage.methodsOf(seller))["moneroo"]).toMatchObject({ selling: "own" });
    app.emulators.collectors.moneroo.fault("create", "keys");
    app.emulators.collectors.moneroo.fault("fetch", "keys");
    expect((await stage.order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(
      422,
    );
    app.emulators.collectors.moneroo.clearFaults();
    await app.drain();
    expect((await stage.methodsOf(seller))["moneroo"]).toMatchObject({
      selling: "none",
      own: { refusedAt: expect.any(String) },
    });
    expect((await stage.productOf(product.reference)).providers).not.toContain("moneroo");
    expect((await stage.productOf(product.reference)).providers).toContain("fedapay");
    expect(stage.saidTo(seller)).toContain("refuse vos clés");
    expect((await stage.order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(
      422,
    );
    expect((await stage.put(seller, "moneroo", { keys: {} })).body.aggregator).toMatchObject({
      selling: "own",
      own: { refusedAt: null },
    });
    expect((await stage.order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(
      201,
    );
    expect(await stage.auditOf(seller)).toEqual([
      "aggregator.keys",
      "aggregator.refused",
      "aggregator.keys",
    ]);
  });

  test("sleep when premium is over, and wake with it", async () => {
    const seller = await stage.sellerOn("premium");
    await stage.put(seller, "paydunya", { keys: stage.openAccount("paydunya").keys });
    await fundSeller(app, seller, 0, "free");
    expect((await stage.methodsOf(seller))["paydunya"]).toMatchObject({
      selling: "built-in",
      own: { asleep: true },
    });
    await fundSeller(app, seller, 0, "premium");
    expect((await stage.methodsOf(seller))["paydunya"]).toMatchObject({
      selling: "own",
      own: { asleep: false },
    });
  });

  test("a sale by keys that are taken away is still asked about and settled", async () => {
    const seller = await stage.sellerOn("premium");
    const product = await stage.shopOf(seller);
    await stage.put(seller, "moneroo", { keys: stage.openAccount("moneroo").keys });
    const who = await app.signInBuyer();
    const [made] = await Promise.all([
      stage.order(who, product.reference, "moneroo"),
      stage.takeAway(seller, "moneroo"),
    ]);
    const { id } = made.body;
    app.emulators.collectors.moneroo.settle(id, "success", { silent: true });
    app.clock.advance(60_000);
    await app.drain();
    const paid = await app.call<OrderAnswer>("GET", `/api/orders/${id}`, { token: who.token });
    expect(paid.body.status).toBe("paid");
  });

  test("sell nothing while the operator takes Stars alone; nor does anything else", async () => {
    const seller = await stage.sellerOn("premium");
    const product = await stage.shopOf(seller);
    await stage.put(seller, "paydunya", { keys: stage.openAccount("paydunya").keys });
    const { token } = await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" });
    const starsOnly = async (only: boolean) => {
      const body = { changes: { stars_only: only } };
      await app.call("PUT", "/api/desk/settings", { token, body });
      await app.drain();
    };
    await starsOnly(true);
    expect((await stage.productOf(product.reference)).providers).toEqual(["stars"]);
    const plans = await app.call<PlansAnswer>("GET", "/api/plans");
    expect(plans.body.providers.map(({ id }) => id)).toEqual(["stars"]);
    for (const provider of ["moneroo", "paydunya"]) {
      const refused = await stage.order(await app.signInBuyer(), product.reference, provider);
      expect(refused.status).toBe(422);
    }
    await starsOnly(false);
    expect((await stage.productOf(product.reference)).providers).toContain("paydunya");
  });
});
