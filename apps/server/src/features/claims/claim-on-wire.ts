import {
  CLAIM_KIND_NAMES,
  CLAIM_STATUS_NAMES,
  CLAIM_STATUS_WORDS,
  CLAIM_STEP_NAMES,
  type ClaimEntryOnWire,
  type ClaimKind,
  type ClaimOnWire,
  claimKindsOf,
} from "@sesame/contract/claims";
import { fcfaToJson } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Principal } from "../../http/principal.ts";
import type { ClaimAuthor } from "./claim.store.ts";
import { type ClaimRow, type EntryRow, findClaimable, findClaimsOf } from "./claim.view.ts";

export type ClaimReader = {
  readonly personId: bigint;
  /** At the desk: both sides' words, and the decision. */
  readonly desk: { readonly isOperator: boolean } | null;
};

export const readerAtDesk = ({ personId, isOperator }: Principal): ClaimReader => ({
  personId,
  desk: { isOperator },
});

/** Of an order, newest first, as the desk sees them. */
export async function claimsOf({ db }: App, orderId: bigint, caller: Principal) {
  const reader = readerAtDesk(caller);
  return (await findClaimsOf(db, orderId)).flatMap((row) => claimToWire(row, reader) ?? []);
}

type ClaimCare = {
  readonly claim: ClaimOnWire | null;
  /** What its buyer may say of it now. */
  readonly mayClaim: ClaimKind[];
  readonly paidTwice: boolean;
};

/** What went wrong with an order, to its buyer or its seller. */
export async function claimCareOf(
  { db, clock }: App,
  orderId: bigint,
  readerId: bigint,
): Promise<ClaimCare> {
  const [order, [newest]] = await Promise.all([
    findClaimable(db, orderId),
    findClaimsOf(db, orderId),
  ]);
  const isBuyer = order?.buyerId === readerId && order.kind !== "trial";
  return {
    claim: newest ? claimToWire(newest, { personId: readerId, desk: null }) : null,
    mayClaim: order && isBuyer ? claimKindsOf(order, clock.now()) : [],
    paidTwice: order?.paidTwice ?? false,
  };
}

const AUTHORS: Readonly<Record<ClaimAuthor, ClaimEntryOnWire["author"]>> = {
  buyer: "acheteur",
  seller: "vendeur",
  operator: "operateur",
  system: "systeme",
};

/** Null to whoever is no party to it, as when it does not exist. */
export function claimToWire(row: ClaimRow, reader: ClaimReader): ClaimOnWire | null {
  const isBuyer = row.buyer_id === reader.personId;
  const isSeller = row.seller_id === reader.personId;
  if (!reader.desk && !isBuyer && !isSeller) return null;
  const status = CLAIM_STATUS_WORDS[row.status];
  return {
    id: String(row.id),
    order_id: String(row.order_id),
    title: row.title,
    kind: row.kind,
    kind_label: CLAIM_KIND_NAMES[row.kind],
    status,
    status_label: CLAIM_STATUS_NAMES[status],
    opened_at: row.opened_at.toISOString(),
    seller_due_at: row.seller_due_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    buyer: { nom: row.buyer_name },
    seller: row.seller_id === null ? null : { nom: row.seller_name },
    amount: fcfaToJson(row.price),
    entries: row.entries.map(entryToWire),
    may: mayOf(row, reader, { isBuyer, isSeller }),
  };
}

function entryToWire({ author, step, words, at }: EntryRow): ClaimEntryOnWire {
  const when = new Date(at).toISOString();
  return { author: AUTHORS[author], step, step_label: CLAIM_STEP_NAMES[step], words, at: when };
}

function mayOf(
  row: ClaimRow,
  { desk }: ClaimReader,
  { isBuyer, isSeller }: { isBuyer: boolean; isSeller: boolean },
): ClaimOnWire["may"] {
  const open = row.closed_at === null;
  const party = isBuyer || isSeller;
  return {
    answer: open && party,
    contest: isSeller && row.status === "seller",
    refund: isSeller && open && row.order_status === "paid",
    withdraw: isBuyer && open,
    decide: desk?.isOperator === true && !party && row.status === "operator",
  };
}
