import { readdirSync, readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { KNOWN_PROVIDERS, PAYMENT_PROVIDERS } from "@sesame/contract/checkout";
import { afterAll, describe, expect, test } from "vitest";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { type Environment, readConfig } from "../../src/config.ts";
import { type Env, startServer } from "../child-server.ts";

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString("base64");

const collectKeys = {
  KKIAPAY_PUBLIC_KEY: "public-key-of-kkiapay",
  KKIAPAY_PRIVATE_KEY: "a-good-private-key-of-kkiapay",
  KKIAPAY_SECRET_KEY: "a-good-secret-key-of-kkiapay",
  KKIAPAY_WEBHOOK_SECRET: "a-good-webhook-secret-of-kkiapay",
  CRYPTOPAY_TOKEN: "12345:a-good-token-of-cryptopay",
  STARS_ENABLED: "1",
};

const payoutKeys = {
  PAYDUNYA_MASTER_KEY: "a-good-master-key-of-paydunya",
  PAYDUNYA_PRIVATE_KEY: "live_private_a-good-one",
  PAYDUNYA_TOKEN: "a-good-token-of-paydunya",
  FEDAPAY_SECRET_KEY: "sk_live_a-good-secret-key",
  FEDAPAY_WEBHOOK_SECRET: "wh_live_a-good-secret",
};

const monerooKeys = {
  MONEROO_SECRET_KEY: "a-good-secret-key-of-moneroo",
  MONEROO_WEBHOOK_SECRET: "a-good-webhook-secret-of-moneroo",
};

const dataDir = ownFolder("wire");
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const least = {
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  DATA_DIR: dataDir,
  SELLER_BOT_TOKEN: "1:a",
};

/** Secrets as strong as production requires, made up for the tests. */
const production: Env = {
  ...least,
  SELLER_BOT_TOKEN: "6100000001:AAqWeRtYuIoPaSdFgHjKlZxCvBnM1234567",
  BUYER_BOT_TOKEN: "6200000002:AAmNbVcXzLkJhGfDsApOiUyTrEwQ7654321",
  NODE_ENV: "production",
  PUBLIC_URL: "https://sesame.example",
  SECRETS_KEY: KEY,
  ...monerooKeys,
  ...payoutKeys,
  ...collectKeys,
};

/** The configuration with little more than the least. */
const configOf = (env: Environment = {}) => readConfig({ ...least, ...env });

/** The reason of the refusal to start. */
const refusalOf = (env: Environment): string => {
  try {
    configOf(env);
  } catch (error) {
    return String(error);
  }
  return "it starts";
};

describe("the defaults of WIRE §1", () => {
  test("apply when almost nothing is set", () => {
    const config = configOf();
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
    expect(readConfig(production).host).toBe("0.0.0.0");
  });

  test("a key is created and stored where none is given, outside production", async () => {
    const first = configOf().secretsKey;
    expect(first).toHaveLength(32);
    expect(configOf().secretsKey).toEqual(first);
    const kept = await readFile(join(dataDir, "secrets.key"), "utf8");
    expect(Buffer.from(kept, "base64")).toEqual(Buffer.from(first));
  });

  test("an empty variable is one that is not set", () => {
    const empty = { PORT: "", HOST: "", PUBLIC_URL: "", ROLES: "", TIME_ZONE: "", SECRETS_KEY: "" };
    const bot = { BUYER_BOT_TOKEN: "", TELEGRAM_API_ROOT: "" };
    const keys = { MONEROO_SECRET_KEY: "", PAYDUNYA_MASTER_KEY: "", FEDAPAY_SECRET_KEY: "" };
    const more = Object.fromEntries(Object.keys(collectKeys).map((name) => [name, ""]));
    expect(configOf({ ...empty, ...bot, ...keys, ...more })).toEqual(configOf());
  });
});

describe("a value that WIRE §1 allows:", () => {
  test.each(["1:a", "123456789:AA-bb_cc", "7:é è", "42:a:b:c"])("a token like %j", (token) => {
    const config = configOf({ SELLER_BOT_TOKEN: token, BUYER_BOT_TOKEN: `9${token}` });
    expect(config).toMatchObject({ sellerBot: { token }, oneBot: false });
    expect(configOf({ SELLER_BOT_TOKEN: token }).oneBot).toBe(true);
  });

  test("lists, roots and roles", () => {
    const config = configOf({
      ROLES: " bot , worker ",
      TELEGRAM_API_ROOT: "http://127.0.0.1:8081/",
      TELEGRAM_WEB_ORIGINS: "https://a.example, https://b.example",
      AGENT_TELEGRAM_IDS: "1, 2",
      OPERATOR_TELEGRAM_IDS: "3",
      PUBLIC_URL: "http://localhost:3000/",
      TELEGRAM_WEBHOOK_SECRET: "abc_DEF-123",
    });
    expect(config).toMatchObject({
      roles: new Set(["bot", "worker"]),
      telegramApiRoot: "http://127.0.0.1:8081",
      telegramWebOrigins: ["https://a.example", "https://b.example"],
      agentTelegramIds: new Set([1n, 2n]),
      publicUrl: "http://localhost:3000",
      telegramWebhookSecret: "abc_DEF-123",
    });
  });
});

/** The variables of a table, each with each of its values. */
const each = <Value>(table: Readonly<Record<string, readonly Value[]>>) =>
  Object.entries(table).flatMap(([name, values]) => values.map((value) => [name, value] as const));

const WRONG = each({
  SELLER_BOT_TOKEN: ["no digits"],
  BUYER_BOT_TOKEN: ["12345"],
  PORT: ["http", "70000"],
  PUBLIC_URL: ["sesame"],
  ROLES: ["http,cook"],
  AGENT_TELEGRAM_IDS: ["12,awa"],
  TIME_ZONE: ["Africa/Nowhere"],
  TELEGRAM_WEBHOOK_SECRET: ["with spaces"],
  SECRETS_KEY: ["c2hvcnQ="],
  TELEGRAM_API_ROOT: [
    "https://api.telegram.org/bot",
    "telegram",
    "http://telegram.example",
    "ftp://127.0.0.1",
    "https://name:word@api.telegram.org",
  ],
  MONEROO_API_ROOT: ["http://moneroo.example"],
  FEDAPAY_WIDGET_URL: ["http://fedapay.example/checkout.js"],
  KKIAPAY_WIDGET_URL: ["javascript:alert(1)"],
  TELEGRAM_WEB_ORIGINS: [
    "*",
    "https://web.telegram.org, *",
    "https://web.telegram.org/a",
    "http://phones.example",
  ],
  CLOCK_URL: ["http://clock.example/now"],
});

test.each(WRONG)("an invalid variable, %s=%j, is refused by its name", (name, value) => {
  expect(refusalOf({ [name]: value })).toContain(`${name}: `);
});

const keyOf = (length: number, repeated: string) =>
  Buffer.alloc(length, repeated).toString("base64");

const REFUSED = each<string | undefined>({
  SELLER_BOT_TOKEN: [undefined, "1:a", "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11"],
  BUYER_BOT_TOKEN: ["1:a", `6100000001:${"Ab".repeat(18)}`],
  SECRETS_KEY: [
    undefined,
    keyOf(32, "\0"),
    keyOf(16, "ab"),
    keyOf(32, "8 bytes!"),
    keyOf(32, "16 bytes, twice."),
  ],
  SECRETS_KEY_PREVIOUS: [keyOf(32, "8 bytes!")],
  MONEROO_SECRET_KEY: ["aaaaaaaaaaaaaaaaaaaaaaaa", "your-secret-key-of-moneroo"],
  MONEROO_WEBHOOK_SECRET: [undefined, "secret"],
  PAYDUNYA_MASTER_KEY: ["short"],
  PAYDUNYA_PRIVATE_KEY: ["live_private"],
  PAYDUNYA_TOKEN: [undefined, "aaaaaaaaaaaaaaaaaaaaaaaa"],
  PAYDUNYA_API_ROOT: ["http://app.paydunya.example"],
  FEDAPAY_SECRET_KEY: ["sk_live_1"],
  FEDAPAY_WEBHOOK_SECRET: [undefined, "wh", "a-good-webhook-secret-of-moneroo"],
  KKIAPAY_PUBLIC_KEY: [undefined],
  KKIAPAY_PRIVATE_KEY: ["pk_1"],
  KKIAPAY_SECRET_KEY: [undefined, "aaaaaaaaaaaaaaaaaaaaaaaa"],
  KKIAPAY_WEBHOOK_SECRET: [undefined, "secret"],
  CRYPTOPAY_TOKEN: ["1:a"],
  TELEGRAM_WEBHOOK_SECRET: ["abc"],
  METRICS_TOKEN: ["abc", "abcdefghabcdefgh", "please-change-me-now", "<a long random text>"],
  SESAME_DEMO: ["1"],
  CLOCK_URL: ["http://127.0.0.1:1/clock"],
  PUBLIC_URL: [undefined, "http://sesame.example", "https://localhost", "https://127.0.0.1:3000"],
});

describe("production", () => {
  test("starts with good secrets", () => {
    expect(readConfig(production)).toMatchObject({ production: true, mode: "production" });
  });

  test("accepts one bot for both parts", () => {
    const { BUYER_BOT_TOKEN: _, ...oneBot } = production;
    expect(readConfig(oneBot).oneBot).toBe(true);
  });

  test.each(REFUSED)("refuses %s=%j, and names it", (name, value) => {
    const env = { ...production, [name]: value };
    expect(refusalOf(env)).toContain(`${name}: `);
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
    expect(refusalOf(env)).toMatch(/^ConfigError: (SELLER_BOT_TOKEN|PUBLIC_URL): /);
    expect(refusalOf({ ...env, SESAME_DEMO: "1" })).toContain("SESAME_DEMO: ");
    expect(refusalOf({ ...env, CLOCK_URL: "http://127.0.0.1:1/" })).toContain("CLOCK_URL: ");
    const strong = { ...production, PUBLIC_URL: "https://sesame.example", NODE_ENV: "", ...env };
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
    expect(configOf(env).mode).toBe("development");
  });

  test("a demo calls no service outside this machine", () => {
    const demo = { SESAME_DEMO: "1", TELEGRAM_API_ROOT: "http://127.0.0.1:9" };
    expect(configOf(demo)).toMatchObject({ mode: "demo", demo: true, production: false });
    expect(refusalOf({ ...demo, TELEGRAM_API_ROOT: "" })).toContain("TELEGRAM_API_ROOT: ");
    expect(refusalOf({ ...demo, ...monerooKeys })).toContain("MONEROO_API_ROOT: ");
  });
});

test("the program ends with 1 and the reason, for nonsense in its configuration or without a database", async () => {
  const attempt = async (env: Env) => {
    const program = startServer({ ...least, ...env });
    expect(await program.gone).toBe(1);
    return program.output();
  };
  const [nonsense, alone] = await Promise.all([attempt({ ROLES: "cook" }), attempt({})]);
  expect(nonsense).toContain("ROLES: unknown role: cook");
  expect(alone).toContain("Mode : développement (");
  expect(alone).toMatch(/Sésame ne peut pas démarrer : .*ECONNREFUSED/);
});

describe("a provider of payouts is open when its keys are set", () => {
  const open = (env: Env) => configOf({ ...payoutKeys, ...env });

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
});

describe("KkiaPay, Crypto Pay and Telegram Stars", () => {
  test("are open when they are set, at their own addresses", () => {
    expect(configOf(collectKeys)).toMatchObject({
      kkiapay: {
        publicKey: "public-key-of-kkiapay",
        apiRoot: "https://api.kkiapay.me",
        widgetUrl: "https://cdn.kkiapay.me/k.js",
        sandbox: false,
      },
      cryptopay: { token: "12345:a-good-token-of-cryptopay", apiRoot: "https://pay.crypt.bot" },
      starsEnabled: true,
    });
    expect(configOf({ STARS_ENABLED: "true" }).starsEnabled).toBe(true);
    expect(configOf({ STARS_ENABLED: "0" }).starsEnabled).toBe(false);
    expect(configOf({ STARS_ENABLED: "false" }).starsEnabled).toBe(false);
  });

  test("have sandbox addresses of their own, at which no franc moves", () => {
    const { kkiapay, cryptopay } = configOf({
      ...collectKeys,
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
    const test = { ...collectKeys, KKIAPAY_PRIVATE_KEY: "tpk_a-key-of-their-sandbox" };
    expect(configOf(test).kkiapay).toMatchObject({
      apiRoot: "https://api-sandbox.kkiapay.me",
      sandbox: true,
    });
  });
});

test.each([
  ["PAYDUNYA_PRIVATE_KEY", ""],
  ["PAYDUNYA_TOKEN", ""],
  ["FEDAPAY_WEBHOOK_SECRET", ""],
  ["KKIAPAY_PUBLIC_KEY", ""],
  ["KKIAPAY_PRIVATE_KEY", ""],
  ["KKIAPAY_SECRET_KEY", ""],
  ["KKIAPAY_WEBHOOK_SECRET", ""],
  ["PAYDUNYA_API_ROOT", "https://app.paydunya.com/api/v2"],
  ["FEDAPAY_API_ROOT", "fedapay"],
  ["KKIAPAY_API_ROOT", "https://api.kkiapay.me/api/v1"],
  ["CRYPTOPAY_API_ROOT", "https://pay.crypt.bot/api"],
  ["FEDAPAY_WIDGET_URL", "checkout.js"],
  ["KKIAPAY_WIDGET_URL", "k.js"],
  ["FEDAPAY_ORANGE_BURKINA_MODE", "Orange BF"],
  ["STARS_ENABLED", "yes"],
])("a provider needs all its keys and a valid address: %s=%j is refused", (name, value) => {
  expect(refusalOf({ ...payoutKeys, ...collectKeys, [name]: value })).toContain(`${name}: `);
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
    const config: object = configOf({ ...monerooKeys, ...payoutKeys, ...collectKeys });
    const settings = { ...config, stars: Reflect.get(config, "starsEnabled") };
    expect(Reflect.get(settings, id)).toBeTruthy();
  });
});
