import type { DifferenceKind, PayoutStatus } from "@sesame/contract/treasury";
import { type Fcfa, ZERO_FCFA } from "@sesame/kernel";
import type { FetchedPayment, FetchedPayout, Quote } from "@sesame/providers";
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
  /** Told to send before the days that are compared. */
  readonly is_old: boolean;
  /** What the ledger took from the provider's account for it, its cost included. */
  readonly in_ledger: Fcfa;
};

export type Difference = {
  readonly kind: DifferenceKind;
  readonly subject: string;
  readonly ours: Record<string, string | null> | null;
  readonly theirs: Record<string, string | null> | null;
};

export type Compared = {
  /** How many of ours. */
  readonly compared: number;
  /** Of everything that was compared, whether it differs or not. */
  readonly subjects: readonly string[];
  readonly differences: readonly Difference[];
  /** The last payment a run came to that goes through all of them in turn. */
  readonly lastPaymentId?: bigint | null;
  /** Why it ended before its end. */
  readonly stopped?: string;
};

export type Pair = { readonly ours: OurPayout; readonly theirs: readonly FetchedPayout[] };

type Matched = {
  readonly pairs: readonly Pair[];
  readonly strays: readonly FetchedPayout[];
};

/** Theirs put beside ours, by their id or by our reference; strays are nobody's of ours. */
export function matchPayouts(
  ours: readonly OurPayout[],
  theirs: readonly FetchedPayout[],
): Matched {
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
    // Made and never begun moves no money.
    else if (each.status !== "not-started") strays.push(each);
  }
  const pairs = ours.map((payout) => ({ ours: payout, theirs: found.get(payout.id) ?? [] }));
  return { pairs, strays };
}

/** Every difference, both ways, and all that was compared. Pure: what lags was caught up before. */
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
      // One that was nobody's may have become ours.
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
  // What the provider said that it had.
  if (!one) return ours.status === "sent" || hasArrived(ours) ? [differ("missing-there")] : [];
  const kinds: DifferenceKind[] = [];
  if (moving.length > 1) kinds.push("duplicate");
  if (one.amount !== null && one.amount !== ours.amount) kinds.push("amount");
  if (one.reference !== null && one.reference !== ours.reference) kinds.push("reference");
  if (statusDiffers(ours, one)) kinds.push("status");
  if (costDiffers(ours, one)) kinds.push("cost");
  return kinds.map(differ);
}

/** The one that moved money, where several bear one name. */
export function bestOf(theirs: readonly FetchedPayout[]): FetchedPayout | null {
  const by = (status: string) => theirs.find((each) => each.status === status);
  return by("succeeded") ?? by("sent") ?? by("failed") ?? theirs[0] ?? null;
}

function statusDiffers(ours: OurPayout, { status }: FetchedPayout): boolean {
  if (hasArrived(ours)) return status !== "succeeded";
  // Francs given back or never told to leave, and yet on their way or arrived.
  const isHere = ours.returned_at || ["failed", "ready", "prepared"].includes(ours.status);
  return status === "succeeded" || status === (isHere ? "sent" : "failed");
}

function costDiffers(ours: OurPayout, theirs: FetchedPayout): boolean {
  const ended = ours.status === "succeeded" || ours.late_at !== null;
  return ended && theirs.cost !== null && theirs.cost !== ours.cost;
}

/** The provider's account in our ledger against all that they say they sent. */
function compareTotals(provider: string, { pairs, strays }: Matched): Difference[] {
  let booked = 0n;
  let sent = 0n;
  for (const { ours, theirs } of pairs) {
    booked += ours.in_ledger;
    for (const each of theirs) {
      if (each.status === "succeeded") sent += took(each, ours);
    }
    // What came back has cost its fee, if its provider still names one.
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

/** What they do not say is taken as ours: it is not what differs. */
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

/** One side of a difference, as the back office reads it. */
const toSide = ({ id, reference, status, amount, cost }: Side): Difference["ours"] => ({
  id,
  reference,
  status,
  amount: amount?.toString() ?? null,
  cost: cost?.toString() ?? null,
});

const toTheirSide = (theirs: FetchedPayout): Difference["theirs"] =>
  toSide({ ...theirs, id: theirs.providerPayoutId, status: theirs.word });

export type OurPayment = {
  readonly id: bigint;
  readonly provider_payment_id: string;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly amount: Fcfa;
  /** What came in, where somebody decided about it; null: what was asked for. */
  readonly received: Fcfa | null;
  /** Null: none was booked. */
  readonly cost: Fcfa | null;
  readonly quote: Quote | null;
  /** Names of theirs: the one that is booked, and those that were reported. */
  readonly paidAs: string | null;
  readonly reportedTransactionIds: readonly string[];
  /** Given back by the provider, or on its way. */
  readonly given_back: boolean;
  /** Known not to be what was ordered: an operator has decided about it. */
  readonly is_decided: boolean;
  /** It had taken it back, and our refund ended with that. */
  readonly is_returned: boolean;
  /** What is left of it, by the operator's word. */
  readonly is_counted: boolean;
  /** When it was last compared. */
  readonly differed: boolean;
};

export const subjectOfPayment = ({ id }: OurPayment): string => `payment:${id}`;

export function comparePayment(ours: OurPayment, theirs: FetchedPayment | null): Difference[] {
  const { cost = null } = theirs ?? {};
  const differ = (kind: Difference["kind"]): Difference => ({
    kind,
    subject: subjectOfPayment(ours),
    ours: toSide({ ...ours, id: ours.provider_payment_id, status: "paid" }),
    theirs:
      theirs && toSide({ ...theirs, id: theirs.providerPaymentId, status: theirs.word, cost }),
  });
  if (theirs === null) return [differ("missing-there")];
  const kinds: Difference["kind"][] = [];
  const isOdd = theirs.amount !== null && theirs.amount !== (ours.received ?? ours.amount);
  // What an operator counted is not what they say.
  if (isOdd && !ours.is_counted) kinds.push("amount");
  const named = theirs.reference === null || theirs.reference === ours.reference;
  const isNamed = named && theirs.providerPaymentId === ours.provider_payment_id;
  if (!isNamed && !ours.is_decided) kinds.push("reference");
  const isKept = theirs.status === "paid" && ours.cost !== null && cost !== null;
  if (isKept && cost !== ours.cost) kinds.push("cost");
  // What we give back says so there, once it went; what they took back, they do not have again.
  const isSaid =
    (theirs.status === "paid" && !ours.is_returned) ||
    (ours.given_back && (theirs.status === "refunded" || ours.is_decided)) ||
    (ours.is_counted && theirs.status === "partly-refunded");
  if (!isSaid) kinds.push("status");
  return kinds.map(differ);
}
