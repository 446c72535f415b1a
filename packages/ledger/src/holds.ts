import { type Fcfa, fcfa, ok, type Result, refuse, unreachable } from "@sesame/kernel";
import { sql } from "kysely";
import { type AccountId, arrayOf, type Executor, value } from "./executor.ts";
import type { NewTransfer } from "./transfers.ts";

/** Francs set aside on a guarded account. `id` is the idempotency key (`hold:45`). */
export type NewHold = { readonly id: string; readonly from: AccountId; readonly amount: Fcfa };

/** Whether this call did it, or an earlier one with the same content. */
export type Done = "done" | "done-before";

export type HoldRefusal =
  | { readonly kind: "ledger.insufficient"; readonly available: Fcfa }
  /** The id was used before with other content. */
  | { readonly kind: "ledger.id-reused" };

export type PayHoldRefusal =
  | { readonly kind: "ledger.hold-unknown" }
  | { readonly kind: "ledger.hold-released" }
  /** The hold was paid by another transfer, or the transfer's id was used before. */
  | { readonly kind: "ledger.id-reused" };

export type ReleaseHoldRefusal =
  | { readonly kind: "ledger.hold-unknown" }
  | { readonly kind: "ledger.hold-paid" };

/**
 * Sets francs aside: they stay posted and are no longer available. Repeated, it answers
 * `done-before`, also when the hold has ended. Throws SL001 for an amount ≤ 0, SL002 for an
 * account that is unknown or unguarded.
 */
export async function hold(
  tx: Executor,
  newHold: NewHold,
  now: Date,
): Promise<Result<Done, HoldRefusal>> {
  const { id, from, amount } = newHold;
  const outcome = await value(
    tx,
    sql<{ value: "held" | "duplicate" | "conflict" | "insufficient" }>`
      SELECT ledger_hold(${id}, ${from.toString()}, ${amount.toString()}, ${now.toISOString()})
        AS value`,
  );
  switch (outcome) {
    case "held":
      return ok("done");
    case "duplicate":
      return ok("done-before");
    case "conflict":
      return refuse({ kind: "ledger.id-reused" });
    case "insufficient":
      return refuse({ kind: "ledger.insufficient", available: await availableOf(tx, from) });
    default:
      return unreachable(outcome);
  }
}

/** Ends a hold by paying it: `transfer` debits its account, once, by the whole amount held. */
export async function payHold(
  tx: Executor,
  payment: { readonly holdId: string; readonly transfer: NewTransfer },
  now: Date,
): Promise<Result<Done, PayHoldRefusal>> {
  const { holdId, transfer } = payment;
  const outcome = await value(
    tx,
    sql<{ value: "paid" | "duplicate" | "conflict" | "released" | "unknown" }>`
      SELECT ledger_pay_hold(${holdId}, ${transfer.id},
        ${arrayOf(transfer.legs.map((leg) => leg.account))}::bigint[],
        ${arrayOf(transfer.legs.map((leg) => leg.amount))}::bigint[],
        ${transfer.occurredAt.toISOString()}, ${now.toISOString()}) AS value`,
  );
  switch (outcome) {
    case "paid":
      return ok("done");
    case "duplicate":
      return ok("done-before");
    case "conflict":
      return refuse({ kind: "ledger.id-reused" });
    case "released":
      return refuse({ kind: "ledger.hold-released" });
    case "unknown":
      return refuse({ kind: "ledger.hold-unknown" });
    default:
      return unreachable(outcome);
  }
}

/** Ends a hold by giving the francs back to what is available. */
export async function releaseHold(
  tx: Executor,
  holdId: string,
  now: Date,
): Promise<Result<Done, ReleaseHoldRefusal>> {
  const outcome = await value(
    tx,
    sql<{ value: "released" | "duplicate" | "paid" | "unknown" }>`
      SELECT ledger_release_hold(${holdId}, ${now.toISOString()}) AS value`,
  );
  switch (outcome) {
    case "released":
      return ok("done");
    case "duplicate":
      return ok("done-before");
    case "paid":
      return refuse({ kind: "ledger.hold-paid" });
    case "unknown":
      return refuse({ kind: "ledger.hold-unknown" });
    default:
      return unreachable(outcome);
  }
}

/** As it is now: a sale may have come in since the refusal. */
async function availableOf(tx: Executor, account: AccountId): Promise<Fcfa> {
  const available = await value(
    tx,
    sql<{ value: bigint | string }>`
      SELECT posted - held AS value FROM ledger_accounts WHERE id = ${account.toString()}`,
  );
  return fcfa(BigInt(available));
}
