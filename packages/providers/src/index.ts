export type * from "./payout-port.ts";
export type * from "./port.ts";
export type * from "./stars/charges.ts";
