export const sparklineCopy = {
  seen: (total: string) => `7 jours : +${total}`,
  heard: (total: string) => `Revenu net des 7 derniers jours : ${total}`,
} as const;
