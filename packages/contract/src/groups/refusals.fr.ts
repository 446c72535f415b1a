import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";

export const groupRefusals = refusals({
  "groups.not-found": refusal(404, "Groupe ou canal introuvable."),
  "groups.not-creator": "Seul le propriétaire de ce groupe sur Telegram peut le reprendre.",
  "groups.bot-absent":
    "Le bot n'est plus dans ce groupe. Ajoutez-le à nouveau comme administrateur, puis reprenez le groupe.",
  "groups.channel-has-no-adds": conflict(
    "Dans un canal, seuls les administrateurs ajoutent des membres.",
  ),
  "groups.cannot-set-permissions": conflict(
    "Le bot ne peut pas changer les permissions de ce groupe. Donnez-lui le droit «\u00a0Bannir des utilisateurs\u00a0», ou désactivez vous-même «\u00a0Ajouter des membres\u00a0» dans les permissions du groupe.",
  ),
});

export type GroupRefusal = RefusalOf<typeof groupRefusals>;
