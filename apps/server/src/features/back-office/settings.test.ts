import type { PlansAnswer } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fundSeller, REQUEST } from "../../../test/funds.ts";
import { OPERATOR_ID, type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { orderProduct, publishProduct } from "../../../test/sales.ts";
import { keepTables, lastLogged } from "../../../test/tables.ts";
import { checkChain } from "../../audit/audit.store.ts";
import { openDatabase } from "../../postgres/database.ts";
import { createListener } from "../../postgres/listener.ts";
import { keepCurrent, SETTINGS_CHANNEL } from "../../settings.ts";

type SettingsAnswer = AnswerOf<"GET /api/desk/settings">;

let operator: SignedInBuyer;
let logged: bigint;

const app = await startTestApp();
const toDefaults = await keepTables(app.db, [
  "settings",
  "settings_changes",
  "subscription_durations",
]);
beforeEach(async () => {
  await toDefaults();
  logged = await lastLogged(app.db);
  operator = await app.signInBuyer({ id: OPERATOR_ID, first_name: "Olga", last_name: "Ouattara" });
});
afterEach(() => expect(app.takeErrors()).toEqual([]));

function put(changes: unknown, rest: Record<string, unknown> = {}) {
  const body = { changes, ...rest };
  return app.send("PUT /api/desk/settings", operator, body);
}

const PERCENT_10 = { fee_rates: { free: 1_000, premium: 0 } };

describe("the settings", () => {
  test("are the specification's until an operator changes them", async () => {
    const path = "/api/desk/settings";
    const { body } = await app.call<SettingsAnswer>("GET", path, operator);
    expect(body.settings).toEqual(body.defaults);
    expect(body.settings).toMatchObject({
      fee_rates: { free: 1_800, premium: 0 },
      withdrawals: { min: 100, max_free: 50_000, max_premium: 500_000 },
      hours: {
        payouts: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 17 },
        support: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 18 },
      },
      premium: { price: 5_000, period_days: 30 },
    });
    expect(body.settings.methods["moov-ci"]).toEqual({ open: true, min: 500, step: 1 });
  });

  test("record who changed what, when, from what, to what, and why", async () => {
    const reason = "Promotion de décembre";
    const answer = await put({ ...PERCENT_10, second_agent_from: 80_000 }, { reason });
    expect(answer.status).toBe(200);
    const history = await app.send("GET /api/desk/settings/history", operator);
    expect(history.body.changes).toMatchObject([
      { key: "second_agent_from", before: 100_000, after: 80_000 },
      {
        key: "fee_rates",
        before: { free: 1_800, premium: 0 },
        after: { free: 1_000, premium: 0 },
        reason,
        changed_at: app.clock.now().toISOString(),
        changed_by: operator.id,
        changed_by_name: "Olga Ouattara",
      },
    ]);
    const one = await app.send("GET /api/desk/settings/history", operator, { key: "fee_rates" });
    expect(one.body.changes).toHaveLength(1);
    const rows = await app.sql`
      SELECT actor_id, actor_role, action, subject, before, after, reason FROM audit_log
      WHERE seq > ${logged} ORDER BY seq`;
    expect(rows[0]).toEqual({
      actor_id: BigInt(operator.id),
      actor_role: "operator",
      action: "settings.change",
      subject: "setting:fee_rates",
      before: { free: 1_800, premium: 0 },
      after: { free: 1_000, premium: 0 },
      reason,
    });
    expect(rows).toHaveLength(2);
    expect(await checkChain(app.db)).toEqual([]);
  });

  test("have no history line for what did not change, and change methods one by one", async () => {
    const wave = { open: false, min: 100, step: 5 };
    await put({ methods: { "wave-ci": wave } });
    const { body } = await put({ methods: { "mtn-ci": { open: true, min: 200, step: 1 } } });
    expect(body.settings.methods).toMatchObject({ "wave-ci": wave, "mtn-ci": { min: 200 } });
    await put({ methods: { "wave-ci": wave } });
    const rows = await app.sql`SELECT FROM settings_changes`;
    expect(rows).toHaveLength(2);
  });

  test("are not changed over another change that was not seen", async () => {
    const first = await put(PERCENT_10, { version: "0" });
    expect(first.status).toBe(200);
    const second = await put({ second_agent_from: 1_000 }, { version: "0" });
    expect(second).toMatchObject({ status: 409, body: { code: "settings.changed-meanwhile" } });
    expect((await put({ second_agent_from: 1_000 }, { version: first.body.version })).status).toBe(
      200,
    );
  });

  const hours = { days: [1], from_hour: 9, to_hour: 17 };
  const payoutsOn = (days: number[]) => ({
    hours: { payouts: { ...hours, days }, support: hours },
  });
  const textsWith = (change: object) => {
    const none = { community_url: null, support_whatsapp: null, support_telegram: null };
    return { texts: { ...none, ...change } };
  };
  test.each<[string, unknown, string]>([
    ["fee above a half", { fee_rates: { free: 5_001, premium: 0 } }, "fee-out-of-range"],
    ["fee below zero", { fee_rates: { free: -1, premium: 0 } }, "fee-out-of-range"],
    [
      "limit of zero",
      { withdrawals: { min: 0, max_free: 1, max_premium: 1 } },
      "limit-out-of-range",
    ],
    [
      "minimum above a maximum",
      { withdrawals: { min: 60_000, max_free: 50_000, max_premium: 500_000 } },
      "limits-crossed",
    ],
    [
      "step of zero",
      { methods: { "mtn-ci": { open: true, min: 1, step: 0 } } },
      "method-out-of-range",
    ],
    ["no day", payoutsOn([]), "hours-invalid"],
    ["a day twice", payoutsOn([1, 1]), "hours-invalid"],
    [
      "an end before the start",
      { hours: { payouts: hours, support: { ...hours, to_hour: 9 } } },
      "hours-invalid",
    ],
    ["a threshold of zero", { first_payout_max: 0 }, "amount-out-of-range"],
    ["a factor of one", { unusual_factor: 1 }, "factor-out-of-range"],
    [
      "a script for a link",
      textsWith({ community_url: "javascript:alert(1)" }),
      "community-invalid",
    ],
    ["words for a number", textsWith({ support_whatsapp: "appelez" }), "whatsapp-invalid"],
    ["an address for a name", textsWith({ support_telegram: "a b" }), "telegram-invalid"],
  ])("refuse a %s, with its sentence", async (_what, changes, kind) => {
    const answer = await put(changes);
    expect(answer).toMatchObject({ status: 422, body: { code: `settings.${kind}` } });
    const rows = await app.sql`SELECT FROM settings`;
    expect(rows).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["an unknown setting", { nonsense: 1 }],
    ["half a franc", { second_agent_from: 0.5 }],
    ["a text for an amount", { second_agent_from: "100" }],
    ["an unknown method", { methods: { "visa-ci": { open: true, min: 1, step: 1 } } }],
  ])("are malformed with %s", async (_what, changes) => {
    expect((await put(changes)).status).toBe(400);
  });

  test("are seen by another process at once, and after a lost notification within a second", async () => {
    const other = openDatabase({ url: app.databaseUrl, poolSize: 1 });
    const listener = createListener(app.databaseUrl);
    let elapsedMs = 0;
    const deaf = keepCurrent(other.db, () => elapsedMs);
    const hearing = keepCurrent(other.db, () => 0);
    const received = new Promise<void>((resolve) => {
      listener.on(SETTINGS_CHANNEL, hearing.forget);
      listener.onResume(hearing.forget);
      listener.on(SETTINGS_CHANNEL, () => resolve());
    });
    await listener.start();
    for (const each of [deaf, hearing]) {
      expect((await each.current()).fee_rates.free).toBe(1_800);
    }
    await put(PERCENT_10);
    await received;
    expect((await hearing.current()).fee_rates.free).toBe(1_000);
    elapsedMs = 1_000;
    expect((await deaf.current()).fee_rates.free).toBe(1_000);
    await listener.close();
    await other.close();
  });
});

type StaffDurationsAnswer = AnswerOf<"GET /api/desk/settings/durations">;

test("a change of the fee is on the plans' page and applies to new orders only", async () => {
  const seller = await app.signInSeller();
  const shelf = { seller, group: await app.linkGroup(seller) };
  const { reference } = await publishProduct(app, shelf, { price: 5_000 });
  const before = await orderProduct(app, await app.signInBuyer(), reference);
  await put({ fee_rates: { free: 1_250, premium: 100 } });
  const after = await orderProduct(app, await app.signInBuyer(), reference);
  const rows = await app.sql<{ id: bigint; fee: bigint }>`
    SELECT id, fee FROM orders WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`;
  expect(rows).toEqual([
    { id: BigInt(before.id), fee: 900n },
    { id: BigInt(after.id), fee: 625n },
  ]);
  const { body } = await app.call<PlansAnswer>("GET", "/api/plans");
  expect(body.plans.map((plan) => plan.fee_percent)).toEqual([12.5, 1]);
  expect(body.break_even).toBe(43_479);
});

test("a change of the limits applies to the next request: amounts, an operator's minimum, a closed method", async () => {
  const seller = await app.signInSeller();
  await fundSeller(app, seller, 50_000, "free");
  const ask = async (fields: Record<string, unknown>) => {
    const body = { ...REQUEST, ...fields };
    const { token } = seller;
    return (await app.send("POST /api/users/retrait/demande", { token }, body)).body["code"];
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

describe("the durations", () => {
  const path = "/api/desk/settings/durations";
  const send = (method: string, where: string, body: unknown) =>
    app.call<StaffDurationsAnswer>(method, where, { token: operator.token, body });
  const offered = async () => {
    const { body } = await app.send("GET /api/config/subscription_durations");
    return body.map(({ minutes, label }) => `${minutes} ${label}`);
  };

  test("are added, renamed and switched off; a product keeps its own", async () => {
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
    const kept = await app.call("GET", `/api/products/${product.id}`, seller);
    expect(kept.body).toMatchObject({ product: { duration: 10_080 } });
    const rows = await app.sql<{ action: string }>`
      SELECT action FROM audit_log WHERE seq > ${logged} ORDER BY seq`;
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

  test("keep at least one active", async () => {
    const { body } = await app.call<StaffDurationsAnswer>("GET", path, operator);
    const real = body.durations.filter(({ price_tier: tier }) => tier !== "test");
    const outcomes: number[] = [];
    for (const { id } of real) {
      outcomes.push((await send("PUT", `${path}/${id}`, { active: false })).status);
    }
    expect(outcomes).toEqual([200, 200, 200, 200, 422]);
  });
});
