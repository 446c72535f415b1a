import type { FastifyBaseLogger } from "fastify";
import type { HttpServer } from "../../http/server.ts";
import type { Loop } from "../../jobs/loop.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import { SEND_OUT } from "../../outgoing/events.store.ts";
import { admitKey, type KeyAsked } from "./admit-key.ts";
import { registerApiHttp } from "./api-http.ts";
import { registerDeliveriesHttp } from "./deliveries-http.ts";
import type { DevelopersDeps } from "./deps.ts";
import { createWebhookLoops } from "./dispatcher.ts";
import { registerEndpointsHttp } from "./endpoints-http.ts";
import { registerDevelopersHttp } from "./http.ts";
import { sendEventOut } from "./send-out.ts";

export { WEBHOOKS_CHANNEL } from "./deliveries.store.ts";
export { TURN_MS } from "./dispatcher.ts";

/** The door of developers. */
export type Developers = {
  /** Who calls by key, or what is answered instead. */
  admitKey(asked: KeyAsked): ReturnType<typeof admitKey>;
  registerHttp(app: HttpServer): void;
  readonly jobs: readonly JobHandler[];
  loops(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop[];
};

export function createDevelopers(deps: DevelopersDeps): Developers {
  return {
    admitKey: (asked) => admitKey(deps, asked),
    registerHttp(app) {
      registerDevelopersHttp(app, deps);
      registerEndpointsHttp(app, deps);
      registerDeliveriesHttp(app, deps);
      registerApiHttp(app, deps);
    },
    jobs: [
      {
        topic: SEND_OUT,
        batch: 50,
        concurrency: 4,
        maxAttempts: 20,
        run: (job) => sendEventOut(deps, job),
      },
    ],
    loops: (log) => createWebhookLoops(deps, log),
  };
}
