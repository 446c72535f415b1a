import type { CreatedPayment, Environment, FetchedPayment, Verdict } from "../port.ts";
import {
  field,
  parseJson,
  readAddress,
  readAmount,
  readCurrency,
  readId,
  readReference,
  readWords,
  verdictOfUnknown,
} from "../reading.ts";

/** Every word of Moneroo into ours (reference §4). Pure. Null: nonsense, nothing to believe. */

/** §4.5: only `success` is a yes, only `failed` and `cancelled` are a no. */
export function verdictOf(word: string): Verdict {
  switch (word) {
    case "success":
      return "paid";
    case "failed":
    case "cancelled":
      return "refused";
    default:
      return verdictOfUnknown(word);
  }
}

/** POST /payments/initialize, 201: the address sits under `data` (§4.2). */
export function translateCreated(body: unknown): CreatedPayment | null {
  const created = field(body, "data");
  const id = readId(field(created, "id"));
  const redirectUrl = readAddress(field(created, "checkout_url"));
  if (id === null || redirectUrl === null) return null;
  return { providerPaymentId: id, redirectUrl, widget: null, quote: null };
}

/**
 * GET /payments/{id}/verify. Two shapes are documented (§4.4): `currency` a string or an object
 * with `code`, amounts whole or with a decimal point, `metadata` an object or an empty array.
 */
export function translatePayment(body: unknown): FetchedPayment | null {
  const payment = field(body, "data");
  const id = readId(field(payment, "id"));
  const word = field(payment, "status");
  if (id === null || typeof word !== "string") return null;
  return {
    providerPaymentId: id,
    verdict: verdictOf(word),
    word: word.slice(0, 40),
    amount: readAmount(field(payment, "amount")),
    currency: readCurrency(field(payment, "currency")),
    environment: readEnvironment(field(payment, "environment")),
    reference: readReference(field(field(payment, "metadata"), "order_id")),
  };
}

/** Which payment a notice is about (§4.6); null when it does not say, or is about a payout. */
export function translateNotice(rawBody: Uint8Array): string | null {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  return isAboutPayout(body) ? null : readId(field(field(body, "data"), "id"));
}

/** Payments and payouts are told to one address, with one secret (§4.6). */
export function isAboutPayout(notice: unknown): boolean {
  const event = field(notice, "event");
  return typeof event === "string" && event.startsWith("payout.");
}

/** Their words on a refused request; the shape of `errors` is unknown (§4.10), so it is not read. */
export function translateRefusal(body: unknown): string | null {
  return readWords(field(body, "message"));
}

export function readEnvironment(value: unknown): Environment {
  if (value === "production" || value === "live") return "live";
  return value === "sandbox" ? "sandbox" : "unknown";
}
