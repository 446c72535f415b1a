import type { DifferenceKind, PayoutStatus } from "@sesame/contract/treasury";
import { type Fcfa, ZERO_FCFA } from "@sesame/kernel";
import type { FetchedPayment, FetchedPayout, PaymentName } from "@sesame/providers";
import { hasArrived } from "./payouts.ts";

export type OurPayout = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly status: PayoutStatus;
  readonly cost: Fcfa;
  readonly handle: string | null;
  readonly provider_payout_id: string | null;
  readonly late_at: Date | null;
  readonly returned_at: Date | null;
  /** Submitted before the days that are compared. */
  readonly is_old: boolean;
  /** What left the provider's account in the ledger for it, fee included. */
  readonly in_ledger: Fcfa;
};

export type Difference = {
  readonly kind: DifferenceKind;
  readonly subject: string;
  readonly ours: Record<string, string | null> | null;
  readonly theirs: Record<string, string | null> | null;
};

export type Compared = {
  /** The number of our payouts or payments. */
  readonly compared: number;
  /** Every compared subject, with or without a difference. */
  readonly subjects: readonly string[];
  readonly differences: readonly Difference[];
  /** The last payment of the run; the next run continues after it. */
  readonly lastPaymentId?: bigint | null;
  /** Why the run ended early. */
  readonly stopped?: string;
};

export type Pair = { readonly ours: OurPayout; readonly theirs: readonly FetchedPayout[] };

type Matched = {
  readonly pairs: readonly Pair[];
  readonly strays: readonly FetchedPayout[];
};

/** Pairs the provider's payouts with ours, by its id or by our reference; strays match none of ours. */
export function matchPayouts(ours: readonly OurPayout[], theirs: readonly FetchedPayout[]) {
  const byName = new Map<string, OurPayout>();
  for (const payout of ours) {
    byName.set(`reference ${payout.reference}`, payout);
    if (payout.provider_payout_id !== null) byName.set(`id ${payout.provider_payout_id}`, payout);
  }
  const found = new Map<bigint, FetchedPayout[]>();
  const strays: FetchedPayout[] = [];
  for (const each of theirs) {
    const match =
      byName.get(`id ${each.providerPayoutId}`) ?? byName.get(`reference ${each.reference}`);
    if (match) found.set(match.id, [...(found.get(match.id) ?? []), each]);
    // A created payout that was never started moves no money.
    else if (each.status !== "not-started") strays.push(each);
  }
  const pairs = ours.map((payout) => ({ ours: payout, theirs: found.get(payout.id) ?? [] }));
  return { pairs, strays };
}

/** Every difference, both ways, and all that was compared. Pure: missing updates were applied before. */
export function comparePayouts(provider: string, { pairs, strays }: Matched): Compared {
  const differences = pairs.flatMap(comparePair);
  for (const stray of strays) {
    const subject = theirSubject(provider, stray);
    differences.push({ kind: "missing-here", subject, ours: null, theirs: toTheirSide(stray) });
  }
  return {
    compared: pairs.length,
    subjects: [
      ...pairs.map(({ ours }) => subjectOf(ours)),
      // A former stray may have become ours.
      ...pairs.flatMap(({ theirs }) => theirs.map((each) => theirSubject(provider, each))),
      totalsOf(provider),
    ],
    differences: [...differences, ...compareTotals(provider, { pairs, strays })],
  };
}

const subjectOf = ({ id }: OurPayout): string => `payout:${id}`;
const theirSubject = (provider: string, theirs: FetchedPayout): string =>
  `${provider}:${theirs.providerPayoutId ?? theirs.reference ?? theirs.word}`;
const totalsOf = (provider: string): string => `provider:${provider}`;

function comparePair({ ours, theirs }: Pair): Difference[] {
  const subject = subjectOf(ours);
  const moving = theirs.filter(({ status }) => status === "sent" || status === "succeeded");
  const one = bestOf(theirs);
  const differ = (kind: DifferenceKind): Difference => ({
    kind,
    subject,
    ours: toSide({ ...ours, id: ours.provider_payout_id }),
    theirs: one && toTheirSide(one),
  });
  // The provider reported it before.
  if (!one) return ours.status === "sent" || hasArrived(ours) ? [differ("missing-there")] : [];
  const kinds: DifferenceKind[] = [];
  if (moving.length > 1) kinds.push("duplicate");
  if (one.amount !== null && one.amount !== ours.amount) kinds.push("amount");
  if (one.reference !== null && one.reference !== ours.reference) kinds.push("reference");
  if (statusDiffers(ours, one)) kinds.push("status");
  if (costDiffers(ours, one)) kinds.push("cost");
  return kinds.map(differ);
}

/** The one that moved money, if several have one id. */
export function bestOf(theirs: readonly FetchedPayout[]): FetchedPayout | null {
  const by = (status: string) => theirs.find((each) => each.status === status);
  return by("succeeded") ?? by("sent") ?? by("failed") ?? theirs[0] ?? null;
}

function statusDiffers(ours: OurPayout, { status }: FetchedPayout): boolean {
  if (hasArrived(ours)) return status !== "succeeded";
  // Returned or never submitted in our ledger, but on its way or arrived at the provider.
  const isHere = ours.returned_at || ["failed", "ready", "prepared"].includes(ours.status);
  return status === "succeeded" || status === (isHere ? "sent" : "failed");
}

function costDiffers(ours: OurPayout, theirs: FetchedPayout): boolean {
  const ended = ours.status === "succeeded" || ours.late_at !== null;
  return ended && theirs.cost !== null && theirs.cost !== ours.cost;
}

/** The provider's account in our ledger, compared with the sum of what the provider reports as sent. */
function compareTotals(provider: string, { pairs, strays }: Matched): Difference[] {
  let booked = 0n;
  let sent = 0n;
  for (const { ours, theirs } of pairs) {
    booked += ours.in_ledger;
    for (const each of theirs) {
      if (each.status === "succeeded") sent += took(each, ours);
    }
    // A returned payout has cost its fee, if the provider still reports one.
    const isBack = ours.returned_at !== null && bestOf(theirs)?.status !== "succeeded";
    if (isBack) sent += bestOf(theirs)?.cost ?? ours.cost;
  }
  for (const stray of strays) {
    if (stray.status === "succeeded") sent += took(stray, null);
  }
  if (booked === sent) return [];
  const subject = totalsOf(provider);
  const total = (amount: bigint) => ({ total: String(amount) });
  return [{ kind: "ledger", subject, ours: total(booked), theirs: total(sent) }];
}

/** An unknown fee is taken as ours: no difference. */
function took(theirs: FetchedPayout, ours: OurPayout | null): bigint {
  const amount = theirs.amount ?? ours?.amount ?? ZERO_FCFA;
  return amount + (theirs.cost ?? ours?.cost ?? ZERO_FCFA);
}

type Side = {
  readonly id: string | null;
  readonly reference: string | null;
  readonly status: string;
  readonly amount: bigint | null;
  readonly cost: bigint | null | undefined;
};

/** One side of a difference, for the back office. */
const toSide = ({ id, reference, status, amount, cost }: Side): Difference["ours"] => ({
  id,
  reference,
  status,
  amount: amount?.toString() ?? null,
  cost: cost?.toString() ?? null,
});

const toTheirSide = (theirs: FetchedPayout): Difference["theirs"] =>
  toSide({ ...theirs, id: theirs.providerPayoutId, status: theirs.word });

export type OurPayment = Required<PaymentName> & {
  readonly id: bigint;
  /** The received amount of a decision; null: the amount ordered. */
  readonly received: Fcfa | null;
  /** Null: none was booked. */
  readonly cost: Fcfa | null;
  /** Refunded by the provider, or being refunded. */
  readonly given_back: boolean;
  /** A known mismatch: an operator has decided about it. */
  readonly is_decided: boolean;
  /** The provider had taken it back, and our refund ended with that. */
  readonly is_returned: boolean;
  /** The remaining amount was counted by an operator. */
  readonly is_counted: boolean;
  /** It differed in the last comparison. */
  readonly differed: boolean;
};

export const subjectOfPayment = ({ id }: OurPayment): string => `payment:${id}`;

export function comparePayment(ours: OurPayment, theirs: FetchedPayment | null): Difference[] {
  const { cost = null } = theirs ?? {};
  const differ = (kind: Difference["kind"]): Difference => ({
    kind,
    subject: subjectOfPayment(ours),
    ours: toSide({ ...ours, id: ours.providerPaymentId, status: "paid" }),
    theirs:
      theirs && toSide({ ...theirs, id: theirs.providerPaymentId, status: theirs.word, cost }),
  });
  if (theirs === null) return [differ("missing-there")];
  const kinds: Difference["kind"][] = [];
  const isOdd = theirs.amount !== null && theirs.amount !== (ours.received ?? ours.amount);
  // An operator's count is not expected to match the provider's report.
  if (isOdd && !ours.is_counted) kinds.push("amount");
  const named = theirs.reference === null || theirs.reference === ours.reference;
  const isNamed = named && theirs.providerPaymentId === ours.providerPaymentId;
  if (!isNamed && !ours.is_decided) kinds.push("reference");
  const isKept = theirs.status === "paid" && ours.cost !== null && cost !== null;
  if (isKept && cost !== ours.cost) kinds.push("cost");
  // A refund of ours is reported once done; a chargeback must stay reported.
  const isSaid =
    (theirs.status === "paid" && !ours.is_returned) ||
    (ours.given_back && (theirs.status === "refunded" || ours.is_decided)) ||
    (ours.is_counted && theirs.status === "partly-refunded");
  if (!isSaid) kinds.push("status");
  return kinds.map(differ);
}
