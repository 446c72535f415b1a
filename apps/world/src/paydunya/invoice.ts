import type { Chance } from "@sesame/kernel";
import { readableToken } from "@sesame/kernel";
import { isNational } from "../mobile-money/networks.ts";
import { findNetwork } from "../payouts/methods.ts";
import type { NewPayout } from "../payouts/desk.ts";
import type { Payout } from "../payouts/state.ts";

/** The smallest amount it sends. */
const MIN_AMOUNT = 200;

type Read = { ok: true; given: NewPayout } | { ok: false; code: string; text: string };

/** Reads `POST /api/v2/disburse/get-invoice` (payment-providers.md §7.4). */
export function readInvoice(body: unknown): Read {
  const form = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const network = findNetwork("paydunya", form.withdraw_mode);
  const { account_alias: alias, amount, callback_url: callbackUrl, disburse_id: id } = form;
  if (network === undefined) return refused("1001", "The withdraw_mode is not supported.");
  if (typeof alias !== "string" || !isNational(network, alias)) {
    return refused("4004", "The account_alias must be a number without country code.");
  }
  if (typeof amount !== "number" || !Number.isInteger(amount)) {
    return refused("4004", "The amount must be an integer.");
  }
  if (amount < MIN_AMOUNT) return refused("4004", `The minimum amount is ${MIN_AMOUNT} FCFA.`);
  if (typeof callbackUrl !== "string" || !URL.canParse(callbackUrl)) {
    return refused("4004", "The callback_url must be a valid URL.");
  }
  if (id !== undefined && (typeof id !== "string" || id === "")) {
    return refused("4004", "The disburse_id must be a string.");
  }
  return {
    ok: true,
    given: {
      amount,
      method: network.id,
      phone: `+${network.dial}${alias}`,
      reference: typeof id === "string" ? id : null,
      callbackUrl,
    },
  };
}

function refused(code: string, text: string): Read {
  return { ok: false, code, text };
}

export function newInvoice(given: NewPayout, world: { nowMs: number; chance: Chance }): Payout {
  const { nowMs, chance } = world;
  return {
    id: `TFA-TX-${readableToken(20, chance)}`,
    handle: given.handle ?? readableToken(20, chance),
    reference: given.reference ?? null,
    amount: given.amount,
    cost: 0,
    account: "main",
    method: given.method,
    phone: given.phone,
    description: "",
    customer: null,
    metadata: {},
    callbackUrl: given.callbackUrl ?? null,
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
