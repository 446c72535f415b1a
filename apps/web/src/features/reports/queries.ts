import type {
  HistoryItemOnWire,
  HistoryPeriod,
  TransactionOnWire,
  TransactionStatus,
} from "@sesame/contract/reports";
import type { AnswerOf } from "@sesame/contract/routes";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys, recentKey } from "../../lib/resources.ts";

/** B §9. */
export const RECENT_COUNT = 4;
const PAGE = 20;
const EXPORT_PAGE = 100;

/** What the history shows; an absent filter lets everything through. */
export type HistoryFilter = {
  readonly q?: string;
  readonly periode?: HistoryPeriod;
  readonly statut?: TransactionStatus;
};

/** Sales alone, or payouts and returns with them. */
type Asked = HistoryFilter & { readonly limit: number; readonly type: "income" | "all" };

function readPage(asked: Asked, cursor = "") {
  return call("GET /api/transactions", { query: { ...asked, cursor } });
}

function isSale(item: HistoryItemOnWire): item is TransactionOnWire {
  return item.type === "income";
}

/** Sales only. */
export function recentTransactionsQuery() {
  return queryOptions({
    queryKey: recentKey,
    queryFn: async () => {
      const { transactions } = await readPage({ limit: RECENT_COUNT, type: "income" });
      return answered(transactions).filter(isSale);
    },
  });
}

/** Sales, payouts and returns together. */
export function historyQuery(filter: HistoryFilter) {
  return infiniteQueryOptions({
    queryKey: [...keys.transactions, "history", filter],
    queryFn: async ({ pageParam }) => {
      const page = await readPage({ ...filter, limit: PAGE, type: "all" }, pageParam);
      return { items: answered(page.transactions), next: page.next_cursor ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    // What was shown stays while a word more is searched for.
    placeholderData: keepPreviousData,
  });
}

/** All pages, for the export. */
export async function readWholeHistory(filter: HistoryFilter): Promise<HistoryItemOnWire[]> {
  const all: HistoryItemOnWire[] = [];
  let cursor: string | undefined;
  do {
    const page: Partial<AnswerOf<"GET /api/transactions">> = await readPage(
      { ...filter, limit: EXPORT_PAGE, type: "all" },
      cursor,
    );
    all.push(...answered(page.transactions));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
