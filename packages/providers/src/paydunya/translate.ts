import type { FetchedPayout, PayoutAnswer, PayoutRefusal, PayoutVerdict } from "../payout-port.ts";
import type { Environment } from "../port.ts";
import {
  field,
  firstField,
  readAmount,
  readAnyId,
  readWords,
  saysFloatIsShort,
} from "../reading.ts";

/** Every word of PayDunya on payouts into ours (reference §7.4). Pure. Null: nothing to believe. */

/** Success is HTTP 2xx and this; a no comes with HTTP 200 too (§7.1). */
const YES = "00";
/** Wrong keys; payouts not enabled for the account. Seen in public code, not in their pages. */
const NO_TO_KEYS = new Set(["1001", "401"]);
/** Seen there too: this `disburse_id` was already submitted, by whatever token. */
const ALREADY_SUBMITTED = "5000";

export function isYes(body: unknown): boolean {
  return field(body, "response_code") === YES;
}

/** Whether they said no, in their own words: any other code than the one for yes. */
export function isNo(body: unknown): boolean {
  const code = field(body, "response_code");
  return (typeof code === "string" || typeof code === "number") && code !== YES;
}

export function saysKeysAreWrong(status: number, body: unknown): boolean {
  return status === 401 || status === 403 || NO_TO_KEYS.has(codeOf(body));
}

/** Some answers write it as a number. */
function codeOf(body: unknown): string {
  const code = field(body, "response_code");
  return typeof code === "string" || typeof code === "number" ? String(code) : "";
}

/** The one no which says that money may have left. */
export function saysAlreadySubmitted(body: unknown): boolean {
  return codeOf(body) === ALREADY_SUBMITTED;
}

export function disburseVerdictOf(word: string): PayoutVerdict {
  switch (word) {
    case "success":
      return "succeeded";
    case "failed":
      return "failed";
    case "created":
      return "not-started";
    default:
      return "sent";
  }
}

/** POST /disburse/get-invoice: the token by which everything else is asked. */
export function translateInvoice(body: unknown): string | null {
  return isYes(body) ? readToken(field(body, "disburse_token")) : null;
}

/** POST /disburse/submit-invoice, said yes to: `status` may be missing. */
export function translateSubmitted(body: unknown, environment: Environment): PayoutAnswer | null {
  if (!isYes(body)) return null;
  const status = field(body, "status");
  const word = typeof status === "string" ? status : "submitted";
  const verdict = disburseVerdictOf(word);
  // It was just submitted: `created` is an answer that is late, never a payout that was not told.
  return {
    ...read(body, word, environment),
    verdict: verdict === "not-started" ? "sent" : verdict,
  };
}

/** POST /disburse/check-status. */
export function translateStatus(body: unknown, environment: Environment): FetchedPayout | null {
  const word = field(body, "status");
  if (!isYes(body) || typeof word !== "string") return null;
  const reference = field(body, "disburse_id");
  return {
    ...read(body, word, environment),
    amount: readAmount(field(body, "amount")),
    currency: null,
    reference: typeof reference === "string" ? reference : null,
  };
}

const OPERATOR_REFERENCES = ["provider_ref", "provider_reference", "disburse_tx_id"];

function read(body: unknown, word: string, environment: Environment): PayoutAnswer {
  const verdict = disburseVerdictOf(word);
  const why = ["fail_reason", "failure_reason", "description", "response_text"];
  return {
    verdict,
    providerPayoutId: readAnyId(field(body, "transaction_id")),
    word: word.slice(0, 40),
    operatorReference: readWords(firstField(body, OPERATOR_REFERENCES)),
    failure: verdict === "failed" ? readWords(firstField(body, why)) : null,
    cost: null,
    environment,
  };
}

export function translateDisburseRefusal(status: number, body: unknown): PayoutRefusal {
  if (saysKeysAreWrong(status, body)) return { kind: "keys" };
  const message = readWords(firstField(body, ["response_text", "description", "message"]));
  return saysFloatIsShort(message) ? { kind: "float" } : { kind: "request", message };
}

/** The key says it: payouts have no other address to be rehearsed at (§7.1). */
export function environmentOfKey(privateKey: string): Environment {
  if (privateKey.startsWith("live_")) return "live";
  return privateKey.startsWith("test_") ? "sandbox" : "unknown";
}

export function readToken(value: unknown): string | null {
  return typeof value === "string" && /^[A-Za-z0-9._-]{1,200}$/.test(value) ? value : null;
}
