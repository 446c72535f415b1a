export type * from "./payout-port.ts";
export type * from "./port.ts";
export type {
  KnownCharge,
  ReadCharges,
  StarCharge,
  StarCharges,
  StarsCall,
  StarsMethod,
} from "./stars/index.ts";
