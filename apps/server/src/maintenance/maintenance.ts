import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { snapshot, type BrokenInvariant, check } from "@sesame/ledger";
import type { App, Log } from "../app.ts";
import { datesAhead } from "../jobs/leases.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../jobs/loop.ts";
import { type Db, hasSqlState, PREPARED, many } from "../postgres/database.ts";
import { anchorChain, checkChain, recordCheck } from "../audit/audit.store.ts";
import { withLongStatements } from "../postgres/connections.ts";
import { sql } from "kysely";
import { raiseAlerts, resolveAlerts } from "../alerts/alerts.ts";
import type { AlertKind } from "../alerts/kinds.fr.ts";
import { brokenAccesses, brokenSales } from "./books.view.ts";
import { brokenRefunds } from "./refunds-books.view.ts";
import { brokenWithdrawals } from "./withdrawals-books.view.ts";

/** Rows of `maintenance_tasks`, and their intervals. */
const TASKS = {
  "ledger.snapshot": MINUTE_MS,
  "books.audit": HOUR_MS,
  "audit.check": HOUR_MS,
  "payouts.reconcile": DAY_MS,
  "catalogue.sweep-images": HOUR_MS,
} as const;

type TaskName = keyof typeof TASKS;

/** A task is not postponed for longer than its interval; running too early is harmless. */
export const MAINTENANCE_DATES = datesAhead(
  "maintenance_tasks",
  Object.entries(TASKS).map(([name, longestMs]) => ["due_at", longestMs, `name = '${name}'`]),
  { isFenced: true },
);

/** A worker that dies loses the task then; one that fails retries it then. */
const LEASE_MS = 10 * MINUTE_MS;

/** Makes the task due now. */
export async function askForTask(db: Db, name: TaskName, now: Date): Promise<void> {
  await sql`UPDATE maintenance_tasks SET due_at = ${now} WHERE name = ${name}`.execute(db);
}

/**
 * Verifies the audit log from its first row. If it is whole, its head is stored, in the database and in the
 * process's log, which an attacker of the database cannot rewrite. If it is broken, an alert is raised.
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

type MaintenanceGiven = {
  /** Compares providers' reports with ours; a failure of one does not stop the others. */
  reconcile(now: Date): Promise<void>;
  /** Deletes images without a product. */
  sweepImages(now: Date): Promise<void>;
};

const LOCK_NOT_AVAILABLE = "55P03";

/** Periodic work, once for all processes: snapshots, ledger checks, reconciliation. */
export function createMaintenance(app: App, given: MaintenanceGiven): Loop[] {
  return [
    loopOf(app, "ledger.snapshot", async (now) => {
      await snapshot(app.db, now).catch((error: unknown) => {
        // Postings did not pause for two seconds: until the next run reading balances is only a little slower.
        if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
        app.log.warn("the ledger was too busy for a snapshot");
      });
      await alertOverdrawnFloats(app.db, now);
    }),
    loopOf(app, "books.audit", (now) => auditBooks(app, now)),
    loopOf(app, "audit.check", (now) => auditChain(app, now)),
    loopOf(app, "payouts.reconcile", given.reconcile),
    loopOf(app, "catalogue.sweep-images", given.sweepImages),
  ];
}

/** Runs the task when it is due, in the one process that leases it. */
function loopOf({ db, clock, log }: App, name: TaskName, act: (now: Date) => Promise<void>): Loop {
  const turnMs = TASKS[name];
  const isDue = (now: Date) => sql`name = ${name} AND due_at <= ${now}`;
  return createLoop({
    name,
    clock,
    log,
    everyMs: WHOLE_ROUND_MS,
    due: () => sql<boolean>`EXISTS (SELECT FROM maintenance_tasks WHERE ${isDue(clock.now())})`,
    run: async () => {
      const now = clock.now();
      const leased = await sql`${PREPARED}
        UPDATE maintenance_tasks SET due_at = ${addMs(now, Math.min(turnMs, LEASE_MS))}
        WHERE ${isDue(now)}
      `.execute(db);
      if (leased.numAffectedRows === 0n) return false;
      await act(now);
      await sql`
        UPDATE maintenance_tasks SET due_at = ${addMs(now, turnMs)} WHERE name = ${name}
      `.execute(db);
      return false;
    },
  });
}

/**
 * An agent paid more from a float than the ledger has in it: money was put in without a record, or is
 * missing. For floats that are counted or filled; resolved as soon as there is enough again.
 */
async function alertOverdrawnFloats(db: Db, now: Date): Promise<void> {
  const floats = await many<{ account: string; amount: bigint; is_closed: boolean }>(db)`
    SELECT a.key AS account, -ledger_balance(a.id) AS amount,
      -- An alert resolved at this amount stays resolved.
      EXISTS (SELECT FROM alerts d WHERE d.kind = 'float.overdrawn' AND d.subject = a.key
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

/** One mistake with a million effects raises a hundred alerts. */
const ALERTS_AT_ONCE = 100;
const SHOWN_IN_LOG = 10;

type BrokenKind = Extract<AlertKind, `${string}.broken`>;

const AUDITS: readonly {
  readonly kind: BrokenKind;
  read(db: Db): Promise<BrokenInvariant[]>;
}[] = [
  { kind: "ledger.broken", read: check },
  { kind: "sale.broken", read: (db) => brokenSales(db, ALERTS_AT_ONCE) },
  { kind: "access.broken", read: (db) => brokenAccesses(db, ALERTS_AT_ONCE) },
  { kind: "withdrawal.broken", read: (db) => brokenWithdrawals(db, ALERTS_AT_ONCE) },
  { kind: "refund.broken", read: (db) => brokenRefunds(db, ALERTS_AT_ONCE) },
];

export type BrokenInvariants = {
  readonly kind: BrokenKind;
  readonly invariants: BrokenInvariant[];
};

type Reading = (db: Db) => Promise<BrokenInvariant[]>;

/**
 * Checks all tables. → the faults, by kind; empty when all are valid. `run` gives each check a
 * connection: the caller's own inside a transaction.
 */
export async function checkLedger(
  db: Db,
  run: (db: Db, read: Reading) => Promise<BrokenInvariant[]> = (given, read) => read(given),
): Promise<BrokenInvariants[]> {
  const found: BrokenInvariants[] = [];
  for (const { kind, read } of AUDITS) {
    const invariants = await run(db, read);
    if (invariants.length > 0) found.push({ kind, invariants });
  }
  return found;
}

/** Checks all tables and raises an alert for each broken invariant, also in the log (R3). */
export async function auditBooks(
  { db, log }: Pick<App, "db"> & { readonly log: Pick<Log, "error"> },
  now: Date,
): Promise<void> {
  for (const { kind, invariants } of await checkLedger(db, withLongStatements)) {
    const first = invariants.slice(0, SHOWN_IN_LOG);
    log.error({ kind, count: invariants.length, first }, "the books are broken");
    await alertBroken(db, { kind, invariants: invariants.slice(0, ALERTS_AT_ONCE) }, now);
  }
}

/** Raises an alert for each. Nothing is resolved here: a person has to look. */
export async function alertBroken(db: Db, { kind, invariants }: BrokenInvariants, now: Date) {
  const matters = invariants.map((details) => ({
    subject: `${details.invariant}: ${details.subject}`,
    details: { ...details },
  }));
  await raiseAlerts(db, kind, matters, { now });
}
