import { csvText } from "@sesame/contract/csv";
import type { PlansRefusal } from "@sesame/contract/plans";
import {
  NAMELESS_BUYER,
  type ProductShareOnWire,
  type StatisticsAnswer,
  type StatisticsPeriod,
} from "@sesame/contract/reports";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { refuseCapability } from "../plans/index.ts";
import { figureOf, readAdvanced } from "./advanced.ts";
import { saleOnWire } from "./history.ts";
import { EXPORT_COLUMNS } from "./messages.fr.ts";
import { type PeriodSpans, spansOf, todayIn } from "./periods.ts";
import { askedBy, foldSales } from "./rollups.store.ts";
import { viewTransactions } from "./sales.view.ts";
import {
  type BarRow,
  countMembers,
  type ProductRow,
  viewBars,
  viewBestCustomers,
  viewBestProducts,
  viewForExport,
} from "./statistics.view.ts";

const SHOWN = 5;

/**
 * What was sold, in figures that agree with each other: one picture of the database. `avancees`
 * where the seller's plan opens them.
 */
export async function statisticsOf(
  app: App,
  sellerId: bigint,
  period: StatisticsPeriod,
): Promise<StatisticsAnswer> {
  const { db } = app;
  const advanced = (await refuseCapability(db, sellerId, "advanced-statistics")) === null;
  const asked = askedBy(app, sellerId);
  await foldSales(db, asked);
  const spans = spansOf(period, todayIn(asked.zone, asked.now));
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const rows = await viewBars(tx, sellerId, spans);
      const best = { spans, limit: SHOWN };
      const customers = await viewBestCustomers(tx, sellerId, best);
      const filter = { words: null, since: null, status: null };
      const last = await viewTransactions(tx, sellerId, { before: null, limit: SHOWN, filter });
      return {
        success: true as const,
        periode: period,
        du: spans.now.from,
        au: spans.now.to,
        ...figuresOf(rows, spans),
        ...sharesOf(rows, spans, await viewBestProducts(tx, sellerId, best)),
        membres: await countMembers(tx, sellerId),
        clients: customers.map(({ id, name, sales, gross }) => ({
          id: String(id),
          nom: name || NAMELESS_BUYER,
          achats: sales,
          montant: Number(gross),
        })),
        dernieres: last.slice(0, SHOWN).map(saleOnWire),
        avancees: advanced ? await readAdvanced(tx, sellerId, spans) : null,
      };
    });
}

/** A period as a spreadsheet, for premium: a line for each day, or month, and product. */
export async function statisticsSheet(
  app: App,
  sellerId: bigint,
  period: StatisticsPeriod,
): Promise<Result<string, PlansRefusal>> {
  const { db } = app;
  const refusal = await refuseCapability(db, sellerId, "advanced-statistics");
  if (refusal) return refuse(refusal);
  const asked = askedBy(app, sellerId);
  await foldSales(db, asked);
  const spans = spansOf(period, todayIn(asked.zone, asked.now));
  const rows = await viewForExport(db, sellerId, spans);
  return ok(
    csvText([
      EXPORT_COLUMNS,
      ...rows.map(({ starts_on: day, product, sales, renewals, gross, fees, direct }) => [
        spans.grain === "month" ? day.slice(0, 7) : day,
        product,
        sales,
        renewals,
        gross,
        fees,
        gross - fees,
        direct,
      ]),
    ]),
  );
}

type Sums = Omit<BarRow, "starts_on" | "gross" | "fees" | "direct"> &
  Readonly<Record<"gross" | "fees" | "direct", number>>;

function addUp(rows: readonly BarRow[]): Sums {
  const sum = (pick: (row: BarRow) => number | bigint) =>
    rows.reduce((total, row) => total + Number(pick(row)), 0);
  return {
    sales: sum((row) => row.sales),
    renewals: sum((row) => row.renewals),
    gross: sum((row) => row.gross),
    fees: sum((row) => row.fees),
    direct: sum((row) => row.direct),
  };
}

function figuresOf(rows: readonly BarRow[], { now, bars }: PeriodSpans) {
  const current = rows.filter((row) => row.starts_on >= now.from);
  const sums = addUp(current);
  const before = addUp(rows.filter((row) => row.starts_on < now.from));
  const byStart = new Map(current.map((row) => [row.starts_on, row]));
  return {
    net: figureOf(sums.gross - sums.fees, before.gross - before.fees),
    brut: figureOf(sums.gross, before.gross),
    ventes: figureOf(sums.sales, before.sales),
    frais: sums.fees,
    direct: sums.direct,
    nouvelles: sums.sales - sums.renewals,
    renouvellements: sums.renewals,
    barres: bars.map((debut) => {
      const row = byStart.get(debut);
      const gross = Number(row?.gross ?? 0);
      return { debut, net: gross - Number(row?.fees ?? 0), brut: gross, ventes: row?.sales ?? 0 };
    }),
  };
}

/** The best products and the rest, with parts that add up to 100: the largest remainders win. */
function sharesOf(
  rows: readonly BarRow[],
  { now }: PeriodSpans,
  products: readonly ProductRow[],
): Pick<StatisticsAnswer, "produits" | "autres_produits"> {
  const all = addUp(rows.filter((row) => row.starts_on >= now.from));
  const net = all.gross - all.fees;
  const shown = products.map(({ id, title, sales, net: own }) => ({
    id: String(id),
    titre: title,
    ventes: sales,
    net: Number(own),
  }));
  const rest = {
    ventes: all.sales - shown.reduce((sum, one) => sum + one.ventes, 0),
    net: net - shown.reduce((sum, one) => sum + one.net, 0),
  };
  const parts = partsOf([...shown, ...(rest.ventes > 0 ? [rest] : [])].map((one) => one.net));
  return {
    produits: shown.map((one, index): ProductShareOnWire => ({ ...one, part: parts[index] ?? 0 })),
    autres_produits: rest.ventes > 0 ? { ...rest, part: parts.at(-1) ?? 0 } : null,
  };
}

export function partsOf(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total <= 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / total) * 100);
  const parts = exact.map(Math.floor);
  let left = 100 - parts.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of order) {
    if (left <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
