import { createHash } from "node:crypto";
import { WEEKLY_MS, type CheckedWithdrawal, PAYOUT_METHODS } from "@sesame/contract/withdrawals";
import type { InstanceSettings } from "@sesame/contract/settings";
import { addMs, assert, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** The caller's name for his request, and what it asked. */
export type RequestKey = { readonly key: string; readonly content: string };

/** A request that passed every check that needs no database. */
export type NewWithdrawal = {
  readonly sellerId: bigint;
  readonly checked: CheckedWithdrawal;
  readonly key: RequestKey | null;
  /** The date an automatic payout is run for, YYYY-MM-DD; null: asked by the seller himself. */
  readonly automaticOn: string | null;
};

export type RequestOutcome =
  | "accepted"
  | "repeated"
  | "key-reused"
  | "run-before"
  | "too-large"
  | "too-low"
  | "closed"
  | "suspended"
  | "frozen"
  | "weekly"
  | "first-too-large";

/** What became of one request (request_withdrawals). */
export type RequestRow = {
  readonly outcome: RequestOutcome;
  readonly plan: "free" | "premium";
  /** Of one accepted, now or before. */
  readonly withdrawal_id: bigint | null;
  readonly reference: string | null;
  readonly created_at: Date | null;
  readonly due_at: Date | null;
  readonly reopens_at: Date | null;
  readonly reason: string | null;
  readonly review_at: Date | null;
  readonly frozen_by: "seller" | "operator" | null;
  /** Of one that is too large before anything was paid. */
  readonly first_left: Fcfa | null;
};

export type RequestTerms = {
  readonly settings: Pick<InstanceSettings, "withdrawals" | "firstPayoutMax">;
  readonly dueAt: Date;
  readonly now: Date;
};

/** Judges and writes them in their order, in one call. → a row for each, in the same order. */
export async function requestWithdrawals(
  tx: Db,
  asked: readonly NewWithdrawal[],
  { settings, dueAt, now }: RequestTerms,
): Promise<RequestRow[]> {
  const methods = asked.map(({ checked }) => PAYOUT_METHODS[checked.method]);
  const { rows } = await sql<RequestRow>`
    SELECT outcome, plan, withdrawal_id, reference, created_at, due_at, reopens_at, reason,
      review_at, frozen_by, first_left
    FROM request_withdrawals(
      ${asked.map(({ sellerId }) => sellerId)}::bigint[],
      ${asked.map(({ key }) => key?.key ?? null)}::text[],
      ${asked.map(({ key }) => (key === null ? null : hashOf(key.content)))}::bytea[],
      ${asked.map(({ checked }) => checked.amount)}::bigint[],
      ${methods.map(({ id }) => id)}::text[],
      ${methods.map(({ operator }) => operator)}::text[],
      ${methods.map(({ country }) => country)}::text[],
      ${asked.map(({ checked }) => checked.phone)}::text[],
      ${asked.map(({ checked }) => checked.whatsapp)}::text[],
      ${asked.map(({ automaticOn }) => automaticOn)}::date[],
      ${settings.withdrawals.maxFree}, ${settings.withdrawals.maxPremium},
      ${settings.firstPayoutMax}, ${addMs(now, -WEEKLY_MS)}, ${dueAt}, ${now}
    )
  `.execute(tx);
  assert(rows.length === asked.length, "every request is answered");
  return rows;
}

/** Contents of calls are kept as hashes only. */
export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** `taken`: decided, or an agent is on it (decision 63). */
export type CancelOutcome = "cancelled" | "taken" | "unknown";

export async function cancelWithdrawal(
  tx: Db,
  cancelled: { id: bigint; sellerId: bigint; now: Date },
): Promise<CancelOutcome> {
  const { rows } = await sql<{ outcome: CancelOutcome }>`
    SELECT cancel_withdrawal(${cancelled.id}, ${cancelled.sellerId}, ${cancelled.now}) AS outcome
  `.execute(tx);
  assert(rows[0], "one row");
  return rows[0].outcome;
}
