/** The rights that the bot needs in a chat to sell access to it (A §2 /relierbot). */
export const NEEDED_RIGHTS = ["manage_chat", "restrict_members", "invite_users"] as const;
export type NeededRight = (typeof NEEDED_RIGHTS)[number];

/**
 * The rights that a person must have in Telegram before a group is linked to them, and as long as
 * they sell access to it (decision 110); the creator has all rights.
 */
export const LINKER_RIGHTS = ["invite_users", "restrict_members"] as const;
export type LinkerRight = (typeof LINKER_RIGHTS)[number];

/**
 * Where a linked chat stands, the worst first: `removed` the bot is not in it any more,
 * `seller_not_admin` its seller has lost there what linking needs (decision 110), `public`
 * anybody can join it without paying (decision 81), `missing_rights`, `over_quota` sales paused
 * (decision 88), `connected` it can be sold.
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
  /** Its seller is its creator, or an administrator who may invite and restrict. */
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
