import { readdirSync, readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { KNOWN_PROVIDERS, PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { afterAll, describe, expect, test } from "vitest";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { type Environment, readConfig } from "../../src/config.ts";
import { type Env, startServer } from "../child-server.ts";

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString("base64");

const collectKeys = (): Record<string, string> => ({
  KKIAPAY_PUBLIC_KEY: "public-key-of-kkiapay",
  KKIAPAY_PRIVATE_KEY: "a-good-private-key-of-kkiapay",
  KKIAPAY_SECRET_KEY: "a-good-secret-key-of-kkiapay",
  KKIAPAY_WEBHOOK_SECRET: "a-good-webhook-secret-of-kkiapay",
  CRYPTOPAY_TOKEN: "12345:a-good-token-of-cryptopay",
  STARS_ENABLED: "1",
});

const payoutKeys = (): Record<string, string> => ({
  PAYDUNYA_MASTER_KEY: "a-good-master-key-of-paydunya",
  PAYDUNYA_PRIVATE_KEY: "live_private_a-good-one",
  PAYDUNYA_TOKEN: "a-good-token-of-paydunya",
  FEDAPAY_SECRET_KEY: "sk_live_a-good-secret-key",
  FEDAPAY_WEBHOOK_SECRET: "wh_live_a-good-secret",
});

/** The reason of the refusal to start. */
const refusalOf = (env: Environment): string => {
  try {
    readConfig(env);
  } catch (error) {
    return String(error);
  }
  return "it starts";
};

/** Secrets as strong as production requires, made up for the tests. */
const goodBotTokens = (): Record<string, string> => ({
  SELLER_BOT_TOKEN: "6100000001:AAqWeRtYuIoPaSdFgHjKlZxCvBnM1234567",
  BUYER_BOT_TOKEN: "6200000002:AAmNbVcXzLkJhGfDsApOiUyTrEwQ7654321",
});

const dataDir = ownFolder("wire");
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const least = (): Record<string, string> => ({
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  DATA_DIR: dataDir,
  SELLER_BOT_TOKEN: "1:a",
});

const production = (): Record<string, string> => ({
  ...least(),
  ...goodBotTokens(),
  NODE_ENV: "production",
  PUBLIC_URL: "https://sesame.example",
  SECRETS_KEY: KEY,
  MONEROO_SECRET_KEY: "a-good-secret-key-of-moneroo",
  MONEROO_WEBHOOK_SECRET: "a-good-webhook-secret-of-moneroo",
  ...payoutKeys(),
  ...collectKeys(),
});

describe("the defaults of WIRE §1", () => {
  test("apply when almost nothing is set", () => {
    const config = readConfig(least());
    expect(config).toMatchObject({
      production: false,
      demo: false,
      port: 3_000,
      host: "127.0.0.1",
      publicUrl: "http://localhost:3000",
      oneBot: true,
      telegramApiRoot: "https://api.telegram.org",
      telegramWebhookSecret: null,
      telegramWebOrigins: ["https://web.telegram.org"],
      buyerAppName: null,
      moneroo: null,
      paydunya: null,
      fedapay: null,
      kkiapay: null,
      cryptopay: null,
      starsEnabled: false,
      timeZone: "Africa/Abidjan",
      metricsToken: null,
      trustedProxies: 0,
    });
    expect([...config.roles]).toEqual(["http", "bot", "worker"]);
    expect(readConfig(production()).host).toBe("0.0.0.0");
  });

  test("a key is created and stored where none is given, outside production", async () => {
    const first = readConfig(least()).secretsKey;
    expect(first).toHaveLength(32);
    expect(readConfig(least()).secretsKey).toEqual(first);
    const kept = await readFile(join(dataDir, "secrets.key"), "utf8");
    expect(Buffer.from(kept, "base64")).toEqual(Buffer.from(first));
  });

  test("an empty variable is one that is not set", () => {
    const empty = { PORT: "", HOST: "", PUBLIC_URL: "", ROLES: "", TIME_ZONE: "", SECRETS_KEY: "" };
    const bot = { BUYER_BOT_TOKEN: "", TELEGRAM_API_ROOT: "" };
    const keys = { MONEROO_SECRET_KEY: "", PAYDUNYA_MASTER_KEY: "", FEDAPAY_SECRET_KEY: "" };
    const more = Object.fromEntries(Object.keys(collectKeys()).map((name) => [name, ""]));
    const env = { ...least(), ...empty, ...bot, ...keys, ...more };
    expect(readConfig(env)).toEqual(readConfig(least()));
  });
});

describe("a value that WIRE §1 allows:", () => {
  test.each(["1:a", "123456789:AA-bb_cc", "7:é è", "42:a:b:c"])("a token like %j", (token) => {
    const env = { ...least(), SELLER_BOT_TOKEN: token, BUYER_BOT_TOKEN: `9${token}` };
    const config = readConfig(env);
    expect(config.sellerBot.token).toBe(token);
    expect(config.oneBot).toBe(false);
    expect(readConfig({ ...least(), SELLER_BOT_TOKEN: token }).oneBot).toBe(true);
  });

  test("lists, roots and roles", () => {
    const config = readConfig({
      ...least(),
      ROLES: " bot , worker ",
      TELEGRAM_API_ROOT: "http://127.0.0.1:8081/",
      TELEGRAM_WEB_ORIGINS: "https://a.example, https://b.example",
      AGENT_TELEGRAM_IDS: "1, 2",
      OPERATOR_TELEGRAM_IDS: "3",
      PUBLIC_URL: "http://localhost:3000/",
      TELEGRAM_WEBHOOK_SECRET: "abc_DEF-123",
    });
    expect([...config.roles]).toEqual(["bot", "worker"]);
    expect(config.telegramApiRoot).toBe("http://127.0.0.1:8081");
    expect(config.telegramWebOrigins).toEqual(["https://a.example", "https://b.example"]);
    expect([...config.agentTelegramIds]).toEqual([1n, 2n]);
    expect(config.publicUrl).toBe("http://localhost:3000");
    expect(config.telegramWebhookSecret).toBe("abc_DEF-123");
  });
});

const WRONG: readonly (readonly [name: string, value: string])[] = [
  ["SELLER_BOT_TOKEN", "no digits"],
  ["BUYER_BOT_TOKEN", "12345"],
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "sesame"],
  ["ROLES", "http,cook"],
  ["TELEGRAM_API_ROOT", "https://api.telegram.org/bot"],
  ["TELEGRAM_API_ROOT", "telegram"],
  ["AGENT_TELEGRAM_IDS", "12,awa"],
  ["TIME_ZONE", "Africa/Nowhere"],
  ["TELEGRAM_WEBHOOK_SECRET", "with spaces"],
  ["SECRETS_KEY", "c2hvcnQ="],
  ["TELEGRAM_API_ROOT", "http://telegram.example"],
  ["TELEGRAM_API_ROOT", "ftp://127.0.0.1"],
  ["TELEGRAM_API_ROOT", "https://name:word@api.telegram.org"],
  ["MONEROO_API_ROOT", "http://moneroo.example"],
  ["FEDAPAY_WIDGET_URL", "http://fedapay.example/checkout.js"],
  ["KKIAPAY_WIDGET_URL", "javascript:alert(1)"],
  ["TELEGRAM_WEB_ORIGINS", "*"],
  ["TELEGRAM_WEB_ORIGINS", "https://web.telegram.org, *"],
  ["TELEGRAM_WEB_ORIGINS", "https://web.telegram.org/a"],
  ["TELEGRAM_WEB_ORIGINS", "http://phones.example"],
  ["CLOCK_URL", "http://clock.example/now"],
];

test.each(WRONG)("an invalid variable, %s=%j, is refused by its name", (name, value) => {
  expect(refusalOf({ ...least(), [name]: value })).toContain(`${name}: `);
});

const REFUSED: readonly (readonly [name: string, value: string | undefined])[] = [
  ["SELLER_BOT_TOKEN", undefined],
  ["SECRETS_KEY", undefined],
  ["SECRETS_KEY", Buffer.alloc(32).toString("base64")],
  ["SECRETS_KEY", Buffer.alloc(16, "ab").toString("base64")],
  ["MONEROO_WEBHOOK_SECRET", undefined],
  ["MONEROO_WEBHOOK_SECRET", "secret"],
  ["MONEROO_SECRET_KEY", "aaaaaaaaaaaaaaaaaaaaaaaa"],
  ["PAYDUNYA_MASTER_KEY", "short"],
  ["PAYDUNYA_PRIVATE_KEY", "live_private"],
  ["PAYDUNYA_TOKEN", "aaaaaaaaaaaaaaaaaaaaaaaa"],
  ["PAYDUNYA_TOKEN", undefined],
  ["FEDAPAY_SECRET_KEY", "sk_live_1"],
  ["FEDAPAY_WEBHOOK_SECRET", "wh"],
  ["FEDAPAY_WEBHOOK_SECRET", undefined],
  ["KKIAPAY_PUBLIC_KEY", undefined],
  ["KKIAPAY_PRIVATE_KEY", "pk_1"],
  ["KKIAPAY_SECRET_KEY", "aaaaaaaaaaaaaaaaaaaaaaaa"],
  ["KKIAPAY_SECRET_KEY", undefined],
  ["KKIAPAY_WEBHOOK_SECRET", "secret"],
  ["KKIAPAY_WEBHOOK_SECRET", undefined],
  ["CRYPTOPAY_TOKEN", "1:a"],
  ["TELEGRAM_WEBHOOK_SECRET", "abc"],
  ["METRICS_TOKEN", "abc"],
  ["SESAME_DEMO", "1"],
  ["CLOCK_URL", "http://127.0.0.1:1/clock"],
  ["SELLER_BOT_TOKEN", "1:a"],
  ["SELLER_BOT_TOKEN", "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11"],
  ["BUYER_BOT_TOKEN", "1:a"],
  ["BUYER_BOT_TOKEN", `6100000001:${"Ab".repeat(18)}`],
  ["SECRETS_KEY", Buffer.alloc(32, "8 bytes!").toString("base64")],
  ["SECRETS_KEY", Buffer.alloc(32, "16 bytes, twice.").toString("base64")],
  ["SECRETS_KEY_PREVIOUS", Buffer.alloc(32, "8 bytes!").toString("base64")],
  ["METRICS_TOKEN", "abcdefghabcdefgh"],
  ["METRICS_TOKEN", "please-change-me-now"],
  ["METRICS_TOKEN", "<a long random text>"],
  ["MONEROO_SECRET_KEY", "your-secret-key-of-moneroo"],
  ["FEDAPAY_WEBHOOK_SECRET", "a-good-webhook-secret-of-moneroo"],
  ["PUBLIC_URL", undefined],
  ["PUBLIC_URL", "http://sesame.example"],
  ["PUBLIC_URL", "https://localhost"],
  ["PUBLIC_URL", "https://127.0.0.1:3000"],
  ["PAYDUNYA_API_ROOT", "http://app.paydunya.example"],
];

describe("production", () => {
  test("starts with good secrets", () => {
    expect(readConfig(production())).toMatchObject({ production: true, mode: "production" });
  });

  test("accepts one bot for both parts", () => {
    const { BUYER_BOT_TOKEN: _, ...oneBot } = production();
    expect(readConfig(oneBot).oneBot).toBe(true);
  });

  test.each(REFUSED)("refuses %s=%j, and names it", (name, value) => {
    const { [name]: _, ...rest } = production();
    const env = value === undefined ? rest : { ...rest, [name]: value };
    expect(refusalOf(env)).toMatch(new RegExp(`${name}: `));
    if (value !== undefined) expect(refusalOf(env)).not.toContain(value === "1" ? "=1" : value);
  });
});

/** Not certainly a demo or development: strong secrets are required. */
const PRODUCTION_BY: readonly Record<string, string>[] = [
  { NODE_ENV: "production" },
  { NODE_ENV: "Production" },
  { NODE_ENV: "production " },
  { NODE_ENV: "prod" },
  { NODE_ENV: "staging" },
  { NODE_ENV: "development", PUBLIC_URL: "https://sesame.example" },
  { PUBLIC_URL: "http://192.168.1.10:3000" },
  { PUBLIC_URL: "http://localhost.example" },
  { HOST: "0.0.0.0" },
  { HOST: "::" },
];

describe("the mode of a process", () => {
  test.each(PRODUCTION_BY)("%j is production: weak secrets are refused", (env) => {
    expect(refusalOf({ ...least(), ...env })).toMatch(
      /^ConfigError: (SELLER_BOT_TOKEN|PUBLIC_URL): /,
    );
    expect(refusalOf({ ...least(), ...env, SESAME_DEMO: "1" })).toContain("SESAME_DEMO: ");
    expect(refusalOf({ ...least(), ...env, CLOCK_URL: "http://127.0.0.1:1/" })).toContain(
      "CLOCK_URL: ",
    );
    const strong = { ...production(), PUBLIC_URL: "https://sesame.example", NODE_ENV: "", ...env };
    if (!env["PUBLIC_URL"]?.startsWith("http:")) expect(readConfig(strong).mode).toBe("production");
  });

  test.each([
    {},
    { NODE_ENV: "development" },
    { NODE_ENV: "test" },
    { PUBLIC_URL: "http://127.0.0.1:3000", HOST: "127.0.0.1" },
    { PUBLIC_URL: "https://localhost:3000", HOST: "::1" },
    { PUBLIC_URL: "http://[::1]:3000", HOST: "localhost" },
  ])("%j is development, where any token of the form digits:text is accepted", (env) => {
    expect(readConfig({ ...least(), ...env }).mode).toBe("development");
  });

  test("a demo calls no service outside this machine", () => {
    const demo = { ...least(), SESAME_DEMO: "1", TELEGRAM_API_ROOT: "http://127.0.0.1:9" };
    expect(readConfig(demo)).toMatchObject({ mode: "demo", demo: true, production: false });
    expect(refusalOf({ ...demo, TELEGRAM_API_ROOT: "" })).toContain("TELEGRAM_API_ROOT: ");
    expect(refusalOf({ ...demo, MONEROO_SECRET_KEY: "a", MONEROO_WEBHOOK_SECRET: "b" })).toContain(
      "MONEROO_API_ROOT: ",
    );
  });
});

test("the program ends with 1 and the reason, for nonsense in its configuration or without a database", async () => {
  const attempt = async (env: Env) => {
    const program = startServer({ ...least(), ...env });
    return { code: await program.gone, said: program.output() };
  };
  const [nonsense, alone] = await Promise.all([attempt({ ROLES: "cook" }), attempt({})]);
  expect(nonsense.code).toBe(1);
  expect(nonsense.said).toContain("ROLES: unknown role: cook");
  expect(alone.code).toBe(1);
  expect(alone.said).toContain("Mode : développement (");
  expect(alone.said).toMatch(/Sésame ne peut pas démarrer : .*ECONNREFUSED/);
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

  test("at its sandbox's address when the key is a sandbox's, or at the configured address", () => {
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
  ])("and needs all its keys and a valid address: %s=%j is refused by its name", (name, value) => {
    expect(refusalOf({ ...least(), ...payoutKeys(), [name]: value })).toContain(`${name}: `);
  });
});

describe("KkiaPay, Crypto Pay and Telegram Stars", () => {
  test("are open when they are set, at their own addresses", () => {
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

  test("have sandbox addresses of their own, at which no franc moves", () => {
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
  ])("need all their keys and a valid address: %s=%j is refused", (name, value) => {
    expect(refusalOf({ ...least(), ...collectKeys(), [name]: value })).toContain(`${name}: `);
  });
});

/** What no type requires when a provider is added (docs/adding-a-provider.md). */

const ROOT = new URL("../../../../", import.meta.url);
const FOLDERS = new URL("packages/providers/src/", ROOT);
const namesIn = (place: URL) => readdirSync(place, { withFileTypes: true });
const KNOWN = [...KNOWN_PROVIDERS].sort();

test("each provider that is named has its folder, and each folder is named", () => {
  const folders = namesIn(FOLDERS).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(KNOWN);
  expect(Object.keys(PAYMENT_PROVIDERS).sort()).toEqual(KNOWN);
});

describe.each(KNOWN)("%s", (id) => {
  const folder = new URL(`${id}/`, FOLDERS);
  const files = namesIn(folder).map(({ name }) => name);

  test("has translations, recorded answers and tests of its own", () => {
    expect(files).toEqual(expect.arrayContaining(["index.ts", "recorded"]));
    expect(files.some((name) => name.endsWith(".test.ts"))).toBe(true);
    expect(namesIn(new URL("recorded/", folder)).length).toBeGreaterThan(0);
  });

  test("has its account in the ledger", () => {
    const tables = readFileSync(new URL("database/tables.sql", ROOT), "utf8");
    expect(tables).toContain(`'provider:${id}'`);
  });

  test("has settings that open it", () => {
    const config: object = readConfig({
      ...least(),
      MONEROO_SECRET_KEY: "a-good-secret-key-of-moneroo",
      MONEROO_WEBHOOK_SECRET: "a-good-webhook-secret-of-moneroo",
      ...payoutKeys(),
      ...collectKeys(),
    });
    const settings = { ...config, stars: Reflect.get(config, "starsEnabled") };
    expect(Reflect.get(settings, id)).toBeTruthy();
  });
});
