import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import type { StatisticsPeriod } from "@sesame/contract/reports";
import type { AnswerOf } from "@sesame/contract/routes";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { RequestError } from "../../lib/request.ts";
import { keys, whole } from "../../lib/resources.ts";
import { getSession } from "../../lib/session.ts";
import { advancedCopy } from "./messages.fr.ts";

// Under the key of transactions: a sale that comes in asks for these anew too.

export function statisticsQuery(period: StatisticsPeriod) {
  return queryOptions({
    queryKey: [...keys.transactions, "statistics", period],
    queryFn: async () =>
      whole(await call("GET /api/statistics", { query: { periode: period } }), "net"),
  });
}

/** @param month "2026-11" */
/** Null: the month it is at the server, whatever the phone believes. */
export function calendarQuery(month: string | null) {
  const keyOf = (of: string | null) => [...keys.transactions, "calendar", of];
  return queryOptions<AnswerOf<"GET /api/calendar">>({
    queryKey: keyOf(month),
    queryFn: async ({ client }) => {
      const query = { mois: month ?? "" };
      const calendar = whole(await call("GET /api/calendar", { query }), "jours");
      if (month === null) client.setQueryData(keyOf(calendar.mois), calendar);
      return calendar;
    },
    placeholderData: keepPreviousData,
  });
}

export function calendarDayQuery(day: string) {
  return queryOptions({
    queryKey: [...keys.transactions, "calendar-day", day],
    queryFn: async () =>
      whole(await call("GET /api/calendar/day", { query: { jour: day } }), "evenements"),
  });
}

/** The period as the server writes it: asked with the token, which an address must not carry. */
export async function readExport(period: StatisticsPeriod): Promise<string> {
  const session = getSession();
  const failed = (status: number) =>
    new RequestError(advancedCopy.exportFailed, { status, code: "export" });
  if (session.at !== "live") throw failed(0);
  const answer = await fetch(`/api/statistics/export?periode=${period}`, {
    headers: { authorization: `Bearer ${session.token}` },
  }).catch(() => {
    throw failed(0);
  });
  if (!answer.ok) throw failed(answer.status);
  const text = await answer.text();
  // Reading as text drops the mark by which spreadsheets know UTF-8.
  return text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text;
}
