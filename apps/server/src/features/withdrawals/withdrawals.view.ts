import type { PayoutCountry, PayoutMethodId, PayoutOperator } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { rowsPart, type SellerPart } from "../../postgres/parts.ts";

export type WithdrawalRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly amount: Fcfa;
  readonly method: PayoutMethodId;
  readonly operator: PayoutOperator;
  readonly country: PayoutCountry;
  readonly phone: string;
  readonly whatsapp: string;
  readonly reference: string;
  readonly origin: "manual" | "automatic";
  readonly status: "pending" | "approved" | "rejected" | "cancelled";
  readonly created_at: Date;
  readonly due_at: Date;
  readonly claimed_until: Date | null;
  readonly decided_at: Date | null;
  readonly reject_reason: string | null;
  readonly paid_at: Date | null;
};

const COLUMNS = sql`w.id, w.seller_id, w.amount, w.method, w.operator, w.country, w.phone,
  w.whatsapp, w.reference, w.origin, w.status, w.created_at, w.due_at, w.claimed_until,
  w.decided_at, w.reject_reason, w.paid_at`;

/** To its seller; null to anybody else, as if it did not exist. */
export async function viewWithdrawal(
  db: Db,
  id: bigint,
  sellerId: bigint,
): Promise<WithdrawalRow | null> {
  return maybe<WithdrawalRow>(db)`
    SELECT ${COLUMNS} FROM withdrawals w WHERE w.id = ${id} AND w.seller_id = ${sellerId}
  `;
}

/** Whoever's it is: for who decides on it. */
export async function viewAnyWithdrawal(db: Db, id: bigint): Promise<WithdrawalRow | null> {
  return maybe<WithdrawalRow>(db)`
    SELECT ${COLUMNS} FROM withdrawals w WHERE w.id = ${id}
  `;
}

export type KeyedRow = WithdrawalRow & { readonly idempotency_hash: Buffer };

/** The request a key of the seller's was accepted for. */
export async function viewByKey(db: Db, sellerId: bigint, key: string): Promise<KeyedRow | null> {
  return maybe<KeyedRow>(db)`
    SELECT ${COLUMNS}, w.idempotency_hash FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.idempotency_key = ${key}
  `;
}

/** The request an automatic payout of the date made. */
export async function viewByRun(
  db: Db,
  sellerId: bigint,
  on: string,
): Promise<WithdrawalRow | null> {
  return maybe<WithdrawalRow>(db)`
    SELECT ${COLUMNS} FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.automatic_on = ${on}::date
  `;
}

export type ListChoice = {
  readonly status: WithdrawalRow["status"] | null;
  /** The id the page starts below; null: from the newest. */
  readonly before: bigint | null;
  readonly limit: number;
};

/** A seller's own, newest first. */
export async function viewWithdrawals(
  db: Db,
  sellerId: bigint,
  choice: ListChoice,
): Promise<WithdrawalRow[]> {
  return (await withdrawalsSelect(sql`${sellerId}`, choice).execute(db)).rows;
}

/** The newest, among the rows of the seller's start. */
export const newestPart: SellerPart<WithdrawalRow[]> = (seller) =>
  rowsPart<WithdrawalRow>(
    withdrawalsSelect(seller, { status: null, before: null, limit: AT_START }),
    {
      id: "bigint",
      seller_id: "bigint",
      amount: "bigint",
      created_at: "instant",
      due_at: "instant",
      claimed_until: "instant",
      decided_at: "instant",
      paid_at: "instant",
    },
  );

const AT_START = 20;

function withdrawalsSelect(
  seller: RawBuilder<unknown>,
  { status, before, limit }: ListChoice,
): RawBuilder<WithdrawalRow> {
  return sql<WithdrawalRow>`
    SELECT ${COLUMNS} FROM withdrawals w
    WHERE w.seller_id = ${seller}
      AND w.id < coalesce(${before}, ${MAX_ID})::bigint
      AND (${status}::text IS NULL OR w.status = ${status})
    ORDER BY w.id DESC LIMIT ${limit}
  `;
}

const MAX_ID = 2n ** 63n - 1n;

/** All that a request of the seller's is held against, and what it is offered with. */
export type SellerFacts = {
  readonly plan: "free" | "premium";
  /** On both of his accounts. */
  readonly posted: Fcfa;
  readonly available: Fcfa;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly suspended_review_at: Date | null;
  readonly frozen_at: Date | null;
  readonly frozen_by: "seller" | "operator" | null;
  readonly frozen_reason: string | null;
  readonly frozen_review_at: Date | null;
  /** Of the newest request that is pending or approved. */
  readonly last_at: Date | null;
  /** Asked for and open, of a seller who was never paid; null: he was. */
  readonly unpaid: Fcfa | null;
  readonly whatsapp_number: string | null;
  /** The last used. */
  readonly last_method: PayoutMethodId | null;
  readonly last_phone: string | null;
  readonly last_whatsapp: string | null;
};

export async function viewSellerFacts(db: Db, sellerId: bigint): Promise<SellerFacts | null> {
  return maybe<SellerFacts>(db)`
    SELECT coalesce(s.plan, 'free') AS plan,
      (SELECT sum(b.posted)::bigint FROM ledger_accounts b
        WHERE b.id IN (s.free_account_id, s.premium_account_id)) AS posted,
      greatest(0, a.posted - a.held - coalesce(advance.owed, 0)) AS available,
      s.closed_at, s.suspended_at, s.suspended_reason, s.suspended_review_at,
      p.frozen_at, p.frozen_by, p.frozen_reason, p.frozen_review_at,
      (SELECT w.created_at FROM withdrawals w
        WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
        ORDER BY w.id DESC LIMIT 1) AS last_at,
      CASE WHEN NOT EXISTS (
        SELECT FROM withdrawals w WHERE w.seller_id = s.id AND w.paid_at IS NOT NULL
      ) THEN (
        SELECT coalesce(sum(w.amount), 0)::bigint FROM withdrawals w
        WHERE w.seller_id = s.id AND w.status IN ('pending', 'approved')
      ) END AS unpaid,
      s.whatsapp_number, coalesce(last.method, p.method) AS last_method,
      coalesce(last.phone, p.phone) AS last_phone, last.whatsapp AS last_whatsapp
    FROM sellers s
    JOIN ledger_accounts a
      ON a.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    LEFT JOIN payout_profiles p ON p.seller_id = s.id
    LEFT JOIN seller_advances advance ON advance.seller_id = s.id
    LEFT JOIN LATERAL (
      SELECT w.method, w.phone, w.whatsapp FROM withdrawals w
      WHERE w.seller_id = s.id ORDER BY w.id DESC LIMIT 1
    ) AS last ON true
    WHERE s.id = ${sellerId}
  `;
}
