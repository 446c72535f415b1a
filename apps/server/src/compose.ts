import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { Chance, Clock } from "@sesame/kernel";
import type { PaymentProvider } from "@sesame/providers";
import { createMoneroo } from "@sesame/providers/moneroo";
import type { BotDoor } from "./bot/bots.ts";
import type { BotNames } from "./bot/names.ts";
import { composeBots, composeDoors } from "./compose-bots.ts";
import type { Config } from "./config.ts";
import { openapiTexts } from "./docs/calls.fr.ts";
import { registerDocs } from "./docs/docs.ts";
import { productsAtOnce } from "./features/catalogue/at-once.ts";
import { registerCatalogueHttp } from "./features/catalogue/http.ts";
import { createCatalogue } from "./features/catalogue/index.ts";
import { registerCheckoutHttp } from "./features/checkout/http.ts";
import { createCheckout, type CheckoutDeps } from "./features/checkout/index.ts";
import { CHECKS_CHANNEL, createAskingLoop, createNoticeBatcher } from "./features/checkout/jobs.ts";
import { createIdentity, createSessionSweep } from "./features/identity/index.ts";
import { registerIdentityHttp } from "./features/identity/http.ts";
import { registerPlansHttp } from "./features/plans/http.ts";
import { registerReportsHttp } from "./features/reports/http.ts";
import { createReports } from "./features/reports/index.ts";
import { answerAtOnce } from "./http/at-once.ts";
import { createHttpServer, type HttpServer, type LogSink } from "./http/server.ts";
import { registerHealth } from "./http/health.ts";
import type { Loop } from "./jobs/loop.ts";
import { createOutboxLoops, type JobHandler } from "./jobs/outbox.ts";
import { OUTBOX_CHANNEL } from "./jobs/outbox.store.ts";
import { registerPages } from "./pages/pages.ts";
import type { Site } from "./pages/site.ts";
import { openDatabase } from "./postgres/database.ts";
import { createListener } from "./postgres/listener.ts";
import { REALTIME_CHANNEL } from "./realtime/events.store.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { registerMetrics } from "./upkeep/metrics.ts";
import { createUpkeep } from "./upkeep/upkeep.ts";

export type Application = {
  readonly http: HttpServer;
  /** Pollers, update desks, sweeps and outbox loops: tests drain them in place of waiting. */
  readonly loops: readonly Loop[];
  readonly bots: BotDoor;
  /** Opens the doors named by ROLES. Resolves with the address once it answers. */
  start(): Promise<string>;
  /** Drains what is under way, then closes everything. */
  stop(): Promise<void>;
};

export type Surroundings = {
  readonly clock: Clock;
  readonly chance: Chance;
  /** The built web; without it (tests of the calls alone) no page is served. */
  readonly site?: Site;
  /** Where log lines go; standard output when absent. */
  readonly logTo?: LogSink;
};

/** The only place that knows which adapter serves whom. */
export async function compose(config: Config, around: Surroundings): Promise<Application> {
  const database = openDatabase({ url: config.databaseUrl });
  const listener = createListener(config.databaseUrl);
  const { db } = database;
  const { clock, chance } = around;
  const doors = composeDoors({ config, db, clock });
  const { groups, accesses, telegram } = doors;
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

  const http = await createHttpServer({
    publicUrl: config.publicUrl,
    frameAncestors: config.telegramWebOrigins,
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    metricsToken: config.metricsToken,
    texts: openapiTexts,
    authenticate: identity.authenticate,
    ...(around.logTo ? { logTo: around.logTo } : {}),
  });
  registerHealth(http, { db });
  registerDocs(http, { publicUrl: config.publicUrl, frameAncestors: config.telegramWebOrigins });
  registerMetrics(http, { db, clock, measured: config.metricsToken !== null });
  registerIdentityHttp(http, { identity, clock });
  registerCatalogueHttp(http, { catalogue, authenticate: identity.authenticate });
  const checkoutDeps: CheckoutDeps = {
    db,
    clock,
    chance,
    log: http.log,
    publicUrl: config.publicUrl,
    production: config.production,
    providers,
    shelf: catalogue,
    groups,
    access: accesses,
    botUrl: telegram.names.buyerUrl,
  };
  const checkout = createCheckout(checkoutDeps);
  groups.registerHttp(http);
  accesses.registerHttp(http);
  const bots = composeBots({
    config,
    db,
    clock,
    doors,
    http,
    listener,
    publicProduct: catalogue.publicProduct,
  });
  const batcher = createNoticeBatcher(db);
  registerCheckoutHttp(http, {
    checkout,
    notices: providers.map((provider) => ({ clock, provider, batcher })),
  });
  registerReportsHttp(http, { reports });
  registerPlansHttp(http, { openProviders: checkout.openProviders });

  if (around.site) {
    await registerPages(http, {
      site: around.site,
      publicUrl: config.publicUrl,
      webOrigins: config.telegramWebOrigins,
      instance: () => instanceOf(config, telegram.names, checkout.openProviders()),
      buyerBot: () => ({ username: telegram.names.buyer(), appName: config.buyerAppName }),
      providers: checkout.openProviders,
      productByReference: catalogue.publicProduct,
      productByIds: catalogue.publicProductByIds,
      orderBySecret: checkout.orderBySecret,
    });
  }
  const realtime = createRealtime({
    http: http.server,
    listener,
    origins: config.telegramWebOrigins,
    authenticate: identity.authenticate,
    mayFollow: (principal, orderId) => checkout.mayFollowOrder(principal.personId, orderId),
  });
  http.addHook("preClose", realtime.close);
  answerAtOnce(http.server, productsAtOnce(catalogue));

  const handlers: JobHandler[] = [telegram.tellJob, ...groups.jobs, ...accesses.jobs];
  const outbox = createOutboxLoops({ db, clock, log: http.log, handlers });
  const loops: Loop[] = [
    ...outbox,
    createSessionSweep({ db, clock, log: http.log }),
    accesses.sweep(http.log),
    ...createUpkeep({ db, clock, log: http.log }),
  ];
  // A group's state decides whether its products can be bought: their pages must not lag.
  listener.on(REALTIME_CHANNEL, (payload) => {
    if (payload.includes('"chatadd"')) catalogue.forgetPublicProducts();
  });
  const asking = createAskingLoop(checkoutDeps);
  loops.push(asking);
  // Only a worker works: a door of another role hears the same and leaves it.
  if (config.roles.has("worker")) {
    listener.on(CHECKS_CHANNEL, asking.wake);
    listener.on(OUTBOX_CHANNEL, () => {
      for (const loop of outbox) loop.wake();
    });
  }

  return {
    http,
    bots,
    loops: [...bots.loops, ...loops],
    async start() {
      await listener.start();
      await bots.learnNames();
      if (config.roles.has("worker")) for (const loop of loops) loop.start();
      if (config.roles.has("bot")) bots.open();
      return http.listen({ port: config.port, host: config.host });
    },
    async stop() {
      await http.close();
      await bots.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
      await listener.close();
      await database.close();
    },
  };
}

/** A provider is open when its keys are set (WIRE §1). */
function openProviders(config: Config): PaymentProvider[] {
  return config.moneroo ? [createMoneroo(config.moneroo)] : [];
}

/** What the sellers' shell knows of the instance before its first call. */
function instanceOf(
  config: Config,
  names: BotNames,
  providers: readonly PaymentProviderOnWire[],
) {
  return {
    sellerBot: names.seller(),
    buyerBot: names.buyer(),
    buyerApp: config.buyerAppName,
    communityUrl: config.communityUrl,
    supportTelegram: config.supportTelegram,
    supportWhatsapp: config.supportWhatsapp,
    providers: providers.map(({ id, name }) => ({ key: id, label: name })),
    demo: config.demo,
    zone: config.timeZone,
  };
}
