import { createHash } from "node:crypto";
import { assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { ACCOUNT_WEBHOOKS_A_MINUTE } from "../src/features/checkout/webhooks.ts";
import { MONEROO_WEBHOOK_SECRET, EMULATED_KEYS } from "./harness.ts";
import { forEach } from "./hostile.ts";
import { hmac } from "./http.ts";
import { createOwnAccountFixtures, WEBHOOKS } from "./payments.ts";
import { openOrder, openShop, orderProduct, paymentIdOf } from "./sales.ts";

const shop = await openShop();
const { app } = shop;

const keys = createOwnAccountFixtures(app);

/** A premium seller with an own account, whose webhook secret he chose. */
async function openOwnAccount() {
  const seller = await app.seller({ plan: "premium" });
  const account = keys.openAccount("moneroo");
  const put = await keys.put(seller, "moneroo", { keys: account.keys });
  expect(put.status).toBe(200);
  const keyId = await app.value<string>`
    SELECT id::text FROM seller_keys WHERE seller_id = ${seller.id} AND ended_at IS NULL`;
  return { path: `/webhooks/moneroo/${keyId}`, secret: account.keys["webhookSecret"] ?? "" };
}

function send(path: string, body: string, secret = MONEROO_WEBHOOK_SECRET) {
  const headers = { "x-moneroo-signature": hmac(secret, body) };
  return app.call("POST", path, { body, headers });
}

describe("a seller's own account", () => {
  test("has its own rate, and is answered 429 beyond it, which affects no other account", async () => {
    const { path, secret } = await openOwnAccount();
    const numbers = Array.from({ length: ACCOUNT_WEBHOOKS_A_MINUTE + 40 }, (_, n) => n);
    const answers = await forEach(numbers, (n) => send(path, `{"n":${n}}`, secret));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(ACCOUNT_WEBHOOKS_A_MINUTE);
    const refused = await send(path, '{"n":"more"}', secret);
    expect(refused).toMatchObject({ status: 429, body: { code: "request.too-many" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    expect((await send("/webhooks/moneroo", '{"n":1}')).status).toBe(200);
    const other = await openOwnAccount();
    expect((await send(other.path, "{}", other.secret)).status).toBe(200);
    app.clock.advance(MINUTE_MS);
    expect((await send(path, '{"n":"later"}', secret)).status).toBe(200);
  });

  test("is not limited by a stranger with wrong signatures", async () => {
    const { path, secret } = await openOwnAccount();
    const guesses = Array.from({ length: ACCOUNT_WEBHOOKS_A_MINUTE + 1 });
    const answers = await forEach(guesses, () => send(path, "{}", "a guess"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await send(path, "{}", secret)).status).toBe(200);
  });

  test("stores only the hash of a webhook without a payment of that account, for a day", async () => {
    const { seller, product, keys: own, webhookUrl } = await keys.sellerCollecting("moneroo");
    type Stored = { count: number; whole: number };
    const stored = () => app.sql<Stored>`
      SELECT count(*)::int AS count, (count(*) FILTER (WHERE body <> ''))::int AS whole
      FROM provider_webhooks JOIN seller_keys k ON k.id = key_id WHERE k.seller_id = ${seller.id}`;
    const foreign = await openOrder(shop);
    for (const id of ["py_nobody_knows", foreign.paymentId]) {
      const body = JSON.stringify({ data: { id }, padding: "x".repeat(50_000) });
      const answer = await send(new URL(webhookUrl).pathname, body, own["webhookSecret"]);
      expect(answer.status).toBe(200);
    }
    expect(await stored()).toEqual([{ count: 2, whole: 0 }]);
    const opened = await orderProduct(app, await app.signInBuyer(), product.reference);
    await app.pay("moneroo", paymentIdOf(opened.payment_url));
    const whole = (await stored())[0]?.whole ?? 0;
    expect(whole).toBeGreaterThan(0);
    await app.advance(DAY_MS + HOUR_MS);
    expect(await stored()).toEqual([{ count: whole, whole }]);
  });
});

describe("a stored webhook", () => {
  test("of the instance is stored whole for ninety days, then deleted", async () => {
    const body = `{"data":{"id":"py_kept"},"n":${Date.now()}}`;
    expect((await send("/webhooks/moneroo", body)).status).toBe(200);
    await app.sql`
      INSERT INTO payout_webhooks (provider, body_hash, body, received_at)
      VALUES ('moneroo', 'a hash', 'a body', ${app.clock.now()})`;
    const standing = () => app.value`
      SELECT ((SELECT count(*) FROM provider_webhooks WHERE body = ${Buffer.from(body)})
        + (SELECT count(*) FROM payout_webhooks))::int`;
    await app.advance(89 * DAY_MS);
    expect(await standing()).toBe(2);
    await app.advance(2 * DAY_MS);
    expect(await standing()).toBe(0);
  });

  // With a stored proof a reader of a backup could forge webhooks.
  test("of any provider contains no proof of its sender", async () => {
    const hash = createHash("sha512").update(EMULATED_KEYS.paydunya.masterKey).digest("hex");
    const sent = [
      ["moneroo", '{"data":{"id":"py_1"}}'],
      ["fedapay", '{"name":"transaction.approved","entity":{"id":1}}'],
      ["kkiapay", '{"transactionId":"k1","stateData":"sesame-1"}'],
      ["cryptopay", '{"update_type":"invoice_paid","payload":{"invoice_id":1}}'],
      ["paydunya", `data[hash]=${hash}&data[invoice][token]=t1`],
      [
        "paydunya",
        `data=${encodeURIComponent(JSON.stringify({ hash, invoice: { token: "t2" } }))}`,
      ],
      ["paydunya", JSON.stringify({ data: { hash, invoice: { token: "t3" } } })],
      ["paydunya", JSON.stringify({ hash, disburse_id: "a-payout", status: "success" })],
      ["paydunya", `{"hash":"\\u00${hash.charCodeAt(0).toString(16)}${hash.slice(1)}","n":1}`],
    ];
    const proofs = [hash, hash.slice(1), EMULATED_KEYS.kkiapay.webhookSecret];
    for (const [provider = "", text = ""] of sent) {
      const signed = WEBHOOKS[provider]?.sign(text, app.clock.now());
      assert(signed, `nobody signs for ${provider}`);
      const { "content-type": _json, ...signature } = signed.headers;
      const type = text.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
      const headers = { ...signature, "content-type": type };
      const answer = await app.call("POST", `/webhooks/${provider}`, { body: text, headers });
      expect(answer.status, `${provider}: ${text}`).toBe(200);
      proofs.push(...Object.values(signature));
    }
    const rows = await app.sql<{ provider: string; text: string }>`
      SELECT provider, encode(body, 'escape') AS text FROM provider_webhooks
      UNION ALL SELECT provider, encode(body, 'escape') FROM payout_webhooks`;
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(
      new Set(["moneroo", "fedapay", "kkiapay", "cryptopay", "paydunya"]),
    );
    for (const { text } of rows) {
      for (const proof of proofs) expect(text.toLowerCase()).not.toContain(proof);
    }
    expect(rows.some(({ text }) => text.includes("t1"))).toBe(true);
  });
});
