import {
  ConfigError,
  type Environment,
  missing,
  type Mode,
  readRoot,
  refuseWeak,
} from "./config-values.ts";

/** Each is open when its keys are set (WIRE §1); roots are scheme, host and port only. */
export type MonerooConfig = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiRoot: string;
};

export type PaydunyaConfig = {
  readonly masterKey: string;
  readonly privateKey: string;
  readonly token: string;
  readonly apiRoot: string;
};

export type FedapayConfig = {
  readonly secretKey: string;
  /** For a browser's widget. */
  readonly publicKey: string | null;
  readonly webhookSecret: string;
  readonly apiRoot: string;
  readonly widgetUrl: string;
  /** How this account spells Orange Money in Burkina. */
  readonly orangeBurkinaMode: string;
};

export function readMoneroo(env: Environment, mode: Mode): MonerooConfig | null {
  const secretKey = env["MONEROO_SECRET_KEY"];
  if (!secretKey) return null;
  refuseWeak("MONEROO_SECRET_KEY", secretKey, mode);
  return {
    secretKey,
    webhookSecret: readSecret(env, "MONEROO_WEBHOOK_SECRET", mode),
    apiRoot: readRoot(env, "MONEROO_API_ROOT", "https://api.moneroo.io"),
  };
}

export function readPaydunya(env: Environment, mode: Mode): PaydunyaConfig | null {
  const masterKey = env["PAYDUNYA_MASTER_KEY"];
  if (!masterKey) return null;
  refuseWeak("PAYDUNYA_MASTER_KEY", masterKey, mode);
  return {
    masterKey,
    privateKey: readSecret(env, "PAYDUNYA_PRIVATE_KEY", mode),
    token: readSecret(env, "PAYDUNYA_TOKEN", mode),
    apiRoot: readRoot(env, "PAYDUNYA_API_ROOT", "https://app.paydunya.com"),
  };
}

export function readFedapay(env: Environment, mode: Mode): FedapayConfig | null {
  const secretKey = env["FEDAPAY_SECRET_KEY"];
  if (!secretKey) return null;
  refuseWeak("FEDAPAY_SECRET_KEY", secretKey, mode);
  // Their two worlds have each its host, and the key says which one it opens.
  const host = secretKey.startsWith("sk_sandbox_") ? "sandbox-api" : "api";
  return {
    secretKey,
    publicKey: env["FEDAPAY_PUBLIC_KEY"] || null,
    webhookSecret: readSecret(env, "FEDAPAY_WEBHOOK_SECRET", mode),
    apiRoot: readRoot(env, "FEDAPAY_API_ROOT", `https://${host}.fedapay.com`),
    widgetUrl: readWidgetUrl(env, "FEDAPAY_WIDGET_URL", FEDAPAY_WIDGET),
    orangeBurkinaMode: readMode(env, "FEDAPAY_ORANGE_BURKINA_MODE", "orange-bf"),
  };
}

const FEDAPAY_WIDGET = "https://cdn.fedapay.com/checkout.js?v=1.1.7";

function readSecret(env: Environment, name: string, mode: Mode): string {
  const value = env[name] || missing(name);
  refuseWeak(name, value, mode);
  return value;
}

function readWidgetUrl(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback;
  if (!URL.canParse(value)) throw new ConfigError(`${name}: not an address: ${value}`);
  return value;
}

function readMode(env: Environment, name: string, fallback: string): string {
  const value = env[name] || fallback;
  if (!/^[a-z_-]{2,40}$/.test(value)) throw new ConfigError(`${name}: not a mode: ${value}`);
  return value;
}
