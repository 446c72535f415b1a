import { describePayout } from "@sesame/contract/payouts";
import type { PayoutRequest } from "@sesame/providers";
import type { DuePayout } from "./claim.store.ts";
import type { PayoutsDeps } from "./needs.ts";

/** The same for ever: a second telling is of the same payout to the last word. */
export function requestOf(deps: Pick<PayoutsDeps, "publicUrl">, payout: DuePayout): PayoutRequest {
  const { first_name: firstName, last_name: lastName } = payout;
  return {
    reference: payout.reference,
    withdrawalId: String(payout.withdrawal_id),
    amount: payout.amount,
    method: payout.method,
    phone: payout.phone,
    description: describePayout(payout.withdrawal_reference),
    recipient: {
      firstName,
      lastName: lastName ?? firstName,
      email: `${payout.seller_id}@${new URL(deps.publicUrl).hostname}`,
    },
    callbackUrl: `${deps.publicUrl}/webhooks/${payout.lane}`,
  };
}
