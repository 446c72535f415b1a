import { randomBytes } from "node:crypto";
import { assert, type Clock, DAY_MS } from "@sesame/kernel";
import { balanceOf } from "@sesame/ledger";
import { type RawBuilder, sql } from "kysely";
import { createTestDatabase } from "../../../tools/postgres/test-database.ts";
import { eventually } from "../../../tools/testing/eventually.ts";
import { injectedLeaseClock } from "../src/jobs/leases.ts";
import { type LeasedJob, leaseJobs } from "../src/jobs/outbox.store.ts";
import { type Db, finds, many, one, openDatabase } from "../src/postgres/database.ts";

export type OwnDatabase = Awaited<ReturnType<typeof openOwnDatabase>>;

/**
 * Runs a test's statements on the connection: all rows, the first column of all, or of the only one;
 * and reads what many tests look at.
 */
export function readerOf(db: Db) {
  type Statement = Parameters<typeof sql>;
  const values = async <Value = unknown>(...statement: Statement): Promise<Value[]> =>
    (await many<Record<string, Value>>(db)(...statement)).map(
      (row) => Object.values(row)[0] as Value,
    );
  const value = async <Value = unknown>(...statement: Statement): Promise<Value> => {
    const found = await values<Value>(...statement);
    assert(found.length === 1, `a statement about one value had ${found.length}`);
    return found[0] as Value;
  };
  return {
    sql: <Row = unknown>(...statement: Statement) => many<Row>(db)(...statement),
    values,
    value,
    /** The francs of a ledger account; none of one that was never opened. */
    balance: async (key: string): Promise<bigint> => (await balanceOf(db, key))?.posted ?? 0n,
    /** The actions in the audit log about a subject, oldest first. */
    auditEntries: (subject: string) => values<string>`
      SELECT action FROM audit_log WHERE subject = ${subject} ORDER BY seq`,
    /** The length of the audit log: a test's own entries come after it. */
    lastLogged: () => value<bigint>`SELECT coalesce(max(seq), 0)::bigint FROM audit_log`,
    loggedAfter: (last: bigint) => values<string>`
      SELECT action FROM audit_log WHERE seq > ${last} ORDER BY seq`,
    /** The sum of all ledger entries: always zero. */
    sumOfBooks: () => value<bigint>`SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries`,
    /** The id of the last alert: a test's own alerts come after it. */
    lastAlert: () => value<bigint>`SELECT coalesce(max(id), 0)::bigint FROM alerts`,
    alertsAfter: (last: bigint) => values<string>`
      SELECT kind FROM alerts WHERE id > ${last} ORDER BY id`,
    /** The kinds of the open alerts, oldest first. */
    openAlerts: () => values<string>`
      SELECT kind FROM alerts WHERE resolved_at IS NULL ORDER BY id`,
    openAlertsAbout: (subject: string) => values<string>`
      SELECT kind FROM alerts WHERE subject = ${subject} AND resolved_at IS NULL ORDER BY id`,
    /** Of an order's payment at a provider: the last one's name there. */
    lastPaymentOf: (orderId: string) => value<string>`
      SELECT provider_payment_id FROM payments WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`,
    /** Until a connection to the database waits for a lock. */
    untilSomebodyWaits: () =>
      eventually(
        () => finds(db)`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
  };
}

/** A new database, and connections to it; closing them drops it. */
export async function openOwnDatabase(poolSize?: number) {
  const { url, drop } = await createTestDatabase();
  const { db, close } = openDatabase({ url, ...(poolSize ? { poolSize } : {}) });
  return { url, db, ...readerOf(db), close: () => close().then(drop) };
}

/** Makes changes that no code of ours can: without the database's own guards, as only its owner may. */
export async function pastGuards(db: Db, ...changes: RawBuilder<unknown>[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    for (const change of changes) await change.execute(tx);
  });
}

/**
 * Saves the content of tables: for tests that break what nothing repairs and share one application.
 * → a function that restores it
 */
export async function keepTables(db: Db, names: readonly string[]): Promise<() => Promise<void>> {
  const kept = `kept_${randomBytes(4).toString("hex")}`;
  await sql`CREATE SCHEMA ${sql.ref(kept)}`.execute(db);
  const steps: string[] = [];
  for (const name of names) {
    const copy = sql.table(`${kept}.${name}`);
    await sql`CREATE TABLE ${copy} AS TABLE ${sql.table(name)}`.execute(db);
    // Generated columns are not written.
    const { columns } = await one<{ columns: string }>(db)`
      SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ${name} AND is_generated = 'NEVER'
    `;
    steps.push(`
      DELETE FROM public."${name}";
      INSERT INTO public."${name}" (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM ${kept}."${name}";`);
  }
  const putBack = sql.raw(`DO $$ BEGIN ${steps.join("")} END $$`);
  return () => pastGuards(db, putBack);
}

/** The same for every table: each test begins with the database as it is now. */
export async function keepDatabase(db: Db): Promise<() => Promise<void>> {
  return keepTables(
    db,
    await readerOf(db).values<string>`
      SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
}

/** The day so many days from now, in the form of forms and addresses. */
export const dayIn = (clock: Clock, days: number): string =>
  new Date(clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** `2026-11-16` in French: 16/11/2026. */
export const inFrench = (day: string): string => day.split("-").reverse().join("/");

/** Leases one job for a millisecond, like a worker that then dies. */
export async function leaseOne(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  topic: string,
): Promise<LeasedJob | undefined> {
  const topics = [{ topic, free: 1 }];
  const [job] = await leaseJobs(db, { topics, clock: injectedLeaseClock(clock), leaseMs: 1 });
  return job;
}
