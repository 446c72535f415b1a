import type {
  CreateRefusal,
  Environment,
  FetchedPayment,
  PayingCustomer,
  Verdict,
} from "../port.ts";
import {
  field,
  firstField,
  parseJson,
  readAddress,
  readAmount,
  readKept,
  readAnyId,
  readCurrency,
  readReference,
  readWords,
  verdictOfUnknown,
} from "../reading.ts";
import { environmentOfKey } from "./translate.ts";

/** Every word of FedaPay on transactions into ours (reference §5). Pure. Null: nothing to believe. */

/** §5.4. Their own client counts `refunded` among the paid: the money is gone, it is not. */
export function verdictOf(word: string): Verdict {
  switch (word) {
    case "approved":
    case "transferred":
      return "paid";
    case "approved_partially_refunded":
    case "transferred_partially_refunded":
      return "partly-refunded";
    // The customer may try again on the same transaction.
    case "declined":
    case "canceled":
    case "expired":
      return "refused";
    case "refunded":
      return "refunded";
    default:
      return verdictOfUnknown(word);
  }
}

/** A transaction just made: wrapped under `v1/transaction`, with the address of its page or not. */
export type MadeTransaction = {
  readonly id: string;
  readonly pageUrl: string | null;
};

export function translateMade(body: unknown): MadeTransaction | null {
  const transaction = unwrap(body);
  const id = readAnyId(field(transaction, "id"));
  return id === null ? null : { id, pageUrl: readAddress(field(transaction, "payment_url")) };
}

/** POST /transactions/{id}/token, not wrapped. */
export function translateToken(body: unknown): string | null {
  return readAddress(field(body, "url"));
}

/** `amount` is the price; `amount_debited` holds the customer's fee too. */
export function translateTransaction(
  body: unknown,
  environment: Environment,
): FetchedPayment | null {
  const transaction = unwrap(body);
  const id = readAnyId(field(transaction, "id"));
  const word = field(transaction, "status");
  if (id === null || typeof word !== "string") return null;
  return {
    providerPaymentId: id,
    verdict: verdictOf(word),
    word: word.slice(0, 40),
    amount: readAmount(field(transaction, "amount")),
    cost: readKept(field(transaction, "amount"), field(transaction, "amount_transferred")),
    currency: readTheirCurrency(transaction),
    environment,
    reference: readOurReference(transaction),
  };
}

/**
 * Which transaction a notice is about (§5.7); null for one about anything else: payouts are told to
 * the same address, with the same secret.
 */
export function translateNotice(rawBody: Uint8Array): string | null {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  const entity = unwrap(firstField(body, ["entity", "data"]));
  const name = field(body, "name");
  const klass = field(entity, "klass");
  const named = typeof name === "string" ? /^transaction\./.test(name) : true;
  const kept = typeof klass === "string" ? klass === "v1/transaction" : typeof name === "string";
  return named && kept ? readAnyId(field(entity, "id")) : null;
}

export function translateRefusal(status: number, body: unknown): CreateRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const errors = firstField(body, ["errors"]);
  const words = readWords(field(body, "message"));
  return {
    kind: "request",
    message: words ?? (errors === undefined ? null : readWords(JSON.stringify(errors))),
  };
}

const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["229", "bj"],
  ["225", "ci"],
  ["221", "sn"],
  ["228", "tg"],
  ["223", "ml"],
  ["226", "bf"],
  ["227", "ne"],
]);

/** A number goes with its country (§3.2); one of elsewhere is left out, the page asks for it. */
export function theirCustomer(customer: PayingCustomer): object {
  const { email, firstName, lastName, phone } = customer;
  const country =
    phone && /^\+\d{8,15}$/.test(phone) ? COUNTRIES.get(phone.slice(1, 4)) : undefined;
  return {
    firstname: firstName,
    lastname: lastName,
    email,
    ...(country ? { phone_number: { number: phone, country } } : {}),
  };
}

/** The key says it, else the host: their two worlds have one each (reference §5.1). */
export function environmentOf(secretKey: string, apiRoot: string): Environment {
  const byKey = environmentOfKey(secretKey);
  if (byKey !== "unknown" || !URL.canParse(apiRoot)) return byKey;
  const { hostname } = new URL(apiRoot);
  if (hostname === "api.fedapay.com") return "live";
  return hostname.startsWith("sandbox") ? "sandbox" : "unknown";
}

function unwrap(body: unknown): unknown {
  return firstField(body, ["v1/transaction", "transaction"]) ?? body;
}

function readOurReference(transaction: unknown): string | null {
  return readReference(
    field(transaction, "merchant_reference") ??
      field(field(transaction, "custom_metadata"), "reference"),
  );
}

/** The only one they number (§5.7); it is spelt out only where `currency` is expanded. */
const FRANC_ID = 1;

function readTheirCurrency(transaction: unknown): string | null {
  const currency = field(transaction, "currency");
  if (currency !== undefined && currency !== null) return readCurrency(currency);
  return field(transaction, "currency_id") === FRANC_ID ? "XOF" : null;
}
