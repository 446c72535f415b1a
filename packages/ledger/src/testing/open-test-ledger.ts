import { type Kysely, sql } from "kysely";
import { openDatabase } from "../../../../apps/server/src/postgres/database.ts";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import type { Fcfa } from "@sesame/kernel";
import { type AccountId, type Executor, openAccounts, type PostOutcome } from "../index.ts";

/** The instant for tests in which time does not matter. */
export const NOON = new Date("2026-03-01T12:00:00Z");

export type TestLedger = {
  readonly db: Kysely<unknown>;
  /** provider, fees, transit: unguarded. */
  readonly shared: readonly [AccountId, AccountId, AccountId];
  close(): Promise<void>;
};

/** A new database with the schema, and the usual accounts. */
export async function openTestLedger(poolSize = 8): Promise<TestLedger> {
  const test = await createTestDatabase();
  const { db, close } = openDatabase({ url: test.url, poolSize });
  const keys = ["provider:test", "platform:fees", "payouts:in-transit"];
  const [provider, fees, transit] = await openAccounts(db, { keys, guarded: false }, NOON);
  if (provider === undefined || fees === undefined || transit === undefined) {
    throw new Error("the shared accounts did not open");
  }
  return {
    db,
    shared: [provider, fees, transit],
    close: async () => {
      await close();
      await test.drop();
    },
  };
}

/** The whole content of the ledger, to compare before and after a call that must write nothing. */
export async function wholeContent(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ content: string }>`
    SELECT concat(
      (SELECT json_agg(a ORDER BY id) FROM (SELECT id, posted, held FROM ledger_accounts) a),
      (SELECT json_agg(t ORDER BY id) FROM ledger_transfers t),
      (SELECT json_agg(e ORDER BY seq) FROM ledger_entries e),
      (SELECT json_agg(h ORDER BY id) FROM ledger_holds h)) AS content`.execute(db);
  return rows[0]?.content ?? "";
}

/**
 * A sale: `from` (a provider, unguarded) gives net + fee, `to` (guarded) gets the net, the fee
 * account (unguarded) the fee. Francs, neither below zero, not both zero; `to` is null if net is 0.
 */
export type Sale = {
  readonly id: string;
  readonly from: AccountId;
  readonly to: AccountId | null;
  readonly net: Fcfa;
  readonly fee: Fcfa;
  readonly occurredAt: Date;
};

/** `post` for these transfers, which are never insufficient: settlement books sales this way. */
export async function postSales(
  db: Executor,
  { sales, feeAccount }: { readonly sales: readonly Sale[]; readonly feeAccount: AccountId },
  now: Date,
): Promise<PostOutcome[]> {
  const { rows } = await sql<{ outcomes: PostOutcome[] }>`
    SELECT ledger_post_sales(
      ${sales.map(({ id }) => id)}::text[], ${sales.map(({ from }) => from)}::bigint[],
      ${sales.map(({ to }) => to)}::bigint[], ${sales.map(({ net }) => net)}::bigint[], ${feeAccount},
      ${sales.map(({ fee }) => fee)}::bigint[],
      ${sales.map(({ occurredAt }) => occurredAt)}::timestamptz[], ${now}) AS outcomes
  `.execute(db);
  return rows[0]?.outcomes ?? [];
}
