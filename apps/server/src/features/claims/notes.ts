import { assert } from "@sesame/kernel";
import type { ClaimNotes } from "../refunds/index.ts";
import { addEntry, closeClaim, lockClaim, lockOpenOf } from "./claim.store.ts";
import { announce } from "./tell.ts";

/** What refunds tell claims; everybody is told by the refund itself. */
export function createClaimNotes(): ClaimNotes {
  return {
    lockOpenIn: lockOpenOf,
    async noteRefundedIn(tx, { claimId, as, by, reason }, now) {
      const claim = await lockClaim(tx, claimId);
      assert(claim, "a claim that was locked is there");
      const entry = { claimId, author: as, authorId: by, words: reason } as const;
      await addEntry(tx, { ...entry, step: "refund-begun" }, now);
      await closeClaim(tx, { id: claimId, as: "refunded", now });
      await announce(tx, claim, { tellings: [], now });
    },
    async noteGivenBackIn(tx, claimId, now) {
      const claim = await lockClaim(tx, claimId);
      assert(claim, "a claim that was refunded is there");
      const entry = { claimId, author: "system", authorId: null, words: null } as const;
      await addEntry(tx, { ...entry, step: "refunded" }, now);
      await announce(tx, claim, { tellings: [], now });
    },
  };
}
