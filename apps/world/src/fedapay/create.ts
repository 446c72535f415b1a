import { textOf } from "@sesame/kernel";
import { type Network, fullNumber } from "../mobile-money/networks.ts";
import type { NewPayout } from "../payouts/desk.ts";
import { findNetwork } from "../payouts/methods.ts";
import type { Payout, PayoutCustomer } from "../payouts/state.ts";
import { FIELD_WORDS as WORDS } from "./words.fr.ts";

type Form = Record<string, unknown>;

type Read =
  | { kind: "made"; given: NewPayout }
  /** Without `mode` it answers 500 and says nothing. */
  | { kind: "noMode" }
  | { kind: "refused"; errors: Record<string, string[]> };

const MAX_AMOUNT = 1_000_000;

/** Reads `POST /v1/payouts` (payment-providers.md §5.6). */
export function readPayout(body: unknown, isUsed: (reference: string) => boolean): Read {
  const form = asForm(body);
  if (form.mode === undefined || form.mode === null || form.mode === "") return { kind: "noMode" };
  const errors: Record<string, string[]> = {};
  const complain = (field: string, why: string) => {
    errors[field] = [...(errors[field] ?? []), why];
  };
  const { amount, merchant_reference: reference, mode } = form;
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 1) {
    complain("amount", WORDS.integer);
  } else if (amount > MAX_AMOUNT) complain("amount", WORDS.atMost(MAX_AMOUNT));
  if (asForm(form.currency).iso !== "XOF") complain("currency", WORDS.wrong);
  const network = findNetwork("fedapay", mode);
  if (network === undefined) complain("mode", WORDS.wrong);
  if (reference !== undefined && (typeof reference !== "string" || reference === "")) {
    complain("merchant_reference", WORDS.wrong);
  } else if (reference !== undefined && isUsed(reference)) {
    complain("merchant_reference", WORDS.taken);
  }
  const customer = readCustomer(asForm(form.customer), complain);
  const phone = network && readPhone(asForm(form.customer).phone_number, network, complain);
  if (Object.keys(errors).length > 0 || typeof amount !== "number" || !phone) {
    return { kind: "refused", errors };
  }
  return {
    kind: "made",
    given: {
      amount,
      method: textOf(mode),
      phone,
      reference: typeof reference === "string" ? reference : null,
      description: textOf(form.description),
      customer,
      metadata: readMetadata(form.custom_metadata),
    },
  };
}

export function asForm(value: unknown): Form {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Form)
    : {};
}

type Complain = (field: string, why: string) => void;

function readCustomer(form: Form, complain: Complain): PayoutCustomer {
  const text = (field: string) => {
    const value = form[field];
    if (typeof value === "string" && value !== "") return value;
    complain(`customer.${field}`, WORDS.empty);
    return "";
  };
  return { firstName: text("firstname"), lastName: text("lastname"), email: text("email") };
}

/** `{ number, country }`: the number with or without its country's code. */
export function readPhone(value: unknown, network: Network, complain: Complain): string | null {
  const { number, country } = asForm(value);
  const full = typeof number === "string" ? fullNumber(network, number) : null;
  if (country !== network.iso.toLowerCase()) {
    complain("customer.phone_number.country", WORDS.wrong);
    return null;
  }
  if (full === null) complain("customer.phone_number.number", WORDS.wrong);
  return full;
}

function readMetadata(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asForm(value)).map(([key, entry]) => [key, textOf(entry)]),
  );
}

/** Fees on top of the amount, as measured on the real API; the steps between are ours. */
export function feeOf(amount: number): number {
  if (amount <= 10_000) return 150;
  if (amount <= 50_000) return 300;
  if (amount <= 150_000) return 800;
  return 2_000;
}

export function newPayout(given: NewPayout, made: { id: number; nowMs: number }): Payout {
  return {
    id: String(made.id),
    handle: null,
    reference: given.reference ?? null,
    amount: given.amount,
    cost: feeOf(given.amount),
    account: given.method,
    method: given.method,
    phone: given.phone,
    description: given.description ?? "",
    customer: given.customer ?? null,
    metadata: given.metadata ?? {},
    callbackUrl: null,
    status: "created",
    failure: null,
    operatorReference: null,
    createdAtMs: made.nowMs,
    startedAtMs: null,
    sentAtMs: null,
    updatedAtMs: made.nowMs,
    course: null,
    planted: false,
  };
}
