import type { ResolveOutcome } from "@sesame/contract/treasury";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { findMismatch } from "./drive.ts";
import * as payouts from "./payouts.ts";

/** Decisions of people about a payout. The back office checks the permission for functions named `…In`. */

/** Not submitted to a provider: an agent may pay it, or return the francs. */
const isInOurHands = (payout: payouts.PayoutRow | null): payout is payouts.PayoutRow =>
  payout?.status === "ready" || payout?.status === "prepared";

/**
 * An agent paid it, with the operator's reference as proof. A provider's payout that was not
 * submitted becomes the agent's: its rail changes, and no worker can submit it any more.
 */
export async function markPaidByHandIn(
  tx: Db,
  { payment, now }: { payment: { withdrawalId: bigint; reference: string }; now: Date },
): Promise<Result<null, payouts.DecisionRefusal>> {
  const payout = await payouts.lockPayoutOf(tx, payment.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const operatorReference = payment.reference.trim();
  if (operatorReference === "") return refuse({ kind: "reference-missing" });
  if (await isReferenceUsed(tx, operatorReference)) return refuse({ kind: "reference-used" });
  if (payout.rail !== "manual") {
    await payouts.writeStep(tx, payout.id, "taken-over", payout.rail, now);
  }
  await payouts.settlePaid(tx, payout, { operatorReference, byHand: true }, now);
  return ok(null);
}

/** It cannot be paid: the francs return to the seller, who reads the reason. */
export async function failByHandIn(
  tx: Db,
  { failed, now }: { failed: { withdrawalId: bigint; reason: string }; now: Date },
): Promise<Result<null, payouts.DecisionRefusal>> {
  const payout = await payouts.lockPayoutOf(tx, failed.withdrawalId);
  if (!isInOurHands(payout)) return refuse({ kind: "nothing-to-pay" });
  const { reason } = failed;
  await payouts.settleFailed(tx, payout, { failure: reason, reason }, now);
  return ok(null);
}

export type Resolution = {
  readonly withdrawalId: bigint;
  readonly outcome: ResolveOutcome;
  readonly providerPayoutId?: string;
  /** The operator's reference, for `sent` or `returned`. */
  readonly reference?: string;
  readonly reason: string;
  readonly by: bigint;
};

/**
 * An agent who read the provider's own pages decides an uncertain payout. `sent` and `not-sent` are
 * the agent's word; `link` gives the provider's id, which is looked up and compared as usual.
 * `returned`, by an operator: a received payout came back.
 */
export async function resolveIn(
  tx: Db,
  { resolution, now }: { resolution: Resolution; now: Date },
): Promise<Result<null, payouts.DecisionRefusal>> {
  const { outcome, reason, by } = resolution;
  const payout = await payouts.lockPayoutOf(tx, resolution.withdrawalId);
  if (!payout || !mayResolve(payout, outcome)) return refuse({ kind: "not-uncertain" });
  const named = resolution.providerPayoutId?.trim() || null;
  if (named !== null) {
    await sql`SELECT pg_advisory_xact_lock(1885434473, hashtext(${named}::text))`.execute(tx);
    const used = await maybe(tx)`
      SELECT FROM payouts WHERE rail = ${payout.rail} AND id <> ${payout.id}
        AND provider_payout_id = ${named}
    `;
    if (used) return refuse({ kind: "payout-id-used" });
    // Replaces an earlier link too: a lookup may have shown that it was wrong.
    await sql`
      UPDATE payouts SET provider_payout_id = ${named}, check_at = ${now} WHERE id = ${payout.id}
    `.execute(tx);
    await payouts.writeStep(tx, payout.id, "linked", named, now);
    await payouts.wakePayouts(tx);
  }
  const operatorReference = resolution.reference?.trim() || null;
  if (operatorReference && (await isReferenceUsed(tx, operatorReference)))
    return refuse({ kind: "reference-used" });
  if (outcome === "sent") {
    await payouts.settlePaid(tx, payout, { operatorReference, details: reason, by }, now);
  }
  if (outcome === "not-sent") {
    await payouts.settleFailed(tx, payout, { failure: reason, reason }, now);
  }
  if (outcome === "returned") {
    assert(operatorReference, "what came back has its reference");
    const proof = { by, reference: operatorReference };
    const details = `${operatorReference} : ${reason}`;
    await payouts.settleReturned(tx, payout, { details, proof, now });
  }
  return ok(null);
}

/** One that the provider accepted can still end there: only a success may be entered. */
function mayResolve(payout: payouts.PayoutRow, outcome: Resolution["outcome"]): boolean {
  if (outcome === "returned") return payouts.mayComeBack(payout);
  if (payout.rail === "manual") return false;
  return payout.status === "uncertain" || (payout.status === "sent" && outcome === "sent");
}

/**
 * Looks up the payout that an agent wants to link, before the link: never inside a transaction.
 * Throws an `Outage`.
 */
export async function inspect(app: App, withdrawalId: bigint, providerPayoutId: string) {
  const payout = await maybe<payouts.PayoutRow>(app.db)`
    SELECT ${payouts.PAYOUT_COLUMNS} FROM payouts p WHERE p.withdrawal_id = ${withdrawalId}
    ORDER BY p.id DESC LIMIT 1
  `;
  if (!payout || !mayResolve(payout, "link")) return refuse({ kind: "not-uncertain" });
  const provider = app.payoutProviders.find(({ id }) => id === payout.rail);
  const name = { reference: payout.reference, handle: null, providerPayoutId };
  const found = (await provider?.lookup(name)) ?? null;
  if (found === null) return refuse({ kind: "payout-unknown" });
  const expected = { ...payout, provider_payout_id: providerPayoutId };
  const mismatch = findMismatch(expected, found, app.config);
  // Without our reference nothing proves that it is this payout.
  const isOurs = mismatch === null && found.reference === payout.reference;
  return isOurs ? ok(null) : refuse({ kind: "payout-differs" });
}
