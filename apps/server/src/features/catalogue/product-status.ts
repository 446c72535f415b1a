import type { PendingReason, ProductStatus } from "@sesame/contract/catalogue";
import { type GroupFacts, type GroupState, stateOfGroup } from "@sesame/contract/groups";

export type StatusFacts = {
  readonly switchedOn: boolean;
  readonly group: GroupFacts;
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
  const reason = reasonOf(stateOfGroup(facts.group)) ?? (facts.providerOpen ? null : "no-provider");
  return reason ? { status: "pending", reason } : { status: "active", reason: null };
}

function reasonOf(state: GroupState): PendingReason | null {
  switch (state) {
    case "connected":
      return null;
    case "removed":
      return "group-removed";
    case "public":
      return "group-public";
    case "missing_rights":
      return "group-missing-rights";
    case "over_quota":
      return "group-over-quota";
  }
}
