import { isDay, mayOf } from "@sesame/contract";
import { type RegistryRefusal, registryRefusals } from "@sesame/contract/back-office";
import { type CsvCell, csvText } from "@sesame/contract/csv";
import {
  type closeStaffDay,
  type moveStaffMoney,
  cashFloat,
  type CashFloatOnWire,
  REASON_CHARACTERS_MAX,
} from "@sesame/contract/treasury";
import { PAYOUT_METHOD_IDS, readAmount } from "@sesame/contract/withdrawals";
import { addDays, assert, type Day, dayOf, fcfa, ok, refuse, startOfDay } from "@sesame/kernel";
import { openAccount, openAccounts, postBetween } from "@sesame/ledger";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { type Db, many, one, takeTurn } from "../../../postgres/database.ts";
import {
  DAY_COLUMNS,
  DAY_LINES,
  MOVEMENTS,
  nameCashFloat,
  sayMove,
  TREASURY,
} from "./messages.fr.ts";
import { staffChanged, publish } from "../../../realtime/events.store.ts";
import { sql } from "kysely";
import { raiseAlert } from "../../../alerts/alerts.ts";
import { actorOf, audit } from "../../../audit/audit.store.ts";
import type { Principal } from "../../../http/server.ts";

/** The rest of a cash float's movements in a day is in the export. */
const MOVEMENTS_SHOWN = 100;

/**
 * Floats first, in the order of the methods; then balances at open providers. The float of a new
 * method is opened here.
 */
async function cashFloatKeys(db: Db, now: Date): Promise<string[]> {
  const floats = PAYOUT_METHOD_IDS.map((id) => `float:${id}`);
  const open = await many<{ key: string }>(db)`
    SELECT key FROM ledger_accounts
    WHERE NOT guarded AND (key = ANY (${floats}::text[])
      OR key >= 'provider:' AND key < 'provider;') ORDER BY key
  `;
  const providers = open.filter(({ key }) => key.startsWith("provider:"));
  if (open.length - providers.length < floats.length) {
    await openAccounts(db, { keys: floats, guarded: false }, now);
  }
  return [...floats, ...providers.map(({ key }) => key)];
}

type CashFloatRow = {
  readonly account_id: bigint;
  readonly key: string;
  /** Francs; the last count, or the balance at the day's beginning. */
  readonly opening: bigint;
  readonly opened_on: Day | null;
  readonly money_in: bigint;
  readonly money_out: bigint;
  /** Part of `out`: providers' fees. */
  readonly costs: bigint;
  readonly after_seq: bigint;
  readonly upto_seq: bigint;
  /** That day was counted. */
  readonly closed: boolean;
  /** A later day is closed already. */
  readonly covered: boolean;
};

/**
 * Cash floats on a day: from the entry after the last count to the day's last. A counted day keeps
 * its count.
 */
async function findCashFloats(db: Db, keys: readonly string[], day: Day, zone: string) {
  const from = startOfDay(day, zone);
  const until = startOfDay(addDays(day, 1), zone);
  return many<CashFloatRow>(db)`
    SELECT a.id AS account_id, a.key, coalesce(own.opening, previous.counted, before.had) AS opening,
      previous.on_date::text AS opened_on, cash_float.money_in, cash_float.money_out, cash_float.costs,
      span.after_seq, span.upto_seq, own.id IS NOT NULL AS closed,
      EXISTS (SELECT FROM day_closes l WHERE l.account = a.key AND l.on_date > ${day}::date)
        AS covered
    FROM unnest(${keys}::text[]) WITH ORDINALITY AS k(key, ord)
    JOIN ledger_accounts a ON a.key = k.key AND NOT a.guarded
    LEFT JOIN day_closes own ON own.account = a.key AND own.on_date = ${day}::date
      AND own.corrects IS NULL
    LEFT JOIN LATERAL (
      SELECT c.on_date, c.upto_seq, coalesce(corrected.counted, c.counted) AS counted
      FROM day_closes c
      LEFT JOIN LATERAL (
        SELECT r.counted FROM day_closes r WHERE r.corrects = c.id ORDER BY r.id DESC LIMIT 1
      ) AS corrected ON true
      WHERE c.account = a.key AND c.on_date < ${day}::date AND c.corrects IS NULL
      ORDER BY c.on_date DESC LIMIT 1
    ) AS previous ON true
    CROSS JOIN LATERAL (
      SELECT coalesce(own.after_seq, previous.upto_seq, ledger_seq_before(a.id, ${from}))
        AS after_seq
    ) AS begun
    CROSS JOIN LATERAL (
      SELECT begun.after_seq, greatest(begun.after_seq,
        coalesce(own.upto_seq, ledger_seq_before(a.id, ${until}))) AS upto_seq
    ) AS span
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(later.amount), 0)::bigint - ledger_balance(a.id) AS had
      FROM ledger_entries later WHERE later.account_id = a.id AND later.seq > span.after_seq
    ) AS before
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(-e.amount) FILTER (WHERE e.amount < 0), 0)::bigint AS money_in,
        coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0)::bigint AS money_out,
        coalesce(sum(e.amount) FILTER (
          WHERE e.transfer_id ~ '^(cost|collected|chargeback):'), 0)::bigint AS costs
      FROM ledger_entries e
      WHERE e.account_id = a.id AND e.seq > span.after_seq AND e.seq <= span.upto_seq
        -- Without differences of counts: a cash float opens with its last count.
        AND e.transfer_id NOT LIKE 'day:%'
    ) AS cash_float
    ORDER BY k.ord
  `;
}

export async function viewDay(app: App, day: Day | undefined) {
  const { timeZone: zone } = app.config;
  const now = app.clock.now();
  const today = dayOf(now, zone);
  const date = day ?? today;
  const keys = await cashFloatKeys(app.db, now);
  const floats = await readCashFloats(app, app.db, { keys, day: date, limit: MOVEMENTS_SHOWN });
  return { now, date, today, zone, floats };
}

async function readCashFloats(
  { clock, config: { timeZone: zone } }: App,
  db: Db,
  { keys, day, limit }: { keys: readonly string[]; day: Day; limit: number },
): Promise<CashFloatOnWire[]> {
  const today = dayOf(clock.now(), zone);
  const rows = await findCashFloats(db, keys, day, zone);
  const closes = await findCloses(db, keys, day);
  const floats: z.output<typeof cashFloat>[] = [];
  for (const row of rows) {
    const { key: account, opening, money_in: gained, money_out: spent } = row;
    const named = nameCashFloat(account);
    const ours = named.kind === "provider";
    const movements = await findMovements(db, row, { ours, limit: limit + 1 });
    floats.push({
      ...row,
      ...named,
      account,
      in: gained,
      out: spent,
      expected: opening + gained - spent,
      movements: movements.slice(0, limit).map((each) => ({
        ...each,
        ...(MOVEMENTS[each.transfer_id.split(":")[0] ?? ""] ??
          sayMove(each.amount, each.move_other)),
      })),
      more: movements.length > limit,
      status: row.closed ? "closed" : row.covered ? "covered" : "open",
      closes: closes.filter((close) => close.account === account),
      may_close: mayOf(
        day > today ? { kind: "desk.day-in-future" } : checkClose(row),
        registryRefusals,
      ),
      may_correct: mayOf(checkCorrection(row), registryRefusals),
    });
  }
  // In the wire's form, stored for repeated calls.
  return z.encode(z.array(cashFloat), floats);
}

function checkClose(row: CashFloatRow): RegistryRefusal | null {
  if (row.closed) return { kind: "desk.day-closed" };
  return row.covered ? { kind: "desk.day-covered" } : null;
}

function checkCorrection(row: CashFloatRow): RegistryRefusal | null {
  if (!row.closed) return { kind: "desk.day-not-closed" };
  return row.covered ? { kind: "desk.day-covered" } : null;
}

type CloseRow = z.output<typeof cashFloat>["closes"][number] & {
  readonly id: bigint;
  readonly account: string;
  readonly opening: bigint;
  readonly money_in: bigint;
  readonly money_out: bigint;
  readonly expected: bigint;
  readonly counted: bigint;
};

/** The counts of a day, each followed by its corrections. */
const findCloses = (db: Db, keys: readonly string[], day: Day) => many<CloseRow>(db)`
  SELECT c.id, c.account, c.corrects, c.opening, c.money_in, c.money_out, c.expected, c.counted,
    c.difference, c.explanation, c.closed_at,
    json_build_object('id', p.id, 'name', p.name) AS closed_by
  FROM day_closes c JOIN people p ON p.id = c.closed_by
  WHERE c.account = ANY(${keys}::text[]) AND c.on_date = ${day}::date
  ORDER BY c.account, c.id
`;

type MovementRow = Omit<z.output<typeof cashFloat>["movements"][number], "kind" | "label"> & {
  readonly transfer_id: string;
  readonly amount: bigint;
  readonly move_other: string | null;
};

/**
 * Entries of a cash float, oldest first. `ours`: only payouts and moves by hand, since a provider's
 * sales are too many for a list.
 */
const findMovements = (
  db: Db,
  cashFloat: Pick<CashFloatRow, "account_id" | "after_seq" | "upto_seq">,
  page: { readonly ours: boolean; readonly limit: number },
) => many<MovementRow>(db)`
  SELECT e.transfer_id, t.occurred_at AS at, -e.amount AS amount,
    coalesce(m.reference, CASE WHEN e.transfer_id LIKE 'reversed:%' THEN p.return_reference
      ELSE p.operator_reference END, back.operator_reference) AS reference,
    CASE WHEN w.id IS NOT NULL THEN json_build_object('id', w.id, 'reference', w.reference)
      END AS withdrawal,
    CASE WHEN m.account = a.key THEN m.other ELSE m.account END AS move_other,
    CASE WHEN who.id IS NOT NULL THEN json_build_object('id', who.id, 'name', who.name) END AS by
  FROM ledger_entries e
  JOIN ledger_accounts a ON a.id = e.account_id
  JOIN ledger_transfers t ON t.id = e.transfer_id
  LEFT JOIN payouts p ON p.id = CASE WHEN e.transfer_id ~ '^(sent|late|reversed|cost):[0-9]{1,18}$'
    THEN split_part(e.transfer_id, ':', 2)::bigint END
  LEFT JOIN withdrawals w ON w.id = p.withdrawal_id
  LEFT JOIN refunds back ON back.id = CASE WHEN e.transfer_id ~ '^given-back:[0-9]{1,18}$'
    THEN split_part(e.transfer_id, ':', 2)::bigint END
  LEFT JOIN float_moves m ON m.id = CASE WHEN e.transfer_id ~ '^move:float:[0-9]{1,18}$'
    THEN split_part(e.transfer_id, ':', 3)::bigint END
  LEFT JOIN people who ON who.id = coalesce(m.moved_by,
    CASE WHEN e.transfer_id LIKE 'reversed:%' THEN p.returned_by ELSE p.created_by END, back.paid_by)
  WHERE e.account_id = ${cashFloat.account_id} AND e.seq > ${cashFloat.after_seq}
    AND e.seq <= ${cashFloat.upto_seq} AND e.transfer_id NOT LIKE 'day:%'
    AND (NOT ${page.ours} OR e.transfer_id ~ '^(sent|late|reversed|cost|given-back|chargeback|move:float):')
  ORDER BY e.seq LIMIT ${page.limit}
`;

const MOVEMENTS_EXPORTED = 10_000;

/** Every cash float that moved, was counted or is not empty on that day. */
export async function exportDay(app: App, day: Day): Promise<string> {
  const keys = await cashFloatKeys(app.db, app.clock.now());
  const floats = await readCashFloats(app, app.db, { keys, day, limit: MOVEMENTS_EXPORTED });
  const say = createSayTime(app.config.timeZone);
  const lines = floats
    .filter(
      ({ opening, movements, closes, expected, in: money }) =>
        opening !== 0 || expected !== 0 || money !== 0 || movements.length + closes.length > 0,
    )
    .flatMap((cashFloat) => linesOf(cashFloat, day, say));
  const columns = Object.keys(DAY_COLUMNS) as (keyof typeof DAY_COLUMNS)[];
  const cells = lines.map((line) => columns.map((column) => line[column] ?? null));
  return csvText([Object.values(DAY_COLUMNS), ...cells]);
}

type Say = (instant: string) => string;

/** 16/11/2026 09:00:00, in the instance's time zone. */
export function createSayTime(zone: string): Say {
  const format = new Intl.DateTimeFormat("fr-FR", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: zone,
  });
  return (instant) => format.format(new Date(instant)).replace(/[\u202f\u00a0]/g, " ");
}

type Line = Partial<Record<keyof typeof DAY_COLUMNS, CsvCell>>;

function linesOf(cashFloat: CashFloatOnWire, day: Day, say: Say): Line[] {
  const { label, account, opening, movements, more, expected, closes } = cashFloat;
  const lines: Line[] = [
    { line: DAY_LINES.opening, balance: opening },
    ...movements.map(({ amount, ...move }) => ({
      line: DAY_LINES.movement,
      at: say(move.at),
      label: move.label,
      reference: move.reference,
      withdrawal: move.withdrawal?.reference ?? null,
      agent: move.by?.name ?? null,
      in: amount > 0 ? amount : null,
      out: amount < 0 ? -amount : null,
    })),
    ...(more ? [{ line: DAY_LINES.more }] : []),
    { line: DAY_LINES.expected, in: cashFloat.in, out: cashFloat.out, balance: expected },
    ...closes.map(({ corrects, closed_at, closed_by, counted, difference, explanation }) => ({
      line: corrects === null ? DAY_LINES.close : DAY_LINES.correction,
      at: say(closed_at),
      agent: closed_by.name,
      balance: counted,
      difference,
      explanation,
    })),
  ];
  return lines.map((line) => ({ day, cashFloat: label, account, ...line }));
}

type CloseRequest = {
  readonly caller: Principal;
  readonly correction: boolean;
  readonly body: NonNullable<z.output<typeof closeStaffDay.body>>;
};

const SHOWN_AFTER = 100;

/**
 * An agent's count, compared with the ledger. The difference is explained and posted, so that the
 * ledger equals the count from here on.
 */
export async function closeDay(app: App, tx: Db, { caller, correction, body }: CloseRequest) {
  const now = app.clock.now();
  const today = dayOf(now, app.config.timeZone);
  const day = body.date ?? today;
  if (!isDay(day)) return refuse({ kind: "desk.day-invalid" });
  if (day > today) return refuse({ kind: "desk.day-in-future" });
  const key = (await cashFloatKeys(tx, now)).find((each) => each === body.account);
  if (key === undefined) return refuse({ kind: "desk.float-unknown" });
  const counted = readFrancs(body.counted);
  if (counted === null) return refuse({ kind: "desk.counted-invalid" });
  const words = typeof body.explanation === "string" ? body.explanation.trim() : "";
  if (words.length > REASON_CHARACTERS_MAX) return refuse({ kind: "desk.explanation-too-long" });
  const explanation = words || null;
  await lockCashFloats(tx, [key]);
  // Waits for postings in progress, so that a count misses none (55P03 after two seconds).
  await sql`SELECT ledger_barrier()`.execute(tx);
  const [cashFloat] = await findCashFloats(tx, [key], day, app.config.timeZone);
  assert(cashFloat, "the cash float is there");
  const forbidden = correction ? checkCorrection(cashFloat) : checkClose(cashFloat);
  if (forbidden) return refuse(forbidden);
  const closes = correction ? await findCloses(tx, [key], day) : [];
  const [first] = closes;
  assert(first || !correction, "a closed day has its close");
  const { after_seq, upto_seq } = cashFloat;
  // A correction is of the day's first count.
  const { opening, money_in, money_out } = first ?? cashFloat;
  const expected = opening + money_in - money_out;
  // The ledger's figure.
  const stood = closes.at(-1)?.counted ?? expected;
  if (correction && counted === stood) return refuse({ kind: "desk.day-same-count" });
  if (explanation === null && (correction || counted !== stood)) {
    return refuse({ kind: "desk.explanation-missing" });
  }
  const { id } = await one<{ id: bigint }>(tx)`
    INSERT INTO day_closes (account, on_date, corrects, opening, money_in, money_out, expected,
      counted, difference, explanation, after_seq, upto_seq, closed_by, closed_at)
    VALUES (${key}, ${day}::date, ${first?.id ?? null}, ${opening}, ${money_in}, ${money_out},
      ${expected}, ${counted}, ${counted - expected}, ${explanation}, ${after_seq}, ${upto_seq},
      ${caller.personId}, ${now})
    RETURNING id
  `;
  const found = fcfa(counted - stood);
  if (found !== 0n) {
    const to = await openAccount(tx, { key: "platform:cash-differences", guarded: false }, now);
    // Our francs are minus the balance: more in the count means less of it.
    await postBetween(tx, `day:${id}`, { from: cashFloat.account_id, to, amount: found, now });
  }
  const difference = counted - expected;
  if (difference !== 0n) {
    const { label: account } = nameCashFloat(key);
    const francs = { counted: String(counted), difference: String(difference) };
    const details = { account, day, ...francs, explanation };
    const subject = `${key}:${day}`;
    await raiseAlert(tx, { kind: "day.difference", subject, details, whenOpen: "anew", now });
  }
  await publish(tx, [staffChanged("day", day)]);
  const action = correction ? "day.correct" : "day.close";
  const auditEntry = { action, subject: `day:${day}:${key}`, reason: explanation };
  const before = { expected, stood };
  const after = { id, counted, difference };
  await audit(tx, { ...auditEntry, before, after, actor: actorOf(caller) }, now);
  return answer(app, tx, key, day);
}

const FRANCS_MAX = 1_000_000_000_000n;

/** Zero is allowed: a float may be empty. */
function readFrancs(value: unknown): bigint | null {
  if (value === 0 || (typeof value === "string" && /^\s*0+\s*$/.test(value))) return 0n;
  const amount = readAmount(value);
  return amount !== null && amount <= FRANCS_MAX ? amount : null;
}

async function answer(app: App, tx: Db, key: string, day: Day) {
  const shown = { keys: [key], day, limit: SHOWN_AFTER };
  const [cashFloat] = await readCashFloats(app, tx, shown);
  assert(cashFloat, "the cash float is there");
  return ok(cashFloat);
}

/** Serializes counts and moves of cash floats until the transaction ends; in the order of the keys. */
async function lockCashFloats(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of [...keys].sort()) await takeTurn(tx, `float:${key}`);
}

type MoveRequest = {
  readonly caller: Principal;
  readonly body: NonNullable<z.output<typeof moveStaffMoney.body>>;
};

const AMOUNT_MAX = 100_000_000n;
const REFERENCE_MIN = 3;
const REFERENCE_MAX = 120;

/** Money put into a cash float or taken out of it by hand, from or to the treasury or another float. */
export async function moveMoney(app: App, tx: Db, { caller, body }: MoveRequest) {
  const now = app.clock.now();
  const keys = await cashFloatKeys(tx, now);
  const account = keys.find((key) => key === body.account);
  if (account === undefined) return refuse({ kind: "desk.float-unknown" });
  const { direction } = body;
  if (direction !== "in" && direction !== "out") return refuse({ kind: "desk.move-direction" });
  // Taking money out needs an operator: it could hide what a count would find missing.
  if (direction === "out" && !caller.isOperator) return refuse({ kind: "desk.operator-only" });
  const size = readAmount(body.amount);
  if (size === null || size > AMOUNT_MAX) return refuse({ kind: "desk.move-amount" });
  const other = [TREASURY, ...keys].find((key) => key === (body.other ?? TREASURY));
  if (other === undefined || other === account) return refuse({ kind: "desk.move-other" });
  const reference = typeof body.reference === "string" ? body.reference.trim() : "";
  if (reference.length < REFERENCE_MIN || reference.length > REFERENCE_MAX) {
    return refuse({ kind: "desk.move-reference" });
  }
  // In > 0, out < 0.
  const amount = direction === "in" ? size : fcfa(-size);
  await lockCashFloats(tx, [account, other]);
  const giver = direction === "in" ? other : account;
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
  // Our francs are minus the balance: money into a cash float is a debit of its account.
  await openAccount(tx, { key: other, guarded: false }, now);
  await postBetween(tx, `move:float:${id}`, { from: account, to: other, amount, now });
  const day = dayOf(now, app.config.timeZone);
  await publish(tx, [staffChanged("day", day)]);
  const auditEntry = { action: "day.move", subject: `float:${account}`, reason: reference };
  const after = { id, other, amount };
  await audit(tx, { ...auditEntry, after, actor: actorOf(caller) }, now);
  return answer(app, tx, account, day);
}
