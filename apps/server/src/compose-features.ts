import type { Chance, Clock } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { createFedapayPayouts } from "@sesame/providers/fedapay";
import { createMonerooPayouts } from "@sesame/providers/moneroo";
import { createPaydunyaPayouts } from "@sesame/providers/paydunya";
import type { PayoutProvider } from "@sesame/providers";
import { createAppButton } from "./bot/app-button.ts";
import { createSayInstant } from "./bot/messages.fr.ts";
import { apiUrlsOf, connectProvider, hushInstance } from "./compose-aggregators.ts";
import { composeDevelopers } from "./compose-developers.ts";
import { composeDoors, type Doors } from "./compose-bots.ts";
import { openProviders } from "./compose-providers.ts";
import { composeRefunds } from "./compose-refunds.ts";
import { composeSupport } from "./compose-support.ts";
import type { Config } from "./config.ts";
import { type Aggregators, createAggregators } from "./features/aggregators/index.ts";
import { createCatalogue } from "./features/catalogue/index.ts";
import type { Pictures } from "./features/catalogue/picture-lane.ts";
import type { Claims } from "./features/claims/index.ts";
import type { Developers } from "./features/developers/index.ts";
import { createDesk, type Desk } from "./features/desk/index.ts";
import { createIdentity } from "./features/identity/index.ts";
import { createPayouts, type Payouts } from "./features/payouts/index.ts";
import { createPlans, type Plans, refuseCapability } from "./features/plans/index.ts";
import type { Refunds } from "./features/refunds/index.ts";
import { createReports } from "./features/reports/index.ts";
import { createSettings, type Settings } from "./features/settings/index.ts";
import type { Support } from "./features/support/index.ts";
import { createWithdrawals, type Withdrawals } from "./features/withdrawals/index.ts";
import type { Db } from "./postgres/database.ts";
import { createVault } from "./secrets/vault.ts";

/** What every part stands on. */
export type Ground = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly pictures: Pictures;
  /** The machine's distance to the database's clock; null for an injected clock. */
  skewMs(): number | null;
};

export type Features = Doors & {
  readonly providers: readonly PaymentProvider[];
  readonly payoutProviders: readonly PayoutProvider[];
  readonly catalogue: ReturnType<typeof createCatalogue>;
  readonly aggregators: Aggregators;
  readonly plans: Plans;
  readonly identity: ReturnType<typeof createIdentity>;
  readonly reports: ReturnType<typeof createReports>;
  readonly settings: Settings;
  readonly withdrawals: Withdrawals;
  readonly payouts: Payouts;
  readonly desk: Desk;
  readonly refunds: Refunds;
  readonly claims: Claims;
  readonly support: Support;
  readonly developers: Developers;
};

/** The features that need no HTTP server, each given the doors of those it stands on. */
export function composeFeatures(ground: Ground): Features {
  const { config, db, clock, chance, pictures } = ground;
  const doors = composeDoors(ground);
  const { groups, telegram } = doors;
  const settings = createSettings({ db, clock });
  const gateway = telegram.gatewayOf("buyer");
  const accounts = openProviders({ config, db, clock, settings, gateway });
  const providers = hushInstance(accounts, config);
  const payoutProviders = hushInstance(openPayoutProviders(config, clock), config);
  const lanes = { payments: providers, payouts: payoutProviders };
  const money = composeMoney(ground, { ...lanes, settings });
  const { aggregators, plans } = composePlans(ground, doors, {
    instance: providers,
    settings: money.settings,
  });
  const catalogue = createCatalogue({
    db,
    clock,
    chance,
    pictures,
    dataDir: config.dataDir,
    demo: config.demo,
    timeZone: config.timeZone,
    methodsOf: async (sellerId) =>
      (await aggregators.offersOf(sellerId)).map(({ provider }) => provider),
    methodsAtStart: aggregators.methodsAtStart,
    publicUrl: config.publicUrl,
    shareLink: telegram.names.shareLink,
    groupOfSeller: (sellerId, wireId) => groups.groupOfSeller(db, sellerId, wireId),
  });
  const reports = createReports({ db, clock, timeZone: config.timeZone, refuseCapability });
  const sold = { providers, payoutProviders, catalogue, aggregators, plans };
  const care = composeRefunds(ground, { ...doors, ...sold, settings });
  const identity = createIdentity({
    db,
    clock,
    chance,
    bots: [
      { name: "seller", token: config.sellerBot.token },
      { name: "buyer", token: config.buyerBot.token },
    ],
    staff: staffOf(config),
    timeZone: config.timeZone,
    onSellerCreated: groups.linkWaiting,
    start: {
      payoutFields: money.withdrawals.payoutFieldsAtStart,
      channels: groups.channelsAtStart,
      products: catalogue.productsAtStart,
      vendorSubscriptions: reports.subscriptionsAtStart,
      withdrawalRequests: money.withdrawals.requestsAtStart,
      transactions: reports.transactionsAtStart,
      claimsWaiting: care.claims.waitingAtStart,
    },
    payoutFieldsOf: money.withdrawals.payoutFieldsOf,
  });
  const support = composeSupport(ground, { settings, catalogue, providers });
  const developers = composeDevelopers(ground, { shelf: catalogue, reports });
  return { ...doors, ...money, ...sold, ...care, identity, reports, support, developers };
}

/** Plans, and what premium sellers are paid by. */
function composePlans(
  { config, db, clock }: Ground,
  { groups }: Doors,
  { instance, settings }: { instance: readonly PaymentProvider[]; settings: Settings },
): Pick<Features, "aggregators" | "plans"> {
  const appButton = createAppButton(config);
  const sayInstant = createSayInstant(config.timeZone);
  const { secretsKey: current, previousSecretsKeys: previous } = config;
  const aggregators = createAggregators({
    db,
    clock,
    settings,
    appButton,
    refuseCapability,
    vault: createVault({ current, previous }),
    publicUrl: config.publicUrl,
    production: config.production,
    instance,
    connect: (key, keys) => connectProvider({ config, clock }, key, keys),
    apiUrls: apiUrlsOf(config),
  });
  const plans = createPlans({ db, clock, settings, appButton, sayInstant, groups });
  return { aggregators, plans };
}

type Lanes = {
  readonly payments: readonly PaymentProvider[];
  readonly payouts: readonly PayoutProvider[];
  readonly settings: Settings;
};

/** The seller's money out: asked for, decided at the desk, sent. */
function composeMoney(
  { config, db, clock }: Ground,
  lanes: Lanes,
): Pick<Features, "settings" | "withdrawals" | "payouts" | "desk"> {
  const { timeZone } = config;
  const { settings } = lanes;
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
    appButton,
    staff: staffOf(config),
  });
  return { settings, withdrawals, payouts, desk };
}

function staffOf(config: Config) {
  return { agents: config.agentTelegramIds, operators: config.operatorTelegramIds };
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
