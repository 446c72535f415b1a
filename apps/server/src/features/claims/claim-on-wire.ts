import {
  CLAIM_KIND_NAMES,
  CLAIM_STATUS_NAMES,
  CLAIM_STATUS_WORDS,
  CLAIM_STEP_NAMES,
  type ClaimEntryOnWire,
  type ClaimOnWire,
} from "@sesame/contract/claims";
import { fcfaToJson } from "@sesame/kernel";
import type { ClaimAuthor } from "./claim.store.ts";
import type { ClaimRow, EntryRow } from "./claim.view.ts";

export type ClaimReader = {
  readonly personId: bigint;
  /** At the desk: both sides' words, and the decision. */
  readonly desk: { readonly isOperator: boolean } | null;
};

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
