import { randomBytes } from "node:crypto";
import { PROVIDERS } from "@sesame/contract/checkout";
import { AGGREGATOR_KEYS, type AggregatorKey } from "@sesame/contract/payment-accounts";
import { assert, type Fcfa, ok, refuse } from "@sesame/kernel";
import type { PaymentProvider, PayoutProvider, ProviderId } from "@sesame/providers";
import { createCryptopay, quoteInEuros } from "@sesame/providers/cryptopay";
import { createFedapay, createFedapayPayouts } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo, createMonerooPayouts } from "@sesame/providers/moneroo";
import { createPaydunya, createPaydunyaPayouts } from "@sesame/providers/paydunya";
import { createStars, quoteInStars, type StarsCall } from "@sesame/providers/stars";
import type { App } from "./app.ts";
import { createStarCharges } from "./bot/star-charges.ts";
import { type Config, type Keys, placeOf, providerSecretsOf } from "./config.ts";
import { redact } from "./secrets/redact-secrets.ts";

type Ground = Pick<App, "config" | "clock">;

/** The instance's own accounts, in the order buyers see them: open when keys are set. */
export function openProviders(
  ground: Pick<App, "config" | "db" | "clock" | "settings" | "telegram">,
): PaymentProvider[] {
  const { config, clock } = ground;
  const open = AGGREGATOR_KEYS.flatMap((provider) => {
    const account = config[provider];
    return account ? [connect(provider, { ...account, now: () => clock.now() })] : [];
  });
  if (config.starsEnabled) open.push(openStars(ground));
  return redactInstance(open, config);
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

const CONNECT: { readonly [P in AggregatorKey]: (account: never) => PaymentProvider } = {
  moneroo: createMoneroo,
  fedapay: createFedapay,
  kkiapay: createKkiapay,
  paydunya: createPaydunya,
  cryptopay: createCryptopay,
};

/** Each adapter takes the keys of its provider's row, its addresses and the time. */
const connect = (provider: AggregatorKey, account: object) => CONNECT[provider](account as never);

/** A provider with a seller's own keys; they are complete, as the form was checked. */
export function connectProvider({ config, clock }: Ground, provider: AggregatorKey, keys: Keys) {
  for (const { name, optional } of PROVIDERS[provider].keys) {
    assert(optional || keys[name], "a set of keys is saved whole");
  }
  return connect(provider, {
    // Without a secret no webhook can be verified: a random one, known to nobody, rejects all.
    webhookSecret: randomBytes(32).toString("hex"),
    publicKey: null,
    ...keys,
    ...placeOf(config.providerPlaces[provider], keys),
    now: () => clock.now(),
  });
}

/** Each provider's API address; displayed to sellers. */
export function apiUrlsOf({
  providerPlaces,
  telegramApiRoot,
}: Pick<Config, "providerPlaces" | "telegramApiRoot">): Record<ProviderId, string> {
  const urls = Object.entries(providerPlaces).map(([provider, { live }]) => [provider, live]);
  return { ...Object.fromEntries(urls), stars: telegramApiRoot };
}

/** The instance's own accounts, whose answers and errors are redacted too; a public key may be in a browser. */
function redactInstance<Port extends object>(ports: readonly Port[], config: Config): Port[] {
  const secrets = providerSecretsOf(config).map(([, secret]) => secret);
  return ports.map((port) => redact(port, secrets));
}
