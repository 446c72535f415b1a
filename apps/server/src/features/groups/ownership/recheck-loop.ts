import { addMs } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { enqueue } from "../../../jobs/outbox.store.ts";
import { createLoop, type Loop } from "../../../jobs/loop.ts";
import { RECHECK } from "../announce.ts";
import type { GroupsDeps } from "../deps.ts";
import { RECHECK_EVERY_MS } from "../group.store.ts";
import { hasDueRecheck, takeDueRechecks } from "./administrators.store.ts";

const LOOK_EVERY_MS = 60_000;
const BATCH = 200;

/** Asks Telegram about each linked chat once an hour: a lost update is made good by it. */
export function createRecheckLoop(
  deps: Pick<GroupsDeps, "db" | "clock">,
  log: Pick<FastifyBaseLogger, "error" | "warn">,
): Loop {
  return createLoop({
    name: "groups recheck",
    clock: deps.clock,
    log,
    everyMs: LOOK_EVERY_MS,
    async run() {
      const now = deps.clock.now();
      if (!(await hasDueRecheck(deps.db, now))) return false;
      return deps.db.transaction().execute(async (tx) => {
        const next = addMs(now, RECHECK_EVERY_MS);
        const due = await takeDueRechecks(tx, { now, next, limit: BATCH });
        await enqueue(
          tx,
          due.map((ref) => ({ topic: RECHECK, ref, priority: 2, dueAt: now })),
        );
        return due.length === BATCH;
      });
    },
  });
}
