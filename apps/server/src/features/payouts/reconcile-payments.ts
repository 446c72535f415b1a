import { describeError, Outage } from "@sesame/kernel";
import type { FetchedPayment, PaymentProvider } from "@sesame/providers";
import type { App, Log } from "../../app.ts";
import { calmRefundThere } from "../checkout/index.ts";
import type { Compared, Difference } from "./compare-payouts.ts";
import { type OurPayment, readOurPayments } from "./reconcile.store.ts";

/** A run: no provider of payments has a list here, and each question is a call. */
const ASKED = 100;

/** So many outages one after the other are their provider's, not of what it was asked about. */
const OUTAGES_MAX = 3;

/** → asks; an outage skips what was asked about, and the third in a row is thrown. */
export function skipOutages(log: Log): <T>(ask: () => Promise<T>) => Promise<T | "outage"> {
  let inARow = 0;
  return async (ask) => {
    try {
      const answer = await ask();
      inARow = 0;
      return answer;
    } catch (error) {
      inARow += 1;
      if (!(error instanceof Outage) || inARow === OUTAGES_MAX) throw error;
      log.warn({ why: describeError(error) }, "one of many was not compared");
      return "outage";
    }
  };
}

/**
 * Payments we took for money against what their provider says of them now, one by one: a few each
 * day, all of them in turn. What it was paid and we never heard of stays unseen: its port has no
 * list.
 */
export async function reconcilePayments(
  app: App,
  provider: PaymentProvider,
  since: Date,
): Promise<Compared> {
  const scope = { provider: provider.id, since, limit: ASKED };
  const ask = skipOutages(app.log);
  const subjects: string[] = [];
  const differences: Difference[] = [];
  let lastPaymentId: bigint | null = null;
  const found = (): Compared => ({
    compared: subjects.length,
    subjects,
    differences,
    lastPaymentId,
  });
  for (const payment of await readOurPayments(app.db, scope)) {
    const { provider_payment_id: providerPaymentId, ...name } = payment;
    if (!payment.differed) lastPaymentId = payment.id;
    try {
      const theirs = await ask(() => provider.fetchPayment({ providerPaymentId, ...name }));
      if (theirs === "outage") continue;
      subjects.push(subjectOf(payment));
      if (theirs?.verdict === "paid") {
        const paid = { paymentId: payment.id, transactionId: theirs.transactionId ?? null };
        await calmRefundThere(app.db, paid, app.clock.now());
      }
      differences.push(...comparePayment(payment, theirs));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      return { ...found(), stopped: describeError(error) };
    }
  }
  return found();
}

const subjectOf = ({ id }: OurPayment): string => `payment:${id}`;

export function comparePayment(ours: OurPayment, theirs: FetchedPayment | null): Difference[] {
  const { cost = null } = theirs ?? {};
  const differ = (kind: Difference["kind"]): Difference => ({
    kind,
    subject: subjectOf(ours),
    ours: {
      id: ours.provider_payment_id,
      reference: ours.reference,
      status: "paid",
      amount: String(ours.amount),
      cost: ours.cost === null ? null : String(ours.cost),
    },
    theirs: theirs && {
      id: theirs.providerPaymentId,
      reference: theirs.reference,
      status: theirs.word,
      amount: theirs.amount === null ? null : String(theirs.amount),
      cost: cost === null ? null : String(cost),
    },
  });
  if (theirs === null) return [differ("missing-there")];
  const kinds: Difference["kind"][] = [];
  const isOdd = theirs.amount !== null && theirs.amount !== (ours.received ?? ours.amount);
  // What an operator counted is not what they say.
  if (isOdd && !ours.is_counted) kinds.push("amount");
  const named = theirs.reference === null || theirs.reference === ours.reference;
  const isNamed = named && theirs.providerPaymentId === ours.provider_payment_id;
  if (!isNamed && !ours.is_decided) kinds.push("reference");
  const isKept = theirs.verdict === "paid" && ours.cost !== null && cost !== null;
  if (isKept && cost !== ours.cost) kinds.push("cost");
  // What we give back says so there, once it went; what they took back, they do not have again.
  const isSaid =
    (theirs.verdict === "paid" && !ours.is_returned) ||
    (ours.given_back && (theirs.verdict === "refunded" || ours.is_decided)) ||
    (ours.is_counted && theirs.verdict === "partly-refunded");
  if (!isSaid) kinds.push("status");
  return kinds.map(differ);
}
