type Money = bigint | null;

/** For the test that follows a type into another file. */
export type Imported = { readonly id: bigint; readonly amount: Money };
