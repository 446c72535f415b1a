import type { AdvancedOnWire, CohortOnWire, FigureOnWire } from "@sesame/contract/reports";
import type { Db } from "../../postgres/database.ts";
import { type Day, type PeriodSpans, plusDays, plusMonths } from "./periods.ts";
import { type CohortRow, viewCohorts, viewRuns } from "./statistics.view.ts";

/** Whole percent; null of nothing. */
export function percent(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 100) : null;
}

/** A figure beside that of the period before. */
export function figureOf(now: bigint | number, before: bigint | number): FigureOnWire {
  const valeur = Number(now);
  const precedent = Number(before);
  const evolution = precedent === 0 ? null : Math.round(((valeur - precedent) / precedent) * 100);
  return { valeur, precedent, evolution };
}

/** What premium adds: recurring revenue, renewals, losses, cohorts. The contract defines each. */
export async function readAdvanced(
  db: Db,
  sellerId: bigint,
  spans: PeriodSpans,
): Promise<AdvancedOnWire> {
  const { from, to: today } = spans.now;
  const eve = plusDays(from, -1);
  const running = await viewRuns(db, sellerId, { from: null, to: today });
  const before = await viewRuns(db, sellerId, { from: null, to: eve });
  // Up to yesterday: what ends today can still be prolonged.
  const within = await viewRuns(db, sellerId, { from, to: plusDays(today, -1) });
  const perdus = Math.max(0, within.ended - within.renewed);
  const servis = Math.max(perdus, before.began - before.ended + within.began - within.renewed);
  // A refund can move a renewal to the front of the time it prolonged: no more than all.
  const renouveles = Math.min(within.renewed, within.ended);
  return {
    mrr: figureOf(running.monthly, before.monthly),
    abonnes: running.began - running.ended,
    echeances: within.ended,
    renouveles,
    taux_renouvellement: percent(renouveles, within.ended),
    perdus,
    servis,
    taux_attrition: percent(perdus, servis),
    cohortes: await readCohorts(db, sellerId, today),
  };
}

async function readCohorts(db: Db, sellerId: bigint, today: Day): Promise<CohortOnWire[]> {
  const over = plusMonths(today, -1);
  const from = plusMonths(today, -11);
  const rows = await viewCohorts(db, sellerId, { from, to: over });
  const own = rows.filter(({ cohort, month }) => cohort === month);
  return own.map(({ cohort, buyers }) => ({
    mois: cohort,
    clients: buyers,
    restes: stayed(rows, { cohort, buyers, over }),
  }));
}

/** One for each month since that is over, none left out. */
function stayed(
  rows: readonly CohortRow[],
  { cohort, buyers, over }: { readonly cohort: Day; readonly buyers: number; readonly over: Day },
): CohortOnWire["restes"] {
  const there = new Map(rows.filter((row) => row.cohort === cohort).map((row) => [row.month, row]));
  const months: CohortOnWire["restes"] = [];
  for (let mois = plusMonths(cohort, 1); mois <= over; mois = plusMonths(mois, 1)) {
    const clients = there.get(mois)?.buyers ?? 0;
    months.push({ mois, clients, part: percent(clients, buyers) ?? 0 });
  }
  return months;
}
