import type { TransactionOnWire } from "@sesame/contract/reports";
import { reportsCopy as copy } from "./home-messages.fr.ts";

/** What was sold: a don gives no time. */
export function nameSale({ duration, renouvellement }: TransactionOnWire): string {
  if (duration === 0) return copy.gift;
  return renouvellement === "Renouvellement" ? copy.renewal : copy.new;
}
