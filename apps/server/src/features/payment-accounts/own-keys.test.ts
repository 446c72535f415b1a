import {
  AGGREGATOR_KEYS,
  type AggregatorKey,
  type UserAggregatorOnWire,
} from "@sesame/contract/payment-accounts";
import { describe, expect, test } from "vitest";
import { fundSeller } from "../../../test/funds.ts";
import { OPERATOR_ID, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { createOwnAccountFixtures } from "../../../test/payments.ts";
import { openShelf } from "../../../test/sales.ts";
import type { App } from "../../app.ts";
import { changeMethod } from "./change-methods.ts";

const app = await startTestApp();
const { moneroo } = app.emulators.collectors;
const { put, order, openAccount } = createOwnAccountFixtures(app);

const takeAway = (seller: SignedInSeller, key: string) =>
  app.send("DELETE /api/user-aggregators/:userId/:key", seller, { userId: seller.id, key });
const tryOut = (seller: SignedInSeller, key: string) =>
  app.send("POST /api/user-aggregators/:userId/:key/trial", seller, { userId: seller.id, key });
/** All texts of the bot: of two messages at once either may come first. */
const saidTo = (seller: SignedInSeller) => app.textsTo(seller.person.id, "seller").join("\n");
async function methodsOf(seller: SignedInSeller): Promise<Record<string, UserAggregatorOnWire>> {
  const account = { userId: seller.id };
  const { aggregators } = await app.read("GET /api/user-aggregators/:userId", seller, account);
  return Object.fromEntries(aggregators.map((one) => [one.key, one]));
}
const productOf = (reference: string) =>
  app.read("GET /api/public/products/:reference", undefined, { reference });
const auditOf = (seller: SignedInSeller) => app.auditEntries(`seller:${seller.id}`);

const orderNow = async (reference: string, provider: string) =>
  (await order(await app.signInBuyer(), reference, provider)).status;

/** A premium seller who sells with an account of his own at the provider. */
async function sellerWithKeys(provider: AggregatorKey, keys = openAccount(provider).keys) {
  const seller = await app.seller({ plan: "premium" });
  const saved = await put(seller, provider, { keys });
  expect(saved.status).toBe(200);
  return { seller, keys, saved: saved.body.aggregator };
}

/** How a method of the seller's sells now. */
const methodOf = async (seller: SignedInSeller, key: string) => (await methodsOf(seller))[key];

describe("a seller's methods", () => {
  test("are the instance's, KkiaPay off; each can be switched, with immediate effect", async () => {
    const seller = await app.seller({ plan: "free" });
    const { product } = await openShelf(app, seller);
    const known = await app.read("GET /api/payment-aggregators", seller);
    expect(known.aggregators.map(({ key, open }) => (open ? key : `${key}?`))).toEqual(
      expect.arrayContaining(["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay", "stars"]),
    );
    const seven = ["Bénin", "Burkina Faso", "Côte d'Ivoire", "Mali", "Niger", "Sénégal", "Togo"];
    expect(known.aggregators.find(({ key }) => key === "moneroo")?.countries).toEqual(seven);
    // Countries of the other franc are in B's list, but not here (decision 59).
    const countries = known.aggregators.flatMap((each) => each.countries);
    expect(countries.join()).not.toMatch(/Cameroun|Congo|Gabon/);
    const before = await methodsOf(seller);
    expect(before["fedapay"]).toMatchObject({ isActive: true, selling: "built-in" });
    expect(before["moneroo"]).toMatchObject({ isActive: true, selling: "built-in", own: null });
    expect(before["kkiapay"]).toMatchObject({ isActive: false, selling: "none" });
    expect((await productOf(product.reference)).providers).not.toContain("kkiapay");

    const kkiapay = (await put(seller, "kkiapay", { isActive: true })).body.aggregator;
    expect(kkiapay.selling).toBe("built-in");
    for (const key of Object.keys(before)) await put(seller, key, { isActive: false });
    await put(seller, "moneroo", { isActive: false });
    await app.drain();
    expect(await productOf(product.reference)).toMatchObject({ status: "pending", providers: [] });
    expect(await orderNow(product.reference, "moneroo")).toBe(422);
    await put(seller, "moneroo", { isActive: true });
    await app.drain();
    const open = { status: "active", providers: ["moneroo"] };
    expect(await productOf(product.reference)).toMatchObject(open);
    expect(await auditOf(seller)).toHaveLength(1 + Object.keys(before).length + 1);
  });

  test("are found by the path of B, which names Moneroo « monero »", async () => {
    const seller = await app.seller();
    const { status, body } = await put(seller, "monero", { isActive: false });
    expect(status).toBe(200);
    expect(body.aggregator).toMatchObject({ key: "moneroo", isActive: false });
  });

  test.each([{}, { webhookSecret: "another-secret" }])(
    "saved again, with %o, are counted as one account with another seller's, though first saved without",
    async (again) => {
      const { seller, keys } = await sellerWithKeys("moneroo");
      await app.sql`UPDATE seller_keys SET account_hash = NULL`;
      await put(seller, "moneroo", { keys: { ...keys, ...again } });
      const other = await sellerWithKeys("moneroo", keys);
      const rows = await app.sql`SELECT DISTINCT counted_account(id) FROM seller_keys
        WHERE seller_id IN (${seller.id}, ${other.seller.id})`;
      expect(rows).toHaveLength(1);
    },
  );

  test("by own keys are for premium only, whatever seller is named", async () => {
    const seller = await app.seller({ plan: "free" });
    const { keys } = openAccount("moneroo");
    const message = expect.stringContaining("Fonctionnalité Premium");
    const barred = { status: 403, body: { code: "plans.premium-required", message } };
    expect(await put(seller, "moneroo", { keys })).toMatchObject(barred);
    expect(await tryOut(seller, "moneroo")).toMatchObject(barred);
    const other = await app.seller({ plan: "premium" });
    const foreign = await put({ ...other, id: seller.id }, "moneroo", { keys });
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
      const { seller, keys, saved } = await sellerWithKeys(provider);
      const { own, selling } = saved;
      expect(selling).toBe(provider === "kkiapay" ? "none" : "own");
      expect(Object.keys(own?.keys ?? {}).sort()).toEqual(Object.keys(keys).sort());
      expect(own?.webhookUrl).toMatch(new RegExp(`^${app.url}/webhooks/${provider}/\\d+$`));
      const [row] = await app.sql<{ text: string; secrets: Buffer }>`
        SELECT k::text AS text, secrets FROM seller_keys k WHERE seller_id = ${BigInt(seller.id)}`;
      const shown = [JSON.stringify(saved), row?.text, row?.secrets.toString("latin1")];
      for (const secret of Object.values(keys))
        for (const text of shown) expect(text).not.toContain(secret);
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
      const message = expect.stringContaining("Configuration incomplète pour");
      expect(await put(seller, provider, { keys: wrong })).toMatchObject({
        status: 422,
        body: { code: "aggregators.keys-refused", message },
      });
      // In the emulators every call except creations and refunds counts as a fetch.
      app.emulators.collectors[provider].fault("fetch", "500");
      const unknown = await put(seller, provider, { keys });
      app.emulators.collectors[provider].fault("fetch", null);
      const silent = "Erreur réseau - Problème CORS possible. Contactez l'administrateur.";
      expect(unknown).toMatchObject({ status: 503, body: { message: silent } });
      expect((await methodOf(seller, provider))?.own).toBeNull();
      expect(await app.sql`SELECT FROM seller_keys WHERE seller_id = ${seller.id}`).toEqual([]);
    },
  );

  test("of the same account keep its webhook address; others are another row", async () => {
    const { webhookSecret = "", ...account } = openAccount("fedapay").keys;
    const { seller, saved } = await sellerWithKeys("fedapay", account);
    const give = async (keys: object) =>
      (await put(seller, "fedapay", { keys })).body.aggregator.own;
    const url = saved.own?.webhookUrl;
    expect(await give({})).toMatchObject({ webhookUrl: url });
    const keysShown = expect.objectContaining({ webhookSecret: expect.anything() });
    expect(await give({ webhookSecret })).toMatchObject({ webhookUrl: url, keys: keysShown });
    expect((await give(openAccount("fedapay").keys))?.webhookUrl).not.toBe(url);
    const gone = await takeAway(seller, "fedapay");
    expect(gone.body.aggregator).toMatchObject({ own: null, selling: "built-in" });
    expect((await takeAway(seller, "fedapay")).status).toBe(409);
    expect(await auditOf(seller)).toEqual(Array.from({ length: 4 }, () => "aggregator.keys"));
  });

  test("that were tampered with, or moved to another row, sell nothing and are reported", async () => {
    const { seller: one } = await sellerWithKeys("moneroo");
    const { seller: two } = await sellerWithKeys("moneroo");
    await app.sql`
      UPDATE seller_keys SET secrets = (
        SELECT secrets FROM seller_keys WHERE seller_id = ${BigInt(one.id)}
      ) WHERE seller_id = ${BigInt(two.id)}`;
    await app.sql`
      UPDATE seller_keys SET secrets_key_id = 'nobody' WHERE seller_id = ${BigInt(one.id)}`;
    const unreadable = { selling: "none", own: { readable: false } };
    for (const seller of [one, two, one])
      expect(await methodOf(seller, "moneroo")).toMatchObject(unreadable);
    await app.drain();
    expect(saidTo(two)).toContain("ne peuvent plus être lues");
    const reasons = await app.values`
      SELECT details ->> 'reason' FROM alerts WHERE kind = 'aggregator.keys-unreadable' ORDER BY id`;
    expect(reasons).toEqual(["unknown-key", "tampered"]);
    expect((await tryOut(two, "moneroo")).status).toBe(503);
    // Given again, they work.
    await put(two, "moneroo", { keys: openAccount("moneroo").keys });
    expect((await methodOf(two, "moneroo"))?.selling).toBe("own");
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
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
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
    const { seller } = await sellerWithKeys("fedapay");
    const trial = await tryOut(seller, "fedapay");
    const begun = { success: true, amount: 100, status: "pending" };
    expect(trial).toMatchObject({ status: 201, body: begun });
    const { id } = trial.body;
    await app.pay("fedapay", id);
    await app.advance(60_000);
    const paid = { kind: "trial", status: "paid", direct: true };
    expect(await app.read("GET /api/orders/:id", seller, { id })).toMatchObject(paid);
    const none = { status: 409, body: { code: "aggregators.no-own-keys" } };
    expect(await tryOut(seller, "moneroo")).toMatchObject(none);
  });

  test("refused later stop that method alone, and send no money elsewhere", async () => {
    const { seller } = await sellerWithKeys("moneroo");
    const { reference } = await openShelf(app, seller);
    // One fault of the provider is no refusal: the keys are verified once more.
    moneroo.fault("create", "keys", 1);
    expect(await orderNow(reference, "moneroo")).toBe(422);
    expect(await methodOf(seller, "moneroo")).toMatchObject({ selling: "own" });
    moneroo.fault("create", "keys");
    moneroo.fault("fetch", "keys");
    expect(await orderNow(reference, "moneroo")).toBe(422);
    moneroo.clearFaults();
    await app.drain();
    const stopped = { selling: "none", own: { refusedAt: expect.any(String) } };
    expect(await methodOf(seller, "moneroo")).toMatchObject(stopped);
    const { providers } = await productOf(reference);
    expect(providers).not.toContain("moneroo");
    expect(providers).toContain("fedapay");
    expect(saidTo(seller)).toContain("refuse vos clés");
    expect(await orderNow(reference, "moneroo")).toBe(422);
    const again = (await put(seller, "moneroo", { keys: {} })).body.aggregator;
    expect(again).toMatchObject({ selling: "own", own: { refusedAt: null } });
    expect(await orderNow(reference, "moneroo")).toBe(201);
    const logged = ["aggregator.keys", "aggregator.refused", "aggregator.keys"];
    expect(await auditOf(seller)).toEqual(logged);
  });

  test("are unused after premium, and used when it is back", async () => {
    const { seller } = await sellerWithKeys("paydunya");
    const paydunya = () => methodOf(seller, "paydunya");
    await fundSeller(app, seller, 0, "free");
    expect(await paydunya()).toMatchObject({ selling: "built-in", own: { asleep: true } });
    await fundSeller(app, seller, 0, "premium");
    expect(await paydunya()).toMatchObject({ selling: "own", own: { asleep: false } });
  });

  test("a sale by removed keys is still looked up and settled", async () => {
    const { seller } = await sellerWithKeys("moneroo");
    const { reference } = await openShelf(app, seller);
    const who = await app.signInBuyer();
    const [made] = await Promise.all([
      order(who, reference, "moneroo"),
      takeAway(seller, "moneroo"),
    ]);
    const { id } = made.body;
    moneroo.settle(id, "success", { silent: true });
    await app.advance(60_000);
    expect((await app.read("GET /api/orders/:id", who, { id })).status).toBe("paid");
  });

  test("sell nothing while the operator accepts Stars alone; nor does anything else", async () => {
    const { seller } = await sellerWithKeys("paydunya");
    const { reference } = await openShelf(app, seller);
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" });
    const starsOnly = async (only: boolean) => {
      await app.done("PUT /api/desk/settings", operator, { changes: { stars_only: only } });
      await app.drain();
    };
    await starsOnly(true);
    expect((await productOf(reference)).providers).toEqual(["stars"]);
    const plans = await app.read("GET /api/plans");
    expect(plans.providers.map(({ id }) => id)).toEqual(["stars"]);
    for (const provider of ["moneroo", "paydunya"])
      expect(await orderNow(reference, provider)).toBe(422);
    await starsOnly(false);
    expect((await productOf(reference)).providers).toContain("paydunya");
  });
});
