import { decideMode, describeError } from "@sesame/kernel";
import { KEYS } from "./kit/accounts.ts";
import { startEmulators, type EmulatorOptions } from "./index.ts";

/** How long a clean close may take before the process ends all the same. */
const CLOSE_TIMEOUT_MS = 1_000;

function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value === undefined || value === "") {
    console.error(`The emulators cannot start: ${name} is not set.`);
    process.exit(1);
  }
  return value;
}

function port(name: string, otherwise: number): number {
  const value = Number(setting(name, String(otherwise)));
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  console.error(`The emulators cannot start: ${name} is not a port.`);
  process.exit(1);
}

const { mode, because } = decideMode({
  nodeEnv: process.env.NODE_ENV,
  publicUrl: process.env.PUBLIC_URL,
  host: process.env.HOST,
  emulated: true,
});
if (mode === "production") {
  console.error(`The emulators do not start in production: ${because}.`);
  process.exit(1);
}

const appUrl = setting("APP_URL");
const emulatorPort = port("EMULATORS_PORT", Number(new URL(appUrl).port) + 1);
const sellerBotToken = setting("SELLER_BOT_TOKEN");
const publicUrl = process.env.PUBLIC_URL;
const statePath = process.env.EMULATORS_STATE;
const buyerAppName = process.env.BUYER_APP_NAME;

/** The app's accounts at providers. Without its first key a provider has none. */
function accounts(): Partial<EmulatorOptions> {
  const found: Record<string, Record<string, string>> = {};
  for (const [provider, keys] of Object.entries(KEYS)) {
    // `masterKey` of `paydunya` is PAYDUNYA_MASTER_KEY.
    const nameOf = (key: string) => `${provider}_${key.replace(/[A-Z]/, "_$&")}`.toUpperCase();
    if (!process.env[nameOf(keys[0] ?? "")]) continue;
    found[provider] = Object.fromEntries(keys.map((key) => [key, setting(nameOf(key))]));
  }
  return found;
}

try {
  const emulators = await startEmulators({
    port: emulatorPort,
    host: setting("HOST", "127.0.0.1"),
    appUrl,
    ...(publicUrl ? { publicUrl } : {}),
    ...(statePath ? { statePath } : {}),
    ...(buyerAppName ? { buyerAppName } : {}),
    phonePorts: {
      seller: port("EMULATORS_SELLER_PORT", emulatorPort + 1),
      buyer: port("EMULATORS_BUYER_PORT", emulatorPort + 2),
      agent: port("EMULATORS_AGENT_PORT", emulatorPort + 3),
    },
    sellerBotToken,
    buyerBotToken: setting("BUYER_BOT_TOKEN", sellerBotToken),
    ...accounts(),
  });
  const stop = () => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    void emulators.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // The launcher waits for this line.
  console.log(`emulators ready ${emulators.url}`);
} catch (error) {
  console.error(`The emulators cannot start: ${describeError(error)}`);
  process.exit(1);
}
