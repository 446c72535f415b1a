import { type Fcfa, fcfa } from "@sesame/kernel";
import type { CreatedPayment, Environment, FetchedPayment, Verdict } from "../port.ts";

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
      return "pending";
  }
}

/** POST /payments/initialize, 201: the address sits under `data` (§4.2). */
export function translateCreated(body: unknown): CreatedPayment | null {
  const created = field(body, "data");
  const id = readId(field(created, "id"));
  const redirectUrl = field(created, "checkout_url");
  if (id === null || typeof redirectUrl !== "string") return null;
  if (!/^https?:\/\//.test(redirectUrl) || !URL.canParse(redirectUrl)) return null;
  return { providerPaymentId: id, redirectUrl };
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
    reference: readReference(field(payment, "metadata")),
  };
}

/** Which payment a notice is about (§4.6); null when it does not say. */
export function translateNotice(rawBody: Uint8Array): string | null {
  try {
    const body: unknown = JSON.parse(Buffer.from(rawBody).toString("utf8"));
    return readId(field(field(body, "data"), "id"));
  } catch {
    return null;
  }
}

/** Their words on a refused request; the shape of `errors` is unknown (§4.10), so it is not read. */
export function translateRefusal(body: unknown): string | null {
  const message = field(body, "message");
  return typeof message === "string" && message.trim() !== "" ? message.trim().slice(0, 200) : null;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Ids are opaque, but nothing that could not be one reaches an address or the database. */
function readId(value: unknown): string | null {
  return typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : null;
}

function readAmount(value: unknown): Fcfa | null {
  if (typeof value === "string" && /^\d{1,15}(\.0+)?$/.test(value))
    return fcfa(parseInt(value, 10));
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return null;
  return fcfa(value);
}

function readCurrency(value: unknown): string | null {
  const code = typeof value === "string" ? value : field(value, "code");
  return typeof code === "string" ? code : null;
}

function readEnvironment(value: unknown): Environment {
  if (value === "production" || value === "live") return "live";
  return value === "sandbox" ? "sandbox" : "unknown";
}

function readReference(metadata: unknown): string | null {
  const reference = field(metadata, "order_id");
  return typeof reference === "string" ? reference : null;
}
