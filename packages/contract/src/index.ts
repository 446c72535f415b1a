export {
  type AnyRefusal,
  type RefusalBody,
  type RefusalStatus,
  type Sentence,
  type Sentences,
  sayRefusal,
} from "./common/refusal.ts";
export {
  BUG_MESSAGE,
  type CommonRefusal,
  commonRefusals,
  OUTAGE_MESSAGE,
} from "./common/refusals.fr.ts";
export {
  AGGREGATOR_NOT_FOUND,
  CRASHED,
  IMPOSSIBLE,
  METHOD_CLOSED,
  METHOD_MISSING,
  METHOD_NOT_FOUND,
  NO_METHOD,
  NO_PAYMENT_URL,
  PAYMENT_CANNOT_BE_CHECKED,
  PAYMENT_ID_MISSING,
  PAYMENT_NOT_CHECKED,
  PAYMENT_NOT_CREATED,
  PAYMENT_NOT_MADE,
  PRODUCT_NOT_FOUND,
  PROVIDER_UNREACHABLE,
  REQUEST_NOT_FOUND,
  SAVE_FAILED,
  USER_UNKNOWN,
  sayIncomplete,
} from "./common/sentences.fr.ts";
export { typeset } from "./common/typeset.fr.ts";
export { cursorQuery, idInPath, idOnWire, instantOnWire, refusalBody } from "./common/wire.ts";
