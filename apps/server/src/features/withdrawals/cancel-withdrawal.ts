import type { WithdrawalOnWire, WithdrawalsRefusal } from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { claimKey, type IdempotentCall, rememberAnswer } from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { changedEvents } from "./announce.ts";
import { withdrawalToWire } from "./withdrawal-on-wire.ts";
import { cancelWithdrawal } from "./withdrawals.store.ts";
import { viewWithdrawal } from "./withdrawals.view.ts";

export type Cancellation = {
  readonly id: bigint;
  readonly sellerId: bigint;
  /** The caller's Idempotency-Key. */
  readonly key: string | null;
};

const ROUTE = "DELETE /api/users/retrait/annuler/:id";

/** Carries a refusal out of a transaction that must leave nothing. */
class Refused extends Error {
  readonly refusal: WithdrawalsRefusal;
  constructor(refusal: WithdrawalsRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** Only while it is pending and no agent has taken it (decision 63): the francs are free again. */
export async function cancel(
  { db, clock }: App,
  cancelled: Cancellation,
): Promise<Result<WithdrawalOnWire, WithdrawalsRefusal>> {
  const now = clock.now();
  try {
    return ok(await db.transaction().execute((tx) => cancelOnce(tx, cancelled, now)));
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    throw error;
  }
}

async function cancelOnce(tx: Db, cancelled: Cancellation, now: Date): Promise<WithdrawalOnWire> {
  const { id, sellerId, key } = cancelled;
  if (key === null) return cancelIn(tx, cancelled, now);
  const call: IdempotentCall = { personId: sellerId, route: ROUTE, key, content: String(id) };
  const claim = await claimKey(tx, call, now);
  switch (claim.kind) {
    case "other-content":
      throw new Refused({ kind: "withdrawals.key-reused" });
    case "repeated":
      return claim.remembered.answer as WithdrawalOnWire;
    case "new": {
      const answer = await cancelIn(tx, cancelled, now);
      await rememberAnswer(tx, call, { status: 200, answer });
      return answer;
    }
  }
}

async function cancelIn(tx: Db, { id, sellerId }: Cancellation, now: Date) {
  const outcome = await cancelWithdrawal(tx, { id, sellerId, now });
  if (outcome === "unknown") throw new Refused({ kind: "withdrawals.unknown" });
  if (outcome === "taken") throw new Refused({ kind: "withdrawals.not-cancellable" });
  await publish(tx, changedEvents({ id, sellerId, status: "cancelled" }));
  const row = await viewWithdrawal(tx, id, sellerId);
  assert(row, "what was cancelled is there");
  return withdrawalToWire(row, now);
}
