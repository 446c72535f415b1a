import type { FastifyInstance } from "fastify";
import { type Cryptopay, startCryptopay } from "./cryptopay/cryptopay.ts";
import { type Fedapay, startFedapay } from "./fedapay/fedapay.ts";
import type { Accounts } from "./kit/accounts.ts";
import type { HostedPage, PaymentDesk } from "./kit/payments.ts";
import type { PayoutDesk } from "./kit/payouts.ts";
import type { Place } from "./kit/place.ts";
import { type Kkiapay, startKkiapay } from "./kkiapay/kkiapay.ts";
import { type MobileMoney, startMobileMoney } from "./mobile-money/mobile-money.ts";
import { type Moneroo, startMoneroo } from "./moneroo/moneroo.ts";
import type { AppAddresses, WorldOptions } from "./options.ts";
import { type Paydunya, startPaydunya } from "./paydunya/paydunya.ts";
import { starDesk } from "./telegram/stars.ts";
import type { Town } from "./telegram/town.ts";
import type { CollectorName, PayoutProviderName } from "./wire.ts";
import type { SavedWorld } from "./world-state.ts";

/** Who takes and sends money, and the operators that carry it to the phones. */
export type Parties = {
  moneroo: Moneroo;
  paydunya: Paydunya;
  fedapay: Fedapay;
  kkiapay: Kkiapay;
  cryptopay: Cryptopay;
  stars: PaymentDesk;
  mobileMoney: MobileMoney;
};

type Surroundings = {
  saved: SavedWorld;
  town: Town;
  app: Required<AppAddresses>;
  worldUrl(): string;
};

export function startProviders(
  options: WorldOptions,
  around: Surroundings,
): { parties: Parties; register(app: FastifyInstance): void; close(): void } {
  const { saved, town, app, worldUrl } = around;
  const { clock, chance, scheduler, changed, show } = town;
  const mobileMoney = startOperators(around);
  const place: Place = {
    clock,
    chance,
    scheduler,
    mobileMoney,
    announceInitiated: options.announceInitiated ?? true,
    near: (url) => nearAddress(url, app),
    worldUrl,
    webhookUrl: (name) => (name === "moneroo" ? app.notifyUrl : `${app.appUrl}/webhooks/${name}`),
    show,
    changed,
  };
  const moneroo = startMoneroo(place, {
    state: saved.moneroo,
    keys: { secretKey: options.monerooSecretKey, webhookSecret: options.monerooWebhookSecret },
    currencies: options.currencies ?? ["XOF"],
  });
  const at = <N extends "paydunya" | "fedapay" | "kkiapay" | "cryptopay">(name: N) => ({
    state: saved[name],
    keys: options[name] ?? null,
  });
  const paydunya = startPaydunya(place, at("paydunya"));
  const fedapay = startFedapay(place, at("fedapay"));
  const kkiapay = startKkiapay(place, at("kkiapay"));
  const cryptopay = startCryptopay(place, at("cryptopay"));
  const stars = starDesk(town, () => saved.phones.buyer);
  const all = [moneroo, paydunya, fedapay, kkiapay, cryptopay];
  return {
    parties: { moneroo, paydunya, fedapay, kkiapay, cryptopay, stars, mobileMoney },
    register(server) {
      for (const one of all) one.register(server);
      // In the world two providers live at one address: the key says which of them is asked.
      server.get("/v1/payouts/:id", (request, reply) =>
        (fedapay.owns(request) ? fedapay : moneroo).answerPayout(request, reply),
      );
    },
    close() {
      for (const one of all) one.close();
    },
  };
}

function startOperators({ saved, town }: Surroundings): MobileMoney {
  const { clock, chance, changed } = town;
  return startMobileMoney({
    state: saved.mobileMoney,
    clock,
    chance,
    people: () =>
      [...saved.telegram.persons.values()].map(({ id, firstName, lastName }) => ({
        id,
        name: [firstName, lastName].filter(Boolean).join(" "),
      })),
    agentId: () => saved.phones.agent,
    changed,
  });
}

/** What people reach at the app's public address, this machine reaches nearer. */
function nearAddress(url: string, { appUrl, publicUrl }: Required<AppAddresses>): string {
  const asked = new URL(url);
  if (asked.origin !== new URL(publicUrl).origin) return url;
  return new URL(`${asked.pathname}${asked.search}`, appUrl).href;
}

/** Who sends money, by name. */
export function payoutDesks({
  paydunya,
  moneroo,
  fedapay,
}: Parties): Record<PayoutProviderName, PayoutDesk> {
  return { paydunya, moneroo: moneroo.payouts, fedapay };
}

/** Who takes money, by name. */
export function collectorsOf({ moneroo, fedapay, paydunya, kkiapay, cryptopay, stars }: Parties) {
  return {
    moneroo: moneroo.collect,
    fedapay: fedapay.collect,
    kkiapay,
    paydunya: paydunya.collect,
    cryptopay,
    stars,
  } satisfies Record<CollectorName, PaymentDesk>;
}

export type Collectors = ReturnType<typeof collectorsOf>;

/** Where a seller opens an account of his own. */
export function merchantsOf({ moneroo, fedapay, kkiapay, paydunya, cryptopay }: Parties) {
  return {
    moneroo: moneroo.merchants,
    fedapay: fedapay.merchants,
    kkiapay: kkiapay.accounts,
    paydunya: paydunya.merchants,
    cryptopay: cryptopay.merchants,
  } satisfies Partial<Record<CollectorName, Accounts<Record<string, string>>>>;
}

/** Pages on which a customer pays. */
export function hostedPages({ moneroo, fedapay, paydunya, cryptopay }: Parties) {
  return {
    moneroo,
    fedapay: fedapay.collect,
    paydunya: paydunya.collect,
    cryptopay,
  } satisfies Partial<Record<CollectorName, HostedPage>>;
}
