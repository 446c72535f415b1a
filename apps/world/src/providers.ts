import type { FastifyInstance } from "fastify";
import { type Cryptopay, startCryptopay } from "./cryptopay/cryptopay.ts";
import { type Fedapay, startFedapay } from "./fedapay/fedapay.ts";
import { type Kkiapay, startKkiapay } from "./kkiapay/kkiapay.ts";
import { type MobileMoney, startMobileMoney } from "./mobile-money/mobile-money.ts";
import { type Moneroo, startMoneroo } from "./moneroo/moneroo.ts";
import type { MonerooPayouts } from "./moneroo/payouts.ts";
import type { AppAddresses, WorldOptions } from "./options.ts";
import { type Paydunya, startPaydunya } from "./paydunya/paydunya.ts";
import type { PaymentDesk } from "./payments/desk.ts";
import type { HostedPage } from "./payments/hosted-page.ts";
import type { Merchants } from "./payments/merchants.ts";
import type { PayoutDesk } from "./payouts/desk.ts";
import { starDesk } from "./telegram/stars/desk.ts";
import type { Town } from "./telegram/town.ts";
import type { CollectorName, PayoutProviderName } from "./wire.ts";
import type { SavedWorld } from "./world-state.ts";

/** Who takes and sends money, and the operators that carry it to the phones. */
type Providers = {
  parties: {
    moneroo: Moneroo;
    paydunya: Paydunya;
    fedapay: Fedapay;
    kkiapay: Kkiapay;
    cryptopay: Cryptopay;
    stars: PaymentDesk;
    mobileMoney: MobileMoney;
  };
  register(app: FastifyInstance): void;
  close(): void;
};

type Surroundings = {
  saved: SavedWorld;
  town: Town;
  app: Required<AppAddresses>;
  worldUrl(): string;
};

export function startProviders(options: WorldOptions, around: Surroundings): Providers {
  const mobileMoney = startOperators(around);
  const collecting = startCollectors(options, around, mobileMoney);
  const { moneroo, paydunya, fedapay, kkiapay, cryptopay } = collecting;
  const all = [moneroo, paydunya, fedapay, kkiapay, cryptopay];
  return {
    parties: { ...collecting, mobileMoney },
    register(server) {
      for (const one of all) one.register(server);
      registerPayoutById(server, { fedapay, moneroo: moneroo.payouts });
    },
    close() {
      for (const one of all) one.close();
    },
  };
}

/** In the world two providers live at one address: the key says which of them is asked. */
function registerPayoutById(
  app: FastifyInstance,
  { fedapay, moneroo }: { fedapay: Fedapay; moneroo: MonerooPayouts },
): void {
  app.get("/v1/payouts/:id", (request, reply) =>
    fedapay.owns(request)
      ? fedapay.answerPayout(request, reply)
      : moneroo.answerPayout(request, reply),
  );
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

function startCollectors(
  options: WorldOptions,
  { saved, town, app, worldUrl }: Surroundings,
  mobileMoney: MobileMoney,
): Collecting {
  const { clock, chance, scheduler, changed, show } = town;
  const near = (url: string) => nearAddress(url, app);
  const announceInitiated = options.announceInitiated ?? true;
  const common = { clock, chance, scheduler, mobileMoney, changed, show, near, worldUrl };
  const webhook = (name: CollectorName) => () => `${app.appUrl}/webhooks/${name}`;
  return {
    moneroo: startMoneroo({
      ...common,
      state: saved.moneroo,
      secretKey: options.monerooSecretKey,
      webhookSecret: options.monerooWebhookSecret,
      notifyUrl: () => app.notifyUrl,
      currencies: options.currencies ?? ["XOF"],
      announceInitiated,
    }),
    paydunya: startPaydunya({ ...common, book: saved.paydunya, keys: options.paydunya ?? null }),
    fedapay: startFedapay({
      ...common,
      state: saved.fedapay,
      keys: options.fedapay ?? null,
      announceInitiated,
      notifyUrl: webhook("fedapay"),
    }),
    kkiapay: startKkiapay({
      ...common,
      state: saved.kkiapay,
      keys: options.kkiapay ?? null,
      notifyUrl: webhook("kkiapay"),
    }),
    cryptopay: startCryptopay({
      ...common,
      state: saved.cryptopay,
      keys: options.cryptopay ?? null,
      notifyUrl: webhook("cryptopay"),
    }),
    stars: starDesk(town, () => saved.phones.buyer),
  };
}

/** What people reach at the app's public address, this machine reaches nearer. */
function nearAddress(url: string, { appUrl, publicUrl }: Required<AppAddresses>): string {
  const asked = new URL(url);
  if (asked.origin !== new URL(publicUrl).origin) return url;
  return new URL(`${asked.pathname}${asked.search}`, appUrl).href;
}

/** Who sends money, by name. */
export function payoutDesks(
  parties: Pick<Providers["parties"], "moneroo" | "paydunya" | "fedapay">,
): Record<PayoutProviderName, PayoutDesk> {
  const { paydunya, moneroo, fedapay } = parties;
  return { paydunya, moneroo: moneroo.payouts, fedapay };
}

type Collecting = Omit<Providers["parties"], "mobileMoney">;

/** Who takes money, by name. */
export function collectorsOf({ moneroo, fedapay, paydunya, ...others }: Collecting) {
  const { kkiapay, cryptopay, stars } = others;
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
export function merchantsOf({ moneroo, fedapay, kkiapay, paydunya, cryptopay }: Collecting) {
  return {
    moneroo: moneroo.merchants,
    fedapay: fedapay.merchants,
    kkiapay: kkiapay.accounts,
    paydunya: paydunya.merchants,
    cryptopay: cryptopay.merchants,
  } satisfies Partial<Record<CollectorName, Merchants<object>>>;
}

/** Pages on which a customer pays. */
export function hostedPages({ moneroo, fedapay, paydunya, cryptopay }: Collecting) {
  return {
    moneroo,
    fedapay: fedapay.collect,
    paydunya: paydunya.collect,
    cryptopay,
  } satisfies Partial<Record<CollectorName, HostedPage>>;
}
