import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { csvText } from "@sesame/contract/csv";
import { catalogueCopy } from "./copy.fr.ts";

export function subscriptionsCsv(rows: readonly VendorSubscriptionOnWire[]): string {
  const lines = rows.map((row) => [
    row.dateCreation,
    row.nomClient,
    row.typeAbonnement,
    row.prix,
    row.net,
    row.dateRenouvellement ?? "",
    sayKind(row),
  ]);
  return csvText([[...catalogueCopy.subscriptions.columns], ...lines]);
}

function sayKind(row: VendorSubscriptionOnWire): string {
  if (row.groupId === "") return catalogueCopy.donation.kind;
  return row.estRenouvellement ? catalogueCopy.card.renewal : catalogueCopy.card.fresh;
}
