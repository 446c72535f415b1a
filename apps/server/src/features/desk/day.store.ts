import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { PurseRow } from "./day.view.ts";
import type { Day } from "./day-zone.ts";

/** Counts and moves of a purse take turns until the transaction ends; in the order of the names. */
export async function lockPurses(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort()) {
    await sql`
      SELECT pg_advisory_xact_lock(hashtextextended(${`purse:${key}`}, 0))
    `.execute(tx);
  }
}

/** Waits for the postings under way, so that a count misses none (55P03 after two seconds). */
export async function waitForPostings(tx: Db): Promise<void> {
  await sql`SELECT ledger_barrier()`.execute(tx);
}

export type NewClose = {
  readonly day: Day;
  readonly purse: Pick<PurseRow, "key" | "opening" | "money_in" | "money_out"> &
    Pick<PurseRow, "after_seq" | "upto_seq">;
  readonly corrects: bigint | null;
  readonly counted: bigint;
  readonly explanation: string | null;
  readonly by: bigint;
};

export async function insertClose(tx: Db, close: NewClose, now: Date): Promise<bigint> {
  const { purse, counted } = close;
  const expected = purse.opening + purse.money_in - purse.money_out;
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO day_closes (account, on_date, corrects, opening, money_in, money_out, expected,
      counted, difference, explanation, after_seq, upto_seq, closed_by, closed_at)
    VALUES (${purse.key}, ${close.day}::date, ${close.corrects}, ${purse.opening},
      ${purse.money_in}, ${purse.money_out}, ${expected}, ${counted}, ${counted - expected},
      ${close.explanation}, ${purse.after_seq}, ${purse.upto_seq}, ${close.by}, ${now})
    RETURNING id
  `.execute(tx);
  assert(rows[0], "the close was written");
  return rows[0].id;
}

export type NewMove = {
  readonly account: string;
  readonly other: string;
  /** In > 0, out < 0. */
  readonly amount: bigint;
  readonly reference: string;
  readonly by: bigint;
};

export async function insertMove(tx: Db, move: NewMove, now: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO float_moves (account, other, amount, reference, moved_by, moved_at)
    VALUES (${move.account}, ${move.other}, ${move.amount}, ${move.reference}, ${move.by}, ${now})
    RETURNING id
  `.execute(tx);
  assert(rows[0], "the move was written");
  return rows[0].id;
}
