export { ACCESS_STATUSES, type AccessStatus, isRunning } from "./policy.ts";
export {
  type AccessOnWire,
  accessOnWire,
  accessStatusOnWire,
  type MyAccessAnswer,
  myAccessAnswer,
  type OrderAccessOnWire,
  orderAccessOnWire,
} from "./wire.ts";
export { ACCESS_STATUS_NAMES } from "./words.fr.ts";
