import type { CommonRefusal } from "@sesame/contract";
import type { ClaimsRefusal } from "@sesame/contract/claims";
import { type DeskRefusal, readReason } from "@sesame/contract/desk";
import type { RefundLane, RefundsRefusal } from "@sesame/contract/refunds";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import { once } from "../../http/once.ts";
import type { Principal } from "../../http/principal.ts";
import type { Db } from "../../postgres/database.ts";
import { rejected } from "./messages.fr.ts";
import { addEntry, closeClaim, type LockedClaim, lockClaim } from "./claim.store.ts";
import { findClaim } from "./claim.view.ts";
import { announce, toBuyer, toSeller } from "./tell.ts";

export type DecideRefusal = ClaimsRefusal | DeskRefusal | RefundsRefusal;
export type ClaimDecision = "refund" | "reject";

export type Deciding = {
  readonly id: bigint;
  readonly caller: Principal;
  readonly decision: unknown;
  readonly reason: unknown;
  readonly call: IdempotentCall | null;
};

type ChosenLane = {
  readonly payment: { readonly id: bigint; readonly provider: string };
  readonly lane: RefundLane | "partly" | "unclear";
};

/** How an order is given back: by refunds, which close its claim. */
export type ClaimsGiven = {
  /** Before the transaction that asks. */
  chooseLane(orderId: bigint): Promise<ChosenLane | null>;
  askIn(
    tx: Db,
    asked: {
      readonly orderId: bigint;
      readonly by: { readonly as: "operator"; readonly personId: bigint };
      readonly reason: string;
      readonly chosen: ChosenLane | null;
    },
  ): Promise<Result<unknown, RefundsRefusal>>;
};

/** The operator gives the money back, or says why not: buyer and seller read the reason. */
export async function decide(
  app: App,
  asked: Deciding,
  given: ClaimsGiven,
): Promise<Result<ClaimDecision, DecideRefusal | CommonRefusal>> {
  const { id, caller, decision, call } = asked;
  const known = await findClaim(app.db, id);
  if (!known) return refuse({ kind: "claims.not-found" });
  if (known.buyer_id === caller.personId || known.seller_id === caller.personId) {
    return refuse({ kind: "claims.own-case" });
  }
  if (decision !== "refund" && decision !== "reject") {
    return refuse({ kind: "claims.decision-missing" });
  }
  const words = readReason(asked.reason);
  if (!words.ok) return words;
  const reason = words.value;
  const chosen = decision === "refund" ? await given.chooseLane(known.order_id) : null;
  const now = app.clock.now();
  return once(app, call, async (tx): Promise<Result<ClaimDecision, DecideRefusal>> => {
    const claim = await lockClaim(tx, id);
    const forbidden = claim ? judge(claim) : ({ kind: "claims.not-found" } as const);
    if (!claim || forbidden) return refuse(forbidden ?? { kind: "claims.not-found" });
    if (decision === "reject") await reject(app, tx, { claim, caller, reason });
    else {
      const by = { as: "operator", personId: caller.personId } as const;
      const begun = await given.askIn(tx, { orderId: claim.order_id, by, reason, chosen });
      if (!begun.ok) return begun;
    }
    const deed = { action: `claim.${decision}`, subject: `claim:${id}`, reason };
    const before = { status: claim.status, order_id: claim.order_id };
    await audit(tx, { ...deed, actor: actorOf(caller), before }, now);
    return ok(decision);
  });
}

function judge({ status }: LockedClaim): ClaimsRefusal | null {
  switch (status) {
    case "operator":
      return null;
    case "seller":
      return { kind: "claims.with-seller" };
    default:
      return { kind: "claims.closed" };
  }
}

async function reject(
  app: App,
  tx: Db,
  { claim, caller, reason }: { claim: LockedClaim; caller: Principal; reason: string },
): Promise<void> {
  const now = app.clock.now();
  const entry = { claimId: claim.id, author: "operator", authorId: caller.personId } as const;
  await addEntry(tx, { ...entry, step: "rejected", words: reason }, now);
  await closeClaim(tx, { id: claim.id, as: "rejected", now });
  const text = rejected(claim, reason);
  const tellings = [toBuyer(app, claim, text), ...toSeller(app, claim, text)];
  await announce(tx, claim, { tellings, now });
}

type Refunded = {
  readonly claimId: bigint;
  readonly as: "seller" | "operator";
  readonly by: bigint;
  readonly reason: string;
};

/** Refunds tell it, and everybody: the money goes back, which closes the claim. */
export async function noteRefundedIn(tx: Db, refunded: Refunded, now: Date): Promise<void> {
  const { claimId, as, by, reason } = refunded;
  const claim = await lockClaim(tx, claimId);
  assert(claim, "a claim that was locked is there");
  const entry = { claimId, author: as, authorId: by, words: reason } as const;
  await addEntry(tx, { ...entry, step: "refund-begun" }, now);
  await closeClaim(tx, { id: claimId, as: "refunded", now });
  await announce(tx, claim, { tellings: [], now });
}

/** Refunds tell it, and everybody: the buyer has his money. */
export async function noteGivenBackIn(tx: Db, claimId: bigint, now: Date): Promise<void> {
  const claim = await lockClaim(tx, claimId);
  assert(claim, "a claim that was refunded is there");
  const entry = { claimId, author: "system", authorId: null, words: null } as const;
  await addEntry(tx, { ...entry, step: "refunded" }, now);
  await announce(tx, claim, { tellings: [], now });
}
