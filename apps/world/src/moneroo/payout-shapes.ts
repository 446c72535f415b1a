import { toldWord } from "../payouts/answers.ts";
import { networkOfMethod } from "../payouts/methods.ts";
import type { Payout } from "../payouts/state.ts";
import type { PayoutFault, PayoutStatus } from "../wire.ts";
import { iconUrl, PAYOUT_METHODS } from "./methods.ts";
import { APP_SHAPE, CURRENCY, grouped, longInstant } from "./shapes.ts";

const WORDS: Record<PayoutStatus, string> = {
  created: "initiated",
  queued: "initiated",
  pending: "pending",
  success: "success",
  failed: "failed",
};

const GATEWAY_WORDS: Record<PayoutStatus, string | null> = {
  created: null,
  queued: null,
  pending: "ACCEPTED",
  success: "COMPLETED",
  failed: "FAILED",
};

export function payoutWord({ status }: Payout): string {
  return WORDS[status];
}

type Shown = { worldUrl: string; fault: PayoutFault | null };

/** `data` of GET /v1/payouts/:id/verify (payment-providers.md §4.7). */
export function payoutVerifyShape(payout: Payout, shown: Shown): Record<string, unknown> {
  const { worldUrl } = shown;
  const currency = { ...CURRENCY, icon_url: iconUrl(worldUrl, "XOF") };
  return {
    ...common(payout, shown),
    currency,
    app: { ...APP_SHAPE, website_url: worldUrl, icon_url: iconUrl(worldUrl, "app") },
    disburse: disburse(payout, { currency, worldUrl }),
  };
}

/** The flatter shape of GET /v1/payouts/:id. */
export function payoutRetrieveShape(payout: Payout, shown: Shown): Record<string, unknown> {
  const { method } = payout;
  const name = methodName(method);
  return {
    ...common(payout, shown),
    currency: "XOF",
    payout_phone_number: payout.phone.slice(1),
    method: { name, code: method, icon_url: iconUrl(shown.worldUrl, method) },
    gateway: {
      name: "Sandbox",
      code: "moneroo_sandbox",
      transaction_id: payout.operatorReference,
      transaction_status: GATEWAY_WORDS[payout.status],
      transaction_failure_message: payout.failure,
    },
    context: { ip: "127.0.0.1", user_agent: "Mozilla/5.0", country: countryOf(method) },
  };
}

function common(payout: Payout, { fault }: Shown): Record<string, unknown> {
  const { id, amount, status, updatedAtMs, createdAtMs, startedAtMs, sentAtMs } = payout;
  const at = (ms: number | null) => (ms === null ? null : longInstant(ms));
  return {
    id,
    status: toldWord(WORDS[status], fault),
    amount,
    amount_formatted: grouped(amount, "XOF"),
    description: payout.description,
    environment: "sandbox",
    // PHP writes an empty map as an empty list.
    metadata: Object.keys(payout.metadata).length === 0 ? [] : payout.metadata,
    customer: customerOf(payout),
    failed_at: status === "failed" ? at(updatedAtMs) : null,
    pending_at: status === "created" || status === "queued" ? null : at(startedAtMs),
    success_at: at(sentAtMs),
    created_at: at(createdAtMs),
  };
}

function disburse(
  payout: Payout,
  { currency, worldUrl }: { currency: object; worldUrl: string },
): Record<string, unknown> {
  const { id, method, status, failure, operatorReference } = payout;
  const failed = status === "failed";
  return {
    id: `d${id.slice(3)}`,
    identifier: `${id}-1`,
    rate: null,
    failure_message: failed ? failure : null,
    failure_error_code: failed ? "PAYOUT_FAILED" : null,
    failure_error_type: failed ? "gateway" : null,
    amount: payout.amount,
    currency,
    method: {
      id: "kt1itmi9xv0g",
      name: methodName(method),
      short_code: method,
      icon_url: iconUrl(worldUrl, method),
    },
    gateway: {
      id: "6wnqk0j1x2cd",
      account_name: "Sandbox",
      name: "Moneroo (Sandbox)",
      short_code: "moneroo_sandbox",
      icon_url: iconUrl(worldUrl, "app"),
      transaction_id: operatorReference,
      transaction_status: GATEWAY_WORDS[status],
      transaction_failure_message: failed ? failure : null,
    },
  };
}

function customerOf({ customer, phone, createdAtMs }: Payout): object | null {
  if (customer === null) return null;
  return {
    id: "tzowl42roc7z",
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: customer.email,
    phone: phone.slice(1),
    created_at: longInstant(createdAtMs),
  };
}

function methodName(code: string): string {
  return PAYOUT_METHODS.find((method) => method.code === code)?.name ?? code;
}

function countryOf(method: string): object {
  const { iso, country, dial } = networkOfMethod("moneroo", method);
  return { name: country, code: iso, dial_code: `+${dial}`, currency: "XOF" };
}
