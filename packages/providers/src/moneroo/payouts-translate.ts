import type { FetchedPayout, PayoutAnswer, PayoutRefusal, PayoutVerdict } from "../payout-port.ts";
import {
  field,
  firstField,
  parseJson,
  readAmount,
  readCurrency,
  readId,
  readWords,
  saysFloatIsShort,
} from "../reading.ts";
import { isAboutPayout, readEnvironment, translateRefusal } from "./translate.ts";

/** Every word of Moneroo on payouts into ours (reference §4.7). Pure. Null: nothing to believe. */

/** Only `success` is a yes, only `failed` is a no; there is no state before being sent. */
export function payoutVerdictOf(word: string): PayoutVerdict {
  switch (word) {
    case "success":
      return "succeeded";
    case "failed":
      return "failed";
    default:
      return "sent";
  }
}

/** POST /payouts/initialize: an id and no status. */
export function translateInitialized(body: unknown): PayoutAnswer | null {
  const created = field(body, "data");
  const id = readId(field(created, "id"));
  if (id === null) return null;
  return {
    verdict: "sent",
    providerPayoutId: id,
    word: "initiated",
    operatorReference: null,
    failure: null,
    cost: null,
    environment: readEnvironment(field(created, "environment")),
  };
}

/** GET /payouts/{id}/verify, or the flatter shape of /payouts/{id}. */
export function translatePayout(body: unknown): FetchedPayout | null {
  const payout = field(body, "data");
  const id = readId(field(payout, "id"));
  const word = field(payout, "status");
  if (id === null || typeof word !== "string") return null;
  const verdict = payoutVerdictOf(word);
  const disburse = field(payout, "disburse");
  const gateway = field(disburse, "gateway") ?? field(payout, "gateway");
  const failure =
    readWords(field(disburse, "failure_message")) ??
    readWords(field(gateway, "transaction_failure_message"));
  return {
    verdict,
    providerPayoutId: id,
    word: word.slice(0, 40),
    operatorReference: readWords(field(gateway, "transaction_id")),
    failure: verdict === "failed" ? failure : null,
    cost: null,
    environment: readEnvironment(field(payout, "environment")),
    amount: readAmount(field(payout, "amount")),
    currency: readCurrency(field(payout, "currency")),
    reference: readReference(field(payout, "metadata")),
  };
}

function readReference(metadata: unknown): string | null {
  const reference = field(metadata, "reference");
  return typeof reference === "string" ? reference : null;
}

/** Which payout a notice is about; null when it is about a payment, or says nothing readable. */
export function translatePayoutNotice(rawBody: Uint8Array): string | null {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  return isAboutPayout(body) ? readId(field(field(body, "data"), "id")) : null;
}

export function translatePayoutRefusal(status: number, body: unknown): PayoutRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const message = translateRefusal(body);
  // A business no may stand in `errors` alone, as a word or a map of lists (§4.10).
  const errors = JSON.stringify(firstField(body, ["errors"]) ?? "");
  if (saysFloatIsShort(message) || saysFloatIsShort(errors)) return { kind: "float" };
  return { kind: "request", message };
}
