import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { Env } from "./program.ts";
import { collectKeys, KEY, payoutKeys, refusalOf } from "./settings.ts";

const least = (): Record<string, string> => ({
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  SECRETS_KEY: KEY,
  SELLER_BOT_TOKEN: "1:a",
});

describe("a provider of payouts is open when its keys are set", () => {
  const open = (env: Env) => readConfig({ ...least(), ...payoutKeys(), ...env });

  test("at its own address", () => {
    expect(open({})).toMatchObject({
      moneroo: null,
      paydunya: {
        masterKey: "a-good-master-key-of-paydunya",
        privateKey: "live_private_a-good-one",
        token: "a-good-token-of-paydunya",
        apiRoot: "https://app.paydunya.com",
      },
      fedapay: {
        secretKey: "sk_live_a-good-secret-key",
        webhookSecret: "wh_live_a-good-secret",
        publicKey: null,
        apiRoot: "https://api.fedapay.com",
        widgetUrl: "https://cdn.fedapay.com/checkout.js?v=1.1.7",
        orangeBurkinaMode: "orange-bf",
      },
    });
  });

  test("at the address of its sandbox when the key is one of it, or at the one that is said", () => {
    const sandbox = open({ FEDAPAY_SECRET_KEY: "sk_sandbox_1" });
    expect(sandbox.fedapay?.apiRoot).toBe("https://sandbox-api.fedapay.com");
    const elsewhere = "http://127.0.0.1:9/";
    const said = open({
      PAYDUNYA_API_ROOT: elsewhere,
      FEDAPAY_API_ROOT: elsewhere,
      FEDAPAY_PUBLIC_KEY: "pk_1",
      FEDAPAY_WIDGET_URL: "http://127.0.0.1:9/checkout.js",
      FEDAPAY_ORANGE_BURKINA_MODE: "orange_bf",
    });
    expect(said.paydunya?.apiRoot).toBe("http://127.0.0.1:9");
    expect(said.fedapay).toMatchObject({
      apiRoot: "http://127.0.0.1:9",
      publicKey: "pk_1",
      widgetUrl: "http://127.0.0.1:9/checkout.js",
      orangeBurkinaMode: "orange_bf",
    });
  });

  test.each([
    ["PAYDUNYA_PRIVATE_KEY", ""],
    ["PAYDUNYA_TOKEN", ""],
    ["FEDAPAY_WEBHOOK_SECRET", ""],
    ["PAYDUNYA_API_ROOT", "https://app.paydunya.com/api/v2"],
    ["FEDAPAY_API_ROOT", "fedapay"],
    ["FEDAPAY_WIDGET_URL", "checkout.js"],
    ["FEDAPAY_ORANGE_BURKINA_MODE", "Orange BF"],
  ])("and not by half, or nowhere: %s=%j is refused by its name", (name, value) => {
    expect(refusalOf({ ...least(), ...payoutKeys(), [name]: value })).toContain(`${name}: `);
  });
});

describe("KkiaPay, Crypto Pay and Telegram Stars", () => {
  test("are open when they are told, at their own addresses", () => {
    expect(readConfig({ ...least(), ...collectKeys() })).toMatchObject({
      kkiapay: {
        publicKey: "public-key-of-kkiapay",
        apiRoot: "https://api.kkiapay.me",
        widgetUrl: "https://cdn.kkiapay.me/k.js",
        sandbox: false,
      },
      cryptopay: { token: "12345:a-good-token-of-cryptopay", apiRoot: "https://pay.crypt.bot" },
      starsEnabled: true,
    });
    for (const [said, open] of [
      ["true", true],
      ["0", false],
      ["false", false],
    ] as const) {
      expect(readConfig({ ...least(), STARS_ENABLED: said }).starsEnabled).toBe(open);
    }
  });

  test("have addresses of their own for rehearsing, which say that no franc moves", () => {
    const { kkiapay, cryptopay } = readConfig({
      ...least(),
      ...collectKeys(),
      KKIAPAY_API_ROOT: "https://api-sandbox.kkiapay.me/",
      KKIAPAY_WIDGET_URL: "http://127.0.0.1:9/kkiapay/k.js",
      CRYPTOPAY_API_ROOT: "https://testnet-pay.crypt.bot",
    });
    expect(kkiapay).toMatchObject({
      apiRoot: "https://api-sandbox.kkiapay.me",
      widgetUrl: "http://127.0.0.1:9/kkiapay/k.js",
      sandbox: true,
    });
    expect(cryptopay?.apiRoot).toBe("https://testnet-pay.crypt.bot");
    const test = {
      ...least(),
      ...collectKeys(),
      KKIAPAY_PRIVATE_KEY: "tpk_a-key-of-their-sandbox",
    };
    expect(readConfig(test).kkiapay).toMatchObject({
      apiRoot: "https://api-sandbox.kkiapay.me",
      sandbox: true,
    });
  });

  test.each([
    ["KKIAPAY_PUBLIC_KEY", ""],
    ["KKIAPAY_PRIVATE_KEY", ""],
    ["KKIAPAY_SECRET_KEY", ""],
    ["KKIAPAY_WEBHOOK_SECRET", ""],
    ["KKIAPAY_API_ROOT", "https://api.kkiapay.me/api/v1"],
    ["KKIAPAY_WIDGET_URL", "k.js"],
    ["CRYPTOPAY_API_ROOT", "https://pay.crypt.bot/api"],
    ["STARS_ENABLED", "yes"],
  ])("are refused by half or nowhere: %s=%j", (name, value) => {
    expect(refusalOf({ ...least(), ...collectKeys(), [name]: value })).toContain(`${name}: `);
  });
});
