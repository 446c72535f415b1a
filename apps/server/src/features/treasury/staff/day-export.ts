import { type Day, dayOf } from "@sesame/kernel";
import type { PurseOnWire } from "@sesame/contract/treasury";
import { type CsvCell, csvText } from "@sesame/contract/csv";
import type { App } from "../../../app.ts";
import { purseKeys, readPurses } from "./day.ts";
import { DAY_COLUMNS, DAY_LINES } from "./messages.fr.ts";

const MOVEMENTS_EXPORTED = 10_000;

/** Every purse that moved, was counted or holds something on that day. */
export async function exportDay(
  { db, clock, config: { timeZone } }: App,
  day: Day,
): Promise<string> {
  const now = clock.now();
  const today = dayOf(now, timeZone);
  const keys = await purseKeys(db, now);
  const question = { keys, day, today, zone: timeZone };
  const purses = await readPurses(db, question, MOVEMENTS_EXPORTED);
  const say = createSayTime(timeZone);
  const lines = purses.filter(isAlive).flatMap((purse) => linesOf(purse, day, say));
  return csvText([DAY_COLUMNS, ...lines]);
}

function isAlive({ opening, movements, closes, expected, in: money }: PurseOnWire): boolean {
  return opening !== 0 || expected !== 0 || money !== 0 || movements.length + closes.length > 0;
}

type Say = (instant: string) => string;

/** 16/11/2026 09:00:00, in the instance's zone. */
export function createSayTime(zone: string): Say {
  const format = new Intl.DateTimeFormat("fr-FR", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: zone,
  });
  return (instant) => format.format(new Date(instant)).replace(/[\u202f\u00a0]/g, " ");
}

function linesOf(purse: PurseOnWire, day: Day, say: Say): CsvCell[][] {
  const head: CsvCell[] = [day, purse.label, purse.account];
  const blank = (count: number): CsvCell[] => Array.from({ length: count }, () => null);
  const { opening, movements, more, expected, closes } = purse;
  return [
    [...head, DAY_LINES.opening, ...blank(7), opening, ...blank(2)],
    ...movements.map((move): CsvCell[] => [
      ...head,
      DAY_LINES.movement,
      say(move.at),
      move.label,
      move.reference,
      move.withdrawal?.reference ?? null,
      move.by?.name ?? null,
      move.amount > 0 ? move.amount : null,
      move.amount < 0 ? -move.amount : null,
      ...blank(3),
    ]),
    ...(more ? [[...head, DAY_LINES.more, ...blank(10)]] : []),
    [...head, DAY_LINES.expected, ...blank(5), purse.in, purse.out, expected, ...blank(2)],
    ...closes.map((close): CsvCell[] => [
      ...head,
      close.corrects === null ? DAY_LINES.close : DAY_LINES.correction,
      say(close.closed_at),
      ...blank(3),
      close.closed_by.name,
      ...blank(2),
      close.counted,
      close.difference,
      close.explanation,
    ]),
  ];
}
