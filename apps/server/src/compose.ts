import type { Chance, Clock } from "@sesame/kernel";
import { readVersion } from "../../../database/schema.ts";
import type { BotDoor } from "./bot/bots.ts";
import { composeBots } from "./compose-bots.ts";
import { composeClock } from "./compose-clock.ts";
import { readContacts } from "./compose-contacts.ts";
import { composeFeatures, type Features } from "./compose-features.ts";
import { checkoutDeps, openHttp, registerCalls, registerDoors } from "./compose-http.ts";
import { composeLoops } from "./compose-loops.ts";
import type { Config } from "./config.ts";
import { createPictures, type Pictures } from "./features/catalogue/picture-lane.ts";
import { createCheckout, starUpdates } from "./features/checkout/index.ts";
import type { HttpServer, LogSink } from "./http/server.ts";
import { announceClosing } from "./http/drain.ts";
import { closeToPeople, listenAside } from "./http/side-door.ts";
import type { Loop } from "./jobs/loop.ts";
import { createGuard, type Guard, guardListener } from "./monitoring/guard.ts";
import type { Site } from "./pages/site.ts";
import type { Connections } from "./postgres/connections.ts";
import { openDatabase } from "./postgres/database.ts";
import { createListener } from "./postgres/listener.ts";
import { createReadiness } from "./postgres/readiness.ts";

export type Application = {
  readonly http: HttpServer;
  /** Faults that were survived, and where they are reported. */
  readonly guard: Guard;
  /** Pollers, update desks, sweeps and outbox loops: tests drain them in place of waiting. */
  readonly loops: readonly Loop[];
  readonly bots: BotDoor;
  /** Opens the doors named by ROLES. Resolves with the address once it answers. */
  start(): Promise<string>;
  /** Drains what is under way, then closes everything. */
  stop(): Promise<void>;
};

export type Surroundings = {
  /** Injected by demo and tests; the database's clock when absent. */
  readonly clock?: Clock;
  readonly chance: Chance;
  /** The built web; without it (tests of the calls alone) no page is served. */
  readonly site?: Site;
  /** The process that decodes pictures, where several applications share one; closed by its owner. */
  readonly pictures?: Pictures;
  /** Where log lines go; standard output when absent. */
  readonly logTo?: LogSink;
};

/** At a stop no statement is waited for longer than this when nothing else answers either. */
const LAST_WORDS_MS = 2_500;

/** The pool, the connection that hears it, and whether both are any use. */
function composeDatabase({ databaseUrl, databasePool }: Config, guard: Guard) {
  const database = openDatabase({ url: databaseUrl, poolSize: databasePool });
  // Where the listening connection met silence, the others on the same path are not waited for.
  const heard = createListener(databaseUrl, { onSilence: database.connections.distrust });
  const listener = guardListener(heard, guard);
  let ours: ReturnType<typeof readVersion> | undefined;
  const schemaVersion = async () => {
    ours ??= readVersion();
    return (await ours).version;
  };
  const readiness = createReadiness({ database, schemaVersion });
  return { database, connections: database.connections, listener, readiness };
}

function hurryDatabase({ distrust }: Connections): NodeJS.Timeout {
  return setInterval(() => distrust(performance.now() - LAST_WORDS_MS), LAST_WORDS_MS).unref();
}

async function closeHttp(http: HttpServer, { roles, drainSeconds }: Config): Promise<void> {
  if (roles.has("http")) await announceClosing(http.server, { seconds: drainSeconds });
  await http.close();
}

function startRoles({ roles }: Config, parts: Pick<Application, "loops" | "bots">): void {
  if (roles.has("worker")) for (const loop of parts.loops) loop.start();
  if (roles.has("bot")) parts.bots.open();
}

async function readSupport(config: Config, { settings }: Features) {
  const contacts = await readContacts(config, settings);
  return { telegram: contacts.supportTelegram, whatsapp: contacts.supportWhatsapp };
}

/** The composer, with its `compose-*.ts`: the only place that knows which adapter serves whom. */
export async function compose(config: Config, around: Surroundings): Promise<Application> {
  const guard = createGuard();
  const { database, connections, listener, readiness } = composeDatabase(config, guard);
  const time = await composeClock(database.db, around.clock);
  const { clock, skewMs } = time;
  const { chance, pictures = createPictures() } = around;
  const ground = { config, db: database.db, clock, chance, pictures, skewMs };
  const features = composeFeatures(ground);
  features.settings.listen(listener);
  const watched = { guard, logTo: around.logTo, readiness, connections, listener };
  const http = await openHttp(ground, features, watched);
  guard.logTo(http.log);
  const deps = checkoutDeps(ground, features, http);
  const checkout = createCheckout(deps);
  registerCalls(ground, features, { http, checkout });
  const bots = composeBots({
    ...ground,
    doors: features,
    http,
    listener,
    publicProduct: features.catalogue.publicProduct,
    sellerUpdates: [features.withdrawals.updates(() => features.telegram.gatewayOf("seller"))],
    buyerUpdates: [starUpdates(deps, () => features.telegram.gatewayOf("buyer"))],
    desk: features.desk,
    support: () => readSupport(config, features),
  });
  const serves = config.roles.has("http");
  if (serves)
    await registerDoors(ground, features, { http, checkout, listener, guard, site: around.site });
  else closeToPeople(http);
  const loops = composeLoops(ground, features, { http, listener, checkout: deps });
  return {
    http,
    guard,
    bots,
    loops: [...bots.loops, ...loops],
    async start() {
      time.start(http.log);
      await listener.start();
      await bots.learnNames();
      startRoles(config, { loops, bots });
      const at = { port: config.port, host: config.host };
      return serves ? http.listen(at) : listenAside(http, at);
    },
    async stop() {
      readiness.drain();
      const impatience = hurryDatabase(connections);
      // Side by side: a slow caller at one door takes no time from the work behind the others.
      const working = [bots, ...loops].map((part) => part.stop());
      await Promise.all([closeHttp(http, config), ...working]);
      clearInterval(impatience);
      if (!around.pictures) pictures.close();
      time.stop();
      await listener.close();
      await database.close();
    },
  };
}
