import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import {
  ConfigError,
  type Environment,
  isRepetition,
  missing,
  readList,
  refuseShared,
} from "./config-values.ts";

type Mode = { readonly production: boolean };

/** Tokens printed in Telegram's own documentation: everybody can sign in with them. */
const DOCUMENTED_TOKENS: ReadonlySet<string> = new Set([
  "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
  "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcK",
]);

/** The seller bot's token and the buyer bot's, which is the same one where only one is set. */
export function readBotTokens(env: Environment, mode: Mode): { seller: string; buyer: string } {
  const seller = readToken(env, "SELLER_BOT_TOKEN", mode) ?? missing("SELLER_BOT_TOKEN");
  return { seller, buyer: readToken(env, "BUYER_BOT_TOKEN", mode) ?? seller };
}

function readToken(env: Environment, name: string, mode: Mode): string | null {
  const token = env[name];
  if (!token) return null;
  if (!/^\d+:.+$/.test(token)) throw new ConfigError(`${name}: not of the form digits:text`);
  if (!mode.production) return token;
  const secret = /^\d{6,}:([\w-]{30,})$/.exec(token)?.[1];
  if (secret === undefined) throw new ConfigError(`${name}: not a token of BotFather`);
  if (new Set(secret).size < 12 || isRepetition(secret) || DOCUMENTED_TOKENS.has(token)) {
    throw new ConfigError(`${name}: a placeholder, not a token`);
  }
  return token;
}

/** What opens and seals the secrets at rest; `npm run rotate-keys` reads no more than this. */
export function readSecretsKeys(
  env: Environment,
  mode: { production: boolean; dataDir: string },
): Pick<Config, "secretsKey" | "previousSecretsKeys"> {
  const previous = readList(env["SECRETS_KEY_PREVIOUS"] ?? "");
  return {
    secretsKey: readSecretsKey(env, mode),
    previousSecretsKeys: previous.map((text) => decodeKey(text, "SECRETS_KEY_PREVIOUS")),
  };
}

function readSecretsKey(
  env: Environment,
  mode: { production: boolean; dataDir: string },
): Uint8Array {
  const given = env["SECRETS_KEY"];
  if (given) return decodeKey(given, "SECRETS_KEY");
  if (mode.production) missing("SECRETS_KEY");
  const path = join(mode.dataDir, "secrets.key");
  mkdirSync(mode.dataDir, { recursive: true });
  try {
    writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600, flag: "wx" });
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "EEXIST") throw cause;
  }
  return decodeKey(readFileSync(path, "utf8").trim(), "SECRETS_KEY");
}

function decodeKey(text: string, name: string): Uint8Array {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new ConfigError(`${name}: not 32 bytes in base64`);
  // 32 random bytes hold about 30 different ones; fewer than 16 are written, never drawn.
  const weak = new Set(key).size < 16 || isRepetition(key.toString("latin1"));
  if (weak) throw new ConfigError(`${name}: too weak`);
  return new Uint8Array(key);
}

/** In production one secret serves one purpose; two bots may be one bot. */
export function refuseSharedSecrets(config: Config): void {
  if (!config.production) return;
  refuseShared({
    SECRETS_KEY: Buffer.from(config.secretsKey).toString("base64"),
    SELLER_BOT_TOKEN: config.sellerBot.token,
    BUYER_BOT_TOKEN: config.oneBot ? null : config.buyerBot.token,
    TELEGRAM_WEBHOOK_SECRET: config.telegramWebhookSecret,
    METRICS_TOKEN: config.metricsToken,
    MONEROO_SECRET_KEY: config.moneroo?.secretKey,
    MONEROO_WEBHOOK_SECRET: config.moneroo?.webhookSecret,
    PAYDUNYA_MASTER_KEY: config.paydunya?.masterKey,
    PAYDUNYA_PRIVATE_KEY: config.paydunya?.privateKey,
    PAYDUNYA_TOKEN: config.paydunya?.token,
    FEDAPAY_SECRET_KEY: config.fedapay?.secretKey,
    FEDAPAY_WEBHOOK_SECRET: config.fedapay?.webhookSecret,
    KKIAPAY_PRIVATE_KEY: config.kkiapay?.privateKey,
    KKIAPAY_SECRET_KEY: config.kkiapay?.secretKey,
    KKIAPAY_WEBHOOK_SECRET: config.kkiapay?.webhookSecret,
    CRYPTOPAY_TOKEN: config.cryptopay?.token,
  });
}
