import type { sellerSignInAnswer, UserOnWire } from "@sesame/contract/identity";
import { assert } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { mapPart, type SellerPart, sideBySide } from "../../postgres/parts.ts";
import { productsAtStart } from "../catalogue/index.ts";
import { claimsWaitingPart } from "../claims/index.ts";
import { channelsPart } from "../groups/index.ts";
import { subscriptionsAtStart, transactionsAtStart } from "../reports/index.ts";
import { payoutFieldsAtStart, requestsAtStart } from "../withdrawals/index.ts";
import type { ProvenPerson } from "./init-data.ts";
import { userToWire } from "./user-on-wire.ts";
import { type SellerRow, sellerPart } from "./users.view.ts";

export type SellerStart = Omit<z.output<typeof sellerSignInAnswer>, "success" | "token">;

/**
 * What the seller's start is made of, each part from the feature that owns it: all of it one
 * expression of one statement (decision 0026).
 */
export function sellerStart(app: App, person: ProvenPerson): SellerPart<SellerStart> {
  return (seller) =>
    mapPart(
      sideBySide({
        user: userPart(app, person)(seller),
        channels: channelsPart(seller),
        products: productsAtStart(app, seller),
        vendorSubscriptions: subscriptionsAtStart(seller),
        withdrawalRequests: requestsAtStart(app, seller),
        transactions: transactionsAtStart(seller),
        claims_waiting: claimsWaitingPart(seller),
      }),
      ({ transactions, claims_waiting, ...start }) => ({
        ...start,
        accueil: { transactions, claims_waiting },
      }),
    );
}

function userPart(app: App, person: ProvenPerson): SellerPart<UserOnWire> {
  const now = app.clock.now();
  const { timeZone: zone } = app.config;
  return (seller) =>
    mapPart(
      sideBySide({ rows: sellerPart(seller, { zone, now }), payouts: payoutFieldsAtStart(seller) }),
      ({ rows: [row], payouts }) => {
        assert(row, "a seller who signed in exists");
        return userToWire(app, sellerAsProved(row, person), { payouts, now });
      },
    );
}

/** The statement that signs in writes these, and reads them as they were before. */
function sellerAsProved(row: SellerRow, person: ProvenPerson): SellerRow {
  return {
    ...row,
    first_name: person.firstName,
    last_name: person.lastName,
    username: person.username,
    photo_url: person.photoUrl ?? row.photo_url,
  };
}
