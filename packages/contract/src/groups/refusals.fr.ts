import type { Sentences } from "../common/refusal.ts";

export type GroupRefusal = { readonly kind: "groups.not-found" };

export const groupRefusals: Sentences<GroupRefusal> = {
  "groups.not-found": { status: 404, message: "Groupe ou canal introuvable." },
};
