import { fcfa, splitPrice, basisPoints } from "@sesame/kernel";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as ledger from "./index.ts";
import {
  NOON,
  openTestLedger,
  postSales,
  type Sale,
  type TestLedger,
} from "./testing/open-test-ledger.ts";

const LONG = process.env.LONG === "1";
const FEE = basisPoints(1800);

let books: TestLedger;
let run = 0;

beforeAll(async () => {
  books = await openTestLedger(8);
});
afterAll(() => books.close());

/** Few names and few amounts, so that repeats, changed contents and short balances are common. */
const seller = fc.nat({ max: 2 });
const name = fc.nat({ max: 5 });
const price = fc.constantFrom(1n, 5n, 100n, 5000n, 5001n);
const part = fc.constantFrom(1n, 82n, 100n, 4100n);
const operation = fc.oneof(
  fc.record({
    at: fc.constant("sales" as const),
    sales: fc.array(fc.record({ name, seller, price }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    at: fc.constant("moves" as const),
    moves: fc.array(fc.record({ name, seller, other: seller, part }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({ at: fc.constant("hold" as const), name, seller, part }),
  fc.record({ at: fc.constant("pay" as const), name, transfer: name }),
  fc.record({ at: fc.constant("release" as const), name }),
  fc.record({ at: fc.constant("snapshot" as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The sellers of one run; keys and ids carry the run's number because runs share a database. */
type Fixture = { sellers: bigint[]; tag: string; model: Model };

async function newFixture(): Promise<Fixture> {
  const tag = `r${++run}`;
  const keys = [0, 1, 2].map((index) => `seller:${tag}:${index}`);
  const sellers = await ledger.openAccounts(books.db, { keys, guarded: true }, NOON);
  return { sellers, tag, model: new Model(sellers) };
}

const at = <T>(items: readonly T[], index: number): T => {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index}`);
  return item;
};

function salesOf(fixture: Fixture, operation: Extract<Operation, { at: "sales" }>): Sale[] {
  return operation.sales.map((sale) => ({
    id: `sale:${fixture.tag}:${sale.name}`,
    from: at(books.shared, 0),
    to: at(fixture.sellers, sale.seller),
    ...splitPrice(fcfa(sale.price), FEE),
    occurredAt: NOON,
  }));
}

function asTransfer(sale: Sale): ledger.NewTransfer {
  const legs = [
    { account: sale.from, amount: fcfa(-sale.net - sale.fee) },
    { account: sale.to ?? 0n, amount: sale.net },
    { account: at(books.shared, 1), amount: sale.fee },
  ].filter((leg) => leg.amount !== 0n);
  return { id: sale.id, legs, occurredAt: sale.occurredAt };
}

function movesOf(fixture: Fixture, operation: Extract<Operation, { at: "moves" }>) {
  return operation.moves.map((move): ledger.NewTransfer => {
    const to = move.other === move.seller ? at(books.shared, 0) : at(fixture.sellers, move.other);
    const legs = [
      { account: at(fixture.sellers, move.seller), amount: fcfa(-move.part) },
      { account: to, amount: fcfa(move.part) },
    ];
    return { id: `move:${fixture.tag}:${move.name}`, legs, occurredAt: NOON };
  });
}

function payoutOf(fixture: Fixture, operation: Extract<Operation, { at: "pay" }>, held: Held) {
  return {
    id: `payout:${fixture.tag}:${operation.transfer}`,
    legs: [
      { account: held.account, amount: fcfa(-held.amount) },
      { account: at(books.shared, 2), amount: fcfa(held.amount) },
    ],
    occurredAt: NOON,
  };
}
type Held = { account: bigint; amount: bigint };

/** Executes an operation on the real ledger. → the answer of each part */
async function perform(
  fixture: Fixture,
  step: Operation,
  held: Held | undefined,
): Promise<string[]> {
  const { db, shared } = books;
  switch (step.at) {
    case "sales":
      return postSales(db, { sales: salesOf(fixture, step), feeAccount: at(shared, 1) }, NOON);
    case "moves":
      return ledger.post(db, movesOf(fixture, step), NOON);
    case "hold": {
      const from = at(fixture.sellers, step.seller);
      const id = `hold:${fixture.tag}:${step.name}`;
      return [word(await ledger.hold(db, { id, from, amount: fcfa(step.part) }, NOON), "held")];
    }
    case "pay": {
      const holdId = `hold:${fixture.tag}:${step.name}`;
      const transfer = payoutOf(
        fixture,
        step,
        held ?? { account: at(fixture.sellers, 0), amount: 1n },
      );
      return [word(await ledger.payHold(db, { holdId, transfer }, NOON), "paid")];
    }
    case "release":
      return [
        word(await ledger.releaseHold(db, `hold:${fixture.tag}:${step.name}`, NOON), "released"),
      ];
    case "snapshot":
      await ledger.snapshot(db, NOON);
      return [];
  }
}

type Answer = { ok: true; value: ledger.Done } | { ok: false; refusal: { kind: string } };

function word(answer: Answer, done: string): string {
  if (answer.ok) return answer.value === "done" ? done : "done-before";
  const words: Record<string, string> = {
    "ledger.insufficient": "insufficient",
    "ledger.id-reused": "conflict",
    "ledger.hold-unknown": "unknown",
    "ledger.hold-released": "released-before",
    "ledger.hold-paid": "paid-before",
  };
  return words[answer.refusal.kind] ?? answer.refusal.kind;
}

/** The model's answers to the same operation. */
function predict({ model, ...fixture }: Fixture, step: Operation): string[] {
  const whole = { ...fixture, model };
  switch (step.at) {
    case "sales":
      return salesOf(whole, step).map((sale) => model.post(asTransfer(sale)));
    case "moves":
      return movesOf(whole, step).map((move) => model.post(move));
    case "hold":
      return [model.hold(holdId(fixture, step), at(fixture.sellers, step.seller), step.part)];
    case "pay": {
      const held = model.holds.get(holdId(fixture, step));
      if (held === undefined) return ["unknown"];
      const answer = model.pay(holdId(fixture, step), payoutOf(whole, step, held));
      return [answer === "released" ? "released-before" : answer];
    }
    case "release": {
      const answer = model.release(holdId(fixture, step));
      return [answer === "paid" ? "paid-before" : answer];
    }
    case "snapshot":
      return [];
  }
}
const holdId = (fixture: { tag: string }, step: { name: number }) =>
  `hold:${fixture.tag}:${step.name}`;

async function balances(fixture: Fixture): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT concat(id, ' posted ', posted, ' held ', held) AS line FROM ledger_accounts
    WHERE id = ANY(${fixture.sellers.map(String)}::bigint[]) ORDER BY id`.execute(books.db);
  return rows.map((row) => row.line);
}

const expected = ({ sellers, model }: Fixture) =>
  sellers
    .toSorted((a, b) => Number(a - b))
    .map((id) => `${id} posted ${model.posted.get(id) ?? 0n} held ${model.held.get(id) ?? 0n}`);

test("for any operations, in any order, the ledger answers and counts like a plain model, and no franc is made or lost", async () => {
  const property = fc.asyncProperty(
    fc.array(operation, { minLength: 1, maxLength: 25 }),
    async (steps) => {
      const fixture = await newFixture();
      for (const step of steps) {
        const held = step.at === "pay" ? fixture.model.holds.get(holdId(fixture, step)) : undefined;
        const predicted = predict(fixture, step);
        expect([step, await perform(fixture, step, held)]).toEqual([step, predicted]);
        expect(await balances(fixture)).toEqual(expected(fixture));
      }
    },
  );
  await fc.assert(property, { numRuns: LONG ? 5_000 : 60 });
  expect(await ledger.check(books.db)).toEqual([]);
});

test("for any operations, several at once, what was answered was written once, and the ledger is valid", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(operation, { minLength: 1, maxLength: 10 }), { minLength: 2, maxLength: 5 }),
    async (lines) => {
      const fixture = await newFixture();
      const posted = await performAll(fixture, lines);
      const { rows } = await sql<{ id: string; legs: string }>`
        SELECT id, legs FROM ledger_transfers WHERE split_part(id, ':', 2) = ${fixture.tag}
          AND id NOT LIKE 'payout:%'`.execute(books.db);
      const written = rows.map(({ id, legs }) => `${id} ${legs}`);
      expect(written.toSorted()).toEqual(posted.toSorted());
      expect(await ledger.check(books.db)).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: LONG ? 1_000 : 30 });
});

/** PostgreSQL's error code for a call that may be repeated. */
const SERIALIZATION_FAILURE = "40001";

/**
 * Two holds paid with one transfer's id at the same instant: the ledger rolls the later one back
 * with 40001; the repeat answers that the id is used.
 */
async function performSurely(
  fixture: Fixture,
  step: Operation,
  held: Held | undefined,
): Promise<string[]> {
  try {
    return await perform(fixture, step, held);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (step.at !== "pay" || code !== SERIALIZATION_FAILURE) throw error;
    return perform(fixture, step, held);
  }
}

/** Runs the lists of operations concurrently. → the transfers answered with "posted". */
async function performAll(fixture: Fixture, lines: Operation[][]): Promise<string[]> {
  const posted: string[] = [];
  const heldBy = new Map<string, Held>();
  const one = async (line: Operation[]) => {
    for (const step of line) {
      const held = step.at === "pay" ? heldBy.get(holdId(fixture, step)) : undefined;
      // Only a hold whose content is known can be paid.
      if (step.at === "pay" && held === undefined) continue;
      const answers = await performSurely(fixture, step, held);
      if (step.at === "hold" && answers[0] === "held") {
        const account = at(fixture.sellers, step.seller);
        heldBy.set(holdId(fixture, step), { account, amount: step.part });
      }
      const transfers =
        step.at === "sales"
          ? salesOf(fixture, step).map(asTransfer)
          : step.at === "moves"
            ? movesOf(fixture, step)
            : [];
      for (const [index, transfer] of transfers.entries()) {
        if (answers[index] === "posted") posted.push(`${transfer.id} ${content(transfer.legs)}`);
      }
    }
  };
  await Promise.all(lines.map(one));
  return posted;
}

type Hold = { account: bigint; amount: bigint; ended: "paid" | "released" | null; by: string };
type Word = ledger.PostOutcome | "held" | "paid" | "released" | "done-before" | "unknown";

/** A plain model of the ledger: two maps and no database. */
class Model {
  readonly posted = new Map<bigint, bigint>();
  readonly held = new Map<bigint, bigint>();
  readonly transfers = new Map<string, string>();
  readonly holds = new Map<string, Hold>();
  readonly guarded: ReadonlySet<bigint>;

  constructor(guarded: readonly bigint[]) {
    this.guarded = new Set(guarded);
  }

  available(account: bigint): bigint {
    return (this.posted.get(account) ?? 0n) - (this.held.get(account) ?? 0n);
  }

  post(transfer: ledger.NewTransfer): ledger.PostOutcome {
    const before = this.transfers.get(transfer.id);
    if (before !== undefined) return before === content(transfer.legs) ? "duplicate" : "conflict";
    const deltas = new Map<bigint, bigint>();
    for (const leg of transfer.legs) add(deltas, leg.account, leg.amount);
    for (const [account, delta] of deltas) {
      const short = delta < 0n && this.available(account) + delta < 0n;
      if (this.guarded.has(account) && short) return "insufficient";
    }
    for (const [account, delta] of deltas) add(this.posted, account, delta);
    this.transfers.set(transfer.id, content(transfer.legs));
    return "posted";
  }

  hold(id: string, account: bigint, amount: bigint): Word {
    const before = this.holds.get(id);
    if (before !== undefined) {
      const same = before.account === account && before.amount === amount;
      return same ? "done-before" : "conflict";
    }
    if (this.available(account) < amount) return "insufficient";
    this.holds.set(id, { account, amount, ended: null, by: "" });
    add(this.held, account, amount);
    return "held";
  }

  pay(id: string, transfer: ledger.NewTransfer): Word {
    const hold = this.holds.get(id);
    if (hold === undefined) return "unknown";
    if (hold.ended === "released") return "released";
    const before = this.transfers.get(transfer.id);
    if (before !== undefined || hold.ended === "paid") {
      const same = hold.by === transfer.id && before === content(transfer.legs);
      return same ? "done-before" : "conflict";
    }
    add(this.held, hold.account, -hold.amount);
    this.post(transfer);
    hold.ended = "paid";
    hold.by = transfer.id;
    return "paid";
  }

  release(id: string): Word {
    const hold = this.holds.get(id);
    if (hold === undefined) return "unknown";
    if (hold.ended === "paid") return "paid";
    if (hold.ended === "released") return "done-before";
    add(this.held, hold.account, -hold.amount);
    hold.ended = "released";
    return "released";
  }
}

function content(legs: readonly ledger.Leg[]): string {
  return legs.map(({ account, amount }) => `${account}:${amount}`).join(",");
}

function add(totals: Map<bigint, bigint>, account: bigint, amount: bigint): void {
  totals.set(account, (totals.get(account) ?? 0n) + amount);
}
