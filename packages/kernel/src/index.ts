export { assert, Bug, unreachable } from "./assert.ts";
export {
  addDays,
  addMonths,
  type Day,
  dayOf,
  fromLocalMs,
  midnightOf,
  startOfDay,
  toLocalMs,
  weekdayOf,
} from "./days.ts";
export { describeError, textOf } from "./describe.ts";
export { type Chance, readableToken, secretToken, systemChance } from "./ids.ts";
export {
  type BasisPoints,
  basisPoints,
  type Fcfa,
  fcfa,
  fcfaToJson,
  type SplitPrice,
  splitPrice,
  ZERO_FCFA,
} from "./money.ts";
export { Outage, type OutageOptions } from "./outage.ts";
export { ok, type Result, refuse } from "./result.ts";
export {
  type DecidedMode,
  decideMode,
  isLoopbackHost,
  isLoopbackUrl,
  type ModeFacts,
  type RunMode,
} from "./run-mode.ts";
export {
  type AdjustableClock,
  addMs,
  adjustableClock,
  type Clock,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  stoppedClock,
  systemClock,
} from "./time.ts";
