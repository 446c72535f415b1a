import type { HistoryType } from "@sesame/contract/reports";

/** How far each kind of row was shown: the id of its last one; null: none yet. */
export type HistoryPosition = Readonly<Record<HistoryType, bigint | null>>;

export const FROM_THE_NEWEST: HistoryPosition = {
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
