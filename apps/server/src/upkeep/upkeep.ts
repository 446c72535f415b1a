import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { snapshot } from "@sesame/ledger";
import type { FastifyBaseLogger } from "fastify";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { type Db, hasSqlState } from "../postgres/database.ts";
import { alertOverdrawnFloats } from "./alert.store.ts";
import { auditBooks } from "./audit.ts";
import { auditChain } from "./audit-chain.ts";
import { claimTask, finishTask, type TaskTurn } from "./tasks.store.ts";

export type UpkeepDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn" | "info">;
  /** Compares what providers say with what we say; each failure it meets is its own. */
  reconcile(now: Date): Promise<void>;
  /** Removes pictures that no product shows. */
  sweepImages(now: Date): Promise<void>;
};

const LOOK_EVERY_MS = 20_000;
const LOCK_NOT_AVAILABLE = "55P03";

type Task = Omit<TaskTurn, "now"> & { run(now: Date): Promise<void> };

/** What comes round by itself, once for all processes: balances, books, the providers' word. */
export function createUpkeep(deps: UpkeepDeps): Loop[] {
  return [
    loopOf(deps, {
      name: "ledger.snapshot",
      everyMs: MINUTE_MS,
      run: async (now) => {
        await advanceBalances(deps, now);
        await alertOverdrawnFloats(deps.db, now);
      },
    }),
    loopOf(deps, { name: "books.audit", everyMs: HOUR_MS, run: (now) => auditBooks(deps, now) }),
    loopOf(deps, { name: "audit.check", everyMs: HOUR_MS, run: (now) => auditChain(deps, now) }),
    loopOf(deps, { name: "payouts.reconcile", everyMs: DAY_MS, run: deps.reconcile }),
    loopOf(deps, { name: "catalogue.sweep-images", everyMs: HOUR_MS, run: deps.sweepImages }),
  ];
}

function loopOf({ db, clock, log }: UpkeepDeps, task: Task): Loop {
  return createLoop({
    name: task.name,
    clock,
    log,
    everyMs: LOOK_EVERY_MS,
    run: async () => {
      const turn = { ...task, now: clock.now() };
      if (!(await claimTask(db, turn))) return false;
      await task.run(turn.now);
      await finishTask(db, turn);
      return false;
    },
  });
}

async function advanceBalances({ db, log }: UpkeepDeps, now: Date): Promise<void> {
  try {
    await snapshot(db, now);
  } catch (error) {
    // Postings did not pause for two seconds: balances are only read a little slower until the next.
    if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
    log.warn("the ledger was too busy for a snapshot");
  }
}
