import { asForm } from "../create.ts";
import { FIELD_WORDS as WORDS } from "../words.fr.ts";
import type { TransactionCustomer } from "./state.ts";

export type NewTransaction = {
  amount: number;
  description: string;
  callbackUrl: string | null;
  merchantReference: string | null;
  metadata: Record<string, unknown>;
  customer: Omit<TransactionCustomer, "id">;
};

type Read = { ok: true; given: NewTransaction } | { ok: false; errors: Record<string, string[]> };

type Complain = (field: string, why: string) => void;

const MAX_AMOUNT = 3_000_000;

/** Reads `POST /v1/transactions` (payment-providers.md §5.2). */
export function readTransaction(body: unknown, isUsed: (reference: string) => boolean): Read {
  const form = asForm(body);
  const errors: Record<string, string[]> = {};
  const complain: Complain = (field, why) => {
    errors[field] = [...(errors[field] ?? []), why];
  };
  const { amount } = form;
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 1) {
    complain("amount", WORDS.integer);
  } else if (amount > MAX_AMOUNT) complain("amount", WORDS.atMost(MAX_AMOUNT));
  if (asForm(form.currency).iso !== "XOF") complain("currency", WORDS.wrong);
  const description = textOf(form.description);
  if (description === null) complain("description", WORDS.empty);
  const callbackUrl = textOf(form.callback_url);
  if (callbackUrl !== null && !URL.canParse(callbackUrl)) complain("callback_url", WORDS.wrong);
  const merchantReference = readReference(form.merchant_reference, { isUsed, complain });
  const customer = readCustomer(form.customer, complain);
  if (Object.keys(errors).length > 0 || typeof amount !== "number") return { ok: false, errors };
  return {
    ok: true,
    given: {
      amount,
      description: description ?? "",
      callbackUrl,
      merchantReference,
      metadata: asForm(form.custom_metadata),
      customer,
    },
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function readReference(
  value: unknown,
  { isUsed, complain }: { isUsed: (reference: string) => boolean; complain: Complain },
): string | null {
  if (value === undefined || value === null) return null;
  const reference = textOf(value);
  if (reference === null) complain("merchant_reference", WORDS.wrong);
  else if (isUsed(reference)) complain("merchant_reference", WORDS.taken);
  return reference;
}

/** All of it may be left out; what is given must be well formed. */
function readCustomer(value: unknown, complain: Complain): NewTransaction["customer"] {
  const form = asForm(value);
  const email = textOf(form.email);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) complain("customer.email", WORDS.wrong);
  return {
    firstname: textOf(form.firstname),
    lastname: textOf(form.lastname),
    email,
    phone: readPhone(form.phone_number, complain),
  };
}

function readPhone(value: unknown, complain: Complain): TransactionCustomer["phone"] {
  if (value === undefined || value === null) return null;
  const number = textOf(asForm(value).number);
  const country = textOf(asForm(value).country);
  if (number !== null && !/^\+?[0-9 ]{6,20}$/.test(number)) {
    complain("customer.phone_number.number", WORDS.wrong);
  }
  if (country !== null && !/^[a-z]{2}$/i.test(country)) {
    complain("customer.phone_number.country", WORDS.wrong);
  }
  return number === null || country === null ? null : { number, country };
}
