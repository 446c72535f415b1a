import { createHmac } from "node:crypto";
import { spacedOut } from "../notices/spacing.ts";
import type { Payout } from "../payouts/state.ts";
import { payoutShape } from "./shapes.ts";
import { transactionShape } from "./transactions/shapes.ts";
import type { Transaction } from "./transactions/state.ts";

/** `t=…,s=…`: HMAC-SHA256 over the instant, a dot and the raw body (payment-providers.md §5.7). */
export function signatureHeader(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const hex = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},s=${hex}`;
}

export function payoutEvent(payout: Payout, name: string): FedapayEvent {
  const { customer, phone } = payout;
  return {
    name,
    object: "payout",
    entity: {
      ...payoutShape(payout),
      customer: {
        klass: "v1/customer",
        id: 77,
        firstname: customer?.firstName ?? null,
        lastname: customer?.lastName ?? null,
        email: customer?.email ?? null,
        phone: phone.slice(1),
      },
      currency: { klass: "v1/currency", id: 1, name: "FCFA", iso: "XOF", code: 952, div: 1 },
      account_id: 5,
    },
  };
}

export function transactionEvent(
  transaction: Transaction,
  { name, payUrl }: { name: string; payUrl: string },
): FedapayEvent {
  const entity = transactionShape(transaction, { payUrl, expanded: true });
  return { name, object: "transaction", entity };
}

type FedapayEvent = { name: string; object: string; entity: object };

/** The object stands under `entity`, and what HTML would read is written by its number. */
export function eventBody(event: FedapayEvent, unusualSpacing: boolean): string {
  const content = { ...event, account: { klass: "v1/account", id: 5, name: "Sésame" } };
  if (unusualSpacing) return spacedOut(content);
  return JSON.stringify(content).replace(/[<>&]/g, (char) => {
    return `\\u00${char.charCodeAt(0).toString(16)}`;
  });
}
