import {
  NAMELESS_BUYER,
  type SubscriptionsAnswer,
  type TransactionOnWire,
  type TransactionStatus,
  type TransactionsAnswer,
  type VendorSubscriptionOnWire,
} from "@sesame/contract/reports";
import { type Fcfa, fcfa, fcfaToJson } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import {
  countSubscriptions,
  type Page,
  type SaleRow,
  viewSubscriptions,
  viewTransactions,
} from "./sales.view.ts";

/** The door of reports. */
export type Reports = {
  /** The newest hundred, for the answer at the start (A §3). */
  vendorSubscriptionsOf(sellerId: bigint): Promise<VendorSubscriptionOnWire[]>;
  transactionsOf(sellerId: bigint, page: Page): Promise<TransactionsAnswer>;
  subscriptionsOf(
    sellerId: bigint,
    page: Page & { readonly productId: bigint | null },
  ): Promise<SubscriptionsAnswer>;
};

const AT_START = 100;

export function createReports({ db }: { readonly db: Db }): Reports {
  return {
    async vendorSubscriptionsOf(sellerId) {
      const page = { before: null, limit: AT_START, productId: null };
      const rows = await viewSubscriptions(db, sellerId, page);
      return rows.slice(0, AT_START).map(subscriptionOnWire);
    },
    async transactionsOf(sellerId, page) {
      const rows = await viewTransactions(db, sellerId, page);
      const shown = rows.slice(0, page.limit);
      return {
        success: true,
        transactions: shown.map(transactionOnWire),
        next_cursor: nextCursor(rows, shown),
      };
    },
    async subscriptionsOf(sellerId, page) {
      const rows = await viewSubscriptions(db, sellerId, page);
      const shown = rows.slice(0, page.limit);
      return {
        success: true,
        subscriptions: shown.map(subscriptionOnWire),
        total: await countSubscriptions(db, sellerId, page.productId),
        next_cursor: nextCursor(rows, shown),
      };
    },
  };
}

function nextCursor(rows: readonly SaleRow[], shown: readonly SaleRow[]): string | null {
  return rows.length > shown.length ? String(shown.at(-1)?.id) : null;
}

function transactionOnWire(row: SaleRow): TransactionOnWire {
  return {
    id: String(row.id),
    amount: fcfaToJson(row.price),
    net: fcfaToJson(netOf(row)),
    frais: fcfaToJson(row.fee),
    type: "income",
    date: (row.paid_at ?? row.created_at).toISOString(),
    status: statusOnWire(row),
    duration: row.duration_minutes,
    idProduit: String(row.product_id),
    produitNom: row.title,
    idClient: String(row.buyer_id),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    renouvellement: row.is_renewal ? "Renouvellement" : "Nouveau",
  };
}

function statusOnWire({ status }: SaleRow): TransactionStatus {
  return status === "paid" ? "success" : status;
}

function subscriptionOnWire(row: SaleRow): VendorSubscriptionOnWire {
  return {
    id: String(row.id),
    groupId: String(row.group_id),
    group_id: String(row.group_id),
    idProduit: String(row.product_id),
    typeAbonnement: row.title,
    prix: fcfaToJson(row.price),
    net: fcfaToJson(netOf(row)),
    dateCreation: (row.paid_at ?? row.created_at).toISOString(),
    dateRenouvellement: row.access_until?.toISOString() ?? null,
    userId: String(row.buyer_id),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    estRenouvellement: row.is_renewal,
    valide: row.status === "paid",
  };
}

function netOf(row: SaleRow): Fcfa {
  return fcfa(row.price - row.fee);
}
