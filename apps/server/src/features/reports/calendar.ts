import type { CalendarDayOnWire, listCalendarEvents } from "@sesame/contract/reports";
import { addDays, addMonths, type Day, dayOf, startOfDay } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import { type Db, many, one, PREPARED } from "../../postgres/database.ts";
import { BUYER_NAME, PAYOUT_STATUS } from "./history.ts";
import { type Asked, foldSales } from "./statistics.ts";

const SHOWN = 200;

/** Days: from the first, before the second. */
type Days = { readonly from: Day; readonly until: Day };

/** The number of items on each day of a month (decision 46): expirations, renewals, payouts. */
export async function readCalendar(db: Db, asked: Asked, chosen: string | undefined) {
  await foldSales(db, asked);
  const today = dayOf(asked.now, asked.zone);
  const month = chosen ?? today.slice(0, 7);
  const first = `${month}-01`;
  const until = addMonths(first, 1);
  const jours = await countByDay(db, asked, { from: first, until });
  const next_day = jours.length > 0 ? null : await findNextDay(db, asked, until);
  return { mois: month, aujourdhui: today, jours, next_day };
}

/** The first day from then on with the end of a membership or an automatic payout. */
async function findNextDay(db: Db, { sellerId, zone }: Asked, from: Day): Promise<Day | null> {
  const { day } = await one<{ day: Day | null }>(db)`
    SELECT (min(next.at) AT TIME ZONE ${zone}::text)::date::text AS day FROM (
      SELECT a.ends_at AS at FROM groups g JOIN accesses a ON a.group_id = g.id
      WHERE g.seller_id = ${sellerId} AND ${ENDING}
      UNION ALL
      SELECT next_run_at FROM payout_profiles
      WHERE seller_id = ${sellerId} AND automatic AND frozen_at IS NULL
    ) AS next
    WHERE next.at >= ${startOfDay(from, zone)}
  `;
  return day;
}

// A membership whose member the admins banned is over, whatever time is left.
const ENDING = sql`a.status <> 'banned'`;

/** The number of each kind on each of some days, in one statement: see `bench/statistics.bench.ts`. */
function countByDay(db: Db, { sellerId, zone }: Asked, days: Days) {
  const { from, until } = betweenDays(days, zone);
  return many<CalendarDayOnWire>(db)`${PREPARED}
    SELECT day::text AS jour, sum(endings)::int AS expirations,
      sum(renewals)::int AS renouvellements, sum(payouts)::int AS retraits
    FROM (
      SELECT (a.ends_at AT TIME ZONE ${zone}::text)::date AS day, count(*) AS endings,
        0 AS renewals, 0 AS payouts
      FROM groups g JOIN accesses a ON a.group_id = g.id
      WHERE g.seller_id = ${sellerId} AND a.ends_at >= ${from} AND a.ends_at < ${until}
        AND ${ENDING}
      GROUP BY 1
      UNION ALL
      SELECT starts_on, 0, sum(renewals), 0 FROM sale_totals
      WHERE seller_id = ${sellerId} AND grain = 'day'
        AND starts_on >= ${days.from}::date AND starts_on < ${days.until}::date
      GROUP BY starts_on HAVING sum(renewals) > 0
      UNION ALL
      -- By the day of the request, with the next automatic one.
      SELECT (created_at AT TIME ZONE ${zone}::text)::date, 0, 0, 1 FROM withdrawals
      WHERE seller_id = ${sellerId} AND created_at >= ${from} AND created_at < ${until}
      UNION ALL
      SELECT (next_run_at AT TIME ZONE ${zone}::text)::date, 0, 0, 1 FROM payout_profiles
      WHERE seller_id = ${sellerId} AND automatic AND frozen_at IS NULL
        AND next_run_at >= ${from} AND next_run_at < ${until}
    ) AS falling
    GROUP BY day ORDER BY day
  `;
}

type Event = z.output<typeof listCalendarEvents.answer>["evenements"][number];
type EventRow<Type extends Event["type"]> = Extract<Event, { type: Type }> & {
  readonly date: Date;
};

/** The items of one day, by their time. */
export async function readCalendarDay(db: Db, asked: Asked, day: Day) {
  await foldSales(db, asked);
  const { sellerId, zone, now } = asked;
  const days = { from: day, until: addDays(day, 1) };
  const { from, until } = betweenDays(days, zone);
  const [endings, renewals, payouts, nextRuns] = await Promise.all([
    many<EventRow<"expiration">>(db)`
      SELECT 'expiration' AS type, a.id, a.ends_at AS date, ${BUYER_NAME} AS "nomClient",
        o.title AS "produitNom", o.product_id AS "idProduit",
        a.ends_at <= ${now}::timestamptz AS passee
      FROM groups g JOIN accesses a ON a.group_id = g.id
      JOIN orders o ON o.id = a.order_id JOIN people p ON p.id = a.person_id
      WHERE g.seller_id = ${sellerId} AND a.ends_at >= ${from} AND a.ends_at < ${until}
        AND ${ENDING}
      ORDER BY a.ends_at, a.id LIMIT ${SHOWN + 1}
    `,
    many<EventRow<"renouvellement">>(db)`
      SELECT 'renouvellement' AS type, o.id, o.paid_at AS date, ${BUYER_NAME} AS "nomClient",
        o.title AS "produitNom", o.product_id AS "idProduit", o.price AS montant
      FROM sale_days d JOIN orders o ON o.id = d.order_id JOIN people p ON p.id = o.buyer_id
      WHERE d.seller_id = ${sellerId} AND d.day = ${day}::date AND d.renewal
      ORDER BY o.paid_at, o.id LIMIT ${SHOWN + 1}
    `,
    many<EventRow<"retrait">>(db)`
      SELECT 'retrait' AS type, w.id, w.created_at AS date, w.amount AS montant,
        ${PAYOUT_STATUS} AS status, w.reference AS reference_transaction,
        w.origin = 'automatic' AS automatique
      FROM withdrawals w
      WHERE w.seller_id = ${sellerId} AND w.created_at >= ${from} AND w.created_at < ${until}
      ORDER BY w.created_at, w.id LIMIT ${SHOWN + 1}
    `,
    many<EventRow<"retrait_automatique">>(db)`
      SELECT 'retrait_automatique' AS type, 'next' AS id, next_run_at AS date FROM payout_profiles
      WHERE seller_id = ${sellerId} AND automatic AND frozen_at IS NULL
        AND next_run_at >= ${from} AND next_run_at < ${until}
    `,
  ]);
  const kinds: readonly (Event & { date: Date })[][] = [endings, renewals, payouts];
  // The rest of a kind is counted only where there is more.
  const isAll = kinds.every((rows) => rows.length <= SHOWN);
  const [counts] = isAll ? [] : await countByDay(db, asked, days);
  const behind = (count = 0) => Math.max(0, count - SHOWN);
  return {
    jour: day,
    evenements: [...kinds.flatMap((rows) => rows.slice(0, SHOWN)), ...nextRuns].sort(
      (a, b) => a.date.getTime() - b.date.getTime(),
    ),
    autres:
      behind(counts?.expirations) + behind(counts?.renouvellements) + behind(counts?.retraits),
  };
}

/** Instants: from the first, before the second. */
function betweenDays({ from, until }: Days, zone: string): { from: Date; until: Date } {
  return { from: startOfDay(from, zone), until: startOfDay(until, zone) };
}
