import { type Chance, readableToken } from "@sesame/kernel";
import { isNational } from "../mobile-money/networks.ts";
import type { NewPayout } from "../payouts/desk.ts";
import { findNetwork } from "../payouts/methods.ts";
import type { Payout } from "../payouts/state.ts";
import type { Complaints } from "./initialize.ts";
import { isObject, readMetadata, text } from "./initialize.ts";

type Read = { ok: true; given: NewPayout } | { ok: false; errors: Complaints };

/** Reads `POST /v1/payouts/initialize` (payment-providers.md §4.7). */
export function readPayoutInitialize(body: unknown): Read {
  const form = isObject(body) ? body : {};
  const errors: Complaints = {};
  const complain = (field: string, why: string) => {
    errors[field] = [...(errors[field] ?? []), why];
  };
  const { amount } = form;
  if (typeof amount !== "number" || !Number.isInteger(amount)) {
    complain("amount", "The amount must be an integer.");
  } else if (amount < 1) complain("amount", "The amount must be at least 1.");
  const currency = text(form, "currency", { complain });
  if (currency !== "" && currency !== "XOF") {
    complain("currency", "No payout methods enabled for this currency.");
  }
  const description = text(form, "description", { complain });
  const method = text(form, "method", { complain });
  const network = findNetwork("moneroo", method);
  if (method !== "" && network === undefined) {
    complain("method", "The selected method is invalid.");
  }
  const msisdn = readMsisdn(form.recipient, complain);
  const local = msisdn.slice(network?.dial.length ?? 0);
  if (network !== undefined && msisdn !== "") {
    if (!msisdn.startsWith(network.dial) || !isNational(network, local)) {
      complain("recipient.msisdn", "The recipient.msisdn format is invalid.");
    }
  }
  const person = isObject(form.customer) ? form.customer : {};
  const word = (field: string) => text(person, field, { complain, of: "customer." });
  const customer = {
    email: word("email"),
    firstName: word("first_name"),
    lastName: word("last_name"),
  };
  const metadata = readMetadata(form.metadata, complain);
  if (Object.keys(errors).length > 0 || typeof amount !== "number") return { ok: false, errors };
  const phone = `+${msisdn}`;
  return { ok: true, given: { amount, method, phone, description, customer, metadata } };
}

/** International digits without `+`: a number, or a text of digits. */
function readMsisdn(recipient: unknown, complain: (field: string, why: string) => void): string {
  const given = isObject(recipient) ? recipient.msisdn : undefined;
  const digits = typeof given === "number" ? String(given) : given;
  if (typeof digits === "string" && /^\d+$/.test(digits)) return digits;
  complain("recipient.msisdn", "The recipient.msisdn must be an integer.");
  return "";
}

export function newMonerooPayout(
  given: NewPayout,
  { nowMs, chance }: { nowMs: number; chance: Chance },
): Payout {
  const { metadata = {} } = given;
  return {
    id: `po_${readableToken(12, chance).toLowerCase()}`,
    handle: null,
    reference: given.reference ?? metadata.reference ?? metadata.withdrawal_id ?? null,
    amount: given.amount,
    cost: 0,
    account: "main",
    method: given.method,
    phone: given.phone,
    description: given.description ?? "",
    customer: given.customer ?? null,
    metadata,
    callbackUrl: null,
    status: "created",
    failure: null,
    operatorReference: null,
    createdAtMs: nowMs,
    startedAtMs: null,
    sentAtMs: null,
    updatedAtMs: nowMs,
    course: null,
    planted: false,
  };
}
