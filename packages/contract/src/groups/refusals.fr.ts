import type { Sentences } from "../common/refusal.ts";

export type GroupRefusal =
  | { readonly kind: "groups.not-found" }
  | { readonly kind: "groups.not-creator" }
  | { readonly kind: "groups.bot-absent" };

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
};
