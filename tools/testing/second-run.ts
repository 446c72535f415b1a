import type { Failure } from "./reports.ts";

/**
 * Files whose tests are of money, access or data: a failure there, other than a time-out, is red at
 * once.
 */
const OF_MONEY_ACCESS_OR_DATA = [
  /^packages\/(kernel|ledger|providers)\//,
  /^database\//,
  /^apps\/server\/src\/(audit|jobs|secrets|maintenance)\//,
  /^apps\/server\/src\/features\/(back-office|cases|checkout|groups|identity|memberships|payment-accounts)\//,
  /^apps\/server\/src\/features\/(plans|refunds|reports|treasury|withdrawals)\//,
  /^apps\/server\/test\/(authorization|canaries|forged-tokens|hostile-|log-secrets|made-once|webhooks|robustness)/,
  /^apps\/server\/test\/(kill|wire)\//,
  /^tools\/backup\//,
];

export const isOfMoneyAccessOrData = (file: string): boolean =>
  OF_MONEY_ACCESS_OR_DATA.some((pattern) => pattern.test(file));

/**
 * Failures that are red at once in any file: an invariant, a counterexample, a 5xx, a leaked
 * secret.
 */
const NEVER_RANDOM =
  /invariant|counterexample|property failed|doubled|\blost\b|secret|canar|(expected|status|answered|http)\W{0,12}5\d\d\b/i;

const OUT_OF_TIME =
  /too slow for a result|timed out in \d+ ?ms|timed out \d+ms waiting|timeout of \d+ms/i;

/** Whether a time limit ended the test: that says nothing of the product yet. */
export const isOutOfTime = ({ error }: Failure): boolean => OUT_OF_TIME.test(error);

/** Whether the failed test's file may run once more, alone, with the same seed. */
export function mayRunAgain(failure: Failure): boolean {
  if (failure.file === "") return false;
  if (isOutOfTime(failure)) return true;
  if (isOfMoneyAccessOrData(failure.file)) return false;
  return !NEVER_RANDOM.test(`${failure.name}\n${failure.error}`);
}

/** With more unsteady files the run is red. */
export const MOST_UNSTEADY_FILES = 2;

/**
 * Tests that were unsteady twice, by `file › name`. Until their day they may be unsteady again
 * without being counted. In a commit dated after it they are failures until they are corrected.
 */
export const KNOWN_UNSTEADY: readonly { readonly test: string; readonly until: string }[] = [];
