import type { KnownCharge, ReadCharges, StarCharges } from "./index.ts";

export type ChargesInMemory = StarCharges & {
  all(): KnownCharge[];
  /** What was written, in order. */
  readonly written: readonly ReadCharges[];
};

/** Stores charges in memory, for tests without a database. */
export function keepCharges(): ChargesInMemory {
  const known = new Map<string, KnownCharge>();
  const written: ReadCharges[] = [];
  let transactionsRead = 0;
  return {
    written,
    all: () => [...known.values()],
    find: async (reference) => [...known.values()].filter((one) => one.reference === reference),
    read: async () => transactionsRead,
    async add(read) {
      written.push(read);
      for (const charge of read.charges) {
        if (!known.has(charge.chargeId)) known.set(charge.chargeId, { ...charge, refunded: false });
      }
      for (const id of read.refunds) {
        const charge = known.get(id);
        if (charge) known.set(id, { ...charge, refunded: true });
      }
      transactionsRead = read.transactionsRead ?? transactionsRead;
    },
  };
}
