import type { TransactionOnWire, TransactionsAnswer } from "@sesame/contract/reports";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";

/** B §9. */
export const RECENT_COUNT = 4;
const PAGE = 20;
const STATISTICS_PAGE = 100;
const STATISTICS_PAGES_MAX = 10;

function readPage(limit: number, cursor: string | null): Promise<TransactionsAnswer> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (cursor) query.set("cursor", cursor);
  return call<TransactionsAnswer>(`/api/transactions?${query}`);
}

export function recentTransactionsQuery() {
  return queryOptions<TransactionOnWire[]>({
    queryKey: [...keys.transactions, "recent"],
    queryFn: async () => answered((await readPage(RECENT_COUNT, null)).transactions),
  });
}

export function historyQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.transactions, "history"],
    queryFn: ({ pageParam }) => readPage(PAGE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });
}

export type Period = {
  readonly transactions: readonly TransactionOnWire[];
  /** False when the period holds more than is read here. */
  readonly whole: boolean;
};

/** All transactions of the last days, page after page, up to a thousand. */
export function periodQuery(days: number) {
  return queryOptions<Period>({
    queryKey: [...keys.transactions, "period", days],
    queryFn: () => readSince(Date.now() - days * 86_400_000),
  });
}

async function readSince(since: number): Promise<Period> {
  const transactions: TransactionOnWire[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < STATISTICS_PAGES_MAX; page += 1) {
    const answer: TransactionsAnswer = await readPage(STATISTICS_PAGE, cursor);
    const inside = (answer.transactions ?? []).filter((each) => Date.parse(each.date) >= since);
    transactions.push(...inside);
    cursor = answer.next_cursor ?? null;
    if (cursor === null || inside.length < (answer.transactions ?? []).length) {
      return { transactions, whole: true };
    }
  }
  return { transactions, whole: false };
}
