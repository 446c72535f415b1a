import type { StatisticsPeriod } from "@sesame/contract/reports";
import { csvText } from "@sesame/contract/csv";
import type { Db } from "../../postgres/database.ts";
import { spansOf, todayIn } from "./periods.ts";
import { type Asked, foldSales } from "./rollups.store.ts";
import { viewForExport } from "./statistics.view.ts";
import { EXPORT_COLUMNS } from "./messages.fr.ts";

/** A period as a spreadsheet: a line for each day, or month, and product. */
export async function exportStatistics(
  db: Db,
  asked: Asked,
  period: StatisticsPeriod,
): Promise<string> {
  await foldSales(db, asked);
  const spans = spansOf(period, todayIn(asked.zone, asked.now));
  const rows = await viewForExport(db, asked.sellerId, spans);
  return csvText([
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
  ]);
}
