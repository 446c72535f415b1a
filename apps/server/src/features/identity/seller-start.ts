import type { ChannelOnWire } from "@sesame/contract/groups";
import type { SellerSignInAnswer, UserOnWire } from "@sesame/contract/identity";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { TransactionOnWire, VendorSubscriptionOnWire } from "@sesame/contract/reports";
import type { PayoutFieldsOnWire, WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { assert, type Clock } from "@sesame/kernel";
import { mapPart, type SellerPart, sideBySide } from "../../postgres/parts.ts";
import type { ProvenPerson } from "./init-data.ts";
import { type StaffIds, userToWire } from "./user-on-wire.ts";
import { type SellerRow, sellerPart } from "./users.view.ts";

/** What the seller's start is made of, each part from the feature that owns it (decision 0026). */
export type StartParts = {
  readonly payoutFields: SellerPart<PayoutFieldsOnWire>;
  readonly channels: SellerPart<ChannelOnWire[]>;
  readonly products: SellerPart<ProductOnWire[]>;
  readonly vendorSubscriptions: SellerPart<VendorSubscriptionOnWire[]>;
  readonly withdrawalRequests: SellerPart<WithdrawalOnWire[]>;
  /** Of home (`accueil`). */
  readonly transactions: SellerPart<TransactionOnWire[]>;
  readonly claimsWaiting: SellerPart<number>;
};

export type SellerStart = Omit<SellerSignInAnswer, "success" | "token">;

type Around = { readonly staff: StaffIds; readonly clock: Clock; readonly timeZone: string };

/** All of it, one expression of one statement. */
export function sellerStart(
  parts: StartParts,
  around: Around,
): (person: ProvenPerson) => SellerPart<SellerStart> {
  return (person) => (seller) =>
    mapPart(
      sideBySide({
        user: userPart(person, { parts, around })(seller),
        channels: parts.channels(seller),
        products: parts.products(seller),
        vendorSubscriptions: parts.vendorSubscriptions(seller),
        withdrawalRequests: parts.withdrawalRequests(seller),
        transactions: parts.transactions(seller),
        claims_waiting: parts.claimsWaiting(seller),
      }),
      ({ transactions, claims_waiting, ...start }) => ({
        ...start,
        accueil: { transactions, claims_waiting },
      }),
    );
}

function userPart(
  person: ProvenPerson,
  { parts, around }: { parts: StartParts; around: Around },
): SellerPart<UserOnWire> {
  const { staff, clock, timeZone: zone } = around;
  const now = clock.now();
  return (seller) =>
    mapPart(
      sideBySide({ rows: sellerPart(seller, { zone, now }), payouts: parts.payoutFields(seller) }),
      ({ rows: [row], payouts }) => {
        assert(row, "a seller who signed in exists");
        return userToWire(sellerAsProved(row, person), payouts, { staff, now });
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
