import type { GroupState, NeededRight } from "./policy.ts";

/** The rights as Telegram's French screens name them. */
export const RIGHT_NAMES: Readonly<Record<NeededRight, string>> = {
  manage_chat: "Gérer le groupe ou le canal",
  restrict_members: "Bannir des utilisateurs",
  invite_users: "Inviter des utilisateurs avec des liens",
};

export const GROUP_STATE_NAMES: Readonly<Record<GroupState, string>> = {
  connected: "Connecté",
  missing_rights: "Droits manquants",
  removed: "Déconnecté",
  seller_not_admin: "Vous n'êtes plus admin",
  public: "Public",
  over_quota: "Hors quota",
};

/** The last real event of a chat (decision 31). */
export const GROUP_EVENT_NAMES = {
  linked: "Bot relié",
  rights_changed: "Droits du bot modifiés",
  bot_removed: "Bot retiré",
  title_changed: "Nom modifié",
  reclaimed: "Repris par son propriétaire",
  migrated: "Groupe converti en supergroupe",
  member_joined: "Un membre est entré",
  member_left: "Un membre est sorti",
  member_removed: "Un membre a été retiré à la fin de son accès",
} as const;

export type GroupEvent = keyof typeof GROUP_EVENT_NAMES;
