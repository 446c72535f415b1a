import type { FastifyInstance } from "fastify";
import { startCryptopay } from "./cryptopay/cryptopay.ts";
import { startFedapay } from "./fedapay/fedapay.ts";
import type { EmulatedPayouts } from "./kit/payouts.ts";
import type { ProviderDeps } from "./kit/provider.ts";
import { startKkiapay } from "./kkiapay/kkiapay.ts";
import { startMobileMoney } from "./mobile-money/mobile-money.ts";
import { startMoneroo } from "./moneroo/moneroo.ts";
import type { EmulatorOptions } from "./index.ts";
import { startPaydunya } from "./paydunya/paydunya.ts";
import { starPayments } from "./telegram/stars.ts";
import type { Telegram } from "./telegram/state.ts";
import type { MerchantProviderName, PayoutProviderName } from "./wire.ts";
import type { SavedEmulators } from "./emulator-state.ts";

/** Providers that take and send money, and the operators that bring it to the phones. */
export type Parties = ReturnType<typeof startProviders>["parties"];

type Deps = {
  saved: SavedEmulators;
  emulated: Telegram;
  emulatorUrl(): string;
};

export function startProviders(options: EmulatorOptions, deps: Deps) {
  const { saved, emulated, emulatorUrl } = deps;
  const { clock, random, scheduler, settings: app, changed, show } = emulated;
  const mobileMoney = startMobileMoney(saved, emulated);
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
  const at = <N extends MerchantProviderName>(name: N) => ({
    state: saved[name],
    keys: options[name] ?? null,
  });
  const providers = {
    moneroo: startMoneroo(shared, at("moneroo")),
    fedapay: startFedapay(shared, at("fedapay")),
    kkiapay: startKkiapay(shared, at("kkiapay")),
    paydunya: startPaydunya(shared, at("paydunya")),
    cryptopay: startCryptopay(shared, at("cryptopay")),
  };
  const stars = starPayments(emulated, () => saved.phones.buyer);
  const { moneroo, paydunya, fedapay } = providers;
  /** All that take money, by one interface. */
  const collectors = { ...fieldOf(providers, "collect"), stars };
  /** All that send money, by one interface. */
  const payers: Record<PayoutProviderName, EmulatedPayouts> = {
    paydunya,
    moneroo: moneroo.payouts,
    fedapay,
  };
  /** Sellers' own accounts. */
  const merchants = fieldOf(providers, "merchants");
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

/** The same part of each. */
function fieldOf<F extends string, T extends Record<string, Record<F, unknown>>>(all: T, field: F) {
  const parts = Object.entries(all).map(([name, one]) => [name, one[field]]);
  return Object.fromEntries(parts) as { [N in keyof T]: T[N][F] };
}

/** An address of the app's public origin, as this machine reaches it. */
function nearAddress(url: string, { appUrl, publicUrl }: Telegram["settings"]): string {
  const asked = new URL(url);
  if (asked.origin !== new URL(publicUrl).origin) return url;
  return new URL(`${asked.pathname}${asked.search}`, appUrl).href;
}
