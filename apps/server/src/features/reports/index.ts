import type { PlansRefusal } from "@sesame/contract/plans";
import {
  type CalendarAnswer,
  type CalendarDayAnswer,
  HISTORY_TYPES,
  NAMELESS_BUYER,
  type StatisticsAnswer,
  type StatisticsPeriod,
  type SubscriptionsAnswer,
  type TransactionOnWire,
  type TransactionsAnswer,
  type TransactionsQuery,
  type VendorSubscriptionOnWire,
} from "@sesame/contract/reports";
import { type Clock, type Fcfa, fcfa, fcfaToJson, ok, type Result, refuse } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type SellerPart } from "../../postgres/parts.ts";
import { readCalendar, readCalendarDay } from "./calendar.ts";
import { exportStatistics } from "./export-statistics.ts";
import { createFoldLoop } from "./fold-loop.ts";
import type { HistoryPosition } from "./history-cursor.ts";
import { startOfPeriod } from "./history-filter.ts";
import { readHistory, saleOnWire } from "./history.ts";
import type { Day } from "./periods.ts";
import { readStatistics } from "./read-statistics.ts";
import {
  countSubscriptions,
  type Page,
  type SaleRow,
  subscriptionsPart,
  transactionsPart,
  viewSubscriptions,
} from "./sales.view.ts";

/** The door of reports. */
export type Reports = {
  /** The newest hundred, for the answer at the start (A §3). */
  readonly subscriptionsAtStart: SellerPart<VendorSubscriptionOnWire[]>;
  /** The last sales, for home (B §9). */
  readonly transactionsAtStart: SellerPart<TransactionOnWire[]>;
  /** Sales alone unless payouts and returns are asked for; filtered, from where a page ended. */
  transactionsOf(
    sellerId: bigint,
    asked: { readonly query: TransactionsQuery; readonly position: HistoryPosition },
  ): Promise<TransactionsAnswer>;
  subscriptionsOf(
    sellerId: bigint,
    page: Page & { readonly productId: bigint | null },
  ): Promise<SubscriptionsAnswer>;
  /** Of a period; `avancees` where the seller's plan opens them. */
  statisticsOf(sellerId: bigint, period: StatisticsPeriod): Promise<StatisticsAnswer>;
  /** The same as a CSV, for premium. */
  exportOf(sellerId: bigint, period: StatisticsPeriod): Promise<Result<string, PlansRefusal>>;
  /** A month of the instance's zone, "2026-11"; the one it is without. */
  calendarOf(sellerId: bigint, month?: string): Promise<CalendarAnswer>;
  calendarDayOf(sellerId: bigint, day: Day): Promise<CalendarDayAnswer>;
  /** Folds sales into totals. */
  loop(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
};

const AT_START = 100;
/** B §9: home shows them. */
const RECENT_COUNT = 4;

const PAGE = 30;

export type ReportsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** The instance's: what "today" is. */
  readonly timeZone: string;
  /** Null, or why the seller's plan does not open it. */
  refuseCapability(
    db: Db,
    sellerId: bigint,
    capability: "advanced-statistics",
  ): Promise<PlansRefusal | null>;
};

export function createReports(deps: ReportsDeps): Reports {
  const { db, clock, timeZone } = deps;
  const asked = (sellerId: bigint) => ({ sellerId, zone: timeZone, now: clock.now() });
  const gate = (sellerId: bigint) => deps.refuseCapability(db, sellerId, "advanced-statistics");
  return {
    subscriptionsAtStart: (seller) =>
      mapPart(subscriptionsPart(AT_START)(seller), (rows) => rows.map(subscriptionOnWire)),
    transactionsAtStart: (seller) =>
      mapPart(transactionsPart(RECENT_COUNT)(seller), (rows) => rows.map(saleOnWire)),
    async statisticsOf(sellerId, period) {
      const advanced = (await gate(sellerId)) === null;
      return readStatistics(db, asked(sellerId), { period, advanced });
    },
    async exportOf(sellerId, period) {
      const refusal = await gate(sellerId);
      if (refusal) return refuse(refusal);
      return ok(await exportStatistics(db, asked(sellerId), period));
    },
    calendarOf: (sellerId, month) => readCalendar(db, asked(sellerId), month),
    calendarDayOf: (sellerId, day) => readCalendarDay(db, asked(sellerId), day),
    loop: (log) => createFoldLoop(deps, log),
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
