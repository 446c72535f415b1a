import type { PlansAnswer } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  OPERATOR_ID,
  type SignedInBuyer,
  startTestApp,
  type TestApp,
} from "../../../test/harness.ts";
import { orderProduct, publishProduct } from "../../../test/sales.ts";
import { keepTables, lastLogged } from "../../../test/tables.ts";
import { fundSeller, REQUEST } from "../../../test/withdrawals.ts";

type DeskDurationsAnswer = AnswerOf<"GET /api/desk/settings/durations">;

let app: TestApp;
let operator: SignedInBuyer;
let logged: bigint;
let toDefaults: () => Promise<void>;

beforeAll(async () => {
  app = await startTestApp();
  toDefaults = await keepTables(app.db, ["subscription_durations"]);
});
afterAll(() => app?.close());
beforeEach(async () => {
  logged = await lastLogged(app.db);
  operator = await app.signInBuyer({ id: OPERATOR_ID, first_name: "Olga" });
});
afterEach(async () => {
  expect(app.takeErrors()).toEqual([]);
  await toDefaults();
});

const put = (changes: unknown) =>
  app.call("PUT", "/api/desk/settings", { token: operator.token, body: { changes } });

describe("a change of the fee", () => {
  test("is shown on the plans and taken on new orders alone", async () => {
    const seller = await app.signInSeller();
    const shelf = { seller, group: await app.linkGroup(seller) };
    const { reference } = await publishProduct(app, shelf, { price: 5_000 });
    const before = await orderProduct(app, await app.signInBuyer(), reference);
    await put({ fee_rates: { free: 1_250, premium: 100 } });
    const after = await orderProduct(app, await app.signInBuyer(), reference);
    const { rows } = await sql<{ id: bigint; fee: bigint }>`
      SELECT id, fee FROM orders WHERE seller_id = ${BigInt(seller.id)} ORDER BY id
    `.execute(app.db);
    expect(rows).toEqual([
      { id: BigInt(before.id), fee: 900n },
      { id: BigInt(after.id), fee: 625n },
    ]);
    const { body } = await app.call<PlansAnswer>("GET", "/api/plans");
    expect(body.plans.map((plan) => plan.fee_percent)).toEqual([12.5, 1]);
    expect(body.break_even).toBe(43_479);
  });
});

describe("a change of the limits", () => {
  test("rules the next request: amounts, an operator's minimum, a closed method", async () => {
    const seller = await app.signInSeller();
    await fundSeller(app, seller, 50_000, "free");
    const ask = async (fields: Record<string, unknown>) => {
      const body = { ...REQUEST, ...fields };
      const { token } = seller;
      return (await app.call("POST", "/api/users/retrait/demande", { token, body })).body["code"];
    };
    await put({
      withdrawals: { min: 500, max_free: 2_000, max_premium: 500_000 },
      methods: {
        "wave-ci": { open: false, min: 100, step: 1 },
        "orange-money-ci": { open: true, min: 900, step: 100 },
      },
    });
    expect(await ask({ montant: 499 })).toBe("withdrawals.amount-too-small");
    expect(await ask({ montant: 2_001 })).toBe("withdrawals.amount-too-large");
    expect(await ask({ montant: 800 })).toBe("withdrawals.below-operator-min");
    expect(await ask({ montant: 950 })).toBe("withdrawals.off-operator-step");
    expect(await ask({ methode_paiement: "wave-ci" })).toBe("withdrawals.method-closed");
    expect(await ask({ montant: 1_000 })).toBeUndefined();
  });
});

describe("the durations", () => {
  const path = "/api/desk/settings/durations";
  const send = (method: string, where: string, body: unknown) =>
    app.call<DeskDurationsAnswer>(method, where, { token: operator.token, body });
  const offered = async () => {
    const { body } = await app.call<{ minutes: number; label: string }[]>(
      "GET",
      "/api/config/subscription_durations",
    );
    return body.map(({ minutes, label }) => `${minutes} ${label}`);
  };

  test("are added, renamed and switched off; a product keeps the one it has", async () => {
    const seller = await app.signInSeller();
    const shelf = { seller, group: await app.linkGroup(seller) };
    const product = await publishProduct(app, shelf, { minutes: 10_080 });
    const added = await send("POST", path, { minutes: 20_160, label: "2 semaines" });
    const two = added.body.durations.find(({ minutes }) => minutes === 20_160);
    const week = added.body.durations.find(({ minutes }) => minutes === 10_080);
    expect(week).toMatchObject({ products: 1 });
    expect(two).toMatchObject({ label: "2 semaines", active: true, products: 0 });
    await send("PUT", `${path}/${two?.id}`, { label: "Quinze jours", discount: 5 });
    expect(await offered()).toContain("20160 Quinze jours");
    await send("PUT", `${path}/${week?.id}`, { active: false });
    expect(await offered()).not.toContain("10080 7 jours");
    const kept = await app.call("GET", `/api/products/${product.id}`, { token: seller.token });
    expect(kept.body).toMatchObject({ product: { duration: 10_080 } });
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_log WHERE seq > ${logged} ORDER BY seq
    `.execute(app.db);
    expect(rows.map(({ action }) => action)).toEqual([
      "durations.add",
      "durations.edit",
      "durations.edit",
    ]);
  });

  test.each<[string, unknown, number, string]>([
    ["no whole minutes", { minutes: 90.5, label: "x" }, 422, "duration-minutes"],
    ["a second's life", { minutes: 1, label: "x" }, 422, "duration-minutes"],
    ["a century", { minutes: 60_000_000, label: "x" }, 422, "duration-minutes"],
    ["no name", { minutes: 600, label: "  " }, 422, "duration-name"],
    ["a discount above all", { minutes: 600, label: "x", discount: 101 }, 422, "duration-discount"],
    ["minutes there are", { minutes: 1_440, label: "Un jour" }, 409, "duration-exists"],
  ])("are refused with %s", async (...[, body, status, kind]) => {
    const answer = await send("POST", path, body);
    expect(answer).toMatchObject({ status, body: { code: `settings.${kind}` } });
  });

  test("keep one that is on offer", async () => {
    const { body } = await app.call<DeskDurationsAnswer>("GET", path, { token: operator.token });
    const real = body.durations.filter(({ price_tier: tier }) => tier !== "test");
    const outcomes: number[] = [];
    for (const { id } of real) {
      outcomes.push((await send("PUT", `${path}/${id}`, { active: false })).status);
    }
    expect(outcomes).toEqual([200, 200, 200, 200, 422]);
  });
});
