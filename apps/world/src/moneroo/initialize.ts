import { type Chance, readableToken } from "@sesame/kernel";
import { COUNTRIES, PAYMENT_METHODS } from "./methods.ts";
import type { Customer, Payment } from "./state.ts";

/** Field → complaints, as a Laravel application answers 422. */
export type Complaints = Record<string, string[]>;

type Initialized = { ok: true; payment: Payment } | { ok: false; errors: Complaints };

const CUSTOMER_OPTIONAL = ["phone", "address", "city", "state", "country", "zip"] as const;

/** Reads `POST /v1/payments/initialize` (payment-providers.md §4.2). */
export function readInitialize(
  body: unknown,
  given: { nowMs: number; chance: Chance; currencies: readonly string[] },
): Initialized {
  const form = isObject(body) ? body : {};
  const errors: Complaints = {};
  const complain = (field: string, why: string) => {
    errors[field] = [...(errors[field] ?? []), why];
  };
  const amount = form.amount;
  if (amount === undefined) complain("amount", "The amount field is required.");
  else if (typeof amount !== "number" || !Number.isInteger(amount)) {
    complain("amount", "The amount must be an integer.");
  } else if (amount < 1) complain("amount", "The amount must be at least 1.");
  const currency = text(form, "currency", { complain });
  if (currency !== "" && !given.currencies.includes(currency)) {
    complain("currency", "No payment methods enabled for this currency.");
  }
  const description = text(form, "description", { complain });
  const returnUrl = text(form, "return_url", { complain });
  if (returnUrl !== "" && !URL.canParse(returnUrl)) {
    complain("return_url", "The return url must be a valid URL.");
  }
  const customer = readCustomer(form.customer, { complain, chance: given.chance });
  const metadata = readMetadata(form.metadata, complain);
  const methods = readMethods(form, complain);
  if (Object.keys(errors).length > 0 || typeof amount !== "number") return { ok: false, errors };
  const payment: Payment = {
    id: `py_${readableToken(12, given.chance).toLowerCase()}`,
    status: "initiated",
    amount,
    currency,
    description,
    returnUrl,
    customer,
    metadata,
    methods,
    createdAtMs: given.nowMs,
    processedAtMs: null,
    method: null,
    phone: null,
    attempts: 0,
    failureMessage: null,
  };
  return { ok: true, payment };
}

type Complain = (field: string, why: string) => void;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(
  form: Record<string, unknown>,
  field: string,
  { complain, of = "" }: { complain: Complain; of?: string },
): string {
  const value = form[field];
  const name = `${of}${field}`;
  const words = name.replaceAll("_", " ");
  if (value === undefined || value === null || value === "") {
    complain(name, `The ${words} field is required.`);
    return "";
  }
  if (typeof value !== "string") {
    complain(name, `The ${words} must be a string.`);
    return "";
  }
  return value;
}

function readCustomer(
  value: unknown,
  { complain, chance }: { complain: Complain; chance: Chance },
): Customer {
  const form = isObject(value) ? value : {};
  const email = text(form, "email", { complain, of: "customer." });
  if (email !== "" && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    complain("customer.email", "The customer.email must be a valid email address.");
  }
  const customer: Customer = {
    id: readableToken(12, chance).toLowerCase(),
    email,
    first_name: text(form, "first_name", { complain, of: "customer." }),
    last_name: text(form, "last_name", { complain, of: "customer." }),
    phone: null,
    address: null,
    city: null,
    state: null,
    country: null,
    zip: null,
  };
  for (const field of CUSTOMER_OPTIONAL) {
    const given = form[field];
    if (given === undefined || given === null) continue;
    if (typeof given === "string" || (field === "phone" && typeof given === "number")) {
      customer[field] = String(given);
    } else complain(`customer.${field}`, `The customer.${field} must be a string.`);
  }
  return customer;
}

export function readMetadata(value: unknown, complain: Complain): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isObject(value)) {
    complain("metadata", "The metadata must be an array.");
    return {};
  }
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== "string") {
      complain(`metadata.${key}`, `The metadata.${key} must be a string.`);
    }
  }
  return value as Record<string, string>;
}

function readMethods(form: Record<string, unknown>, complain: Complain): string[] {
  const country = form.restrict_country_code;
  const all = PAYMENT_METHODS.map((method) => method.code);
  if (form.methods !== undefined && form.methods !== null) {
    const asked = form.methods;
    if (!Array.isArray(asked)) {
      complain("methods", "The methods must be an array.");
      return [];
    }
    if (country !== undefined) {
      complain("methods", "The methods field is prohibited when restrict country code is present.");
    }
    asked.forEach((code: unknown, index) => {
      if (typeof code !== "string" || !all.includes(code)) {
        complain(`methods.${index}`, `The selected methods.${index} is invalid.`);
      }
    });
    return asked.map(String);
  }
  if (country === undefined || country === null) return all;
  if (typeof country !== "string" || COUNTRIES[country] === undefined) {
    complain("restrict_country_code", "The selected restrict country code is invalid.");
    return [];
  }
  return PAYMENT_METHODS.filter((method) => method.countries.includes(country)).map(
    (method) => method.code,
  );
}
