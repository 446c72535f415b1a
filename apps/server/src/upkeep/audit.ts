import { type BrokenInvariant, check } from "@sesame/ledger";
import { raiseAlerts } from "../alerts/alerts.ts";
import type { AlertKind } from "../alerts/kinds.fr.ts";
import type { App, Log } from "../app.ts";
import type { Db } from "../postgres/database.ts";
import { withLongStatements } from "../postgres/limits.ts";
import { brokenAccesses, brokenSales } from "./books.view.ts";
import { brokenRefunds } from "./refunds-books.view.ts";
import { brokenWithdrawals } from "./withdrawals-books.view.ts";

/** What one mistake broke a million times is on the desk a hundred times. */
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

export type BrokenBooks = { readonly kind: BrokenKind; readonly invariants: BrokenInvariant[] };

type Reading = (db: Db) => Promise<BrokenInvariant[]>;

/**
 * Reads all the books. → what is broken, by kind; empty when they are whole. `run` gives each reading
 * its connection: the caller's own where there is a transaction already.
 */
export async function findBrokenBooks(
  db: Db,
  run: (db: Db, read: Reading) => Promise<BrokenInvariant[]> = (given, read) => read(given),
): Promise<BrokenBooks[]> {
  const found: BrokenBooks[] = [];
  for (const { kind, read } of AUDITS) {
    const invariants = await run(db, read);
    if (invariants.length > 0) found.push({ kind, invariants });
  }
  return found;
}

/** Reads all the books and puts each broken invariant on the desk and in the log (R3). */
export async function auditBooks(
  { db, log }: Pick<App, "db"> & { readonly log: Pick<Log, "error"> },
  now: Date,
): Promise<void> {
  for (const { kind, invariants } of await findBrokenBooks(db, withLongStatements)) {
    const first = invariants.slice(0, SHOWN_IN_LOG);
    log.error({ kind, count: invariants.length, first }, "the books are broken");
    await alertBroken(db, { kind, invariants: invariants.slice(0, ALERTS_AT_ONCE) }, now);
  }
}

/** Puts what is broken on the desk. Nothing is resolved here: somebody has to look. */
export async function alertBroken(db: Db, { kind, invariants }: BrokenBooks, now: Date) {
  const matters = invariants.map((details) => ({
    subject: `${details.invariant}: ${details.subject}`,
    details: { ...details },
  }));
  await raiseAlerts(db, kind, matters, { now });
}
