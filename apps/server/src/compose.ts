import type { Chance, Clock } from "@sesame/kernel";
import type { Config } from "./config.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { registerHealth } from "./http/health.ts";
import type { Loop } from "./jobs/loop.ts";
import { createOutboxLoops, type JobHandler } from "./jobs/outbox.ts";
import { OUTBOX_CHANNEL } from "./jobs/outbox.store.ts";
import { openDatabase } from "./postgres/database.ts";
import { createListener } from "./postgres/listener.ts";

export type Application = {
  readonly http: HttpServer;
  /** Sweeps and outbox loops: tests drain them in place of waiting. */
  readonly loops: readonly Loop[];
  /** Opens the doors named by ROLES. Resolves with the address once it answers. */
  start(): Promise<string>;
  /** Drains what is under way, then closes everything. */
  stop(): Promise<void>;
};

export type Surroundings = { readonly clock: Clock; readonly chance: Chance };

/** The only place that knows which adapter serves whom. */
export async function compose(config: Config, around: Surroundings): Promise<Application> {
  const database = openDatabase({ url: config.databaseUrl });
  const listener = createListener(config.databaseUrl);
  const { db } = database;
  const { clock } = around;

  const http = await createHttpServer({
    publicUrl: config.publicUrl,
    frameAncestors: config.telegramWebOrigins,
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    metricsToken: config.metricsToken,
    authenticate: async () => null,
  });
  registerHealth(http, { db });

  const handlers: JobHandler[] = [];
  const loops: Loop[] = [...createOutboxLoops({ db, clock, log: http.log, handlers })];
  listener.on(OUTBOX_CHANNEL, () => {
    for (const loop of loops) loop.wake();
  });

  return {
    http,
    loops,
    async start() {
      await listener.start();
      if (config.roles.has("worker")) for (const loop of loops) loop.start();
      return http.listen({ port: config.port, host: config.host });
    },
    async stop() {
      await http.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await listener.close();
      await database.close();
    },
  };
}
