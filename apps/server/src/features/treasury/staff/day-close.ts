import { deskChanged, publish } from "../../../realtime/events.store.ts";
import { isDay } from "@sesame/contract";
import {
  type closeDeskDay,
  type moveDeskMoney,
  type PurseOnWire,
  REASON_CHARACTERS_MAX,
} from "@sesame/contract/treasury";
import { type RegistryRefusal } from "@sesame/contract/back-office";
import { readAmount } from "@sesame/contract/withdrawals";
import { assert, fcfa, ok, type Result, refuse, type Day, dayOf } from "@sesame/kernel";
import { openAccounts, postBetween } from "@sesame/ledger";
import { sql } from "kysely";
import type { z } from "zod";
import { raiseAlert } from "../../../alerts/alerts.ts";
import type { App } from "../../../app.ts";
import { actorOf, audit } from "../../../audit/audit.store.ts";
import type { Principal } from "../../../http/server.ts";
import { type Db, one } from "../../../postgres/database.ts";
import * as purses from "./day.ts";
import { namePurse, TREASURY } from "./messages.fr.ts";

type CloseRequest = {
  readonly caller: Principal;
  readonly correction: boolean;
  readonly body: NonNullable<z.output<typeof closeDeskDay.body>>;
};

type Count = {
  readonly day: Day;
  readonly key: string;
  readonly counted: bigint;
  readonly explanation: string | null;
};

const SHOWN_AFTER = 100;

/**
 * What an agent counted against what the ledger says. The difference is explained and posted, so
 * the ledger is what was counted from here on.
 */
export async function closeDay(
  app: App,
  tx: Db,
  request: CloseRequest,
): Promise<Result<PurseOnWire, RegistryRefusal>> {
  const { caller, correction } = request;
  const now = app.clock.now();
  const read = await readCount(app, tx, request.body);
  if (!read.ok) return read;
  const { day, key, counted, explanation } = read.value;
  await lockPurses(tx, [key]);
  // Waits for the postings under way, so that a count misses none (55P03 after two seconds).
  await sql`SELECT ledger_barrier()`.execute(tx);
  const [purse] = await purses.findPurses(tx, [key], { day, zone: app.config.timeZone });
  assert(purse, "the purse is there");
  const forbidden = correction ? purses.judgeCorrection(purse) : purses.judgeClose(purse);
  if (forbidden) return refuse(forbidden);
  const scene = await sceneOf(tx, { purse, day, correction });
  if (correction && counted === scene.stood) return refuse({ kind: "desk.day-same-count" });
  if (explanation === null && (correction || counted !== scene.stood)) {
    return refuse({ kind: "desk.explanation-missing" });
  }
  const { opening, money_in, money_out, after_seq, upto_seq } = scene.purse;
  const expected = opening + money_in - money_out;
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO day_closes (account, on_date, corrects, opening, money_in, money_out, expected,
      counted, difference, explanation, after_seq, upto_seq, closed_by, closed_at)
    VALUES (${key}, ${day}::date, ${scene.corrects}, ${opening}, ${money_in}, ${money_out},
      ${expected}, ${counted}, ${counted - expected}, ${explanation}, ${after_seq}, ${upto_seq},
      ${caller.personId}, ${now})
    RETURNING id
  `;
  const found = fcfa(counted - scene.stood);
  if (found !== 0n) {
    const keys = ["platform:cash-differences"];
    const [to] = await openAccounts(tx, { keys, guarded: false }, now);
    assert(to !== undefined, "the account is open");
    // Francs we have are minus the balance: more found is less of it.
    await postBetween(tx, `day:${id}`, { from: purse.account_id, to, amount: found, now });
  }
  const difference = counted - scene.expected;
  if (difference !== 0n) {
    const { label: account } = namePurse(key);
    const francs = { counted: String(counted), difference: String(difference) };
    const details = { account, day, ...francs, explanation };
    const subject = `${key}:${day}`;
    await raiseAlert(tx, { kind: "day.difference", subject, details, whenOpen: "anew", now });
  }
  await publish(tx, [deskChanged("day", day)]);
  const action = correction ? "day.correct" : "day.close";
  const deed = { action, subject: `day:${day}:${key}`, reason: explanation };
  const before = { expected: scene.expected, stood: scene.stood };
  const after = { id, counted, difference };
  await audit(tx, { ...deed, before, after, actor: actorOf(caller) }, now);
  return answer(app, tx, { key, day });
}

type Scene = {
  /** As it was first counted, when this is a correction. */
  readonly purse: purses.PurseRow;
  readonly corrects: bigint | null;
  readonly expected: bigint;
  /** What the ledger takes it for: the last count of the day, or the expected. */
  readonly stood: bigint;
};

async function sceneOf(
  tx: Db,
  { purse, day, correction }: { purse: purses.PurseRow; day: Day; correction: boolean },
): Promise<Scene> {
  if (!correction) {
    const expected = purse.opening + purse.money_in - purse.money_out;
    return { purse, corrects: null, expected, stood: expected };
  }
  const closes = await purses.findCloses(tx, [purse.key], day);
  const first = closes[0];
  const last = closes.at(-1);
  assert(first && last, "a closed day has its close");
  const { opening, money_in, money_out } = first;
  const counted = { ...purse, opening, money_in, money_out };
  return { purse: counted, corrects: first.id, expected: first.expected, stood: last.counted };
}

async function readCount(
  { clock, config: { timeZone } }: App,
  tx: Db,
  body: CloseRequest["body"],
): Promise<Result<Count, RegistryRefusal>> {
  const now = clock.now();
  const today = dayOf(now, timeZone);
  const day = body.date ?? today;
  if (!isDay(day)) return refuse({ kind: "desk.day-invalid" });
  if (day > today) return refuse({ kind: "desk.day-in-future" });
  const key = (await purses.purseKeys(tx, now)).find((each) => each === body.account);
  if (key === undefined) return refuse({ kind: "desk.purse-unknown" });
  const counted = readFrancs(body.counted);
  if (counted === null) return refuse({ kind: "desk.counted-invalid" });
  const words = typeof body.explanation === "string" ? body.explanation.trim() : "";
  if (words.length > REASON_CHARACTERS_MAX) return refuse({ kind: "desk.explanation-too-long" });
  return ok({ day, key, counted, explanation: words === "" ? null : words });
}

const FRANCS_MAX = 1_000_000_000_000n;

/** Zero too: a float may be empty. */
function readFrancs(value: unknown): bigint | null {
  if (value === 0 || (typeof value === "string" && /^\s*0+\s*$/.test(value))) return 0n;
  const amount = readAmount(value);
  return amount !== null && amount <= FRANCS_MAX ? amount : null;
}

async function answer(
  { clock, config: { timeZone } }: App,
  tx: Db,
  { key, day }: { key: string; day: Day },
): Promise<Result<PurseOnWire, RegistryRefusal>> {
  const today = dayOf(clock.now(), timeZone);
  const question = { keys: [key], day, today, zone: timeZone };
  const [purse] = await purses.readPurses(tx, question, SHOWN_AFTER);
  assert(purse, "the purse is there");
  return ok(purse);
}

/** Counts and moves of a purse take turns until the transaction ends; in the order of the names. */
async function lockPurses(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort()) {
    await sql`
      SELECT pg_advisory_xact_lock(hashtextextended(${`purse:${key}`}, 0))
    `.execute(tx);
  }
}

type MoveRequest = {
  readonly caller: Principal;
  readonly body: NonNullable<z.output<typeof moveDeskMoney.body>>;
};

const AMOUNT_MAX = 100_000_000n;
const REFERENCE_MIN = 3;
const REFERENCE_MAX = 120;

/** Money put into a purse, or taken out of it, by hand: from or to the treasury or another purse. */
export async function moveMoney(
  app: App,
  tx: Db,
  request: MoveRequest,
): Promise<Result<PurseOnWire, RegistryRefusal>> {
  const { caller } = request;
  const now = app.clock.now();
  const read = await readMove(tx, request, now);
  if (!read.ok) return read;
  const { account, other, amount, reference } = read.value;
  await lockPurses(tx, [account, other]);
  const giver = amount > 0n ? other : account;
  const size = amount > 0n ? amount : -amount;
  if (giver !== TREASURY) {
    const { francs } = await one<{ francs: bigint }>(tx)`
      SELECT -ledger_balance(a.id) AS francs FROM ledger_accounts a WHERE a.key = ${giver}
    `;
    if (francs < size) return refuse({ kind: "desk.move-too-large" });
  }
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO float_moves (account, other, amount, reference, moved_by, moved_at)
    VALUES (${account}, ${other}, ${amount}, ${reference}, ${caller.personId}, ${now})
    RETURNING id
  `;
  // Francs we have are minus the balance: what a purse gains leaves its account.
  const [from, to] = await openAccounts(tx, { keys: [account, other], guarded: false }, now);
  assert(from !== undefined && to !== undefined, "both accounts are open");
  await postBetween(tx, `move:float:${id}`, { from, to, amount: fcfa(amount), now });
  const day = dayOf(now, app.config.timeZone);
  await publish(tx, [deskChanged("day", day)]);
  const deed = { action: "day.move", subject: `purse:${account}`, reason: reference };
  const after = { id, other, amount };
  await audit(tx, { ...deed, after, actor: actorOf(caller) }, now);
  return answer(app, tx, { key: account, day });
}

type Move = {
  readonly account: string;
  readonly other: string;
  /** In > 0, out < 0. */
  readonly amount: bigint;
  readonly reference: string;
};

async function readMove(
  tx: Db,
  { body, caller }: MoveRequest,
  now: Date,
): Promise<Result<Move, RegistryRefusal>> {
  const keys = await purses.purseKeys(tx, now);
  const account = keys.find((key) => key === body.account);
  if (account === undefined) return refuse({ kind: "desk.purse-unknown" });
  const { direction } = body;
  if (direction !== "in" && direction !== "out") return refuse({ kind: "desk.move-direction" });
  // What leaves is an operator's word: it could hide what a count would find missing.
  if (direction === "out" && !caller.isOperator) return refuse({ kind: "desk.operator-only" });
  const size = readAmount(body.amount);
  if (size === null || size > AMOUNT_MAX) return refuse({ kind: "desk.move-amount" });
  const other = [TREASURY, ...keys].find((key) => key === (body.other ?? TREASURY));
  if (other === undefined || other === account) return refuse({ kind: "desk.move-other" });
  const reference = typeof body.reference === "string" ? body.reference.trim() : "";
  if (reference.length < REFERENCE_MIN || reference.length > REFERENCE_MAX) {
    return refuse({ kind: "desk.move-reference" });
  }
  const amount = direction === "in" ? size : -size;
  return ok({ account, other, amount, reference });
}
