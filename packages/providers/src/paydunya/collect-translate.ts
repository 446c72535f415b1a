import type { CreateRefusal, Environment, FetchedPayment, Verdict } from "../port.ts";
import {
  field,
  firstField,
  readAddress,
  readAmount,
  readCurrency,
  readReference,
  readWords,
  verdictOfUnknown,
} from "../reading.ts";
import { isYes, readToken, saysKeysAreWrong } from "./translate.ts";

/** Every word of PayDunya on invoices into ours (reference §7.2, 7.3). Pure. */

export function verdictOf(word: string): Verdict {
  switch (word) {
    case "completed":
      return "paid";
    case "cancelled":
    case "failed":
    case "expired":
      return "refused";
    case "refunded":
      return "refunded";
    default:
      return verdictOfUnknown(word);
  }
}

export type MadeInvoice = { readonly token: string; readonly pageUrl: string };

/** POST /checkout-invoice/create: the address sits in `response_text`. */
export function translateMade(body: unknown): MadeInvoice | null {
  const token = isYes(body) ? readToken(field(body, "token")) : null;
  const pageUrl = readAddress(field(body, "response_text"));
  return token === null || pageUrl === null ? null : { token, pageUrl };
}

/** GET /checkout-invoice/confirm/{token}; `byKey` when the answer does not say its `mode`. */
export function translateInvoicePayment(
  body: unknown,
  asked: { readonly token: string; readonly byKey: Environment },
): FetchedPayment | null {
  const word = field(body, "status");
  if (!isYes(body) || typeof word !== "string") return null;
  const invoice = field(body, "invoice");
  // Some answers leave it out, being about one invoice alone.
  const token = field(invoice, "token") ?? asked.token;
  if (typeof token !== "string") return null;
  return {
    providerPaymentId: token,
    verdict: verdictOf(word),
    word: word.slice(0, 40),
    amount: readAmount(field(invoice, "total_amount")),
    currency: readTheirCurrency(firstField(invoice, ["currency"]) ?? field(body, "currency")),
    environment: readMode(field(body, "mode"), asked.byKey),
    reference: readReference(field(field(body, "custom_data"), "order_id")),
  };
}

export function translateRefusal(status: number, body: unknown): CreateRefusal {
  if (saysKeysAreWrong(status, body)) return { kind: "keys" };
  const words = firstField(body, ["response_text", "description", "message"]);
  return { kind: "request", message: readWords(words) };
}

/** They write none: an account of theirs counts in francs alone. */
function readTheirCurrency(value: unknown): string | null {
  return value === undefined || value === null ? "XOF" : readCurrency(value);
}

function readMode(mode: unknown, byKey: Environment): Environment {
  if (mode === "live") return "live";
  return mode === "test" ? "sandbox" : byKey;
}
