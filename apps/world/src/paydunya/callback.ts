import { createHash } from "node:crypto";
import { stringify } from "node:querystring";
import type { Payout } from "../payouts/state.ts";
import { checkShape } from "./shapes.ts";

/** How the form is written: a field `data` of JSON, `data[status]=…`, or the fields themselves. */
export type CallbackShape = "json" | "bracketed" | "flat";

/** A constant of the account, which proves little and can be replayed (payment-providers.md §7.3). */
export function callbackHash(masterKey: string): string {
  return createHash("sha512").update(masterKey).digest("hex");
}

export function callbackBody(
  payout: Payout,
  { hash, shape }: { hash: string; shape: CallbackShape },
): string {
  const { response_code: code, response_text: text, ...rest } = checkShape(payout);
  const told = { response_code: code, response_text: text, hash, ...rest };
  switch (shape) {
    case "json":
      return stringify({ data: JSON.stringify(told) });
    case "bracketed":
      return stringify(
        Object.fromEntries(Object.entries(told).map(([key, value]) => [`data[${key}]`, value])),
      );
    case "flat":
      return stringify(told);
  }
}
