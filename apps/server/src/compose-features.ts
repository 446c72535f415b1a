import type { Chance, Clock } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { createFedapayPayouts } from "@sesame/providers/fedapay";
import { createMoneroo, createMonerooPayouts } from "@sesame/providers/moneroo";
import { createPaydunyaPayouts } from "@sesame/providers/paydunya";
import type { PayoutProvider } from "@sesame/providers";
import { createAppButton } from "./bot/app-button.ts";
import { createSayInstant } from "./bot/format.fr.ts";
import { composeDoors, type Doors } from "./compose-bots.ts";
import type { Config } from "./config.ts";
import { createCatalogue } from "./features/catalogue/index.ts";
import { createDesk, type Desk } from "./features/desk/index.ts";
import { createIdentity } from "./features/identity/index.ts";
import { createPayouts, type Payouts } from "./features/payouts/index.ts";
import { createReports } from "./features/reports/index.ts";
import { createSettings, type Settings } from "./features/settings/index.ts";
import { createWithdrawals, type Withdrawals } from "./features/withdrawals/index.ts";
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
  readonly payoutProviders: readonly PayoutProvider[];
  readonly catalogue: ReturnType<typeof createCatalogue>;
  readonly identity: ReturnType<typeof createIdentity>;
  readonly reports: ReturnType<typeof createReports>;
  readonly settings: Settings;
  readonly withdrawals: Withdrawals;
  readonly payouts: Payouts;
  readonly desk: Desk;
};

/** The features that need no HTTP server, each given the doors of those it stands on. */
export function composeFeatures(ground: Ground): Features {
  const { config, db, clock, chance } = ground;
  const doors = composeDoors(ground);
  const { groups, telegram } = doors;
  const providers = openProviders(config);
  const payoutProviders = openPayoutProviders(config, clock);
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
  const reports = createReports({ db, clock, timeZone: config.timeZone });
  const money = composeMoney(ground, doors, { payments: providers, payouts: payoutProviders });
  const identity = createIdentity({
    db,
    clock,
    chance,
    bots: [
      { name: "seller", token: config.sellerBot.token },
      { name: "buyer", token: config.buyerBot.token },
    ],
    staff: staffOf(config),
    onSellerCreated: groups.linkWaiting,
    channelsOf: groups.channelsOf,
    productsOf: catalogue.productsOf,
    vendorSubscriptionsOf: reports.vendorSubscriptionsOf,
    withdrawalRequestsOf: money.withdrawals.requestsOf,
    payoutFieldsOf: money.withdrawals.payoutFieldsOf,
  });
  return { ...doors, ...money, providers, payoutProviders, catalogue, identity, reports };
}

type Lanes = {
  readonly payments: readonly PaymentProvider[];
  readonly payouts: readonly PayoutProvider[];
};

/** The seller's money out: asked for, decided at the desk, sent. */
function composeMoney(
  { config, db, clock }: Ground,
  { telegram }: Doors,
  lanes: Lanes,
): Pick<Features, "settings" | "withdrawals" | "payouts" | "desk"> {
  const { timeZone } = config;
  const settings = createSettings({ db, clock });
  const appButton = createAppButton(config);
  const withdrawals = createWithdrawals({ db, clock, settings, timeZone, appButton });
  const payouts = createPayouts({
    db,
    clock,
    publicUrl: config.publicUrl,
    production: config.production,
    providers: lanes.payouts,
    payments: lanes.payments,
    withdrawals,
  });
  const desk = createDesk({
    db,
    clock,
    timeZone,
    settings,
    payouts,
    withdrawals,
    telegram,
    appButton,
    sayInstant: createSayInstant(timeZone),
    staff: staffOf(config),
  });
  return { settings, withdrawals, payouts, desk };
}

function staffOf(config: Config) {
  return { agents: config.agentTelegramIds, operators: config.operatorTelegramIds };
}

/** A provider is open when its keys are set (WIRE §1). */
function openProviders(config: Config): PaymentProvider[] {
  return config.moneroo ? [createMoneroo(config.moneroo)] : [];
}

/** In the order an agent is offered them: PayDunya serves every method under its own name. */
function openPayoutProviders(config: Config, clock: Clock): PayoutProvider[] {
  const { paydunya, moneroo, fedapay } = config;
  const lanes: PayoutProvider[] = [];
  if (paydunya) lanes.push(createPaydunyaPayouts(paydunya));
  if (moneroo) lanes.push(createMonerooPayouts(moneroo));
  if (fedapay) {
    const modeSpellings = { "orange-money-burkina": fedapay.orangeBurkinaMode };
    lanes.push(createFedapayPayouts({ ...fedapay, modeSpellings, now: () => clock.now() }));
  }
  return lanes;
}
