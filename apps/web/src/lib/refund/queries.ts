import type { HistoryItemOnWire } from "@sesame/contract/reports";
import { read } from "../read.ts";

/** A sale of the seller's, with its refund and its claim. */
export function saleOrderQuery(id: string) {
  return read("GET /api/orders/:id", { params: { id } });
}

/** The same sale as his history has it: with its split. Null when it is not there. */
export function saleQuery(id: string) {
  return {
    ...read("GET /api/transactions", {
      query: { q: id, type: "income", limit: 20 },
      pick: "transactions",
    }),
    select: (items: readonly HistoryItemOnWire[]) => {
      const found = items.find((each) => each.id === id);
      return found?.type === "income" ? found : null;
    },
  };
}
