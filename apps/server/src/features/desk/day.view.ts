import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import type { Day } from "./day-zone.ts";

export type PurseRow = {
  readonly account_id: bigint;
  readonly key: string;
  /** Francs; what it had when it was last counted, or at the day's beginning. */
  readonly opening: bigint;
  readonly opened_on: Day | null;
  readonly money_in: bigint;
  readonly money_out: bigint;
  /** Of that: what providers kept. */
  readonly costs: bigint;
  readonly after_seq: bigint;
  readonly upto_seq: bigint;
  /** Of that day. */
  readonly closed: boolean;
  /** A later day is closed already. */
  readonly covered: boolean;
};

export type DayWindow = {
  readonly day: Day;
  readonly from: Date;
  readonly until: Date;
};

/**
 * Purses on a day: from the entry after the last count to the day's last. A day that was counted
 * stays as it was counted.
 */
export async function findPurses(
  db: Db,
  keys: readonly string[],
  { day, from, until }: DayWindow,
): Promise<PurseRow[]> {
  return many<PurseRow>(db)`
    SELECT a.id AS account_id, a.key, coalesce(own.opening, previous.counted, purse.had) AS opening,
      previous.on_date::text AS opened_on, purse.money_in, purse.money_out, kept.costs,
      span.after_seq, span.upto_seq, own.id IS NOT NULL AS closed,
      EXISTS (SELECT FROM day_closes l WHERE l.account = a.key AND l.on_date > ${day}::date)
        AS covered
    FROM unnest(${keys}::text[]) WITH ORDINALITY AS k(key, ord)
    JOIN ledger_accounts a ON a.key = k.key AND NOT a.guarded
    LEFT JOIN day_closes own ON own.account = a.key AND own.on_date = ${day}::date
      AND own.corrects IS NULL
    LEFT JOIN LATERAL (
      SELECT c.on_date, c.upto_seq, coalesce(corrected.counted, c.counted) AS counted
      FROM day_closes c
      LEFT JOIN LATERAL (
        SELECT r.counted FROM day_closes r WHERE r.corrects = c.id ORDER BY r.id DESC LIMIT 1
      ) AS corrected ON true
      WHERE c.account = a.key AND c.on_date < ${day}::date AND c.corrects IS NULL
      ORDER BY c.on_date DESC LIMIT 1
    ) AS previous ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(own.after_seq, previous.upto_seq, desk_seq_before(a.id, ${from}))
        AS after_seq
    ) AS begun
    CROSS JOIN LATERAL (
      SELECT begun.after_seq, greatest(begun.after_seq,
        coalesce(own.upto_seq, desk_seq_before(a.id, ${until}))) AS upto_seq
    ) AS span
    CROSS JOIN LATERAL desk_purse(a.id, span.after_seq, span.upto_seq) AS purse
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount), 0)::bigint AS costs FROM ledger_entries e
      WHERE e.account_id = a.id AND e.seq > span.after_seq AND e.seq <= span.upto_seq
        AND e.transfer_id ~ '^(cost|collected|chargeback):'
    ) AS kept
    ORDER BY k.ord
  `;
}

export async function findPurse(db: Db, key: string, window: DayWindow): Promise<PurseRow | null> {
  const [purse] = await findPurses(db, [key], window);
  return purse ?? null;
}

/** Providers whose account is open, by their key. */
export async function findProviderAccounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM ledger_accounts WHERE key >= 'provider:' AND key < 'provider;'
      AND NOT guarded ORDER BY key
  `.execute(db);
  return rows.map(({ key }) => key);
}

export type CloseRow = {
  readonly id: bigint;
  readonly account: string;
  readonly corrects: bigint | null;
  readonly opening: bigint;
  readonly money_in: bigint;
  readonly money_out: bigint;
  readonly expected: bigint;
  readonly counted: bigint;
  readonly difference: bigint;
  readonly explanation: string | null;
  readonly after_seq: bigint;
  readonly upto_seq: bigint;
  readonly closed_by: bigint;
  readonly closer_name: string;
  readonly closed_at: Date;
};

/** The counts of a day, each with its corrections after it. */
export async function findCloses(db: Db, keys: readonly string[], day: Day): Promise<CloseRow[]> {
  return many<CloseRow>(db)`
    SELECT c.id, c.account, c.corrects, c.opening, c.money_in, c.money_out, c.expected, c.counted,
      c.difference, c.explanation, c.after_seq, c.upto_seq, c.closed_by,
      concat_ws(' ', p.first_name, p.last_name) AS closer_name, c.closed_at
    FROM day_closes c JOIN people p ON p.id = c.closed_by
    WHERE c.account = ANY(${keys}::text[]) AND c.on_date = ${day}::date
    ORDER BY c.account, c.id
  `;
}

export type MovementRow = {
  readonly account_id: bigint;
  readonly transfer_id: string;
  readonly at: Date;
  /** Francs, in > 0. */
  readonly amount: bigint;
  readonly operator_reference: string | null;
  readonly withdrawal_id: bigint | null;
  readonly withdrawal_reference: string | null;
  readonly move_reference: string | null;
  readonly move_other: string | null;
  readonly by_id: bigint | null;
  readonly by_name: string | null;
};

/**
 * Entries of a purse, oldest first. `ours`: only payouts and what was moved by hand: a provider's
 * sales are too many to be read one by one.
 */
export async function findMovements(
  db: Db,
  purse: Pick<PurseRow, "account_id" | "after_seq" | "upto_seq">,
  page: { readonly ours: boolean; readonly limit: number },
): Promise<MovementRow[]> {
  return many<MovementRow>(db)`
    SELECT e.account_id, e.transfer_id, t.occurred_at AS at, -e.amount AS amount,
      coalesce(CASE WHEN e.transfer_id LIKE 'reversed:%' THEN p.return_reference
        ELSE p.operator_reference END, back.operator_reference) AS operator_reference,
      w.id AS withdrawal_id, w.reference AS withdrawal_reference,
      m.reference AS move_reference,
      CASE WHEN m.account = ${sql`a.key`} THEN m.other ELSE m.account END AS move_other,
      who.id AS by_id, concat_ws(' ', who.first_name, who.last_name) AS by_name
    FROM ledger_entries e
    JOIN ledger_accounts a ON a.id = e.account_id
    JOIN ledger_transfers t ON t.id = e.transfer_id
    LEFT JOIN payouts p ON p.id = CASE WHEN e.transfer_id ~ '^(sent|late|reversed|cost):[0-9]{1,18}$'
      THEN split_part(e.transfer_id, ':', 2)::bigint END
    LEFT JOIN withdrawals w ON w.id = p.withdrawal_id
    LEFT JOIN refunds back ON back.id = CASE WHEN e.transfer_id ~ '^given-back:[0-9]{1,18}$'
      THEN split_part(e.transfer_id, ':', 2)::bigint END
    LEFT JOIN float_moves m ON m.id = CASE WHEN e.transfer_id ~ '^move:float:[0-9]{1,18}$'
      THEN split_part(e.transfer_id, ':', 3)::bigint END
    LEFT JOIN people who ON who.id = coalesce(m.moved_by,
      CASE WHEN e.transfer_id LIKE 'reversed:%' THEN p.returned_by ELSE p.created_by END, back.paid_by)
    WHERE e.account_id = ${purse.account_id} AND e.seq > ${purse.after_seq}
      AND e.seq <= ${purse.upto_seq} AND e.transfer_id NOT LIKE 'day:%'
      AND (NOT ${page.ours} OR e.transfer_id ~ '^(sent|late|reversed|cost|given-back|chargeback|move:float):')
    ORDER BY e.seq LIMIT ${page.limit}
  `;
}

/** Francs in a purse now. */
export async function francsIn(db: Db, key: string): Promise<bigint> {
  const { rows } = await sql<{ francs: bigint }>`
    SELECT -ledger_balance(a.id) AS francs FROM ledger_accounts a WHERE a.key = ${key}
  `.execute(db);
  assert(rows[0], "the account of a purse is open");
  return rows[0].francs;
}
