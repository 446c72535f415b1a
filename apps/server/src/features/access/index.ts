import type { AccessOnWire, OrderAccessOnWire } from "@sesame/contract/access";
import type { FastifyBaseLogger } from "fastify";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Loop } from "../../jobs/loop.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import { accessesOf, accessOfOrder } from "./access.view.ts";
import { accessUpdates } from "./bot.ts";
import type { AccessDeps } from "./deps.ts";
import { registerAccessHttp } from "./http.ts";
import { accessJobs } from "./jobs.ts";
import { createAccessSweep } from "./sweep.ts";
import type { UndoneSale } from "./take-back.store.ts";
import { takeBackIn, type TimeLeft } from "./take-back.ts";

export type { AccessDeps } from "./deps.ts";
export type { UndoneSale } from "./take-back.store.ts";
export type { TimeLeft } from "./take-back.ts";

export type Accesses = {
  /** `access` of an order on the wire; null until its sale is settled. */
  accessOfOrder(orderId: bigint): Promise<OrderAccessOnWire | null>;
  accessesOf(personId: bigint): Promise<AccessOnWire[]>;
  /** A sale is undone, in the transaction that refunds it; null when no time is left. */
  takeBackIn(tx: Db, sale: UndoneSale, now: Date): Promise<TimeLeft | null>;
  registerHttp(app: HttpServer): void;
  sweep(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
  readonly jobs: readonly JobHandler[];
  readonly updates: UpdateHandler;
};

export function createAccess(deps: AccessDeps): Accesses {
  return {
    accessOfOrder: (orderId) => accessOfOrder(deps.db, orderId),
    accessesOf: (personId) => accessesOf(deps.db, personId, deps.imageUrl),
    takeBackIn,
    registerHttp: (app) => registerAccessHttp(app, deps),
    sweep: (log) => createAccessSweep(deps, log),
    jobs: accessJobs(deps),
    updates: accessUpdates(deps),
  };
}
