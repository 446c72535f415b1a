import { randomBytes } from "node:crypto";
import type { AggregatorKey } from "@sesame/contract/payment-accounts";
import type { KeyName } from "@sesame/contract/checkout";
import { assert, type Fcfa, ok, refuse, unreachable } from "@sesame/kernel";
import type { PaymentProvider, PayoutProvider, ProviderId } from "@sesame/providers";
import { createCryptopay, quoteInEuros } from "@sesame/providers/cryptopay";
import { createFedapay, createFedapayPayouts } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo, createMonerooPayouts } from "@sesame/providers/moneroo";
import { createPaydunya, createPaydunyaPayouts } from "@sesame/providers/paydunya";
import { createStars, quoteInStars, type StarsCall } from "@sesame/providers/stars";
import type { App } from "./app.ts";
import { createStarCharges } from "./bot/star-charges.ts";
import { type Config, providerSecretsOf } from "./config.ts";
import { redact } from "./secrets/redact-secrets.ts";

/** A seller's set of keys, by name, as the seller gave them. */
export type Keys = Readonly<Partial<Record<KeyName, string>>>;

type Ground = Pick<App, "config" | "clock">;

/** The instance's own accounts, in the order buyers see them: open when keys are set. */
export function openProviders(
  ground: Pick<App, "config" | "db" | "clock" | "settings" | "telegram">,
): PaymentProvider[] {
  const { moneroo, fedapay, kkiapay, paydunya, cryptopay, starsEnabled } = ground.config;
  const now = () => ground.clock.now();
  const open: PaymentProvider[] = [];
  if (moneroo) open.push(createMoneroo(moneroo));
  if (fedapay) open.push(createFedapay({ ...fedapay, now }));
  if (kkiapay) open.push(createKkiapay(kkiapay));
  if (paydunya) open.push(createPaydunya(paydunya));
  if (cryptopay) open.push(createCryptopay({ ...cryptopay, now }));
  if (starsEnabled) open.push(openStars(ground));
  return redactInstance(open, ground.config);
}

function openStars({
  db,
  clock,
  settings,
  telegram,
}: Pick<App, "db" | "clock" | "settings" | "telegram">): PaymentProvider {
  const gateway = telegram.gatewayOf("buyer");
  const call: StarsCall = async (method, params) => {
    // The adapter's parameters are those of Telegram's documented method.
    const answer = await gateway.call(method, params as never);
    return answer.ok ? ok<unknown>(answer.value) : refuse({ said: answer.refusal.said });
  };
  return createStars({
    call,
    charges: createStarCharges({ db, clock }),
    francsPerStar: async () => (await settings.current()).francs_per_star,
  });
}

/** In the order agents see them: PayDunya serves every method under its own name. */
export function openPayoutProviders({ config, clock }: Ground): PayoutProvider[] {
  const { paydunya, moneroo, fedapay } = config;
  const rails: PayoutProvider[] = [];
  if (paydunya) rails.push(createPaydunyaPayouts(paydunya));
  if (moneroo) rails.push(createMonerooPayouts(moneroo));
  if (fedapay) {
    const modeSpellings = { "orange-money-burkina": fedapay.orangeBurkinaMode };
    rails.push(createFedapayPayouts({ ...fedapay, modeSpellings, now: () => clock.now() }));
  }
  return redactInstance(rails, config);
}

/** The price in the provider's currency; null for providers that count in francs. */
export async function quoteOf({ settings }: App, provider: string, price: Fcfa) {
  switch (provider) {
    case "cryptopay":
      return quoteInEuros(price);
    case "stars":
      return quoteInStars(price, (await settings.current()).francs_per_star);
    default:
      return null;
  }
}

/** A provider with a seller's own keys; they are complete, as the form was checked. */
export function connectProvider(
  { config: { providerRoots: roots }, clock }: Ground,
  key: AggregatorKey,
  keys: Keys,
): PaymentProvider {
  // Without a secret no webhook can be verified: a random one, known to nobody, rejects all.
  const webhookSecret = keys.webhookSecret ?? randomBytes(32).toString("hex");
  const now = () => clock.now();
  switch (key) {
    case "moneroo":
      return createMoneroo({
        secretKey: need(keys.secretKey),
        webhookSecret,
        apiRoot: roots.moneroo,
      });
    case "fedapay": {
      const secretKey = need(keys.secretKey);
      const { live, sandbox, widgetUrl } = roots.fedapay;
      const apiRoot = secretKey.startsWith("sk_sandbox_") ? sandbox : live;
      const publicKey = keys.publicKey ?? null;
      return createFedapay({ secretKey, publicKey, webhookSecret, apiRoot, widgetUrl, now });
    }
    case "kkiapay": {
      const { apiRoot, widgetUrl } = roots.kkiapay;
      return createKkiapay({
        publicKey: need(keys.publicKey),
        privateKey: need(keys.privateKey),
        secretKey: need(keys.secretKey),
        webhookSecret,
        apiRoot,
        widgetUrl,
        sandbox: new URL(apiRoot).hostname.includes("sandbox"),
      });
    }
    case "paydunya":
      return createPaydunya({
        masterKey: need(keys.masterKey),
        privateKey: need(keys.privateKey),
        token: need(keys.token),
        apiRoot: roots.paydunya,
      });
    case "cryptopay":
      return createCryptopay({ token: need(keys.token), apiRoot: roots.cryptopay, now });
    default:
      return unreachable(key);
  }
}

function need(key: string | undefined): string {
  assert(key, "a set of keys is saved whole");
  return key;
}

/** Each provider's API address; displayed to sellers. */
export function apiUrlsOf({
  providerRoots: roots,
  telegramApiRoot,
}: Pick<Config, "providerRoots" | "telegramApiRoot">): Record<ProviderId, string> {
  return {
    moneroo: roots.moneroo,
    fedapay: roots.fedapay.live,
    kkiapay: roots.kkiapay.apiRoot,
    paydunya: roots.paydunya,
    cryptopay: roots.cryptopay,
    stars: telegramApiRoot,
  };
}

/** The instance's own accounts, whose answers and errors are redacted too; a public key may be in a browser. */
function redactInstance<Port extends object>(ports: readonly Port[], config: Config): Port[] {
  const secrets = providerSecretsOf(config).map(([, secret]) => secret);
  return ports.map((port) => redact(port, secrets));
}
