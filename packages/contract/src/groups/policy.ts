/** What the bot needs in a chat to sell access to it (A §2 /relierbot). */
export const NEEDED_RIGHTS = ["manage_chat", "restrict_members", "invite_users"] as const;
export type NeededRight = (typeof NEEDED_RIGHTS)[number];

/**
 * Where a linked chat stands, the worst first: `removed` the bot is not in it any more, `public`
 * anybody can join it without paying (decision 81), `missing_rights`, `over_quota` sales paused
 * (decision 88), `connected` it can be sold.
 */
export type GroupState = "connected" | "missing_rights" | "removed" | "public" | "over_quota";

export type GroupFacts = {
  readonly botPresent: boolean;
  readonly publicUsername: string | null;
  readonly rights: Readonly<Record<NeededRight, boolean>>;
  readonly inQuota: boolean;
};

export function missingRights(facts: GroupFacts): NeededRight[] {
  return NEEDED_RIGHTS.filter((right) => !facts.rights[right]);
}

export function stateOfGroup(facts: GroupFacts): GroupState {
  if (!facts.botPresent) return "removed";
  if (facts.publicUsername !== null) return "public";
  if (missingRights(facts).length > 0) return "missing_rights";
  return facts.inQuota ? "connected" : "over_quota";
}
