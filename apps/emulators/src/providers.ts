import type { FastifyInstance } from "fastify";
import { startCryptopay } from "./cryptopay/cryptopay.ts";
import { startFedapay } from "./fedapay/fedapay.ts";
import type { EmulatedPayments } from "./kit/payments.ts";
import type { EmulatedPayouts } from "./kit/payouts.ts";
import type { ProviderDeps } from "./kit/provider.ts";
import { startKkiapay } from "./kkiapay/kkiapay.ts";
import { startMobileMoney } from "./mobile-money/mobile-money.ts";
import { startMoneroo } from "./moneroo/moneroo.ts";
import type { AppAddresses, EmulatorOptions } from "./index.ts";
import { startPaydunya } from "./paydunya/paydunya.ts";
import { starPayments } from "./telegram/stars.ts";
import type { EmulatedTelegram } from "./telegram/state.ts";
import type { CollectorName, PayoutProviderName } from "./wire.ts";
import type { SavedEmulators } from "./emulator-state.ts";

/** Providers that take and send money, and the operators that bring it to the phones. */
export type Parties = ReturnType<typeof startProviders>["parties"];

type Deps = {
  saved: SavedEmulators;
  emulated: EmulatedTelegram;
  app: Required<AppAddresses>;
  emulatorUrl(): string;
};

export function startProviders(options: EmulatorOptions, deps: Deps) {
  const { saved, emulated, app, emulatorUrl } = deps;
  const { clock, random, scheduler, changed, show } = emulated;
  const mobileMoney = startOperators(deps);
  const shared: ProviderDeps = {
    clock,
    random,
    scheduler,
    mobileMoney,
    announceInitiated: options.announceInitiated ?? true,
    near: (url) => nearAddress(url, app),
    emulatorUrl,
    webhookUrl: (name) => `${app.appUrl}/webhooks/${name}`,
    show,
    changed,
  };
  const at = <N extends "paydunya" | "fedapay" | "kkiapay" | "cryptopay">(name: N) => ({
    state: saved[name],
    keys: options[name] ?? null,
  });
  const { monerooSecretKey: secretKey, monerooWebhookSecret: webhookSecret } = options;
  const keys = { secretKey, webhookSecret };
  const providers = {
    moneroo: startMoneroo(shared, { state: saved.moneroo, keys }),
    paydunya: startPaydunya(shared, at("paydunya")),
    fedapay: startFedapay(shared, at("fedapay")),
    kkiapay: startKkiapay(shared, at("kkiapay")),
    cryptopay: startCryptopay(shared, at("cryptopay")),
  };
  const stars = starPayments(emulated, () => saved.phones.buyer);
  const { moneroo, paydunya, fedapay, kkiapay, cryptopay } = providers;
  /** All that take money, by one interface. */
  const collectors = {
    moneroo: moneroo.collect,
    fedapay: fedapay.collect,
    kkiapay: kkiapay.collect,
    paydunya: paydunya.collect,
    cryptopay: cryptopay.collect,
    stars,
  } satisfies Record<CollectorName, EmulatedPayments>;
  /** All that send money, by one interface. */
  const payers: Record<PayoutProviderName, EmulatedPayouts> = {
    paydunya,
    moneroo: moneroo.payouts,
    fedapay,
  };
  /** Sellers' own accounts. */
  const merchants = {
    moneroo: moneroo.merchants,
    fedapay: fedapay.merchants,
    kkiapay: kkiapay.merchants,
    paydunya: paydunya.merchants,
    cryptopay: cryptopay.merchants,
  };
  return {
    parties: { ...providers, stars, mobileMoney, collectors, payers, merchants },
    register(server: FastifyInstance) {
      for (const one of Object.values(providers)) one.register(server);
    },
    close() {
      for (const one of Object.values(providers)) one.close();
    },
  };
}

function startOperators({ saved, emulated }: Deps) {
  const { clock, random, changed } = emulated;
  return startMobileMoney({
    state: saved.mobileMoney,
    clock,
    random,
    people: () =>
      [...saved.telegram.persons.values()].map(({ id, firstName, lastName }) => ({
        id,
        name: [firstName, lastName].filter(Boolean).join(" "),
      })),
    agentId: () => saved.phones.agent,
    changed,
  });
}

/** An address of the app's public origin, as this machine reaches it. */
function nearAddress(url: string, { appUrl, publicUrl }: Required<AppAddresses>): string {
  const asked = new URL(url);
  if (asked.origin !== new URL(publicUrl).origin) return url;
  return new URL(`${asked.pathname}${asked.search}`, appUrl).href;
}
