import type { Chance, Clock } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { createMoneroo } from "@sesame/providers/moneroo";
import { composeDoors, type Doors } from "./compose-bots.ts";
import type { Config } from "./config.ts";
import { createCatalogue } from "./features/catalogue/index.ts";
import { createIdentity } from "./features/identity/index.ts";
import { createReports } from "./features/reports/index.ts";
import type { Db } from "./postgres/database.ts";

/** What every part stands on. */
export type Ground = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
};

export type Features = Doors & {
  readonly providers: readonly PaymentProvider[];
  readonly catalogue: ReturnType<typeof createCatalogue>;
  readonly identity: ReturnType<typeof createIdentity>;
  readonly reports: ReturnType<typeof createReports>;
};

/** The features that need no HTTP server, each given the doors of those it stands on. */
export function composeFeatures(ground: Ground): Features {
  const { config, db, clock, chance } = ground;
  const doors = composeDoors(ground);
  const { groups, telegram } = doors;
  const providers = openProviders(config);
  const catalogue = createCatalogue({
    db,
    clock,
    chance,
    dataDir: config.dataDir,
    demo: config.demo,
    timeZone: config.timeZone,
    openProviders: () => providers.map((provider) => provider.id),
    shareLink: telegram.names.shareLink,
    groupOfSeller: (sellerId, wireId) => groups.groupOfSeller(db, sellerId, wireId),
  });
  const reports = createReports({ db });
  const identity = createIdentity({
    db,
    clock,
    chance,
    bots: [
      { name: "seller", token: config.sellerBot.token },
      { name: "buyer", token: config.buyerBot.token },
    ],
    staff: { agents: config.agentTelegramIds, operators: config.operatorTelegramIds },
    onSellerCreated: groups.linkWaiting,
    channelsOf: groups.channelsOf,
    productsOf: catalogue.productsOf,
    vendorSubscriptionsOf: reports.vendorSubscriptionsOf,
  });
  return { ...doors, providers, catalogue, identity, reports };
}

/** A provider is open when its keys are set (WIRE §1). */
function openProviders(config: Config): PaymentProvider[] {
  return config.moneroo ? [createMoneroo(config.moneroo)] : [];
}
