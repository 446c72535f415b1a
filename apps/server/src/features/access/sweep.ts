import { createLoop, type Loop } from "../../jobs/loop.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import type { FastifyBaseLogger } from "fastify";
import { endAccesses, hasEndedAccess } from "./access.store.ts";
import { publishStatuses } from "./announce.ts";
import { CLOSE_ACCESS } from "./close-access.ts";
import type { AccessDeps } from "./deps.ts";

/** Removal is promised within a minute of the end (WIRE §3): the sweep leaves most of it. */
const EVERY_MS = 5_000;
const BATCH = 500;

/** Ends accesses whose time is over, in batches, and has their people removed. */
export function createAccessSweep(
  deps: Pick<AccessDeps, "db" | "clock">,
  log: Pick<FastifyBaseLogger, "error" | "warn">,
): Loop {
  return createLoop({
    name: "access sweep",
    clock: deps.clock,
    log,
    everyMs: EVERY_MS,
    run: () => sweepOnce(deps),
  });
}

async function sweepOnce(deps: Pick<AccessDeps, "db" | "clock">): Promise<boolean> {
  const now = deps.clock.now();
  // Most looks find nothing: one statement, without a transaction.
  if (!(await hasEndedAccess(deps.db, now))) return false;
  return deps.db.transaction().execute(async (tx) => {
    const accesses = await endAccesses(tx, { now, limit: BATCH });
    await enqueue(
      tx,
      accesses.map((access) => ({ topic: CLOSE_ACCESS, ref: access.id, priority: 0, dueAt: now })),
    );
    await publishStatuses(tx, accesses);
    const ids = accesses.map(({ id }) => id);
    await noteAccesses(tx, { type: "access.ended", ids }, now);
    return accesses.length === BATCH;
  });
}
