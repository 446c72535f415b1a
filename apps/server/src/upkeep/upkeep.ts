import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { snapshot } from "@sesame/ledger";
import type { App } from "../app.ts";
import { createLoop, type Loop } from "../jobs/loop.ts";
import { type Db, hasSqlState, PREPARED, maybe, many } from "../postgres/database.ts";
import { auditBooks, alertBroken } from "./audit.ts";
import { anchorChain, checkChain, recordCheck } from "../audit/chain.store.ts";
import { withLongStatements } from "../postgres/limits.ts";
import { sql } from "kysely";
import { raiseAlerts, resolveAlerts } from "../alerts/alerts.ts";
import { WHOLE_ROUND_MS } from "../jobs/rounds.ts";

/** Rows of `upkeep_tasks`. */
type TaskName =
  | "ledger.snapshot"
  | "books.audit"
  | "audit.check"
  | "payouts.reconcile"
  | "catalogue.sweep-images";

type TaskTurn = { readonly name: TaskName; readonly everyMs: number; readonly now: Date };

/** Whoever dies at it gives the task back by then; whoever fails tries again then. */
const LEASE_MS = 10 * MINUTE_MS;

/** A deadline further off than a whole turn was written by a clock that has been set back since. */
const isDue = ({ name, everyMs, now }: TaskTurn) =>
  sql`name = ${name} AND (due_at <= ${now} OR due_at > ${addMs(now, everyMs)})`;

/** Takes the task when it is due: true for one process. */
async function claimTask(db: Db, turn: TaskTurn): Promise<boolean> {
  const { now } = turn;
  const leaseMs = Math.min(turn.everyMs, LEASE_MS);
  const claimed = await maybe(db)`${PREPARED}
    UPDATE upkeep_tasks SET due_at = ${addMs(now, leaseMs)}
    WHERE ${isDue(turn)}
    RETURNING name
  `;
  return claimed !== null;
}

/** The task is due now. */
export async function askForTask(db: Db, name: TaskName, now: Date): Promise<void> {
  await sql`UPDATE upkeep_tasks SET due_at = ${now} WHERE name = ${name}`.execute(db);
}

async function finishTask(db: Db, turn: TaskTurn): Promise<void> {
  await sql`
    UPDATE upkeep_tasks SET due_at = ${addMs(turn.now, turn.everyMs)} WHERE name = ${turn.name}
  `.execute(db);
}

/**
 * Reads the audit log from its first row. Whole: its head is kept, in the database and in the
 * process's log, which whoever can rewrite the one cannot reach. Broken: the desk is alerted.
 */
async function auditChain({ db, log }: App, now: Date): Promise<void> {
  const invariants = await withLongStatements(db, checkChain);
  await recordCheck(db, invariants, now);
  if (invariants.length === 0) {
    const head = await anchorChain(db, now);
    if (head) log.info({ seq: String(head.seq), hash: head.hash }, "the audit log is whole");
    return;
  }
  log.error({ kind: "audit.broken", invariants }, "the audit log is broken");
  await alertBroken(db, { kind: "audit.broken", invariants }, now);
}

type UpkeepGiven = {
  /** Compares what providers say with what we say; each failure it meets is its own. */
  reconcile(now: Date): Promise<void>;
  /** Removes pictures that no product shows. */
  sweepImages(now: Date): Promise<void>;
};

const LOCK_NOT_AVAILABLE = "55P03";

type Task = Omit<TaskTurn, "now"> & { run(now: Date): Promise<void> };

/** What comes round by itself, once for all processes: balances, books, the providers' word. */
export function createUpkeep(app: App, given: UpkeepGiven): Loop[] {
  return [
    loopOf(app, {
      name: "ledger.snapshot",
      everyMs: MINUTE_MS,
      run: async (now) => {
        await advanceBalances(app, now);
        await alertOverdrawnFloats(app.db, now);
      },
    }),
    loopOf(app, { name: "books.audit", everyMs: HOUR_MS, run: (now) => auditBooks(app, now) }),
    loopOf(app, { name: "audit.check", everyMs: HOUR_MS, run: (now) => auditChain(app, now) }),
    loopOf(app, { name: "payouts.reconcile", everyMs: DAY_MS, run: given.reconcile }),
    loopOf(app, { name: "catalogue.sweep-images", everyMs: HOUR_MS, run: given.sweepImages }),
  ];
}

function loopOf({ db, clock, log }: App, task: Task): Loop {
  return createLoop({
    name: task.name,
    clock,
    log,
    everyMs: WHOLE_ROUND_MS,
    due: () => sql<boolean>`EXISTS (
      SELECT FROM upkeep_tasks WHERE ${isDue({ ...task, now: clock.now() })})`,
    run: async () => {
      const turn = { ...task, now: clock.now() };
      if (!(await claimTask(db, turn))) return false;
      await task.run(turn.now);
      await finishTask(db, turn);
      return false;
    },
  });
}

async function advanceBalances({ db, log }: App, now: Date): Promise<void> {
  try {
    await snapshot(db, now);
  } catch (error) {
    // Postings did not pause for two seconds: balances are only read a little slower until the next.
    if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
    log.warn("the ledger was too busy for a snapshot");
  }
}

/**
 * An agent paid more from a float than the books have in it: money was put in that nobody noted, or is
 * missing. Of floats that are counted or filled; over as soon as there is enough again.
 */
async function alertOverdrawnFloats(db: Db, now: Date): Promise<void> {
  const floats = await many<{ account: string; amount: bigint; is_closed: boolean }>(db)`
    SELECT a.key AS account, -ledger_balance(a.id) AS amount,
      -- What somebody has closed at this amount stays closed.
      EXISTS (SELECT FROM desk_alerts d WHERE d.kind = 'float.overdrawn' AND d.subject = a.key
        AND d.resolved_by IS NOT NULL AND d.details ->> 'amount' = (-ledger_balance(a.id))::text
      ) AS is_closed
    FROM ledger_accounts a
    WHERE a.key LIKE 'float:%' AND (
      EXISTS (SELECT FROM day_closes c WHERE c.account = a.key)
      OR EXISTS (SELECT FROM float_moves m WHERE a.key IN (m.account, m.other)))
  `;
  const enough = floats.filter(({ amount }) => amount >= 0n);
  const subjects = enough.map(({ account }) => account);
  await resolveAlerts(db, { kinds: ["float.overdrawn"], subjects, now });
  const overdrawn = floats.filter((each) => each.amount < 0n && !each.is_closed);
  const matters = overdrawn.map(({ account, amount }) => ({
    subject: account,
    details: { account, amount: Number(amount) },
  }));
  await raiseAlerts(db, "float.overdrawn", matters, { whenOpen: "updated", now });
}
