import type { Random, Clock } from "@sesame/kernel";
import { readVersion } from "../../../database/schema.ts";
import { type App, createApp } from "./app.ts";
import { type BotApi, type BotFace, createBotApi } from "./bot/bots.ts";
import type { BotName } from "./bot/gateway.ts";
import { notifyJob } from "./bot/message.ts";
import type { Config } from "./config.ts";
import { registerDocs } from "./docs/docs.fr.ts";
import { registerOpenapi } from "./docs/openapi.fr.ts";
import * as memberships from "./features/memberships/index.ts";
import {
  AGGREGATORS_CHANGED,
  registerPaymentAccountsHttp,
} from "./features/payment-accounts/index.ts";
import * as catalogue from "./features/catalogue/index.ts";
import * as checkout from "./features/checkout/index.ts";
import * as cases from "./features/cases/index.ts";
import * as treasury from "./features/treasury/index.ts";
import { registerBackOfficeHttp, registerSettingsHttp } from "./features/back-office/index.ts";
import * as developers from "./features/developers/index.ts";
import * as groups from "./features/groups/index.ts";
import * as identity from "./features/identity/index.ts";
import { plansJobs, plansLoops, registerPlansHttp } from "./features/plans/index.ts";
import * as refunds from "./features/refunds/index.ts";
import { registerReportsHttp, reportsLoops } from "./features/reports/index.ts";
import * as withdrawals from "./features/withdrawals/index.ts";
import { announceClosing, createHttpServer, type HttpServer, type LogSink } from "./http/server.ts";
import { closeToPeople, registerHealth, createReadiness } from "./http/health.ts";
import { type Loop, createRounds } from "./jobs/loop.ts";
import { createOutbox } from "./jobs/outbox.ts";
import { OUTBOX_CHANNEL, OUTBOX_DATES } from "./jobs/outbox.store.ts";
import { createGuard, guardListener } from "./monitoring/guard.ts";
import { registerPages } from "./pages/pages.ts";
import type { Site } from "./pages/site.ts";
import { createPictures, type Pictures } from "./pictures/picture-queue.ts";
import { openDatabase } from "./postgres/database.ts";
import { createListener, type Listener } from "./postgres/listener.ts";
import { REALTIME_CHANNEL } from "./realtime/events.store.ts";
import { createRealtime } from "./realtime/realtime.ts";
import { SETTINGS_CHANNEL } from "./settings.ts";
import { openClock } from "./clock.ts";
import { createDatesAheadLoop, type DateAhead } from "./jobs/leases.ts";
import { registerMetrics } from "./maintenance/metrics.ts";
import { createMaintenance, MAINTENANCE_DATES } from "./maintenance/maintenance.ts";
import { sessionPruning } from "./people/people.ts";
import { UPDATES_DATES } from "./bot/updates.store.ts";
import { updatesPruning } from "./bot/update-loop.ts";

export type Application = Awaited<ReturnType<typeof createApplication>>;

export type Deps = {
  /** Injected by demo and tests; default: the database's clock. */
  readonly clock?: Clock;
  readonly random: Random;
  /** The built web app; without it (tests of the API alone) no page is served. */
  readonly site?: Site;
  /** The process that decodes pictures, if several applications share one; closed by its owner. */
  readonly pictures?: Pictures;
  /** The destination of log lines; default: standard output. */
  readonly logTo?: LogSink;
};

/** The longest wait for a statement at a stop, when the database answers nobody. */
const LAST_WORDS_MS = 2_500;

/** Mounts every feature on one App and one HTTP server; nothing listens or works before `start`. */
export async function createApplication(config: Config, deps: Deps) {
  const guard = createGuard();
  const database = openDatabase({ url: config.databaseUrl, poolSize: config.databasePool });
  const { connections } = database;
  // When the listening connection gets no answer, the pool's idle connections are not trusted either.
  const unguarded = createListener(config.databaseUrl, { onSilence: connections.distrust });
  const listener = guardListener(unguarded, guard);
  let ours: ReturnType<typeof readVersion> | undefined;
  const schemaVersion = async () => (await (ours ??= readVersion())).version;
  const readiness = createReadiness({ database, schemaVersion });
  const time = await openClock(database.db, deps.clock);
  const { random, pictures = createPictures() } = deps;
  const { clock } = time;
  const http = await createHttpServer({
    ...config,
    clock,
    authenticate: (token) => identity.authenticate(app, token),
    admitKey: (asked) => developers.admitKey(app, asked),
    ...(deps.logTo ? { logTo: deps.logTo } : {}),
  });
  const { log } = http;
  const app: App = createApp({ config, db: database.db, clock, random, log, pictures });
  guard.logTo(log);
  listener.on(SETTINGS_CHANNEL, app.settings.forget);
  listener.onResume(app.settings.forget);
  await registerOpenapi(http, config.publicUrl);
  registerHealth(http, { readiness, silentMs: connections.silentMs });
  registerDocs(http, config);
  registerMetrics(app, http, { guard, connections, listener, skewMs: time.skewMs });
  registerCalls(app, http);
  const bots = openBots(app, http, listener);
  const serves = config.roles.has("http");
  if (serves) {
    if (deps.site) await registerPages(app, http, deps.site);
    const realtime = createRealtime({
      ...config,
      http: http.server,
      listener,
      clock,
      guard,
      refusedTokens: http.refusedTokens,
      sessionOf: (token) => identity.sessionOf(app, token),
      mayFollow: ({ personId }, orderId) => checkout.mayFollowOrder(app.db, personId, orderId),
    });
    http.addHook("preClose", realtime.close);
  } else closeToPeople(http);
  const loops = createLoops(app, listener);
  const works = config.roles.has("worker") ? loops : [];
  const rounds = createRounds(app, config.roles.has("bot") ? [...bots.loops, ...works] : works);
  return {
    /** The first argument of its functions. */
    app,
    http,
    /** Counts faults that did not end the process, and logs them. */
    guard,
    bots,
    /** Pollers, update loops, sweeps and outbox loops: tests drain them instead of waiting. */
    loops: [...bots.loops, ...loops],
    /** Starts the roles in ROLES. Resolves with the address once it answers. */
    async start() {
      time.start(log);
      await listener.start();
      await bots.learnNames();
      for (const loop of works) loop.start();
      if (config.roles.has("bot")) bots.open();
      rounds.start();
      const at = { port: config.port, host: config.host };
      return serves ? http.listen(at) : listenAside(http, at);
    },
    /** Finishes work in progress, then closes everything. */
    async stop() {
      readiness.drain();
      const hurry = () => connections.distrust(performance.now() - LAST_WORDS_MS);
      const impatience = setInterval(hurry, LAST_WORDS_MS).unref();
      // At the same time: a slow caller of one takes no time from the others.
      const working = [rounds, bots, ...loops].map((part) => part.stop());
      const closeHttp = async () => {
        if (serves) await announceClosing(http.server, config.drainSeconds);
        await http.close();
      };
      await Promise.all([closeHttp(), ...working]);
      if (!deps.pictures) pictures.close();
      time.stop();
      await listener.close();
      await database.close();
      // Until the last connection is closed: one that reads the clock belongs to no loop.
      clearInterval(impatience);
    },
  };
}

/** Several processes on one machine may have one PORT: it belongs to the one with the role `http`. */
async function listenAside(http: HttpServer, at: { port: number; host: string }) {
  try {
    return await http.listen(at);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return `(${at.port})`;
  }
}

/** Every feature's routes. A function that a feature needs from one that depends on it is passed here. */
function registerCalls(app: App, http: HttpServer): void {
  identity.registerIdentityHttp(app, http);
  catalogue.registerCatalogueHttp(app, http, {
    authenticate: (token) => identity.authenticate(app, token),
  });
  groups.registerGroupsHttp(app, http);
  memberships.registerMembershipsHttp(app, http);
  withdrawals.registerWithdrawalsHttp(app, http);
  registerBackOfficeHttp(app, http);
  treasury.registerTreasuryStaff(app, http);
  refunds.registerRefundsHttp(app, http);
  cases.registerComplaintsHttp(app, http, async (orderId) => {
    const chosen = await refunds.chooseRail(app, orderId);
    return (tx, { personId, reason }) =>
      refunds.askIn(app, tx, { orderId, by: { as: "operator", personId }, reason, chosen });
  });
  cases.registerTicketsHttp(app, http);
  identity.registerPersonalDataHttp(app, http);
  developers.registerDevelopersHttp(app, http);
  checkout.registerCheckoutHttp(app, http, {
    careOf: (orderId, readerId) => refunds.careOf(app, orderId, readerId),
    takeAside: (provider, webhook) => treasury.takeWebhook(app, provider, webhook),
  });
  registerReportsHttp(app, http);
  registerSettingsHttp(app, http);
  registerPaymentAccountsHttp(app, http, {
    createTrial: (request) => checkout.createTrial(app, request),
  });
  registerPlansHttp(app, http, {
    openProviders: async () => (await checkout.offersFor(app, { plan: "payant" })) ?? [],
  });
}

/** Telegram's updates, and the bots' answers. */
function openBots(app: App, http: HttpServer, listener: Listener): BotApi {
  const { config } = app;
  const seller = identity.createConversation(app, "seller");
  const buyer = config.oneBot ? seller : identity.createConversation(app, "buyer");
  return createBotApi(app, {
    http,
    listener,
    faces: facesOf(config),
    handlers: {
      seller: [
        seller,
        groups.groupUpdates(app),
        memberships.membershipUpdates(app),
        withdrawals.withdrawalsUpdates(app),
      ],
      buyer: [checkout.starUpdates(app), buyer, groups.buyersBotUpdates(app)],
    },
  });
}

function facesOf(config: Config): Record<BotName, BotFace> {
  const inside = config.demo || config.publicUrl.startsWith("https://");
  const button = (text: string, path: string) =>
    inside ? { text, url: config.publicUrl + path } : null;
  const sellerFace = config.oneBot ? identity.COMMON_FACE : identity.SELLER_FACE;
  return {
    seller: { ...sellerFace, menuButton: button(identity.MENU_SELLER, "/") },
    buyer: { ...identity.BUYER_FACE, menuButton: button(identity.MENU_BUYER, "/mes-acces") },
  };
}

/** Background work: jobs, sweeps, provider lookups, maintenance of the ledger. */
function createLoops(app: App, listener: Listener): Loop[] {
  const handlers = [
    notifyJob(app),
    ...groups.groupJobs(app),
    ...memberships.membershipJobs(app),
    ...treasury.treasuryJobs(app),
    ...withdrawals.withdrawalsJobs(app),
    ...plansJobs(app),
    ...refunds.refundsJobs(app),
    ...cases.casesJobs(app),
    identity.forgetPersonWebhooksJob(app),
    ...developers.developersJobs(app),
    ...checkout.checkoutJobs(app),
  ];
  const outbox = createOutbox(app, handlers);
  const asking = checkout.createAskingLoop(app);
  const paying = treasury.payoutLoops(app);
  const automatic = withdrawals.createAutomaticEngine(app);
  const webhooks = developers.developersLoops(app);
  // Events that decide whether and how a product can be bought: its page must not lag.
  const decisive = ["chatadd", AGGREGATORS_CHANGED, "settings"].map((name) => `"${name}"`);
  listener.on(REALTIME_CHANNEL, (payload) => {
    if (decisive.some((name) => payload.includes(name))) catalogue.forgetPublicProducts(app);
  });
  const works = app.config.roles.has("worker");
  // Only a worker acts: a process of another role receives the same and ignores it.
  if (works) {
    listener.on(checkout.CHECKS_CHANNEL, asking.wake);
    listener.on(REALTIME_CHANNEL, automatic.receive);
    listener.on(treasury.PAYOUTS_CHANNEL, () => wakeAll(paying));
    listener.on(developers.WEBHOOKS_CHANNEL, () => wakeAll(webhooks));
    listener.on(OUTBOX_CHANNEL, outbox.receive);
  }
  const loops = [
    createDatesAheadLoop(app, DATES_AHEAD),
    outbox,
    asking,
    ...paying,
    automatic.loop,
    ...plansLoops(app),
    ...refunds.refundsLoops(app),
    ...cases.complaintsLoops(app),
    checkout.checkoutPruning(app),
    ...webhooks,
    ...reportsLoops(app),
    sessionPruning(app),
    updatesPruning(app),
    ...memberships.membershipLoops(app),
    ...groups.groupLoops(app),
    ...createMaintenance(app, {
      reconcile: (now) => treasury.reconcilePayouts(app, now),
      sweepImages: (now) => catalogue.sweepImages(app, now),
    }),
  ];
  listener.onResume(() => {
    // Changes during a loss of the connection were not notified.
    catalogue.forgetPublicProducts(app);
    if (works) wakeAll(loops);
  });
  return loops;
}

function wakeAll(loops: readonly Loop[]): void {
  for (const loop of loops) loop.wake();
}

/**
 * Every column of leases, busy marks and due instants, with the furthest instant ever written,
 * declared by its writer. The lease of an order's opening is checked by whoever leases; a test over
 * the schema allows no other exception.
 */
export const DATES_AHEAD: readonly DateAhead[] = [
  ...OUTBOX_DATES,
  ...UPDATES_DATES,
  ...checkout.CHECKOUT_DATES,
  ...treasury.PAYOUTS_DATES,
  ...developers.DEVELOPERS_DATES,
  ...refunds.REFUNDS_DATES,
  ...withdrawals.WITHDRAWALS_DATES,
  ...groups.GROUPS_DATES,
  ...MAINTENANCE_DATES,
];
