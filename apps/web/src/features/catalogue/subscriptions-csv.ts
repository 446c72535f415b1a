import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { catalogueCopy } from "./copy.fr.ts";

const BYTE_ORDER_MARK = "\ufeff";

/** For a spreadsheet set to French: semicolons, and the mark that tells it is UTF-8. */
export function subscriptionsCsv(rows: readonly VendorSubscriptionOnWire[]): string {
  const lines = rows.map((row) => [
    row.dateCreation,
    row.nomClient,
    row.typeAbonnement,
    String(row.prix),
    String(row.net),
    row.dateRenouvellement ?? "",
    row.estRenouvellement ? catalogueCopy.card.renewal : catalogueCopy.card.fresh,
  ]);
  return (
    BYTE_ORDER_MARK +
    [[...catalogueCopy.subscriptions.columns], ...lines]
      .map((line) => line.map(cell).join(";"))
      .join("\r\n")
  );
}

/** Quoted; a name that a spreadsheet would run as a formula is made plain text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
