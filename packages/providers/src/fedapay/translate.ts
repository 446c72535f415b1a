import { type Fcfa, fcfa } from "@sesame/kernel";
import type {
  ListedPayout,
  PayoutMethod,
  PayoutNotice,
  PayoutRefusal,
  PayoutVerdict,
} from "../payout-port.ts";
import { termsOf } from "../payout-methods.ts";
import type { Environment } from "../port.ts";
import {
  field,
  firstField,
  parseJson,
  readAmount,
  readAnyId,
  readCurrency,
  readInstant,
  readWords,
  saysFloatIsShort,
} from "../reading.ts";

/** Every word of FedaPay on payouts into ours (reference §5.6). Pure. Null: nothing to believe. */

/** Words that an account may spell otherwise, by method. */
export type ModeSpellings = Readonly<Record<PayoutMethod, string>>;

export function modeOf(method: PayoutMethod, spellings: ModeSpellings): string | null {
  const mode = termsOf(method)?.fedapay ?? null;
  return mode === null ? null : (spellings[method] ?? mode);
}

export function payoutVerdictOf(word: string): PayoutVerdict {
  switch (word) {
    case "sent":
      return "succeeded";
    case "failed":
      return "failed";
    case "pending":
      return "not-started";
    default:
      return "sent";
  }
}

/** One payout, wrapped under `v1/payout` or bare. */
export function translatePayout(body: unknown, environment: Environment): ListedPayout | null {
  const payout = unwrapOne(body);
  const id = readAnyId(field(payout, "id"));
  const word = field(payout, "status");
  if (id === null || typeof word !== "string") return null;
  const verdict = payoutVerdictOf(word);
  return {
    verdict,
    providerPayoutId: id,
    word: word.slice(0, 40),
    // The mobile operator's is in no answer of theirs that is known.
    operatorReference: null,
    failure: verdict === "failed" ? readFailure(payout) : null,
    cost: readCost(payout),
    environment,
    amount: readAmount(field(payout, "amount")),
    currency: readCurrency(field(payout, "currency")),
    reference: readReference(payout),
    createdAt: readInstant(field(payout, "created_at")),
  };
}

/** Several payouts: under `v1/payouts`, under `data`, or a bare list. */
export function translatePayouts(body: unknown, environment: Environment) {
  const list = Array.isArray(body) ? body : firstField(body, ["v1/payouts", "payouts", "data"]);
  if (!Array.isArray(list)) return null;
  const read = list.map((item: unknown) => translatePayout(item, environment));
  const payouts = read.filter((payout) => payout !== null);
  const pages = field(field(body, "meta"), "total_pages");
  return {
    payouts,
    /** Lines that say nothing readable: a list with holes proves nothing. */
    unread: read.length - payouts.length,
    /** As they say it; null when they do not. */
    pages: typeof pages === "number" && Number.isSafeInteger(pages) ? pages : null,
  };
}

/** The object of a notice stands under `entity` (§5.7); a payout's own body is not documented. */
export function translateNotice(rawBody: Uint8Array): PayoutNotice {
  const body = parseJson(Buffer.from(rawBody).toString("utf8"));
  const entity = unwrapOne(firstField(body, ["entity", "data", "object"]));
  const about = [field(body, "name"), field(body, "object"), field(entity, "klass")];
  const isPayout = about.some((word) => typeof word === "string" && /^(v1\/)?payout\b/.test(word));
  const id = isPayout ? readAnyId(field(entity, "id")) : null;
  return {
    trusted: true,
    providerPayoutId: id,
    handle: id,
    reference: isPayout ? readReference(entity) : null,
  };
}

export function translateRefusal(status: number, body: unknown): PayoutRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const message = readWords(field(body, "message"));
  const errors = JSON.stringify(firstField(body, ["errors"]) ?? "");
  if (saysFloatIsShort(message) || saysFloatIsShort(errors)) return { kind: "float" };
  return { kind: "request", message: message ?? readWords(errors === '""' ? null : errors) };
}

/** The key says it, beside the address (§5.1). */
export function environmentOfKey(secretKey: string): Environment {
  if (secretKey.startsWith("sk_live_")) return "live";
  return secretKey.startsWith("sk_sandbox_") ? "sandbox" : "unknown";
}

function unwrapOne(body: unknown): unknown {
  return firstField(body, ["v1/payout", "payout"]) ?? body;
}

function readReference(payout: unknown): string | null {
  const reference =
    field(payout, "merchant_reference") ?? field(field(payout, "custom_metadata"), "reference");
  return typeof reference === "string" ? reference : null;
}

function readFailure(payout: unknown): string | null {
  return readWords(firstField(payout, ["last_error_message", "last_error_code"]));
}

/** On top of the amount (§5.6): told as `fees`, or seen in what was taken. */
function readCost(payout: unknown): Fcfa | null {
  const fees = readAmount(field(payout, "fees"));
  if (fees !== null) return fees;
  const amount = readAmount(field(payout, "amount"));
  const debited = readAmount(field(payout, "amount_debited"));
  return amount === null || debited === null || debited < amount ? null : fcfa(debited - amount);
}
