export {
  AGGREGATOR_KEYS,
  type AggregatorKey,
  isAggregatorKey,
  isMethodKey,
  isOnByDefault,
  KEY_NAMES,
  KEY_PATTERN,
  KEY_RULES,
  type KeyName,
  type KeyRule,
  maskKey,
  METHOD_KEYS,
  type MethodKey,
  TRIAL_AMOUNT,
} from "./policy.ts";
export {
  AGGREGATOR_UNREACHABLE,
  type AggregatorsRefusal,
  aggregatorsRefusals,
} from "./refusals.fr.ts";
export {
  type AggregatorOnWire,
  type AggregatorsAnswer,
  aggregatorOnWire,
  aggregatorsAnswer,
  type TrialAnswer,
  trialAnswer,
  type UserAggregatorAnswer,
  type UserAggregatorBody,
  type UserAggregatorOnWire,
  type UserAggregatorsAnswer,
  userAggregatorAnswer,
  userAggregatorBody,
  userAggregatorOnWire,
  userAggregatorsAnswer,
} from "./wire.ts";
export {
  AGGREGATOR_WORDS,
  type AggregatorWords,
  KEY_HINTS,
  KEY_LABELS,
} from "./words.fr.ts";
