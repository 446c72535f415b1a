type Money = bigint | null;

/** Read by a test of types that stand in another file. */
export type Imported = { readonly id: bigint; readonly amount: Money };
