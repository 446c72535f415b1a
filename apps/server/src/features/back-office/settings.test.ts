import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { REQUEST } from "../../../test/funds.ts";
import { OPERATOR_ID, type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { openShelf, orderProduct } from "../../../test/sales.ts";
import { keepTables } from "../../../test/tables.ts";
import { checkChain } from "../../audit/audit.store.ts";
import { openDatabase } from "../../postgres/database.ts";
import { createListener } from "../../postgres/listener.ts";
import { keepCurrent, SETTINGS_CHANNEL } from "../../settings.ts";

let operator: SignedInBuyer;
let logged: bigint;

const app = await startTestApp();
const written = ["settings", "settings_changes", "subscription_durations"];
const toDefaults = await keepTables(app.db, written);
beforeEach(async () => {
  await toDefaults();
  logged = await app.lastLogged();
  operator = await app.signInBuyer({ id: OPERATOR_ID, first_name: "Olga", last_name: "Ouattara" });
});
afterEach(() => expect(app.takeErrors()).toEqual([]));

const put = (changes: unknown, rest: object = {}) =>
  app.send("PUT /api/desk/settings", operator, { changes, ...rest });

const PERCENT_10 = { fee_rates: { free: 1_000, premium: 0 } };

describe("the settings", () => {
  test("are the specification's until an operator changes them", async () => {
    const { settings, defaults } = await app.read("GET /api/desk/settings", operator);
    expect(settings).toEqual(defaults);
    expect(settings).toMatchObject({
      fee_rates: { free: 1_800, premium: 0 },
      withdrawals: { min: 100, max_free: 50_000, max_premium: 500_000 },
      hours: {
        payouts: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 17 },
        support: { days: [1, 2, 3, 4, 5], from_hour: 9, to_hour: 18 },
      },
      premium: { price: 5_000, period_days: 30 },
    });
    expect(settings.methods["moov-ci"]).toEqual({ open: true, min: 500, step: 1 });
  });

  test("record who changed what, when, from what, to what, and why", async () => {
    const reason = "Promotion de décembre";
    const { status } = await put({ ...PERCENT_10, second_agent_from: 80_000 }, { reason });
    expect(status).toBe(200);
    const history = (key?: string) =>
      app.read("GET /api/desk/settings/history", operator, key ? { key } : {});
    expect((await history()).changes).toMatchObject([
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
    expect((await history("fee_rates")).changes).toHaveLength(1);
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
    expect(await app.sql`SELECT FROM settings_changes`).toHaveLength(2);
  });

  test("are not changed over another change that was not seen", async () => {
    const first = await put(PERCENT_10, { version: "0" });
    expect(first.status).toBe(200);
    const second = await put({ second_agent_from: 1_000 }, { version: "0" });
    expect(second).toMatchObject({ status: 409, body: { code: "settings.changed-meanwhile" } });
    const { version } = first.body;
    expect((await put({ second_agent_from: 1_000 }, { version })).status).toBe(200);
  });

  const hours = { days: [1, 1], from_hour: 9, to_hour: 17 };
  const withdrawals = { min: 60_000, max_free: 50_000, max_premium: 500_000 };
  const texts = { community_url: null, support_whatsapp: null, support_telegram: null };
  // The bounds of each are the contract's test.
  test.each<[string, unknown, string]>([
    ["fee above a half", { fee_rates: { free: 5_001, premium: 0 } }, "fee-out-of-range"],
    ["minimum above a maximum", { withdrawals }, "limits-crossed"],
    ["week with a day twice", { hours: { payouts: hours, support: hours } }, "hours-invalid"],
    [
      "WhatsApp number in words",
      { texts: { ...texts, support_whatsapp: "appelez" } },
      "whatsapp-invalid",
    ],
    ["name with a blank", { texts: { ...texts, support_telegram: "a b" } }, "telegram-invalid"],
  ])("refuse a %s, with its sentence", async (_what, changes, kind) => {
    const answer = await put(changes);
    expect(answer).toMatchObject({ status: 422, body: { code: `settings.${kind}` } });
    expect(await app.sql`SELECT FROM settings`).toEqual([]);
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
    const feeOf = async (each: typeof deaf) => (await each.current()).fee_rates.free;
    expect([await feeOf(deaf), await feeOf(hearing)]).toEqual([1_800, 1_800]);
    await put(PERCENT_10);
    await received;
    expect(await feeOf(hearing)).toBe(1_000);
    elapsedMs = 1_000;
    expect(await feeOf(deaf)).toBe(1_000);
    await listener.close();
    await other.close();
  });
});

test("a change of the fee is on the plans' page and applies to new orders only", async () => {
  const seller = await app.signInSeller();
  const { reference } = await openShelf(app, seller);
  const before = await orderProduct(app, await app.signInBuyer(), reference);
  await put({ fee_rates: { free: 1_250, premium: 100 } });
  const after = await orderProduct(app, await app.signInBuyer(), reference);
  const rows = await app.sql`
    SELECT id, fee FROM orders WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`;
  expect(rows).toEqual([
    { id: BigInt(before.id), fee: 900n },
    { id: BigInt(after.id), fee: 625n },
  ]);
  const { plans, break_even: breakEven } = await app.read("GET /api/plans");
  expect(plans.map((plan) => plan.fee_percent)).toEqual([12.5, 1]);
  expect(breakEven).toBe(43_479);
});

test("a change of the limits applies to the next request: amounts, an operator's minimum, a closed method", async () => {
  const seller = await app.seller({ plan: "free", funds: 50_000 });
  const ask = async (fields: object) => {
    const body = { ...REQUEST, ...fields };
    return (await app.send("POST /api/users/retrait/demande", seller, body)).body.code;
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
  const add = (fields: object) => app.send("POST /api/desk/settings/durations", operator, fields);
  const edit = (id: string | undefined, fields: object) =>
    app.send("PUT /api/desk/settings/durations/:id", operator, { id, ...fields });
  const offered = async () => {
    const durations = await app.read("GET /api/config/subscription_durations");
    return durations.map(({ minutes, label }) => `${minutes} ${label}`);
  };

  test("are added, renamed and switched off; a product keeps its own", async () => {
    const seller = await app.signInSeller();
    const { product } = await openShelf(app, seller, { minutes: 10_080 });
    const { durations } = (await add({ minutes: 20_160, label: "2 semaines" })).body;
    const two = durations.find(({ minutes }) => minutes === 20_160);
    const week = durations.find(({ minutes }) => minutes === 10_080);
    expect(week).toMatchObject({ products: 1 });
    expect(two).toMatchObject({ label: "2 semaines", active: true, products: 0 });
    await edit(two?.id, { label: "Quinze jours", discount: 5 });
    expect(await offered()).toContain("20160 Quinze jours");
    await edit(week?.id, { active: false });
    expect(await offered()).not.toContain("10080 7 jours");
    const kept = await app.read("GET /api/products/:id", seller, { id: product.id });
    expect(kept).toMatchObject({ product: { duration: 10_080 } });
    const actions = ["durations.add", "durations.edit", "durations.edit"];
    expect(await app.loggedAfter(logged)).toEqual(actions);
  });

  test.each<[string, object, number, string]>([
    ["no whole minutes", { minutes: 90.5, label: "x" }, 422, "duration-minutes"],
    ["no name", { minutes: 600, label: "  " }, 422, "duration-name"],
    ["minutes there are", { minutes: 1_440, label: "Un jour" }, 409, "duration-exists"],
  ])("are refused with %s", async (...[, fields, status, kind]) => {
    const body = { code: `settings.${kind}` };
    expect(await add(fields)).toMatchObject({ status, body });
  });

  test("keep at least one active", async () => {
    const { durations } = await app.read("GET /api/desk/settings/durations", operator);
    const outcomes: number[] = [];
    for (const { id, price_tier: tier } of durations)
      if (tier !== "test") outcomes.push((await edit(id, { active: false })).status);
    expect(outcomes).toEqual([200, 200, 200, 200, 422]);
  });
});
