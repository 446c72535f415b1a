import type { OrderAnswer } from "@sesame/contract/checkout";
import { AGGREGATOR_KEYS } from "@sesame/contract/payment-accounts";
import type { PlansAnswer } from "@sesame/contract/plans";
import { describe, expect, test } from "vitest";
import { fundSeller } from "../../../test/funds.ts";
import { OPERATOR_ID, startTestApp } from "../../../test/harness.ts";
import { createOwnAccountFixtures } from "../../../test/payments.ts";
import type { App } from "../../app.ts";
import { changeMethod } from "./change-methods.ts";

const app = await startTestApp();
const { moneroo } = app.emulators.collectors;
const {
  shopOf,
  methodsOf,
  productOf,
  put,
  order,
  auditOf,
  openAccount,
  tryOut,
  pathOf,
  saidTo,
  takeAway,
} = createOwnAccountFixtures(app);

describe("a seller's methods", () => {
  test("are the instance's, KkiaPay off; each can be switched, with immediate effect", async () => {
    const seller = await app.seller({ plan: "free" });
    const product = await shopOf(seller);
    const known = await app.read("GET /api/payment-aggregators", seller);
    expect(known.aggregators.map(({ key, open }) => (open ? key : `${key}?`))).toEqual(
      expect.arrayContaining(["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay", "stars"]),
    );
    const countries = Object.fromEntries(
      known.aggregators.map((each) => [each.key, each.countries]),
    );
    const seven = ["Bénin", "Burkina Faso", "Côte d'Ivoire", "Mali", "Niger", "Sénégal", "Togo"];
    expect(countries["moneroo"]).toEqual(seven);
    // Countries of the other franc are in B's list, but not here (decision 59).
    expect(Object.values(countries).flat().join()).not.toMatch(/Cameroun|Congo|Gabon/);
    const before = await methodsOf(seller);
    expect(before["fedapay"]).toMatchObject({ isActive: true, selling: "built-in" });
    expect(before["moneroo"]).toMatchObject({ isActive: true, selling: "built-in", own: null });
    expect(before["kkiapay"]).toMatchObject({ isActive: false, selling: "none" });
    expect((await productOf(product.reference)).providers).not.toContain("kkiapay");

    expect((await put(seller, "kkiapay", { isActive: true })).body.aggregator.selling).toBe(
      "built-in",
    );
    for (const key of Object.keys(before)) await put(seller, key, { isActive: false });
    await put(seller, "moneroo", { isActive: false });
    await app.drain();
    expect(await productOf(product.reference)).toMatchObject({ status: "pending", providers: [] });
    expect((await order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(422);
    await put(seller, "moneroo", { isActive: true });
    await app.drain();
    expect(await productOf(product.reference)).toMatchObject({
      status: "active",
      providers: ["moneroo"],
    });
    expect(await auditOf(seller)).toHaveLength(1 + Object.keys(before).length + 1);
  });

  test("are found by the path of B, which names Moneroo « monero »", async () => {
    const seller = await app.seller();
    const { status, body } = await put(seller, "monero", { isActive: false });
    expect([status, body.aggregator.key, body.aggregator.isActive]).toEqual([
      200,
      "moneroo",
      false,
    ]);
  });

  test.each([{}, { webhookSecret: "another-secret" }])(
    "saved again, with %o, are counted as one account with another seller's, though first saved without",
    async (again) => {
      const { keys } = openAccount("moneroo");
      const seller = await app.seller({ plan: "premium" });
      const other = await app.seller({ plan: "premium" });
      await put(seller, "moneroo", { keys });
      await app.sql`UPDATE seller_keys SET account_hash = NULL`;
      await put(seller, "moneroo", { keys: { ...keys, ...again } });
      await put(other, "moneroo", { keys });
      const rows = await app.sql`SELECT DISTINCT counted_account(id) FROM seller_keys
        WHERE seller_id IN (${seller.id}, ${other.id})`;
      expect(rows).toHaveLength(1);
    },
  );

  test("by own keys are for premium only, whatever seller is named", async () => {
    const seller = await app.seller({ plan: "free" });
    const { keys } = openAccount("moneroo");
    const barred = await put(seller, "moneroo", { keys });
    expect([barred.status, barred.body.code]).toEqual([403, "plans.premium-required"]);
    expect(barred.body.message).toContain("Fonctionnalité Premium");
    const trial = await tryOut(seller, "moneroo");
    expect([trial.status, trial.body.code]).toEqual([403, "plans.premium-required"]);
    const other = await app.seller({ plan: "premium" });
    const foreign = await app.call("PUT", pathOf(seller, "moneroo"), {
      token: other.token,
      body: { keys },
    });
    expect(foreign.status).toBe(404);
    for (const key of ["nonsense", "stars"]) {
      const unknown = await put(other, key, { keys: { secretKey: "sk_live_0123456789" } });
      expect([unknown.status, unknown.body.message]).toEqual([404, "Agrégateur non trouvé"]);
    }
  });
});

describe("own keys", () => {
  test.each(AGGREGATOR_KEYS)(
    "of %s are verified, encrypted, masked, notified and logged",
    async (provider) => {
      const seller = await app.seller({ plan: "premium" });
      const { keys } = openAccount(provider);
      const saved = await put(seller, provider, { keys });
      expect(saved.status).toBe(200);
      const { own, selling } = saved.body.aggregator;
      expect(selling).toBe(provider === "kkiapay" ? "none" : "own");
      expect(Object.keys(own?.keys ?? {}).sort()).toEqual(Object.keys(keys).sort());
      expect(own?.webhookUrl).toMatch(new RegExp(`^${app.url}/webhooks/${provider}/\\d+$`));
      const rows = await app.sql<{ row: string; secrets: Buffer }>`
      SELECT k::text AS row, secrets FROM seller_keys k WHERE seller_id = ${BigInt(seller.id)}`;
      for (const secret of Object.values(keys)) {
        const shown = [
          JSON.stringify(saved.body),
          rows[0]?.row,
          rows[0]?.secrets.toString("latin1"),
        ];
        for (const text of shown) expect(text).not.toContain(secret);
      }
      for (const shown of Object.values(own?.keys ?? {})) expect(shown).toMatch(/….{4}$/);
      expect(await auditOf(seller)).toEqual(["aggregator.keys"]);
      await app.drain();
      expect(saidTo(seller)).toContain("encaissées directement");
    },
  );

  test.each(AGGREGATOR_KEYS)(
    "that %s refuses, or cannot verify, are not saved",
    async (provider) => {
      const seller = await app.seller({ plan: "premium" });
      const { keys } = openAccount(provider);
      const wrong = Object.fromEntries(
        Object.entries(keys).map(([name, key]) => [name, `${key.slice(0, -4)}zzzz`]),
      );
      const refused = await put(seller, provider, { keys: wrong });
      expect([refused.status, refused.body.code]).toEqual([422, "aggregators.keys-refused"]);
      expect(refused.body.message).toContain("Configuration incomplète pour");
      // In the emulators every call except creations and refunds counts as a fetch.
      app.emulators.collectors[provider].fault("fetch", "500");
      const unknown = await put(seller, provider, { keys });
      app.emulators.collectors[provider].fault("fetch", null);
      expect([unknown.status, unknown.body.message]).toEqual([
        503,
        "Erreur réseau - Problème CORS possible. Contactez l'administrateur.",
      ]);
      expect((await methodsOf(seller))[provider]?.own).toBeNull();
      const rows = await app.sql`SELECT FROM seller_keys WHERE seller_id = ${BigInt(seller.id)}`;
      expect(rows).toEqual([]);
    },
  );

  test("of the same account keep its webhook address; others are another row", async () => {
    const seller = await app.seller({ plan: "premium" });
    const { webhookSecret = "", ...account } = openAccount("fedapay").keys;
    const first = (await put(seller, "fedapay", { keys: account })).body.aggregator.own;
    const again = await put(seller, "fedapay", { keys: {} });
    expect(again.body.aggregator.own?.webhookUrl).toBe(first?.webhookUrl);
    const second = (await put(seller, "fedapay", { keys: { webhookSecret } })).body.aggregator.own;
    expect(second?.webhookUrl).toBe(first?.webhookUrl);
    expect(Object.keys(second?.keys ?? {})).toContain("webhookSecret");
    const other = await put(seller, "fedapay", { keys: openAccount("fedapay").keys });
    expect(other.body.aggregator.own?.webhookUrl).not.toBe(first?.webhookUrl);
    const gone = await takeAway(seller, "fedapay");
    expect(gone.body.aggregator).toMatchObject({ own: null, selling: "built-in" });
    expect((await takeAway(seller, "fedapay")).status).toBe(409);
    expect(await auditOf(seller)).toEqual(Array.from({ length: 4 }, () => "aggregator.keys"));
  });

  test("that were tampered with, or moved to another row, sell nothing and are reported", async () => {
    const [one, two] = [
      await app.seller({ plan: "premium" }),
      await app.seller({ plan: "premium" }),
    ];
    await put(one, "moneroo", { keys: openAccount("moneroo").keys });
    await put(two, "moneroo", { keys: openAccount("moneroo").keys });
    await app.sql`
      UPDATE seller_keys SET secrets = (
        SELECT secrets FROM seller_keys WHERE seller_id = ${BigInt(one.id)}
      ) WHERE seller_id = ${BigInt(two.id)}`;
    await app.sql`
      UPDATE seller_keys SET secrets_key_id = 'nobody' WHERE seller_id = ${BigInt(one.id)}`;
    for (const seller of [one, two, one]) {
      expect((await methodsOf(seller))["moneroo"]).toMatchObject({
        selling: "none",
        own: { readable: false },
      });
    }
    await app.drain();
    expect(saidTo(two)).toContain("ne peuvent plus être lues");
    const alerts = await app.sql<{ reason: string }>`
      SELECT details ->> 'reason' AS reason FROM alerts
      WHERE kind = 'aggregator.keys-unreadable' ORDER BY id`;
    expect(alerts.map(({ reason }) => reason)).toEqual(["unknown-key", "tampered"]);
    const trial = await tryOut(two, "moneroo");
    expect(trial.status).toBe(503);
    // Given again, they work.
    await put(two, "moneroo", { keys: openAccount("moneroo").keys });
    expect((await methodsOf(two))["moneroo"]?.selling).toBe("own");
  });
});

test("in production, keys of a provider's sandbox are refused without a call", async () => {
  const asked: string[] = [];
  const inProduction: App = {
    ...app.core,
    config: { ...app.core.config, production: true },
    connectProvider: (key) => {
      asked.push(key);
      throw new Error("nobody is to be asked");
    },
  };
  const seller = await app.seller({ plan: "premium" });
  const sellerId = BigInt(seller.id);
  const actor = { personId: sellerId, role: "seller" } as const;
  for (const [key, keys] of [
    ["fedapay", { secretKey: "sk_sandbox_0123456789abcdef" }],
    [
      "paydunya",
      { masterKey: "m".repeat(20), privateKey: "test_private_012345", token: "t".repeat(20) },
    ],
  ] as const) {
    const refused = await changeMethod(inProduction, { sellerId, key, actor, body: { keys } });
    expect(refused).toMatchObject({ refusal: { kind: "aggregators.keys-sandbox" } });
  }
  expect(asked).toEqual([]);
});

test("of two saves at once one wins and the other is refused; the same twice are one", async () => {
  const seller = await app.seller({ plan: "premium" });
  const accounts = Array.from({ length: 4 }, () => openAccount("moneroo").keys);
  const answers = await Promise.all(accounts.map((keys) => put(seller, "moneroo", { keys })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  const inUse = await app.sql`
    SELECT FROM seller_keys WHERE seller_id = ${BigInt(seller.id)} AND ended_at IS NULL`;
  expect(inUse).toHaveLength(1);
  const { keys } = openAccount("fedapay");
  const same = await Promise.all([1, 2, 3].map(() => put(seller, "fedapay", { keys })));
  expect(same.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(same.map(({ body }) => body.aggregator.own?.webhookUrl)).size).toBe(1);
});

describe("own keys", () => {
  test("are tested with 100 francs of the seller's, to himself", async () => {
    const seller = await app.seller({ plan: "premium" });
    await put(seller, "fedapay", { keys: openAccount("fedapay").keys });
    const trial = await tryOut(seller, "fedapay");
    expect(trial.status).toBe(201);
    expect(trial.body).toMatchObject({ success: true, amount: 100, status: "pending" });
    await app.pay("fedapay", trial.body.id);
    await app.advance(60_000);
    const { token } = seller;
    const paid = await app.call<OrderAnswer>("GET", `/api/orders/${trial.body.id}`, { token });
    expect(paid.body).toMatchObject({ kind: "trial", status: "paid", direct: true });
    const none = await tryOut(seller, "moneroo");
    expect([none.status, none.body.code]).toEqual([409, "aggregators.no-own-keys"]);
  });

  test("refused later stop that method alone, and send no money elsewhere", async () => {
    const seller = await app.seller({ plan: "premium" });
    const product = await shopOf(seller);
    const { keys } = openAccount("moneroo");
    await put(seller, "moneroo", { keys });
    // One fault of the provider is no refusal: the keys are verified once more.
    moneroo.fault("create", "keys", 1);
    expect((await order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(422);
    expect((await methodsOf(seller))["moneroo"]).toMatchObject({ selling: "own" });
    moneroo.fault("create", "keys");
    moneroo.fault("fetch", "keys");
    expect((await order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(422);
    moneroo.clearFaults();
    await app.drain();
    expect((await methodsOf(seller))["moneroo"]).toMatchObject({
      selling: "none",
      own: { refusedAt: expect.any(String) },
    });
    expect((await productOf(product.reference)).providers).not.toContain("moneroo");
    expect((await productOf(product.reference)).providers).toContain("fedapay");
    expect(saidTo(seller)).toContain("refuse vos clés");
    expect((await order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(422);
    expect((await put(seller, "moneroo", { keys: {} })).body.aggregator).toMatchObject({
      selling: "own",
      own: { refusedAt: null },
    });
    expect((await order(await app.signInBuyer(), product.reference, "moneroo")).status).toBe(201);
    expect(await auditOf(seller)).toEqual([
      "aggregator.keys",
      "aggregator.refused",
      "aggregator.keys",
    ]);
  });

  test("are unused after premium, and used when it is back", async () => {
    const seller = await app.seller({ plan: "premium" });
    await put(seller, "paydunya", { keys: openAccount("paydunya").keys });
    await fundSeller(app, seller, 0, "free");
    expect((await methodsOf(seller))["paydunya"]).toMatchObject({
      selling: "built-in",
      own: { asleep: true },
    });
    await fundSeller(app, seller, 0, "premium");
    expect((await methodsOf(seller))["paydunya"]).toMatchObject({
      selling: "own",
      own: { asleep: false },
    });
  });

  test("a sale by removed keys is still looked up and settled", async () => {
    const seller = await app.seller({ plan: "premium" });
    const product = await shopOf(seller);
    await put(seller, "moneroo", { keys: openAccount("moneroo").keys });
    const who = await app.signInBuyer();
    const [made] = await Promise.all([
      order(who, product.reference, "moneroo"),
      takeAway(seller, "moneroo"),
    ]);
    const { id } = made.body;
    moneroo.settle(id, "success", { silent: true });
    await app.advance(60_000);
    const paid = await app.call<OrderAnswer>("GET", `/api/orders/${id}`, who);
    expect(paid.body.status).toBe("paid");
  });

  test("sell nothing while the operator accepts Stars alone; nor does anything else", async () => {
    const seller = await app.seller({ plan: "premium" });
    const product = await shopOf(seller);
    await put(seller, "paydunya", { keys: openAccount("paydunya").keys });
    const { token } = await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" });
    const starsOnly = async (only: boolean) => {
      const body = { changes: { stars_only: only } };
      await app.send("PUT /api/desk/settings", { token }, body);
      await app.drain();
    };
    await starsOnly(true);
    expect((await productOf(product.reference)).providers).toEqual(["stars"]);
    const plans = await app.call<PlansAnswer>("GET", "/api/plans");
    expect(plans.body.providers.map(({ id }) => id)).toEqual(["stars"]);
    for (const provider of ["moneroo", "paydunya"]) {
      const refused = await order(await app.signInBuyer(), product.reference, provider);
      expect(refused.status).toBe(422);
    }
    await starsOnly(false);
    expect((await productOf(product.reference)).providers).toContain("paydunya");
  });
});
