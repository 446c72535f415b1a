import type { DayMovementOnWire, PurseOnWire, RegistryRefusal } from "@sesame/contract/desk";
import { PAYOUT_METHOD_IDS } from "@sesame/contract/settings";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { MOVEMENT_WORDS, nameOther, namePurse } from "./messages.fr.ts";
import {
  type CloseRow,
  type DayWindow,
  findCloses,
  findMovements,
  findProviderAccounts,
  findPurses,
  type MovementRow,
  type PurseRow,
} from "./day.view.ts";
import { addDays, type Day, dayOf, startOfDay } from "./day-zone.ts";
import { mayOf } from "./sellers-judge.ts";

/** A purse with more movements in a day than this is read in the export. */
const MOVEMENTS_SHOWN = 100;

/** Floats first, in the order of the methods; then what lies at providers. */
export async function purseKeys(db: Db): Promise<string[]> {
  return [...PAYOUT_METHOD_IDS.map((id) => `float:${id}`), ...(await findProviderAccounts(db))];
}

export function windowOf(day: Day, zone: string): DayWindow {
  return { day, from: startOfDay(day, zone), until: startOfDay(addDays(day, 1), zone) };
}

export async function viewDay(app: App, day: Day | null) {
  const { db, clock } = app;
  const { timeZone } = app.config;
  const now = clock.now();
  const today = dayOf(now, timeZone);
  const date = day ?? today;
  const keys = await purseKeys(db);
  return {
    now: now.toISOString(),
    date,
    today,
    zone: timeZone,
    purses: await readPurses(db, { keys, day: date, today, zone: timeZone }, MOVEMENTS_SHOWN),
  };
}

type PurseQuestion = {
  readonly keys: readonly string[];
  readonly day: Day;
  readonly today: Day;
  readonly zone: string;
};

export async function readPurses(
  db: Db,
  { keys, day, today, zone }: PurseQuestion,
  limit: number,
): Promise<PurseOnWire[]> {
  const purses = await findPurses(db, keys, windowOf(day, zone));
  const closes = await findCloses(db, keys, day);
  const onWire: PurseOnWire[] = [];
  for (const purse of purses) {
    const ours = namePurse(purse.key).kind === "provider";
    const movements = await findMovements(db, purse, { ours, limit: limit + 1 });
    const own = closes.filter(({ account }) => account === purse.key);
    onWire.push(purseToWire(purse, { movements, closes: own, limit, future: day > today }));
  }
  return onWire;
}

type Around = {
  readonly movements: readonly MovementRow[];
  readonly closes: readonly CloseRow[];
  readonly limit: number;
  readonly future: boolean;
};

function purseToWire(row: PurseRow, around: Around): PurseOnWire {
  const { movements, closes, limit, future } = around;
  const refusal = judgeClose(row);
  return {
    account: row.key,
    ...namePurse(row.key),
    opening: Number(row.opening),
    opened_on: row.opened_on,
    in: Number(row.money_in),
    out: Number(row.money_out),
    costs: Number(row.costs),
    expected: Number(row.opening + row.money_in - row.money_out),
    movements: movements.slice(0, limit).map(movementToWire),
    more: movements.length > limit,
    status: row.closed ? "closed" : row.covered ? "covered" : "open",
    closes: closes.map(closeToWire),
    may_close: mayOf(future ? { kind: "desk.day-in-future" } : refusal),
    may_correct: mayOf(judgeCorrection(row)),
  };
}

export function judgeClose(row: PurseRow): RegistryRefusal | null {
  if (row.closed) return { kind: "desk.day-closed" };
  return row.covered ? { kind: "desk.day-covered" } : null;
}

export function judgeCorrection(row: PurseRow): RegistryRefusal | null {
  if (!row.closed) return { kind: "desk.day-not-closed" };
  return row.covered ? { kind: "desk.day-covered" } : null;
}

function closeToWire(row: CloseRow): PurseOnWire["closes"][number] {
  return {
    id: String(row.id),
    expected: Number(row.expected),
    counted: Number(row.counted),
    difference: Number(row.difference),
    explanation: row.explanation,
    closed_at: row.closed_at.toISOString(),
    closed_by: { id: String(row.closed_by), name: row.closer_name },
    corrects: row.corrects === null ? null : String(row.corrects),
  };
}

function movementToWire(row: MovementRow): DayMovementOnWire {
  const { withdrawal_id: id, withdrawal_reference: reference } = row;
  return {
    at: row.at.toISOString(),
    ...labelOf(row),
    amount: Number(row.amount),
    reference: row.move_reference ?? row.operator_reference,
    withdrawal: id === null || reference === null ? null : { id: String(id), reference },
    by: row.by_id === null ? null : { id: String(row.by_id), name: row.by_name ?? "" },
  };
}

function labelOf(row: MovementRow): Pick<DayMovementOnWire, "kind" | "label"> {
  const [kind] = row.transfer_id.split(":");
  if (kind === "sent") return { kind: "payout", label: MOVEMENT_WORDS.payout };
  if (kind === "late") return { kind: "payout", label: MOVEMENT_WORDS.late };
  if (kind === "reversed") return { kind: "payout", label: MOVEMENT_WORDS.reversed };
  if (kind === "given-back") return { kind: "other", label: MOVEMENT_WORDS.refund };
  if (kind === "cost" || kind === "chargeback")
    return { kind: "other", label: MOVEMENT_WORDS.cost };
  if (row.move_other === null) return { kind: "other", label: MOVEMENT_WORDS.other };
  const other = nameOther(row.move_other);
  return row.amount > 0n
    ? { kind: "top-up", label: MOVEMENT_WORDS.topUp(other) }
    : { kind: "withdrawal", label: MOVEMENT_WORDS.withdrawal(other) };
}
