import type { FetchedPayment, PaymentProvider } from "@sesame/providers";
import type { Compared, ReconcileDeps } from "./reconcile.ts";
import type { Difference } from "./compare-payouts.ts";
import { type OurPayment, readOurPayments } from "./reconcile.store.ts";

/** The last ones: no provider of payments has a list here, and each question is a call. */
const ASKED = 100;

/**
 * Payments we took for money against what their provider says of them now, one by one. What it was
 * paid and we never heard of stays unseen: its port has no list.
 */
export async function reconcilePayments(
  deps: Pick<ReconcileDeps, "db">,
  provider: PaymentProvider,
  since: Date,
): Promise<Compared> {
  const scope = { provider: provider.id, since, limit: ASKED };
  const ours = await readOurPayments(deps.db, scope);
  const differences: Difference[] = [];
  for (const payment of ours) {
    const { provider_payment_id: providerPaymentId, ...name } = payment;
    const theirs = await provider.fetchPayment({ providerPaymentId, ...name });
    differences.push(...comparePayment(payment, theirs));
  }
  return { compared: ours.length, differences };
}

export function comparePayment(ours: OurPayment, theirs: FetchedPayment | null): Difference[] {
  const differ = (kind: Difference["kind"]): Difference => ({
    kind,
    subject: `payment:${ours.id}`,
    ours: {
      id: ours.provider_payment_id,
      reference: ours.reference,
      status: "paid",
      amount: String(ours.amount),
    },
    theirs: theirs && {
      id: theirs.providerPaymentId,
      reference: theirs.reference,
      status: theirs.word,
      amount: theirs.amount === null ? null : String(theirs.amount),
    },
  });
  if (theirs === null) return [differ("missing-there")];
  const kinds: Difference["kind"][] = [];
  if (theirs.amount !== null && theirs.amount !== ours.amount) kinds.push("amount");
  const named = theirs.reference === null || theirs.reference === ours.reference;
  if (!named || theirs.providerPaymentId !== ours.provider_payment_id) kinds.push("reference");
  // What we give back says so there, once it went.
  const isSaid = theirs.verdict === "paid" || (ours.given_back && theirs.verdict === "refunded");
  if (!isSaid) kinds.push("status");
  return kinds.map(differ);
}
