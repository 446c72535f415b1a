import type { FastifyBaseLogger } from "fastify";
import { anchorChain, checkChain, recordCheck } from "../audit/chain.store.ts";
import type { Db } from "../postgres/database.ts";
import { withLongStatements } from "../postgres/limits.ts";
import { alertBroken } from "./alert.store.ts";

export type ChainDeps = {
  readonly db: Db;
  readonly log: Pick<FastifyBaseLogger, "error" | "info">;
};

/**
 * Reads the audit log from its first row. Whole: its head is kept, in the database and in the
 * process's log, which whoever can rewrite the one cannot reach. Broken: the desk is alerted.
 */
export async function auditChain({ db, log }: ChainDeps, now: Date): Promise<void> {
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
