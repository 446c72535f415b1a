import { join, resolve } from "node:path";
import { decideMode } from "@sesame/kernel";
import { randomBytes, randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export type Settings = ReturnType<typeof readSettings>;

/** The app, the front page of the emulators, and one origin for each of its three phones. */
export const DEMO_PORTS = 5;

const EVERYWHERE = new Set(["0.0.0.0", "::", "localhost"]);

/** Settings of this start, from the environment alone. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const { mode, because } = decideMode({
    nodeEnv: env.NODE_ENV,
    publicUrl: env.PUBLIC_URL,
    host: env.HOST,
    emulated: !env.SELLER_BOT_TOKEN,
  });
  if (mode === "production" && !env.SELLER_BOT_TOKEN) {
    throw new Error(
      "SELLER_BOT_TOKEN: missing. Without it the demo would start, and production refuses the " +
        `demo (${because}).`,
    );
  }
  const demo = mode === "demo";
  const port = Number(env.PORT || "3000");
  const last = demo ? port + DEMO_PORTS - 1 : port;
  if (!Number.isInteger(port) || port < 1 || last > 65_535) {
    throw new Error(`PORT: "${env.PORT}" is not a usable port`);
  }
  const host = env.HOST || (mode === "production" ? "0.0.0.0" : "127.0.0.1");
  const publicUrl = env.PUBLIC_URL || `http://localhost:${port}`;
  if (!URL.canParse(publicUrl)) throw new Error(`PUBLIC_URL: "${publicUrl}" is not an address`);
  return {
    port,
    host,
    /** The host by which this machine reaches what listens on `host`. */
    near: EVERYWHERE.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host,
    publicUrl,
    /** There is no bot token: the emulators are started beside the server, which uses them alone. */
    demo,
    /** Real money: the whole configuration is read before anything is opened. */
    production: mode === "production",
    /** Whether this process serves HTTP and owns the port. */
    serves: !env.ROLES || env.ROLES.split(",").some((role) => role.trim() === "http"),
    databaseUrl: env.DATABASE_URL || null,
    dataDir: resolve(env.DATA_DIR || "./data"),
  };
}

/**
 * Secrets that the demo invents once and keeps, so that a second start finds the same people and
 * money, by the names of their variables.
 */
export function demoSecrets(dataDir: string): Record<string, string> {
  const file = join(dataDir, "demo.json");
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  // A file of an older version has no keys of providers that were added since.
  const made = { ...inventedSecrets(), ...kept };
  if (Object.keys(made).every((name) => name in kept)) return made;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.draft`;
  writeFileSync(draft, JSON.stringify(made, null, 2), { mode: 0o600 });
  renameSync(draft, file);
  return made;
}

function inventedSecrets(): Record<string, string> {
  const word = () => randomBytes(18).toString("base64url");
  return {
    SELLER_BOT_TOKEN: botToken(6_100_000_000),
    BUYER_BOT_TOKEN: botToken(6_200_000_000),
    MONEROO_SECRET_KEY: `sk_demo_${word()}`,
    MONEROO_WEBHOOK_SECRET: randomBytes(24).toString("base64url"),
    PAYDUNYA_MASTER_KEY: word(),
    PAYDUNYA_PRIVATE_KEY: `live_private_${word()}`,
    PAYDUNYA_TOKEN: word(),
    FEDAPAY_SECRET_KEY: `sk_sandbox_${word()}`,
    FEDAPAY_PUBLIC_KEY: `pk_sandbox_${word()}`,
    FEDAPAY_WEBHOOK_SECRET: `wh_sandbox_${word()}`,
    KKIAPAY_PUBLIC_KEY: randomBytes(20).toString("hex"),
    KKIAPAY_PRIVATE_KEY: `pk_${word()}`,
    KKIAPAY_SECRET_KEY: `sk_${word()}`,
    KKIAPAY_WEBHOOK_SECRET: word(),
    CRYPTOPAY_TOKEN: `${randomInt(10_000, 99_999)}:AA${randomBytes(17).toString("hex").slice(1)}`,
  };
}

function botToken(base: number): string {
  return `${base + randomInt(99_999_999)}:${randomBytes(26).toString("base64url")}`;
}

/** The emulators' third person: the phone of the agent, who is also the demo's operator. */
const OPERATOR_TELEGRAM_ID = "7100000003";
/** Ibrahim Sow: large amounts need a second agent, and any phone can be handed to him. */
const SECOND_AGENT_TELEGRAM_ID = "7100000005";

/** Every outside party is an emulator, whatever else the environment says (WIRE §1). */
export function demoEnvironment(settings: Settings, env: NodeJS.ProcessEnv) {
  const { port, near, publicUrl, dataDir } = settings;
  const shown = new URL(publicUrl);
  const emulatorUrl = `${shown.protocol}//${shown.hostname}:${port + 1}`;
  const emulatorRoot = `http://${near}:${port + 1}`;
  const shared = { PUBLIC_URL: publicUrl, ...demoSecrets(dataDir) };
  return {
    /** As people open it, under the host by which they reach the app. */
    emulatorUrl,
    /** As programs of this machine reach it. */
    emulatorRoot,
    emulators: {
      ...shared,
      EMULATORS_PORT: String(port + 1),
      EMULATORS_STATE: join(dataDir, "emulators.json"),
      APP_URL: `http://${near}:${port}`,
    } as NodeJS.ProcessEnv,
    server: {
      ...shared,
      SESAME_DEMO: "1",
      TELEGRAM_API_ROOT: emulatorRoot,
      TELEGRAM_WEB_ORIGINS: emulatorUrl,
      // Telegram's webhooks need https: the demo polls.
      TELEGRAM_WEBHOOK_SECRET: "",
      MONEROO_API_ROOT: emulatorRoot,
      PAYDUNYA_API_ROOT: emulatorRoot,
      FEDAPAY_API_ROOT: emulatorRoot,
      FEDAPAY_WIDGET_URL: `${emulatorUrl}/fedapay/checkout.js`,
      KKIAPAY_API_ROOT: emulatorRoot,
      KKIAPAY_WIDGET_URL: `${emulatorUrl}/kkiapay/k.js`,
      CRYPTOPAY_API_ROOT: emulatorRoot,
      STARS_ENABLED: "1",
      CLOCK_URL: `${emulatorRoot}/emulators/clock`,
      AGENT_TELEGRAM_IDS:
        env.AGENT_TELEGRAM_IDS || `${OPERATOR_TELEGRAM_ID},${SECOND_AGENT_TELEGRAM_ID}`,
      OPERATOR_TELEGRAM_IDS: env.OPERATOR_TELEGRAM_IDS || OPERATOR_TELEGRAM_ID,
    } as NodeJS.ProcessEnv,
  };
}
