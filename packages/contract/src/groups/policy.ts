/** The rights the bot needs in a chat to sell membership of it (A §2 /relierbot). */
export const NEEDED_RIGHTS = ["manage_chat", "restrict_members", "invite_users"] as const;
export type NeededRight = (typeof NEEDED_RIGHTS)[number];

/**
 * The rights a person must have in Telegram to link a group and to sell it (decision 110); the
 * creator has all rights.
 */
export const LINKER_RIGHTS = ["invite_users", "restrict_members"] as const;
export type LinkerRight = (typeof LINKER_RIGHTS)[number];

/**
 * The state of a linked chat, worst first: `removed` the bot is no longer in it; `seller_not_admin`
 * the seller lost the rights that linking needs (decision 110); `public` anybody can join without
 * paying (decision 81); `missing_rights`; `over_quota` sales are paused (decision 88); `connected`
 * it can be sold.
 */
export const GROUP_STATES = [
  "connected",
  "missing_rights",
  "removed",
  "seller_not_admin",
  "public",
  "over_quota",
] as const;
export type GroupState = (typeof GROUP_STATES)[number];

export type GroupFacts = {
  readonly botPresent: boolean;
  readonly publicUsername: string | null;
  readonly rights: Readonly<Record<NeededRight, boolean>>;
  readonly inQuota: boolean;
  /** The seller is its creator, or an administrator with the right to invite and restrict. */
  readonly sellerMayOwn: boolean;
};

export function missingRights(facts: GroupFacts): NeededRight[] {
  return NEEDED_RIGHTS.filter((right) => !facts.rights[right]);
}

export function stateOfGroup(facts: GroupFacts): GroupState {
  if (!facts.botPresent) return "removed";
  if (!facts.sellerMayOwn) return "seller_not_admin";
  if (facts.publicUsername !== null) return "public";
  if (missingRights(facts).length > 0) return "missing_rights";
  return facts.inQuota ? "connected" : "over_quota";
}
