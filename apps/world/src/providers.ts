import type { FastifyInstance } from "fastify";
import { type Fedapay, startFedapay } from "./fedapay/fedapay.ts";
import { type MobileMoney, startMobileMoney } from "./mobile-money/mobile-money.ts";
import { type Moneroo, startMoneroo } from "./moneroo/moneroo.ts";
import type { AppAddresses, WorldOptions } from "./options.ts";
import { type Paydunya, startPaydunya } from "./paydunya/paydunya.ts";
import { registerPayoutById } from "./payouts/by-key.ts";
import type { PayoutDesk } from "./payouts/desk.ts";
import type { Town } from "./telegram/town.ts";
import type { PayoutProviderName } from "./wire.ts";
import type { SavedWorld } from "./world-state.ts";

/** Who takes and sends money, and the operators that carry it to the phones. */
type Providers = {
  parties: {
    moneroo: Moneroo;
    paydunya: Paydunya;
    fedapay: Fedapay;
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
  const { saved, town, app, worldUrl } = around;
  const { clock, chance, scheduler, changed, show } = town;
  const mobileMoney = startMobileMoney({
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
  const common = { clock, chance, scheduler, mobileMoney, changed, show };
  const moneroo = startMoneroo({
    ...common,
    state: saved.moneroo,
    secretKey: options.monerooSecretKey,
    webhookSecret: options.monerooWebhookSecret,
    notifyUrl: () => app.notifyUrl,
    currencies: options.currencies ?? ["XOF"],
    announceInitiated: options.announceInitiated ?? true,
    worldUrl,
  });
  const paydunya = startPaydunya({
    ...common,
    book: saved.paydunya,
    keys: options.paydunya ?? null,
    near: (url) => nearAddress(url, app),
  });
  const fedapay = startFedapay({
    ...common,
    state: saved.fedapay,
    keys: options.fedapay ?? null,
    notifyUrl: () => `${app.appUrl}/webhooks/fedapay`,
  });
  return {
    parties: { moneroo, paydunya, fedapay, mobileMoney },
    register(server) {
      moneroo.register(server);
      paydunya.register(server);
      fedapay.register(server);
      registerPayoutById(server, { fedapay, moneroo: moneroo.payouts });
    },
    close() {
      moneroo.close();
      paydunya.close();
      fedapay.close();
    },
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
