import type { OpensOnWire } from "@sesame/contract/checkout";
import { openAddress, openInvoice } from "./native.ts";

/** Opens a prepared payment. What an invoice reports at its end is not trusted: the page follows the order. */
export function openPayment(url: string, opens: OpensOnWire): void {
  if (opens === "invoice") void openInvoice(url);
  // Crypto Pay's own page is in Telegram.
  else openAddress(url);
}
