import {
  NAMELESS_BUYER,
  type SubscriptionsAnswer,
  type VendorSubscriptionOnWire,
} from "@sesame/contract/reports";
import { fcfa, fcfaToJson } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type SellerPart } from "../../postgres/parts.ts";
import {
  countSubscriptions,
  type SaleRow,
  type SubscriptionsPage,
  subscriptionsPart,
  viewSubscriptions,
} from "./sales.view.ts";

const AT_START = 100;

/** The newest hundred, for the answer at the start (A §3). */
export const subscriptionsAtStart: SellerPart<VendorSubscriptionOnWire[]> = (seller) =>
  mapPart(subscriptionsPart(AT_START)(seller), (rows) => rows.map(subscriptionOnWire));

export async function subscriptionsOf(
  db: Db,
  sellerId: bigint,
  page: SubscriptionsPage,
): Promise<Omit<SubscriptionsAnswer, "success">> {
  const rows = await viewSubscriptions(db, sellerId, page);
  const shown = rows.slice(0, page.limit);
  return {
    subscriptions: shown.map(subscriptionOnWire),
    total: await countSubscriptions(db, sellerId, page.productId),
    next_cursor: rows.length > shown.length ? String(shown.at(-1)?.id) : null,
  };
}

function subscriptionOnWire(row: SaleRow): VendorSubscriptionOnWire {
  const groupId = row.group_id === null ? "" : String(row.group_id);
  return {
    id: String(row.id),
    groupId,
    group_id: groupId,
    idProduit: String(row.product_id),
    typeAbonnement: row.title,
    prix: fcfaToJson(row.price),
    net: fcfaToJson(fcfa(row.price - row.fee)),
    dateCreation: (row.paid_at ?? row.created_at).toISOString(),
    dateRenouvellement: row.access_until?.toISOString() ?? null,
    userId: String(row.buyer_id),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    estRenouvellement: row.is_renewal,
    direct: row.direct,
    valide: row.status === "paid",
  };
}
