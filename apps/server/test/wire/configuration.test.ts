import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { collectKeys, KEY, payoutKeys, refusalOf } from "./settings.ts";
import { type Env, startServer } from "./program.ts";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "sesame-wire-"));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const least = (): Record<string, string> => ({
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  DATA_DIR: dataDir,
  SELLER_BOT_TOKEN: "1:a",
});

const production = (): Record<string, string> => ({
  ...least(),
  NODE_ENV: "production",
  SECRETS_KEY: KEY,
  MONEROO_SECRET_KEY: "a-good-secret-key-of-moneroo",
  MONEROO_WEBHOOK_SECRET: "a-good-webhook-secret-of-moneroo",
  ...payoutKeys(),
  ...collectKeys(),
});

describe("the defaults of WIRE §1", () => {
  // @shows B7.backend-base
  test("are what stands when almost nothing is said", () => {
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

  test("a key is made and kept where none is given, outside production", async () => {
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

describe("what WIRE §1 says may be said", () => {
  test.each(["1:a", "123456789:AA-bb_cc", "7:é è", "42:a:b:c"])("a token like %j", (token) => {
    const env = { ...least(), SELLER_BOT_TOKEN: token, BUYER_BOT_TOKEN: `9${token}` };
    const config = readConfig(env);
    expect(config.sellerBot.token).toBe(token);
    expect(config.oneBot).toBe(false);
    expect(readConfig({ ...least(), BUYER_BOT_TOKEN: "1:a" }).oneBot).toBe(true);
  });

  test("lists, roots and roles", () => {
    const config = readConfig({
      ...least(),
      ROLES: " bot , worker ",
      TELEGRAM_API_ROOT: "http://127.0.0.1:8081/",
      TELEGRAM_WEB_ORIGINS: "https://a.example, https://b.example",
      AGENT_TELEGRAM_IDS: "1, 2",
      OPERATOR_TELEGRAM_IDS: "3",
      PUBLIC_URL: "https://sesame.example/",
      TELEGRAM_WEBHOOK_SECRET: "abc_DEF-123",
    });
    expect([...config.roles]).toEqual(["bot", "worker"]);
    expect(config.telegramApiRoot).toBe("http://127.0.0.1:8081");
    expect(config.telegramWebOrigins).toEqual(["https://a.example", "https://b.example"]);
    expect([...config.agentTelegramIds]).toEqual([1n, 2n]);
    expect(config.publicUrl).toBe("https://sesame.example");
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
];

describe("a variable that cannot be", () => {
  test.each(WRONG)("%s=%j is refused by its name", (name, value) => {
    expect(refusalOf({ ...least(), [name]: value })).toContain(`${name}: `);
  });
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
];

describe("NODE_ENV=production", () => {
  test("starts with good secrets", () => {
    expect(readConfig(production()).production).toBe(true);
  });

  test.each(REFUSED)("refuses %s=%j, and names it", (name, value) => {
    const { [name]: _, ...rest } = production();
    const env = value === undefined ? rest : { ...rest, [name]: value };
    expect(refusalOf(env)).toMatch(new RegExp(`${name}: `));
    if (value !== undefined) expect(refusalOf(env)).not.toContain(value === "1" ? "=1" : value);
  });
});

describe("the program", () => {
  test("ends with 1 and the reason, when it is told nonsense or finds no database", async () => {
    const attempt = async (env: Env) => {
      const program = startServer({ ...least(), ...env });
      return { code: await program.gone, said: program.output() };
    };
    const [nonsense, alone] = await Promise.all([attempt({ ROLES: "cook" }), attempt({})]);
    expect(nonsense.code).toBe(1);
    expect(nonsense.said).toContain("ROLES: unknown role: cook");
    expect(alone.code).toBe(1);
    expect(alone.said).toMatch(/Sésame ne peut pas démarrer : .*ECONNREFUSED/);
  });
});
