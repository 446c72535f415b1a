import type { PendingReason, ProductStatus, PublicProductOnWire } from "@sesame/contract/catalogue";
import { type GroupFacts, type GroupState, stateOfGroup } from "@sesame/contract/groups";

type Unavailability = NonNullable<PublicProductOnWire["unavailable"]>;

export type StatusFacts = {
  readonly switchedOn: boolean;
  /** By the operator: the product itself, or all its seller sells. */
  readonly suspension: "product" | "seller" | null;
  /** Null: a donation needs none. */
  readonly group: GroupFacts | null;
  /** The group has another seller now: its creator has taken it back. */
  readonly reclaimed: boolean;
  readonly providerOpen: boolean;
};

export type StatusWithReason = {
  readonly status: ProductStatus;
  /** Set when pending. */
  readonly reason: PendingReason | null;
};

/** Decision 34: what the seller wants, then what the group and the payments allow. */
export function statusOfProduct(facts: StatusFacts): StatusWithReason {
  if (!facts.switchedOn) return { status: "inactive", reason: null };
  const reason = suspensionOf(facts.suspension) ?? brokenReason(facts);
  return reason ? { status: "pending", reason } : { status: "active", reason: null };
}

/** What a buyer is told of it: the class, never the operator's words. */
export function unavailabilityOf({ status, reason }: StatusWithReason): Unavailability | null {
  if (status === "inactive") return "switched-off";
  switch (reason) {
    case null:
      return null;
    case "suspended":
    case "seller-suspended":
      return "suspended";
    case "no-provider":
      return "payment";
    default:
      return "group";
  }
}

function suspensionOf(suspension: StatusFacts["suspension"]): PendingReason | null {
  switch (suspension) {
    case null:
      return null;
    case "product":
      return "suspended";
    case "seller":
      return "seller-suspended";
  }
}

function brokenReason(facts: StatusFacts): PendingReason | null {
  if (facts.reclaimed) return "group-reclaimed";
  const ofGroup = facts.group && reasonOf(stateOfGroup(facts.group));
  return ofGroup ?? (facts.providerOpen ? null : "no-provider");
}

function reasonOf(state: GroupState): PendingReason | null {
  switch (state) {
    case "connected":
      return null;
    case "removed":
      return "group-removed";
    case "seller_not_admin":
      return "group-seller-not-admin";
    case "public":
      return "group-public";
    case "missing_rights":
      return "group-missing-rights";
    case "over_quota":
      return "group-over-quota";
  }
}
