import type { BrokenInvariant } from "@sesame/ledger";
import { sql } from "kysely";
import { type Db, many, maybe, one } from "../postgres/database.ts";

/** Reads the whole chain, as of one instant. → where it is broken first: nothing when it is whole. */
export async function checkChain(db: Db): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    SELECT invariant, subject, expected, found FROM audit_check()
  `;
}

export type ChainHead = { readonly seq: bigint; readonly hash: string };

/** Keeps the head as an anchor: what was whole up to here cannot be written anew unseen. */
export async function anchorChain(db: Db, now: Date): Promise<ChainHead | null> {
  return maybe<ChainHead>(db)`SELECT seq, hash FROM audit_anchor(${now})`;
}

export async function recordCheck(
  db: Db,
  broken: readonly BrokenInvariant[],
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO audit_checks (checked_at, broken) VALUES (${now}, ${JSON.stringify(broken)}::jsonb)
    ON CONFLICT (one) DO UPDATE SET checked_at = excluded.checked_at, broken = excluded.broken
  `.execute(db);
}

export type ChainState = {
  readonly seq: bigint;
  readonly hash: string;
  /** Null: not checked yet. */
  readonly checked_at: Date | null;
  readonly broken: readonly BrokenInvariant[] | null;
};

export async function readChainState(db: Db): Promise<ChainState> {
  return one<ChainState>(db)`
    SELECT coalesce(h.seq, 0) AS seq, coalesce(encode(h.hash, 'hex'), '') AS hash,
      c.checked_at, c.broken
    FROM (SELECT) AS nothing LEFT JOIN audit_head h ON true LEFT JOIN audit_checks c ON true
  `;
}
