import { addMs, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, PREPARED } from "../postgres/database.ts";

/** Rows of `upkeep_tasks`. */
export type TaskName =
  | "ledger.snapshot"
  | "books.audit"
  | "audit.check"
  | "payouts.reconcile"
  | "catalogue.sweep-images";

export type TaskTurn = { readonly name: TaskName; readonly everyMs: number; readonly now: Date };

/** Whoever dies at it gives the task back by then; whoever fails tries again then. */
const LEASE_MS = 10 * MINUTE_MS;

/**
 * Takes the task when it is due: true for one process. A deadline further off than a whole turn was
 * written by a clock that has been set back since (the demo's): due too.
 */
export async function claimTask(db: Db, turn: TaskTurn): Promise<boolean> {
  const { name, now } = turn;
  const leaseMs = Math.min(turn.everyMs, LEASE_MS);
  const { rows } = await sql<{ name: string }>`${PREPARED}
    UPDATE upkeep_tasks SET due_at = ${addMs(now, leaseMs)}
    WHERE name = ${name} AND (due_at <= ${now} OR due_at > ${addMs(now, turn.everyMs)})
    RETURNING name
  `.execute(db);
  return rows.length > 0;
}

export async function finishTask(db: Db, turn: TaskTurn): Promise<void> {
  await sql`
    UPDATE upkeep_tasks SET due_at = ${addMs(turn.now, turn.everyMs)} WHERE name = ${turn.name}
  `.execute(db);
}
