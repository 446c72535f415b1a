import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { createAppButton } from "./bot/app-button.ts";
import type { BotNames } from "./bot/names.ts";
import { readContacts } from "./compose-contacts.ts";
import type { Features, Ground } from "./compose-features.ts";
import { quoteOf } from "./compose-providers.ts";
import type { Config } from "./config.ts";
import { registerDocs } from "./docs/docs.fr.ts";
import { registerOpenapi } from "./docs/openapi.fr.ts";
import { registerCatalogueHttp } from "./features/catalogue/http.ts";
import { registerCheckoutHttp } from "./features/checkout/http.ts";
import {
  type CheckoutDeps,
  type createCheckout,
  createProviderHealth,
} from "./features/checkout/index.ts";
import { createNoticeBatcher } from "./features/checkout/jobs.ts";
import { registerRegistryHttp } from "./features/desk/registry-http.ts";
import { registerIdentityHttp } from "./features/identity/http.ts";
import { registerPlansHttp } from "./features/plans/http.ts";
import { registerReportsHttp } from "./features/reports/http.ts";
import { registerSettingsHttp } from "./features/settings/http.ts";
import { registerHealth } from "./http/health.ts";
import { createHttpServer, type HttpServer, type LogSink } from "./http/server.ts";
import type { Guard } from "./monitoring/guard.ts";
import { registerPages } from "./pages/pages.ts";
import type { Site } from "./pages/site.ts";
import type { Connections } from "./postgres/connections.ts";
import type { Listener } from "./postgres/listener.ts";
import type { Readiness } from "./postgres/readiness.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { registerMetrics } from "./upkeep/metrics.ts";

type Checkout = ReturnType<typeof createCheckout>;

/** What the process knows of itself. */
type Watched = {
  readonly guard: Guard;
  readonly logTo: LogSink | undefined;
  readonly readiness: Readiness;
  readonly connections: Connections;
  readonly listener: Listener;
};

/** The HTTP frame with the calls that belong to no feature. */
export async function openHttp(
  { config, db, clock, skewMs }: Ground,
  features: Features,
  { guard, logTo, readiness, connections, listener }: Watched,
): Promise<HttpServer> {
  const http = await createHttpServer({
    publicUrl: config.publicUrl,
    clock,
    frameAncestors: config.telegramWebOrigins,
    trustedProxies: config.trustedProxies,
    logLevel: config.logLevel,
    metricsToken: config.metricsToken,
    drainSeconds: config.drainSeconds,
    authenticate: features.identity.authenticate,
    admitKey: features.developers.admitKey,
    ...(logTo ? { logTo } : {}),
  });
  await registerOpenapi(http, config.publicUrl);
  registerHealth(http, { readiness, silentMs: connections.silentMs });
  registerDocs(http, { publicUrl: config.publicUrl, frameAncestors: config.telegramWebOrigins });
  registerMetrics(http, {
    db,
    clock,
    guard,
    skewMs,
    measured: config.metricsToken !== null,
    watched: { connections, listener },
  });
  return http;
}

export function checkoutDeps(ground: Ground, features: Features, http: HttpServer): CheckoutDeps {
  const { config, db, clock, chance } = ground;
  const { settings } = features;
  const { names } = features.telegram;
  return {
    db,
    clock,
    chance,
    log: http.log,
    publicUrl: config.publicUrl,
    production: config.production,
    providers: features.providers.map(({ id }) => id),
    aggregators: features.aggregators,
    settings: {
      feeRateOf: async (plan) => (await settings.current()).feeRates[plan],
      premiumPrice: async () => (await settings.current()).premium,
      providerRates: async () => (await settings.current()).providerRates,
    },
    quoteOf: (provider, price) => quoteOf(settings, provider, price),
    shelf: features.catalogue,
    groups: features.groups,
    access: features.accesses,
    refunds: { ofOrder: features.claims.careOf },
    health: createProviderHealth({ db, clock, log: http.log }),
    botUrl: names.buyerUrl,
    sellerBotUrl: names.sellerUrl,
  };
}

/** Every feature's calls. */
export function registerCalls(
  { config, db, clock }: Ground,
  features: Features,
  { http, checkout }: { http: HttpServer; checkout: Checkout },
): void {
  const { identity, catalogue, groups, accesses, reports, providers, payouts } = features;
  registerIdentityHttp(http, { identity, clock });
  registerCatalogueHttp(http, { catalogue, authenticate: identity.authenticate });
  groups.registerHttp(http);
  accesses.registerHttp(http);
  features.withdrawals.registerHttp(http);
  features.desk.registerHttp(http);
  features.refunds.registerHttp(http, features.claims);
  features.claims.registerHttp(http);
  features.support.registerHttp(http);
  features.developers.registerHttp(http);
  registerRegistryHttp(http, {
    db,
    clock,
    timeZone: config.timeZone,
    payouts,
    appButton: createAppButton(config),
    onSalesChanged: catalogue.forgetPublicProducts,
  });
  const batcher = createNoticeBatcher(db);
  registerCheckoutHttp(http, {
    checkout,
    notices: {
      clock,
      batcher,
      // Telegram tells of Stars at the bot's own door.
      providers: providers.map(({ id }) => id).filter((id) => id !== "stars"),
      accounts: features.aggregators,
      probed: new Set(
        features.payoutProviders.filter((lane) => lane.probesNotices).map(({ id }) => id),
      ),
      takeAside: payouts.takeNotice,
    },
  });
  payouts.registerHttp(
    http,
    providers.map(({ id }) => id),
  );
  registerReportsHttp(http, { reports });
  registerSettingsHttp(http, features.settings);
  features.aggregators.registerHttp(http, checkout.createTrial);
  registerPlansHttp(http, {
    plans: features.plans,
    openProviders: async () => (await checkout.offersFor({ plan: "payant" })) ?? [],
    settings: features.settings.current,
    channelsOf: groups.channelsOf,
  });
}

type Doors = {
  readonly http: HttpServer;
  readonly checkout: Checkout;
  readonly listener: Listener;
  readonly guard: Guard;
  readonly site: Site | undefined;
};

/** Pages, when the web is built, and the realtime door. */
export async function registerDoors(
  { config, clock }: Ground,
  { identity, catalogue, telegram, settings }: Features,
  { http, checkout, listener, guard, site }: Doors,
): Promise<void> {
  if (site) {
    await registerPages(http, {
      site,
      publicUrl: config.publicUrl,
      webOrigins: config.telegramWebOrigins,
      instance: async () => ({
        ...instanceOf(config, telegram.names, checkout.openProviders()),
        ...(await readContacts(config, settings)),
      }),
      buyerBot: () => ({ username: telegram.names.buyer(), appName: config.buyerAppName }),
      providers: checkout.openProviders,
      productByReference: catalogue.publicProduct,
      productByIds: catalogue.publicProductByIds,
      shopOf: catalogue.publicShop,
      orderBySecret: checkout.orderBySecret,
      widgetBySecret: checkout.widgetBySecret,
    });
  }
  const realtime = createRealtime({
    http: http.server,
    listener,
    origins: config.telegramWebOrigins,
    clock,
    guard,
    trustedProxies: config.trustedProxies,
    refusedTokens: http.refusedTokens,
    sessionOf: identity.sessionOf,
    mayFollow: (principal, orderId) => checkout.mayFollowOrder(principal.personId, orderId),
  });
  http.addHook("preClose", realtime.close);
}

/** What the sellers' shell knows of the instance before its first call. */
function instanceOf(config: Config, names: BotNames, providers: readonly PaymentProviderOnWire[]) {
  return {
    sellerBot: names.seller(),
    buyerBot: names.buyer(),
    buyerApp: config.buyerAppName,
    providers: providers.map(({ id, name }) => ({ key: id, label: name })),
    demo: config.demo,
    zone: config.timeZone,
  };
}
