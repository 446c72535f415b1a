import { assert, type Fcfa, fcfa, unreachable } from "@sesame/kernel";
import { sql } from "kysely";
import { getAccount } from "./accounts.ts";
import { type AccountId, arrayOf, type Executor, value } from "./executor.ts";

/** One entry of a transfer, in francs: credit > 0, debit < 0, never 0. */
export type Leg = { readonly account: AccountId; readonly amount: Fcfa };

/**
 * Francs that move at once. `id` is the idempotency key and comes from a business row
 * (`sale:123`). Two legs or more, which sum to zero; their order is part of the content.
 */
export type NewTransfer = {
  readonly id: string;
  readonly legs: readonly Leg[];
  readonly occurredAt: Date;
};

/**
 * `posted` now · `duplicate`: before, with this very content · `conflict`: before, with other
 * content · `insufficient`: a guarded account would not be covered. Only `posted` wrote something.
 */
export type PostOutcome = "posted" | "duplicate" | "conflict" | "insufficient";

/**
 * Posts transfers as if one by one in this order, in one call. → an outcome for each.
 * A malformed transfer (SL001) or an unknown account (SL002) is a bug: the call throws, and the
 * transaction is lost.
 */
export async function post(
  tx: Executor,
  transfers: readonly NewTransfer[],
  now: Date,
): Promise<PostOutcome[]> {
  if (transfers.length === 0) return [];
  const legs = transfers.flatMap((transfer, index) =>
    transfer.legs.map((leg) => ({ ...leg, transfer: index + 1 })),
  );
  const outcomes = await value(
    tx,
    sql<{ value: string[] }>`SELECT ledger_post(
      ${arrayOf(transfers.map(({ id }) => id))}::text[],
      ${arrayOf(legs.map((leg) => leg.transfer))}::int[],
      ${arrayOf(legs.map((leg) => leg.account))}::bigint[],
      ${arrayOf(legs.map((leg) => leg.amount))}::bigint[],
      ${arrayOf(transfers.map(({ occurredAt }) => occurredAt))}::timestamptz[],
      ${now.toISOString()}) AS value`,
  );
  return outcomes.map(postOutcome);
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

/** As `post` with these transfers, faster, never insufficient. To be last in its transaction. */
export async function postSales(
  tx: Executor,
  batch: { readonly sales: readonly Sale[]; readonly feeAccount: AccountId },
  now: Date,
): Promise<PostOutcome[]> {
  const { sales } = batch;
  if (sales.length === 0) return [];
  const outcomes = await value(
    tx,
    sql<{ value: string[] }>`SELECT ledger_post_sales(
      ${arrayOf(sales.map(({ id }) => id))}::text[],
      ${arrayOf(sales.map(({ from }) => from))}::bigint[],
      array_replace(${arrayOf(sales.map(({ to }) => to ?? 0n))}::bigint[], 0, null),
      ${arrayOf(sales.map(({ net }) => net))}::bigint[],
      ${batch.feeAccount.toString()},
      ${arrayOf(sales.map(({ fee }) => fee))}::bigint[],
      ${arrayOf(sales.map(({ occurredAt }) => occurredAt))}::timestamptz[],
      ${now.toISOString()}) AS value`,
  );
  return outcomes.map(postOutcome);
}

function postOutcome(word: string): PostOutcome {
  switch (word) {
    case "posted":
    case "duplicate":
    case "conflict":
    case "insufficient":
      return word;
    default:
      return unreachable(word as never);
  }
}

/** Posts transfers that must be new: the caller's locks say so. */
export async function postNew(
  tx: Executor,
  transfers: readonly NewTransfer[],
  now: Date,
): Promise<void> {
  for (const [index, outcome] of (await post(tx, transfers, now)).entries())
    assert(outcome === "posted", `the transfer ${transfers[index]?.id} was ${outcome}`);
}

/** Francs from one account to another, by number or by key, in a transfer that must be new. */
export async function postBetween(
  tx: Executor,
  id: string,
  move: {
    readonly from: AccountId | string;
    readonly to: AccountId | string;
    readonly amount: Fcfa;
    readonly now: Date;
    readonly occurredAt?: Date;
  },
): Promise<void> {
  const { from, to, amount, now, occurredAt = now } = move;
  const legs = [
    { account: await getAccount(tx, from), amount: fcfa(-amount) },
    { account: await getAccount(tx, to), amount },
  ];
  await postNew(tx, [{ id, legs, occurredAt }], now);
}
