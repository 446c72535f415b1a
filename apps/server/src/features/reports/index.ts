import {
  HISTORY_TYPES,
  NAMELESS_BUYER,
  type SubscriptionsAnswer,
  type TransactionsAnswer,
  type TransactionsQuery,
  type VendorSubscriptionOnWire,
} from "@sesame/contract/reports";
import { type Clock, type Fcfa, fcfa, fcfaToJson } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import type { HistoryPosition } from "./history-cursor.ts";
import { startOfPeriod } from "./history-filter.ts";
import { readHistory } from "./history.ts";
import { countSubscriptions, type Page, type SaleRow, viewSubscriptions } from "./sales.view.ts";

/** The door of reports. */
export type Reports = {
  /** The newest hundred, for the answer at the start (A §3). */
  vendorSubscriptionsOf(sellerId: bigint): Promise<VendorSubscriptionOnWire[]>;
  /** Sales alone unless payouts and returns are asked for; filtered, from where a page ended. */
  transactionsOf(
    sellerId: bigint,
    asked: { readonly query: TransactionsQuery; readonly position: HistoryPosition },
  ): Promise<TransactionsAnswer>;
  subscriptionsOf(
    sellerId: bigint,
    page: Page & { readonly productId: bigint | null },
  ): Promise<SubscriptionsAnswer>;
};

const AT_START = 100;

const PAGE = 30;

export type ReportsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** The instance's: what "today" is. */
  readonly timeZone: string;
};

export function createReports({ db, clock, timeZone }: ReportsDeps): Reports {
  return {
    async vendorSubscriptionsOf(sellerId) {
      const page = { before: null, limit: AT_START, productId: null };
      const rows = await viewSubscriptions(db, sellerId, page);
      return rows.slice(0, AT_START).map(subscriptionOnWire);
    },
    transactionsOf(sellerId, { query, position }) {
      const { type = "income", q, periode, statut, limit = PAGE } = query;
      const filter = {
        words: q ?? null,
        since: periode ? startOfPeriod(periode, clock.now(), timeZone) : null,
        status: statut ?? null,
      };
      const types = type === "all" ? HISTORY_TYPES : [type];
      return readHistory(db, sellerId, { types, filter, position, limit });
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

function subscriptionOnWire(row: SaleRow): VendorSubscriptionOnWire {
  const groupId = row.group_id === null ? "" : String(row.group_id);
  return {
    id: String(row.id),
    groupId,
    group_id: groupId,
    idProduit: String(row.product_id),
    typeAbonnement: row.title,
    prix: fcfaToJson(row.price),
    net: fcfaToJson(netOf(row)),
    dateCreation: (row.paid_at ?? row.created_at).toISOString(),
    dateRenouvellement: row.access_until?.toISOString() ?? null,
    userId: String(row.buyer_id),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    estRenouvellement: row.is_renewal,
    direct: row.direct,
    valide: row.status === "paid",
  };
}

function netOf(row: SaleRow): Fcfa {
  return fcfa(row.price - row.fee);
}
