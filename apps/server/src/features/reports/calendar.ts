import {
  type CalendarAnswer,
  type CalendarDayAnswer,
  type CalendarEventOnWire,
  NAMELESS_BUYER,
} from "@sesame/contract/reports";
import { fromLocalMs } from "@sesame/contract/withdrawals";
import { fcfaToJson } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import {
  type Between,
  countEndings,
  countPayouts,
  countRenewals,
  type EndingRow,
  viewEndings,
  viewNextRun,
  viewPayoutsOfDay,
  viewRenewals,
} from "./calendar.view.ts";
import { type Day, plusDays, plusMonths, todayIn } from "./periods.ts";
import { type Asked, foldSales } from "./rollups.store.ts";

const SHOWN = 200;

/** How much falls on each day of a month (decision 46): expirations, renewals, payouts. */
export async function readCalendar(
  db: Db,
  asked: Asked,
  chosen: string | undefined,
): Promise<Omit<CalendarAnswer, "success">> {
  await foldSales(db, asked);
  const { sellerId, zone } = asked;
  const today = todayIn(zone, asked.now);
  const month = chosen ?? today.slice(0, 7);
  const first = `${month}-01`;
  const after = plusMonths(first, 1);
  const between = { ...betweenDays({ from: first, until: after }, zone), zone };
  const [endings, renewals, payouts] = await Promise.all([
    countEndings(db, sellerId, between),
    countRenewals(db, sellerId, { from: first, to: plusDays(after, -1) }),
    countPayouts(db, sellerId, between),
  ]);
  const counts = [endings, renewals, payouts].map(
    (rows) => new Map(rows.map(({ day, count }) => [day, count])),
  );
  const days = new Set(counts.flatMap((each) => [...each.keys()]));
  const on = (which: number, day: Day) => counts[which]?.get(day) ?? 0;
  return {
    mois: month,
    aujourdhui: today,
    jours: [...days].sort().map((jour) => ({
      jour,
      expirations: on(0, jour),
      renouvellements: on(1, jour),
      retraits: on(2, jour),
    })),
  };
}

/** What falls on one day, by its time. */
export async function readCalendarDay(
  db: Db,
  asked: Asked,
  day: Day,
): Promise<Omit<CalendarDayAnswer, "success">> {
  await foldSales(db, asked);
  const { sellerId, zone, now } = asked;
  const between = betweenDays({ from: day, until: plusDays(day, 1) }, zone);
  const page = { ...between, limit: SHOWN + 1 };
  const [endings, renewals, payouts, nextRun] = await Promise.all([
    viewEndings(db, sellerId, page),
    viewRenewals(db, sellerId, { day, limit: SHOWN + 1 }),
    viewPayoutsOfDay(db, sellerId, page),
    viewNextRun(db, sellerId),
  ]);
  const events: CalendarEventOnWire[] = [
    ...endings.slice(0, SHOWN).map((row) => ({
      type: "expiration" as const,
      ...buyerOf(row),
      passee: row.at <= now,
    })),
    ...renewals.slice(0, SHOWN).map((row) => ({
      type: "renouvellement" as const,
      ...buyerOf(row),
      montant: fcfaToJson(row.price),
    })),
    ...payouts.slice(0, SHOWN).map((row) => ({
      type: "retrait" as const,
      id: String(row.id),
      date: row.at.toISOString(),
      montant: fcfaToJson(row.amount),
      status: row.status,
      reference_transaction: row.reference,
      automatique: row.automatic,
    })),
  ];
  if (nextRun && nextRun >= between.from && nextRun < between.until) {
    events.push({ type: "retrait_automatique", id: "next", date: nextRun.toISOString() });
  }
  const sure = await countMore({ db, asked, between, day }, [endings, renewals, payouts]);
  return {
    jour: day,
    evenements: events.sort((a, b) => a.date.localeCompare(b.date)),
    autres: sure,
  };
}

/** What is behind the first of each kind: counted only where there is more. */
async function countMore(
  { db, asked, between, day }: { db: Db; asked: Asked; between: Between; day: Day },
  lists: readonly (readonly unknown[])[],
): Promise<number> {
  if (lists.every((rows) => rows.length <= SHOWN)) return 0;
  const { sellerId, zone } = asked;
  const counts = await Promise.all([
    countEndings(db, sellerId, { ...between, zone }),
    countRenewals(db, sellerId, { from: day, to: day }),
    countPayouts(db, sellerId, { ...between, zone }),
  ]);
  return counts.reduce((sum, rows) => sum + Math.max(0, (rows[0]?.count ?? 0) - SHOWN), 0);
}

function buyerOf(row: EndingRow) {
  return {
    id: String(row.id),
    date: row.at.toISOString(),
    nomClient: row.buyer_name || NAMELESS_BUYER,
    produitNom: row.title,
    idProduit: String(row.product_id),
  };
}

function betweenDays(days: { from: Day; until: Day }, zone: string): Between {
  const startOf = (day: Day) => fromLocalMs(Date.parse(`${day}T00:00:00Z`), zone);
  return { from: startOf(days.from), until: startOf(days.until) };
}
