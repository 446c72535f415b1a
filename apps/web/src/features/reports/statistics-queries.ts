import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import type {
  CalendarAnswer,
  CalendarDayAnswer,
  StatisticsAnswer,
  StatisticsPeriod,
} from "@sesame/contract/reports";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";
import { getSession } from "../../lib/session.ts";
import { advancedCopy } from "./messages.fr.ts";

// Under the key of transactions: a sale that comes in asks for these anew too.

export function statisticsQuery(period: StatisticsPeriod) {
  return queryOptions<StatisticsAnswer>({
    queryKey: [...keys.transactions, "statistics", period],
    queryFn: async () => {
      const answer = await call<Partial<StatisticsAnswer>>(`/api/statistics?periode=${period}`);
      answered(answer.net);
      return answer as StatisticsAnswer;
    },
  });
}

/** @param month "2026-11" */
/** Null: the month it is at the server, whatever the phone believes. */
export function calendarQuery(month: string | null) {
  const keyOf = (of: string | null) => [...keys.transactions, "calendar", of];
  return queryOptions<CalendarAnswer>({
    queryKey: keyOf(month),
    queryFn: async ({ client }) => {
      const path = month === null ? "/api/calendar" : `/api/calendar?mois=${month}`;
      const answer = await call<Partial<CalendarAnswer>>(path);
      answered(answer.jours);
      const calendar = answer as CalendarAnswer;
      if (month === null) client.setQueryData(keyOf(calendar.mois), calendar);
      return calendar;
    },
    placeholderData: keepPreviousData,
  });
}

export function calendarDayQuery(day: string) {
  return queryOptions<CalendarDayAnswer>({
    queryKey: [...keys.transactions, "calendar-day", day],
    queryFn: async () => {
      const answer = await call<Partial<CalendarDayAnswer>>(`/api/calendar/day?jour=${day}`);
      answered(answer.evenements);
      return answer as CalendarDayAnswer;
    },
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
