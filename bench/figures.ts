import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { Answered, Load as Asked } from "./load.ts";
import type { Db } from "../apps/server/src/postgres/database.ts";

/** One line of the report. `aim`: the bound of QUALITY.md for this figure, if it has one. */
export type Row = {
  readonly what: string;
  readonly figure: number;
  readonly unit: string;
  readonly aim?: { readonly atLeast: number } | { readonly atMost: number } | undefined;
};

export const print = (line: string) => void process.stdout.write(`${line}\n`);

/** `bench --against` reads this form again. */
function formatRow({ what, figure, unit, aim }: Row): string {
  const number = unit === "per second" ? String(Math.round(figure)) : figure.toFixed(2);
  const line = `  ${what.padEnd(62)} ${number.padStart(9)} ${unit}`;
  if (!aim) return line;
  const kept = "atLeast" in aim ? figure >= aim.atLeast : figure <= aim.atMost;
  const bound = "atLeast" in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  return `${line}   ${kept ? "✓" : "✗"} aim ${bound}`;
}

/** Prints figures. */
export const say = (...rows: readonly Row[]): void => {
  for (const row of rows) print(formatRow(row));
};

export type Place = {
  /** A new, migrated, empty database. */
  fresh(): Promise<string>;
  /** A database with payments and memberships of two years, filled once for all benches. */
  behind(): Promise<string>;
};

export const rowOf =
  (unit: string) =>
  (what: string, figure: number, aim?: Row["aim"]): Row => ({ what, figure, unit, aim });
export const perSecond = rowOf("per second");
export const times = rowOf("times");
export const milliseconds = rowOf("ms");
export const percent = rowOf("%");

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The value that this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Runs a program of this folder, and waits for it. → what it printed */
export async function runProgram(name: string, ...args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, name);
  return (await promisify(execFile)(process.execPath, [program, ...args])).stdout;
}

export const load = async (asked: Asked): Promise<Answered> =>
  JSON.parse(await runProgram("load.ts", JSON.stringify(asked)));

/** Answers per second of one address that so many connections call as fast as it answers. */
export const answerRate = async (url: string, connections: number, header = "") =>
  (await load({ url, connections, seconds: 0.5, header })).perSecond;

type Load = { readonly clients: number; readonly total: number };

/**
 * Calls `act` with 0, 1, 2, … from several clients, each of which waits for its own call. → calls
 * per second
 */
export async function rateOf(
  { clients, total }: Load,
  act: (index: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const client = async () => {
    while (next < total) await act(next++);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return total / ((performance.now() - startedAt) / 1_000);
}

/** Durable commits of one row per second: an upper bound for what is committed alone. */
export async function commitRate(db: Db, clients: number): Promise<number> {
  await sql`CREATE TABLE IF NOT EXISTS bench_commits (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text)`.execute(db);
  return rateOf({ clients, total: clients * 100 }, () =>
    sql`INSERT INTO bench_commits (note) VALUES ('bench')`.execute(db),
  );
}

/** How many of these orders, whose numbers have no gaps, are paid. */
export async function countPaid(db: Db, orders: readonly bigint[]): Promise<number> {
  const { rows } = await sql<{ paid: number }>`
    SELECT count(*)::int AS paid FROM orders
    WHERE id >= ${orders[0]} AND id <= ${orders.at(-1)} AND status = 'paid'
  `.execute(db);
  return rows[0]?.paid ?? 0;
}

export type Rounds = ReturnType<typeof keepRounds>;

export function keepRounds() {
  const rounds = new Map<string, number[]>();
  const all = (what: string) => rounds.get(what) ?? [];
  return {
    /** Keeps a figure of a round. */
    note: (what: string, figure: number) => void rounds.set(what, [...all(what), figure]),
    /** The median of the rounds. */
    of: (what: string) => median(all(what)),
    /** The median of the ratios of each round: a slow minute slows both figures. */
    ratio: (what: string, peer: string) =>
      median(all(what).map((figure, round) => figure / (all(peer)[round] ?? figure))),
  };
}
