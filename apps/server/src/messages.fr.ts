/** The program's messages for the person who starts it. */
export const mainCopy = {
  mode: (mode: "demo" | "development" | "production", because: string) =>
    `Mode : ${{ demo: "démonstration", development: "développement", production: "production" }[mode]} (${because})`,
  listening: (address: string, publicUrl: string) => `Sésame écoute sur ${address} (${publicUrl})`,
  cannotStart: (reason: string) => `Sésame ne peut pas démarrer : ${reason}`,
  restarting: (kind: string, reason: string) =>
    `Sésame s'arrête pour repartir d'un état sûr (${kind}) : ${reason}`,
} as const;
