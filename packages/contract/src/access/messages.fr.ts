import type { AccessStatus } from "./policy.ts";

export const ACCESS_STATUS_NAMES: Readonly<Record<AccessStatus, string>> = {
  waiting: "À rejoindre",
  inside: "Actif",
  ended: "Terminé",
  removed: "Terminé",
  left: "Sorti",
  banned: "Exclu",
};
