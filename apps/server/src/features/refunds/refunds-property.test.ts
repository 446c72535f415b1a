import { assert } from "@sesame/kernel";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDatabase,
  type TestDatabase,
} from "../../../../../tools/postgres/test-database.ts";
import { openTown, ORDERS, SELLERS, type Town } from "../../../test/refunds-town.ts";
import { countedByHand, countedInTotals } from "../../../test/sales-by-hand.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { brokenAccesses } from "../../upkeep/books.view.ts";
import { foldSales } from "../reports/statistics.ts";

const LONG = process.env.LONG === "1";
const PRICE = 5_000;
const NET = 4_100;

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ url: place.url, poolSize: 12 });
});
afterAll(async () => {
  await database?.close();
  await place?.drop();
});

/** The same in plain numbers. */
class Model {
  readonly sellers = Array.from({ length: SELLERS }, () => ({ has: 0, held: 0, owed: 0 }));
  readonly paid = new Set<number>();
  readonly refunded = new Set<number>();
  readonly requests: { id: bigint; seller: number; amount: number }[] = [];

  of(at: number) {
    const seller = this.sellers[at % SELLERS];
    assert(seller, "the model has the town's sellers");
    return seller;
  }

  /** Whether it is given back; what is lacking is advanced when it may be. */
  refund(at: number, seller: number, advances: boolean): boolean {
    if (!this.paid.has(at) || this.refunded.has(at)) return false;
    const purse = this.of(seller);
    const covered = Math.max(0, advances ? purse.has : purse.has - purse.owed);
    const advanced = Math.max(0, NET - covered);
    if (advanced > 0 && !advances) return false;
    purse.has -= NET - advanced;
    purse.owed += advanced;
    this.refunded.add(at);
    return true;
  }
}

const at = fc.nat(ORDERS - 1);
const step = fc.oneof(
  fc.record({ do: fc.constant("sell" as const), at }),
  fc.record({ do: fc.constant("sell" as const), at }),
  fc.record({ do: fc.constant("bySeller" as const), at }),
  fc.record({ do: fc.constant("byOperator" as const), at }),
  fc.record({ do: fc.constant("send" as const), at }),
  fc.record({ do: fc.constant("recover" as const), at }),
  fc.record({ do: fc.constant("ask" as const), at, amount: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ do: fc.constant("cancel" as const), at }),
  fc.record({
    do: fc.constant("plan" as const),
    at,
    plan: fc.constantFrom("free" as const, "premium" as const),
  }),
  fc.record({ do: fc.constant("pass" as const), hours: fc.integer({ min: 1, max: 400 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(town: Town, model: Model, each: Step): Promise<void> {
  switch (each.do) {
    case "pass":
      return town.pass(each.hours);
    case "sell": {
      await town.sell(each.at);
      if (!model.paid.has(each.at)) model.of(town.orderAt(each.at).seller).has += NET;
      model.paid.add(each.at);
      return;
    }
    case "bySeller":
    case "byOperator": {
      const { seller } = town.orderAt(each.at);
      const done = await town[each.do](each.at);
      expect(done).toBe(model.refund(each.at, seller, each.do === "byOperator"));
      return;
    }
    case "send":
      await town.send(each.at);
      return;
    case "recover": {
      const purse = model.of(each.at);
      const taken = Math.min(purse.has, purse.owed);
      expect(Number((await town.recover(each.at)).amount)).toBe(taken);
      purse.has -= taken;
      purse.owed -= taken;
      return;
    }
    case "ask": {
      const purse = model.of(each.at);
      const id = await town.ask(each.at, each.amount);
      expect(id !== null).toBe(each.amount <= purse.has - purse.owed);
      if (id === null) return;
      purse.has -= each.amount;
      purse.held += each.amount;
      model.requests.push({ id, seller: each.at, amount: each.amount });
      return;
    }
    case "cancel": {
      const request = model.requests.shift();
      if (!request) return;
      await town.cancel(request.id, request.seller);
      model.of(request.seller).has += request.amount;
      model.of(request.seller).held -= request.amount;
      return;
    }
    case "plan":
      return town.changePlan(each.at, each.plan);
  }
}

describe("money given back", () => {
  test("is as a plain model says after every step: no franc made or lost, nobody below zero", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (steps) => {
        const town = await openTown(database.db);
        const model = new Model();
        for (const each of steps) {
          await play(town, model, each);
          expect(await town.read()).toEqual(
            model.sellers.map(({ has, held, owed }) => [has, held, owed]),
          );
        }
        expect(await town.broken(await brokenAccesses(town.db, 20))).toEqual([]);
      }),
      { numRuns: LONG ? 300 : 8 },
    );
  });

  test("stays whole whatever happens at the same moment", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 40 }), async (steps) => {
        const town = await openTown(database.db);
        for (let index = 0; index < ORDERS; index += 2) await town.sell(index);
        const requests: Promise<unknown>[] = [];
        for (const each of steps) {
          if (each.do === "pass") town.pass(each.hours);
          else if (each.do === "plan") requests.push(town.changePlan(each.at, each.plan));
          else if (each.do === "ask") requests.push(town.ask(each.at, each.amount));
          else if (each.do !== "cancel") requests.push(town[each.do](each.at));
          if (requests.length === 10) await Promise.all(requests.splice(0));
        }
        await Promise.all(requests);
        expect(await town.broken()).toEqual([]);
        for (const [has = 0, held = 0, owed = 0] of await town.read()) {
          expect(Math.min(has, held, owed)).toBeGreaterThanOrEqual(0);
        }
        const { rows } = await sql<{ refunded: bigint }>`
          SELECT coalesce(sum(amount), 0)::bigint AS refunded FROM refunds WHERE seller_id
            = ANY(${town.sellers}::bigint[])
        `.execute(town.db);
        expect(Number(rows[0]?.refunded) % PRICE).toBe(0);
        for (const sellerId of town.sellers) {
          const asked = { sellerId, zone: "Africa/Abidjan", now: new Date("2026-11-16T09:00:00Z") };
          await foldSales(town.db, asked);
          expect(await countedInTotals(town.db, asked)).toEqual(
            await countedByHand(town.db, asked),
          );
        }
      }),
      { numRuns: LONG ? 100 : 5 },
    );
  });
});
