import type { HistoryItemOnWire } from "@sesame/contract/reports";
import { type CsvCell, csvText } from "@sesame/contract/csv";
import { nameSale } from "./name-sale.ts";
import { reportsCopy } from "./home-messages.fr.ts";

const copy = reportsCopy.transactions;

/** The history as a spreadsheet: what left is negative, so that a column adds up. */
export function transactionsCsv(items: readonly HistoryItemOnWire[]): string {
  return csvText([[...copy.columns], ...items.map(lineOf)]);
}

/** What it adds to what the seller has: a transfer between his balances, nothing. */
const WAYS = { payout: -1, return: 1, transfer: 0 } as const;

function lineOf(item: HistoryItemOnWire): CsvCell[] {
  const status = reportsCopy.status[item.status];
  if (item.type === "income") {
    const { amount, frais, net, produitNom, nomClient, id } = item;
    const amounts = [amount, frais, net];
    return [
      item.date,
      copy.sale,
      status,
      ...amounts,
      produitNom,
      nomClient,
      nameSale(item),
      id,
      "",
    ];
  }
  const way = WAYS[item.type];
  const amounts = [way * item.amount, item.frais, way * item.net];
  const { methode_nom, numero_transfert, reference_transaction, motif } = item;
  const type = reportsCopy.movement[item.type];
  const target = [methode_nom, numero_transfert];
  return [item.date, type, status, ...amounts, ...target, "", reference_transaction, motif ?? ""];
}
