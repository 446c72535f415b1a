import { KNOWN_PROVIDERS } from "@sesame/contract/checkout";
import { type DeskSearchAnswer, LANES, SEARCH_TYPES, type SearchType } from "@sesame/contract/desk";
import { planToWire } from "@sesame/contract/plans";
import { REFUND_STATUS_WORDS } from "@sesame/contract/refunds";
import type { App } from "../../app.ts";
import { readSearch } from "./search-key.ts";
import {
  type RefundFound,
  searchRefunds,
  searchWithdrawals,
  type WithdrawalFound,
} from "./search-money.view.ts";
import {
  type OrderFound,
  type PaymentFound,
  type ProductFound,
  type SearchPage,
  type SellerFound,
  searchOrders,
  searchPayments,
  searchProducts,
  searchSellers,
} from "./search.view.ts";

export type SearchRequest = {
  readonly q: string;
  /** One list alone, from its cursor. */
  readonly type: SearchType | null;
  readonly cursor: string | undefined;
};

const PAGE = 20;
const NOTHING = { items: [], next_cursor: null };

/** Null: the cursor is none of ours. */
export async function search({ db, clock }: App, request: SearchRequest) {
  const before = readCursor(request.cursor);
  if (before === "malformed") return null;
  const key = readSearch(request.q);
  const page: SearchPage = { before: request.type === null ? null : before, limit: PAGE };
  const wanted = new Set<SearchType>(request.type === null ? SEARCH_TYPES : [request.type]);
  // Of one character nothing is looked for: it names everything. A number may be an id.
  if (key.text.length < 2 && key.id === null) wanted.clear();
  const providers = KNOWN_PROVIDERS;
  const [sellers, orders, payments, withdrawals, products, refunds] = await Promise.all([
    wanted.has("sellers") ? searchSellers(db, key, page) : [],
    wanted.has("orders") ? searchOrders(db, key, { ...page, providers }) : [],
    wanted.has("payments") ? searchPayments(db, key, { ...page, providers }) : [],
    wanted.has("withdrawals") ? searchWithdrawals(db, key, { ...page, lanes: LANES }) : [],
    wanted.has("products") ? searchProducts(db, key, page) : [],
    wanted.has("refunds") ? searchRefunds(db, key, page) : [],
  ]);
  return {
    now: clock.now().toISOString(),
    sellers: listOf(sellers, foundSellerToWire),
    orders: listOf(orders, foundOrderToWire),
    payments: listOf(payments, foundPaymentToWire),
    withdrawals: listOf(withdrawals, foundWithdrawalToWire),
    products: listOf(products, foundProductToWire),
    refunds: listOf(refunds, foundRefundToWire),
  };
}

type Listed<T> = { items: T[]; next_cursor: string | null };

function listOf<R extends { readonly id: bigint }, T>(
  rows: readonly R[],
  toWire: (row: R) => T,
): Listed<T> {
  const last = rows.at(-1);
  if (!last) return NOTHING;
  return {
    items: rows.map(toWire),
    next_cursor: rows.length === PAGE ? String(last.id) : null,
  };
}

function readCursor(cursor: string | undefined): bigint | null | "malformed" {
  if (cursor === undefined || cursor === "") return null;
  return /^\d{1,18}$/.test(cursor) ? BigInt(cursor) : "malformed";
}

function foundSellerToWire(row: SellerFound): DeskSearchAnswer["sellers"]["items"][number] {
  const { name, username, suspended, frozen, closed } = row;
  return {
    id: String(row.id),
    name,
    username,
    telegram_id: Number(row.telegram_id),
    type_plan: row.plan && planToWire(row.plan),
    suspended,
    frozen,
    closed,
  };
}

export function foundOrderToWire(row: OrderFound): DeskSearchAnswer["orders"]["items"][number] {
  return {
    id: String(row.id),
    title: row.title,
    amount: Number(row.price),
    status: row.status,
    provider: row.provider,
    seller: row.seller_id === null ? null : { id: String(row.seller_id), name: row.seller_name },
    buyer: { id: String(row.buyer_id), name: row.buyer_name },
    created_at: row.created_at.toISOString(),
  };
}

function foundPaymentToWire(row: PaymentFound): DeskSearchAnswer["payments"]["items"][number] {
  return {
    id: String(row.id),
    order_id: String(row.order_id),
    provider: row.provider,
    provider_payment_id: row.provider_payment_id,
    amount: Number(row.amount),
    status: row.status,
    created_at: row.created_at.toISOString(),
  };
}

export function foundWithdrawalToWire(
  row: WithdrawalFound,
): DeskSearchAnswer["withdrawals"]["items"][number] {
  return {
    id: String(row.id),
    reference: row.reference,
    amount: Number(row.amount),
    status: row.status,
    method: row.method,
    phone: row.phone,
    seller: { id: String(row.seller_id), name: row.seller_name },
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

function foundRefundToWire(row: RefundFound): DeskSearchAnswer["refunds"]["items"][number] {
  return {
    id: String(row.id),
    order_id: String(row.order_id),
    title: row.title,
    amount: Number(row.amount),
    status: REFUND_STATUS_WORDS[row.status],
    buyer: { id: String(row.buyer_id), name: row.buyer_name },
    created_at: row.created_at.toISOString(),
  };
}

function foundProductToWire(row: ProductFound): DeskSearchAnswer["products"]["items"][number] {
  const { reference, title, suspended, archived } = row;
  return {
    id: String(row.id),
    reference,
    title,
    price: Number(row.price),
    seller: { id: String(row.seller_id), name: row.seller_name },
    suspended,
    archived,
  };
}
