import { type Chance, readableToken } from "@sesame/kernel";
import { NotPossible } from "../telegram/api-error.ts";
import type { KkiapayConfig } from "../wire.ts";
import type { Opening } from "./state.ts";

export const LEAST_AMOUNT = 100;
/** What an amount becomes that is changed in the browser. */
const CHANGED_AMOUNT = 100;

/** Reads what a browser hands to the widget: nothing of it is proved. */
export function readOpening(
  config: KkiapayConfig,
  given: { account?: string; otherAmount: boolean; chance: Chance },
): Opening {
  const asked = Number(config.amount);
  if (!Number.isInteger(asked) || asked < LEAST_AMOUNT) throw new NotPossible("amount");
  const names = [config.firstname, config.lastname].map(text).filter((part) => part !== "");
  return {
    id: `wd_${readableToken(12, given.chance)}`,
    ...(given.account === undefined ? {} : { account: given.account }),
    amount: given.otherAmount ? CHANGED_AMOUNT : asked,
    data: config.data ?? null,
    partnerId: text(config.partnerId) || null,
    reason: text(config.reason),
    customer: {
      name: text(config.fullname) || text(config.name) || names.join(" "),
      email: text(config.email),
      phone: (text(config.phoneNumber) || text(config.phone)).replace(/\D/g, ""),
    },
    cancelled: false,
    transactionIds: [],
  };
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
