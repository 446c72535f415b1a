import { badRequest } from "../api-error.ts";
import type { Arguments } from "../arguments.ts";
import type { Invoice } from "./state.ts";

const TITLE_MAX_CHARS = 32;
const DESCRIPTION_MAX_CHARS = 255;
const PAYLOAD_MAX_BYTES = 128;
const SUBSCRIPTION_SECONDS = 2_592_000;
/** Telegram names no ceiling for one invoice; the world has one, so that none is taken for granted. */
const MAX_STARS = 100_000;

type Read = Pick<
  Invoice,
  "title" | "description" | "payload" | "amount" | "photoUrl" | "subscriptionPeriod"
>;

/** What createInvoiceLink and sendInvoice take alike, in Stars alone (payment-providers.md §9). */
export function readInvoice(args: Arguments): Read {
  const title = sized(args, "title", TITLE_MAX_CHARS);
  const description = sized(args, "description", DESCRIPTION_MAX_CHARS);
  const payload = args.text("payload");
  if (payload === "") throw badRequest('parameter "payload" is required');
  if (Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES) throw badRequest("INVOICE_PAYLOAD_INVALID");
  if (args.text("currency") === "") throw badRequest('parameter "currency" is required');
  if (args.text("currency") !== "XTR") throw badRequest("CURRENCY_INVALID");
  // A token names another provider: Stars have none.
  if (args.text("provider_token") !== "") throw badRequest("PAYMENT_PROVIDER_INVALID");
  for (const name of ["max_tip_amount", "need_shipping_address", "is_flexible"]) {
    if (args.integer(name) > 0 || args.boolean(name)) throw badRequest("STARS_INVOICE_INVALID");
  }
  return {
    title,
    description,
    payload,
    amount: readPrice(args),
    photoUrl: args.text("photo_url") || null,
    subscriptionPeriod: readPeriod(args),
  };
}

function sized(args: Arguments, name: "title" | "description", max: number): string {
  const text = args.text(name).trim();
  if (text === "") throw badRequest(`parameter "${name}" is required`);
  if ([...text].length > max) throw badRequest(`invoice ${name} is too long`);
  return text;
}

/** Exactly one, and a whole number of Stars. */
function readPrice(args: Arguments): number {
  const prices = args.json("prices");
  if (!Array.isArray(prices)) throw badRequest("expected an Array of LabeledPrice");
  const [first] = prices as { label?: unknown; amount?: unknown }[];
  if (prices.length !== 1 || first === undefined) throw badRequest("STARS_INVOICE_INVALID");
  if (typeof first.label !== "string" || first.label.trim() === "") {
    throw badRequest("can't parse LabeledPrice: label must be non-empty");
  }
  // Inside JSON a number may be text too.
  const amount = Number(first.amount);
  if (!Number.isInteger(amount) || amount < 1 || amount > MAX_STARS) {
    throw badRequest("CURRENCY_TOTAL_AMOUNT_INVALID");
  }
  return amount;
}

function readPeriod(args: Arguments): number | null {
  const period = args.integer("subscription_period");
  if (period === 0) return null;
  if (period !== SUBSCRIPTION_SECONDS) throw badRequest("SUBSCRIPTION_PERIOD_INVALID");
  return period;
}
