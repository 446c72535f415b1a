export {
  type Balance,
  balanceOf,
  getAccount,
  type NewAccount,
  openAccount,
  openAccounts,
  type Statement,
  type StatementLine,
  statement,
} from "./accounts.ts";
export { type BrokenInvariant, check, snapshot } from "./books.ts";
export type { AccountId, Executor } from "./executor.ts";
export {
  type Done,
  type HoldRefusal,
  hold,
  type NewHold,
  type PayHoldRefusal,
  payHold,
  type ReleaseHoldRefusal,
  releaseHold,
} from "./holds.ts";
export {
  type Leg,
  type NewTransfer,
  type PostOutcome,
  post,
  postBetween,
  postNew,
  postSales,
  type Sale,
} from "./transfers.ts";
