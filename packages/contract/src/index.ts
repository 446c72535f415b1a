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
export { typeset } from "./common/typeset.fr.ts";
export { cursorQuery, idInPath, idOnWire, instantOnWire, refusalBody } from "./common/wire.ts";
