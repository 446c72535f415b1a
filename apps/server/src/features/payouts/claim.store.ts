import type { PayoutStatus } from "@sesame/contract/payouts";
import { sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";
import { PAYOUT_COLUMNS, type PayoutRow } from "./payout.store.ts";

/** A payout to do something about, with what the provider wants to know of its seller. */
export type DuePayout = PayoutRow & {
  readonly checks: number;
  readonly withdrawal_reference: string;
  readonly seller_id: bigint;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly frozen: boolean;
};

/** Frozen by himself, by an operator, or suspended: nothing of his is sent. */
const isFrozen = sql`(seller.suspended_at IS NOT NULL OR EXISTS (
  SELECT FROM payout_profiles f WHERE f.seller_id = seller.id AND f.frozen_at IS NOT NULL))`;

/** Takes due payouts until `leaseEnd`: a worker that dies gives them back by then. */
export async function claimPayouts(
  db: Db,
  claim: { now: Date; leaseEnd: Date; limit: number },
): Promise<DuePayout[]> {
  return many<DuePayout>(db)`${PREPARED}
    WITH due AS MATERIALIZED (
      SELECT id FROM payouts WHERE check_at <= ${claim.now}
      ORDER BY check_at LIMIT ${claim.limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE payouts p SET check_at = ${claim.leaseEnd}, checks = p.checks + 1
    FROM due, withdrawals w, sellers seller, people person
    WHERE p.id = due.id AND w.id = p.withdrawal_id AND seller.id = w.seller_id
      AND person.id = w.seller_id
    RETURNING ${PAYOUT_COLUMNS}, p.checks, w.reference AS withdrawal_reference, w.seller_id,
      person.first_name, person.last_name, ${isFrozen} AS frozen
  `;
}

/** What a worker holds: whoever finds another instant there has lost it. */
export type Held = { readonly id: bigint; readonly lease: Date };

/** Looks again later, unless somebody has moved it since. */
export async function postpone(db: Db, held: Held, checkAt: Date | null): Promise<void> {
  await sql`
    UPDATE payouts SET check_at = ${checkAt} WHERE id = ${held.id} AND check_at = ${held.lease}
  `.execute(db);
}

export type Move = {
  readonly from: PayoutStatus;
  readonly to: PayoutStatus;
  readonly now: Date;
  readonly checkAt: Date;
  readonly handle?: string | null;
  readonly details?: string | null;
};

/**
 * From one status to the next, written before the call it announces. → false when it is no longer
 * this worker's, or no longer there: then nothing may be called.
 */
export async function moveOn(db: Db, held: Held, move: Move): Promise<boolean> {
  const { rows } = await sql`
    WITH moved AS (
      UPDATE payouts p SET status = ${move.to}, check_at = ${move.checkAt},
        handle = coalesce(p.handle, ${move.handle ?? null})
      WHERE p.id = ${held.id} AND p.status = ${move.from} AND p.check_at = ${held.lease}
        AND p.lane <> 'manual'
      RETURNING p.id
    )
    INSERT INTO payout_steps (payout_id, at, step, details)
    SELECT id, ${move.now}, ${move.to}, ${move.details ?? null} FROM moved RETURNING id
  `.execute(db);
  return rows.length === 1;
}

/**
 * Written before the call that moves money; the seller's freeze is looked at once more. `first` is
 * false when the provider said that the call before never reached it.
 */
export async function beginSending(
  db: Db,
  held: Held,
  sending: { from: readonly PayoutStatus[]; now: Date; lease: Date; first: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    WITH moved AS (
      UPDATE payouts p SET status = 'sending', submitted_at = ${sending.now},
        check_at = ${sending.lease}
      FROM withdrawals w, sellers seller
      WHERE p.id = ${held.id} AND p.status = ANY(${[...sending.from]}::text[])
        AND p.check_at = ${held.lease} AND p.lane <> 'manual'
        AND w.id = p.withdrawal_id AND w.status = 'approved' AND seller.id = w.seller_id
        AND NOT ${isFrozen}
      RETURNING p.id
    )
    INSERT INTO payout_steps (payout_id, at, step)
    SELECT id, ${sending.now}, ${sending.first ? "sending" : "asked-again"} FROM moved
    RETURNING id
  `.execute(db);
  return rows.length === 1;
}

/** The provider took it: known from now on, whoever holds the lease. */
export async function noteTaken(
  db: Db,
  payoutId: bigint,
  taken: { now: Date; checkAt: Date; word: string },
): Promise<void> {
  await sql`
    WITH before AS (SELECT id, status FROM payouts WHERE id = ${payoutId} FOR UPDATE), moved AS (
      UPDATE payouts p SET check_at = ${taken.checkAt},
        status = CASE WHEN p.status IN ('sending', 'uncertain') THEN 'sent' ELSE p.status END
      FROM before WHERE p.id = before.id AND p.status <> 'succeeded'
      RETURNING p.id, before.status AS was
    )
    INSERT INTO payout_steps (payout_id, at, step, details)
    SELECT id, ${taken.now}, 'sent', ${taken.word}::text FROM moved
    WHERE was IN ('sending', 'uncertain')
  `.execute(db);
}

/** A no to a second telling: it may mean that the first was heard. Only a look-up decides. */
export async function noteRefusedAgain(
  db: Db,
  held: Held,
  refused: { failure: string; now: Date; checkAt: Date },
): Promise<void> {
  await sql`
    WITH moved AS (
      UPDATE payouts SET status = 'uncertain', failure = ${refused.failure},
        check_at = ${refused.checkAt}
      WHERE id = ${held.id} AND check_at = ${held.lease} AND status = 'sending' RETURNING id
    )
    INSERT INTO payout_steps (payout_id, at, step, details)
    SELECT id, ${refused.now}, 'refused-again', ${refused.failure}::text FROM moved
  `.execute(db);
}

/** Inside a transaction that has locked the payout. */
export async function isHeld(tx: Db, held: Held): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payouts WHERE id = ${held.id} AND check_at = ${held.lease}
  `.execute(tx);
  return rows.length > 0;
}
