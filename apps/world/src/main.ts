import { decideMode, describeError } from "@sesame/kernel";
import { startWorld } from "./index.ts";

/** How long a clean close may take before the process ends all the same. */
const CLOSE_TIMEOUT_MS = 1_000;

function setting(name: string, otherwise?: string): string {
  const value = process.env[name] ?? otherwise;
  if (value === undefined || value === "") {
    console.error(`The world cannot start: ${name} is not set.`);
    process.exit(1);
  }
  return value;
}

function port(name: string, otherwise: number): number {
  const value = Number(setting(name, String(otherwise)));
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  console.error(`The world cannot start: ${name} is not a port.`);
  process.exit(1);
}

const { mode, because } = decideMode({
  nodeEnv: process.env.NODE_ENV,
  publicUrl: process.env.PUBLIC_URL,
  host: process.env.HOST,
  emulated: true,
});
if (mode === "production") {
  console.error(`The emulated world does not start in production: ${because}.`);
  process.exit(1);
}

const appUrl = setting("APP_URL");
const worldPort = port("WORLD_PORT", Number(new URL(appUrl).port) + 1);
const sellerBotToken = setting("SELLER_BOT_TOKEN");
const publicUrl = process.env.PUBLIC_URL;
const statePath = process.env.WORLD_STATE;
const buyerAppName = process.env.BUYER_APP_NAME;
const paydunyaMasterKey = process.env.PAYDUNYA_MASTER_KEY;
const fedapaySecretKey = process.env.FEDAPAY_SECRET_KEY;
const kkiapaySecretKey = process.env.KKIAPAY_SECRET_KEY;
const cryptopayToken = process.env.CRYPTOPAY_TOKEN;

try {
  const world = await startWorld({
    port: worldPort,
    host: setting("HOST", "127.0.0.1"),
    appUrl,
    ...(publicUrl ? { publicUrl } : {}),
    ...(statePath ? { statePath } : {}),
    ...(buyerAppName ? { buyerAppName } : {}),
    phonePorts: {
      seller: port("WORLD_SELLER_PORT", worldPort + 1),
      buyer: port("WORLD_BUYER_PORT", worldPort + 2),
      agent: port("WORLD_AGENT_PORT", worldPort + 3),
    },
    sellerBotToken,
    buyerBotToken: setting("BUYER_BOT_TOKEN", sellerBotToken),
    monerooSecretKey: setting("MONEROO_SECRET_KEY"),
    monerooWebhookSecret: setting("MONEROO_WEBHOOK_SECRET"),
    ...(paydunyaMasterKey
      ? {
          paydunya: {
            masterKey: paydunyaMasterKey,
            privateKey: setting("PAYDUNYA_PRIVATE_KEY"),
            token: setting("PAYDUNYA_TOKEN"),
          },
        }
      : {}),
    ...(fedapaySecretKey
      ? {
          fedapay: {
            secretKey: fedapaySecretKey,
            publicKey: setting("FEDAPAY_PUBLIC_KEY"),
            webhookSecret: setting("FEDAPAY_WEBHOOK_SECRET"),
          },
        }
      : {}),
    ...(kkiapaySecretKey
      ? {
          kkiapay: {
            secretKey: kkiapaySecretKey,
            publicKey: setting("KKIAPAY_PUBLIC_KEY"),
            privateKey: setting("KKIAPAY_PRIVATE_KEY"),
            webhookSecret: setting("KKIAPAY_WEBHOOK_SECRET"),
          },
        }
      : {}),
    ...(cryptopayToken ? { cryptopay: { token: cryptopayToken } } : {}),
    notifyUrl: setting("MONEROO_NOTIFY_URL", `${appUrl}/webhooks/moneroo`),
  });
  const stop = () => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    void world.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // The launcher waits for this line.
  console.log(`world ready ${world.url}`);
} catch (error) {
  console.error(`The world cannot start: ${describeError(error)}`);
  process.exit(1);
}
