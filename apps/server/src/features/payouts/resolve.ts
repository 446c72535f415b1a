import type { ResolveOutcome } from "@sesame/contract/desk";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { judgePayout } from "./judge-payout.ts";
import { expectedOf } from "./look-up-payout.ts";
import {
  lockPayoutOf,
  mayComeBack,
  type PayoutRow,
  wakePayouts,
  writeStep,
} from "./payout.store.ts";
import { findPayoutOf } from "./payout.view.ts";
import { isReferenceUsed } from "../refunds/index.ts";
import { settleFailed, settlePaid, settleReturned } from "./settle.ts";
import { sql } from "kysely";

export type Resolution = {
  readonly withdrawalId: bigint;
  readonly outcome: ResolveOutcome;
  readonly providerPayoutId?: string;
  /** The operator's, of a `sent` or `returned`. */
  readonly reference?: string;
  readonly reason: string;
  readonly by: bigint;
};

export type ResolveRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "reference-used" }
  | { readonly kind: "payout-id-used" }
  | { readonly kind: "payout-differs" };

export type InspectRefusal =
  | { readonly kind: "not-uncertain" }
  | { readonly kind: "payout-unknown" }
  | { readonly kind: "payout-differs" };

async function isProviderIdUsed(
  tx: Db,
  payout: PayoutRow,
  providerPayoutId: string,
): Promise<boolean> {
  await sql`
    SELECT pg_advisory_xact_lock(1885434473, hashtext(${providerPayoutId}::text))
  `.execute(tx);
  const { rows } = await sql`
    SELECT FROM payouts WHERE lane = ${payout.lane} AND id <> ${payout.id}
      AND provider_payout_id = ${providerPayoutId}
  `.execute(tx);
  return rows.length > 0;
}

/** Another than was linked before is taken too: a first look may have shown it was not the one. */
async function linkProviderId(
  tx: Db,
  payoutId: bigint,
  link: { providerPayoutId: string; now: Date },
): Promise<void> {
  await sql`
    UPDATE payouts SET provider_payout_id = ${link.providerPayoutId}, check_at = ${link.now}
    WHERE id = ${payoutId}
  `.execute(tx);
}

/**
 * An agent who looked at the provider's own pages says what became of an uncertain payout. `sent`
 * and `not-sent` are his word; `link` names theirs, and it is asked and compared like the rest.
 * `returned`, an operator's: what had arrived came back.
 */
export async function resolveIn(
  tx: Db,
  { resolution, now }: { resolution: Resolution; now: Date },
): Promise<Result<null, ResolveRefusal>> {
  const payout = await lockPayoutOf(tx, resolution.withdrawalId);
  if (!payout || !mayResolve(payout, resolution.outcome)) return refuse({ kind: "not-uncertain" });
  const named = resolution.providerPayoutId?.trim() || null;
  if (named !== null) {
    if (await isProviderIdUsed(tx, payout, named)) return refuse({ kind: "payout-id-used" });
    await linkProviderId(tx, payout.id, { providerPayoutId: named, now });
    await writeStep(tx, { payoutId: payout.id, step: "linked", details: named }, now);
    await wakePayouts(tx);
  }
  const { outcome, reason, by } = resolution;
  const operatorReference = resolution.reference?.trim() || null;
  if (operatorReference && (await isReferenceUsed(tx, operatorReference)))
    return refuse({ kind: "reference-used" });
  if (outcome === "sent") {
    const paid = { operatorReference, details: reason, by };
    await settlePaid(tx, { payout, paid, now });
  }
  if (outcome === "not-sent") {
    const failure = { failure: reason, reason };
    await settleFailed(tx, { payout, failure, now });
  }
  if (outcome === "returned") {
    assert(operatorReference, "what came back has its reference");
    const proof = { by, reference: operatorReference };
    const details = `${operatorReference} : ${reason}`;
    await settleReturned(tx, { payout, details, proof, now });
  }
  return ok(null);
}

/** One the provider has taken and not ended can still end as it says: only its success is ours. */
function mayResolve(payout: PayoutRow, outcome: Resolution["outcome"]): boolean {
  if (outcome === "returned") return mayComeBack(payout);
  if (payout.lane === "manual") return false;
  return payout.status === "uncertain" || (payout.status === "sent" && outcome === "sent");
}

/**
 * Asks the provider about the payout an agent wants to link, before he does: never inside a
 * transaction. Throws an `Outage`.
 */
export async function inspect(
  app: App,
  withdrawalId: bigint,
  providerPayoutId: string,
): Promise<Result<{ word: string }, InspectRefusal>> {
  const payout = await findPayoutOf(app.db, withdrawalId);
  if (!payout || !mayResolve(payout, "link")) return refuse({ kind: "not-uncertain" });
  const provider = app.payoutProviders.find(({ id }) => id === payout.lane);
  const name = { reference: payout.reference, handle: null, providerPayoutId };
  const found = (await provider?.lookup(name)) ?? null;
  if (found === null) return refuse({ kind: "payout-unknown" });
  const expected = { ...expectedOf(payout), providerPayoutId };
  const judgement = judgePayout(expected, found, app.config);
  // Without a reference of ours in it, nothing says that it is this one.
  const named = found.reference === payout.reference;
  if (judgement.kind === "mismatch" || !named) return refuse({ kind: "payout-differs" });
  return ok({ word: found.word });
}
