import * as contract from "@sesame/contract/checkout";
import { addMs } from "@sesame/kernel";
import type { ProviderId } from "@sesame/providers";
import { sql } from "kysely";
import { SKEW_SUSPEND_MS } from "../../clock.ts";
import { type Db, many, one, takeTurn } from "../../postgres/database.ts";
import { leftToOthers } from "./checks.ts";
import type { PaymentPage } from "./orders.ts";

/** Where a payment is opened: a provider, and the keys of the account; null: the instance's. */
export type Account = { readonly provider: ProviderId; readonly keyId: bigint | null };

/**
 * Just longer than the calls of one opening may last: after a crash the next opening waits for this
 * long. FedaPay's are up to three calls, of 8 s each.
 */
const LEASE_MS = 12_000;
const LEASE_FEDAPAY_MS = 26_000;

/**
 * The next step for a payment of an order at an account:
 *   open    no other request: `number` is reserved for it, and its lease ends without a release
 *   page    a payment is open there already
 *   busy    another request calls a provider for this order
 *
 * An opened payment counts against the budgets of the person and of the provider's account.
 */
type Reservation =
  | { readonly kind: "open"; readonly number: number }
  | { readonly kind: "page"; readonly page: PaymentPage }
  | { readonly kind: "busy" | "paid" | "under-review" | "too-many" | "sold-out" }
  /** The budget of the person is used up; or that of the account, or the person's part of it. */
  | { readonly kind: "person-budget" | "account-budget" };

type Opening = {
  readonly orderId: bigint;
  readonly account: Account;
  readonly now: Date;
  /** The order's newest payment is given again, whatever its status. */
  readonly repeats: boolean;
  /** Calls a minute that the provider allows. */
  readonly rate: number;
};

type LockedOrder = {
  readonly status: string;
  readonly opening: boolean;
  readonly tried: number;
  readonly buyer_id: bigint;
  readonly product_id: bigint | null;
  readonly stock: number | null;
  readonly place_kept: boolean;
};

type KnownPayment = PaymentPage & {
  readonly status: string;
  readonly key_id: bigint | null;
  readonly created_at: Date;
};

/** Serializes the orders of one product with limited places (decision 82). */
export async function lockPlaces(tx: Db, productId: bigint): Promise<void> {
  await takeTurn(tx, `places:${productId}`);
}

/**
 * Whether the buyer can have a place of the product (decisions 82 and 101): places are held by
 * buyers with paid time left and by those paying now. A holder renews without a second place.
 */
export async function hasPlaceFor(
  tx: Db,
  place: { productId: bigint; buyerId: bigint; stock: number; now: Date },
): Promise<boolean> {
  const { productId, buyerId, stock, now } = place;
  const { free } = await one<{ free: boolean }>(tx)`
    SELECT count(DISTINCT held.buyer_id) < ${stock}
      OR coalesce(bool_or(held.buyer_id = ${buyerId}), false) AS free
    FROM orders_holding_places(${productId}, ${now}) AS held
  `;
  return free;
}

/** Reserves the order for one opening, in one short transaction. */
export async function reserveOpening(db: Db, opening: Opening): Promise<Reservation> {
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, opening);
    if (order.status === "paid" || order.status === "refunded") return { kind: "paid" };
    const payments = await many<KnownPayment>(tx)`
      SELECT checkout_url AS url, provider, widget IS NOT NULL AS widget, status, key_id, created_at
      FROM payments WHERE order_id = ${opening.orderId} ORDER BY id DESC
    `;
    const page = pageToGive(payments, opening);
    if (page) return { kind: "page", page };
    if (payments.some(({ status }) => status === "mismatched")) return { kind: "under-review" };
    if (order.opening) return { kind: "busy" };
    const tried = Math.max(order.tried, payments.length);
    if (tried >= contract.PAYMENTS_PER_ORDER_MAX) return { kind: "too-many" };
    const { stock, product_id: productId, buyer_id: buyerId } = order;
    if (stock !== null && productId !== null && !order.place_kept) {
      const { now } = opening;
      if (!(await hasPlaceFor(tx, { productId, buyerId, stock, now }))) return { kind: "sold-out" };
    }
    const number = tried + 1;
    const refused = await takeOrder(tx, opening, { number, buyerId, stocked: stock !== null });
    if (refused) return { kind: refused === "person" ? "person-budget" : "account-budget" };
    return { kind: "open", number };
  });
}

/** Reserves the order and its opening's budget; null: reserved. One statement. */
async function takeOrder(
  tx: Db,
  opening: Opening,
  { number, buyerId, stocked }: { number: number; buyerId: bigint; stocked: boolean },
): Promise<"person" | "account" | null> {
  const { now, rate, account } = opening;
  const { openings, paced } = contract.divideRate(rate);
  const leaseEnd = addMs(now, account.provider === "fedapay" ? LEASE_FEDAPAY_MS : LEASE_MS);
  const taken = await one<{ refused: "person" | "account" | null }>(tx)`
    WITH taken AS MATERIALIZED (
      SELECT take_opening(${account.provider}, ${account.keyId ?? 0n}::bigint, ${buyerId}::bigint,
        ${contract.PROVIDERS[account.provider].callsToOpen}::int, ${now}::timestamptz, ${openings}::int,
        ${paced}::int, ${leftToOthers(paced)}::int, ${contract.OPENINGS_PER_PERSON_MAX}::int,
        ${contract.OPENING_REFILL_MS / 1_000}::int) AS refused
    ), kept AS (
      UPDATE orders SET payments_opened = ${number},
        opening_until = ${leaseEnd}::timestamptz,
        stock_reserved_until = CASE WHEN ${stocked}::boolean
          THEN greatest(stock_reserved_until, ${addMs(now, contract.PLACE_RESERVED_MS)}::timestamptz) END
      FROM taken WHERE id = ${opening.orderId} AND taken.refused IS NULL
    )
    SELECT refused FROM taken
  `;
  return taken.refused;
}

/** Places first, then the order: the lock order of ordering. */
async function lockOrder(tx: Db, { orderId, now }: Opening): Promise<LockedOrder> {
  const [place] = await many<{ product_id: bigint }>(tx)`
    SELECT p.id AS product_id FROM orders o JOIN products p ON p.id = o.product_id
    WHERE o.id = ${orderId} AND p.stock IS NOT NULL
  `;
  if (place) await lockPlaces(tx, place.product_id);
  return one<LockedOrder>(tx)`
    SELECT o.status, o.payments_opened AS tried, o.buyer_id, o.product_id,
      -- A lease longer than any possible one was written by a clock that has been set back since.
      coalesce(o.opening_until > ${now}
        AND o.opening_until <= ${addMs(now, LEASE_FEDAPAY_MS + SKEW_SUSPEND_MS)}, false) AS opening,
      (SELECT p.stock FROM products p WHERE p.id = o.product_id) AS stock,
      o.status = 'pending' AND coalesce(o.stock_reserved_until > ${now}, false) AS place_kept
    FROM orders o WHERE o.id = ${orderId} FOR NO KEY UPDATE
  `;
}

function pageToGive(payments: readonly KnownPayment[], opening: Opening): PaymentPage | null {
  if (opening.repeats) return payments[0] ?? null;
  const { provider, keyId } = opening.account;
  const since = addMs(opening.now, -contract.PAGE_SERVES_MS);
  const open = payments.find(
    (payment) =>
      payment.provider === provider &&
      payment.key_id === keyId &&
      payment.status === "pending" &&
      payment.created_at > since,
  );
  return open ?? null;
}

/** Nothing was opened: a waiting request may try now. */
export const releaseOpening = (db: Db, orderId: bigint) =>
  sql`UPDATE orders SET opening_until = NULL WHERE id = ${orderId}`.execute(db);
