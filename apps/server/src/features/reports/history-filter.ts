import type { HistoryPeriod, HistoryType, TransactionStatus } from "@sesame/contract/reports";
import { addDays, addMonths, dayOf, startOfDay, unreachable } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";

/** What a seller looks for in his history; null lets everything through. */
export type HistoryFilter = {
  readonly words: string | null;
  readonly since: Date | null;
  readonly status: TransactionStatus | null;
};

/** When a period of B §9 begins, in the instance's zone; weeks begin on Sunday. */
export function startOfPeriod(period: HistoryPeriod, now: Date, zone: string): Date {
  const today = dayOf(now, zone);
  switch (period) {
    case "today":
      return startOfDay(today, zone);
    case "week":
      return startOfDay(addDays(today, -new Date(today).getUTCDay()), zone);
    case "month":
      return startOfDay(addMonths(today, 0), zone);
    default:
      return unreachable(period);
  }
}

/** Whether a text holds every word looked for, whatever their case and accents. */
export function holdsWords(text: RawBuilder<unknown>, words: string | null): RawBuilder<boolean> {
  // PostgreSQL takes neither NUL nor half a character.
  const sought = (words ?? "")
    .toWellFormed()
    .split(/[\s\0]+/)
    .filter(Boolean);
  if (sought.length === 0) return sql<boolean>`true`;
  // Bare letters first: a database's `lower` may know no others.
  const bare = sql`lower(regexp_replace(normalize(${text}, NFD), ${"[\\u0300-\\u036f]"}, '', 'g'))`;
  return sql<boolean>`(SELECT bool_and(strpos(${bare}, u.word) > 0)
    FROM unnest(${sought.map(bareLetters)}::text[]) AS u(word))`;
}

function bareLetters(word: string): string {
  return word
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

/** How far each kind of row was shown: the id of its last one; null: none yet. */
export type HistoryPosition = Readonly<Record<HistoryType, bigint | null>>;

const FROM_THE_NEWEST: HistoryPosition = {
  income: null,
  payout: null,
  return: null,
  transfer: null,
};

/** Sales alone keep the cursor they always had: an order's id. */
export function writeCursor(position: HistoryPosition): string {
  const { income, payout, return: back, transfer } = position;
  const others = [payout, back, transfer];
  if (income !== null && others.every((id) => id === null)) return String(income);
  return [income, payout, back, ...(transfer === null ? [] : [transfer])]
    .map((id) => id ?? "")
    .join("-");
}

export function readHistoryCursor(cursor: string | undefined): HistoryPosition | "malformed" {
  if (cursor === undefined || cursor === "") return FROM_THE_NEWEST;
  const match = /^(\d{1,18})?(?:-(\d{1,18})?-(\d{1,18})?(?:-(\d{1,18}))?)?$/.exec(cursor);
  if (!match) return "malformed";
  const [income = null, payout = null, back = null, transfer = null] = match
    .slice(1)
    .map((id) => (id ? BigInt(id) : null));
  return { income, payout, return: back, transfer };
}
