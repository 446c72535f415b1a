import type { Sentences } from "../common/refusal.ts";

export type GroupRefusal = {
  readonly kind:
    | "groups.not-found"
    | "groups.not-creator"
    | "groups.bot-absent"
    | "groups.channel-has-no-adds"
    | "groups.cannot-set-permissions";
};

export const groupRefusals: Sentences<GroupRefusal> = {
  "groups.not-found": { status: 404, message: "Groupe ou canal introuvable." },
  "groups.not-creator": {
    status: 422,
    message: "Seul le propriétaire de ce groupe sur Telegram peut le reprendre.",
  },
  "groups.bot-absent": {
    status: 422,
    message:
      "Le bot n'est plus dans ce groupe. Ajoutez-le à nouveau comme administrateur, puis reprenez le groupe.",
  },
  "groups.channel-has-no-adds": {
    status: 409,
    message: "Dans un canal, seuls les administrateurs ajoutent des membres.",
  },
  "groups.cannot-set-permissions": {
    status: 409,
    message:
      "Le bot ne peut pas changer les permissions de ce groupe. Donnez-lui le droit « Bannir des utilisateurs », ou désactivez vous-même « Ajouter des membres » dans les permissions du groupe.",
  },
};
