import { assert } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { addEntry, closeClaim, lockClaim } from "./claim.store.ts";
import { announce } from "./tell.ts";

/** What refunds tell claims; everybody is told by the refund itself. */

type Refunded = {
  readonly claimId: bigint;
  readonly as: "seller" | "operator";
  readonly by: bigint;
  readonly reason: string;
};

/** Closes it: the money goes back. */
export async function noteRefundedIn(tx: Db, refunded: Refunded, now: Date): Promise<void> {
  const { claimId, as, by, reason } = refunded;
  const claim = await lockClaim(tx, claimId);
  assert(claim, "a claim that was locked is there");
  const entry = { claimId, author: as, authorId: by, words: reason } as const;
  await addEntry(tx, { ...entry, step: "refund-begun" }, now);
  await closeClaim(tx, { id: claimId, as: "refunded", now });
  await announce(tx, claim, { tellings: [], now });
}

/** The buyer has his money. */
export async function noteGivenBackIn(tx: Db, claimId: bigint, now: Date): Promise<void> {
  const claim = await lockClaim(tx, claimId);
  assert(claim, "a claim that was refunded is there");
  const entry = { claimId, author: "system", authorId: null, words: null } as const;
  await addEntry(tx, { ...entry, step: "refunded" }, now);
  await announce(tx, claim, { tellings: [], now });
}
