import type { TransactionOnWire } from "@sesame/contract/reports";

export type DayTotal = { readonly day: string; readonly net: number };
export type ProductTotal = {
  readonly id: string;
  readonly title: string;
  readonly sales: number;
  readonly net: number;
};

export type Summary = {
  readonly sales: number;
  readonly renewed: number;
  readonly gross: number;
  readonly net: number;
  readonly fees: number;
  readonly buyers: number;
  /** Oldest first, one per day of the period, empty ones too. */
  readonly days: readonly DayTotal[];
  /** Best first. */
  readonly products: readonly ProductTotal[];
};

const DAY_MS = 86_400_000;

/** Figures of paid transactions; amounts in francs. `now` in milliseconds, days of the phone. */
export function summarise(
  transactions: readonly TransactionOnWire[],
  dayCount: number,
  now: number,
): Summary {
  const paid = transactions.filter((each) => each.status === "success");
  const sum = (pick: (each: TransactionOnWire) => number) =>
    paid.reduce((total, each) => total + pick(each), 0);
  return {
    sales: paid.length,
    renewed: paid.filter((each) => each.renouvellement === "Renouvellement").length,
    gross: sum((each) => each.amount),
    net: sum((each) => each.net),
    fees: sum((each) => each.frais),
    buyers: new Set(paid.map((each) => each.idClient)).size,
    days: daysOf(paid, dayCount, now),
    products: productsOf(paid),
  };
}

function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function daysOf(paid: readonly TransactionOnWire[], count: number, now: number): DayTotal[] {
  const totals = new Map<string, number>();
  for (let back = count - 1; back >= 0; back -= 1) totals.set(dayOf(now - back * DAY_MS), 0);
  for (const each of paid) {
    const day = dayOf(Date.parse(each.date));
    const total = totals.get(day);
    if (total !== undefined) totals.set(day, total + each.net);
  }
  return [...totals].map(([day, net]) => ({ day, net }));
}

function productsOf(paid: readonly TransactionOnWire[]): ProductTotal[] {
  const totals = new Map<string, ProductTotal>();
  for (const each of paid) {
    const before = totals.get(each.idProduit);
    totals.set(each.idProduit, {
      id: each.idProduit,
      title: before?.title ?? each.produitNom,
      sales: (before?.sales ?? 0) + 1,
      net: (before?.net ?? 0) + each.net,
    });
  }
  return [...totals.values()].sort((a, b) => b.net - a.net || a.title.localeCompare(b.title));
}
