import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGroupFixtures } from "../../test/groups.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../test/harness.ts";
import { createRefundFixtures } from "../../test/refunds.ts";
import type { Db } from "../postgres/database.ts";
import { brokenRefunds } from "./refunds-books.view.ts";
import { auditBooks } from "./upkeep.ts";

let app: TestApp;
let order: bigint;
let buyer: SignedInBuyer;

/** A sale given back, whose buyer has not said where to. */
beforeAll(async () => {
  app = await startTestApp();
  const scene = createGroupFixtures(app);
  const shop = await scene.openShop();
  const inside = await scene.buyerInside(shop);
  ({ buyer } = inside);
  order = BigInt(inside.orderId);
  await createRefundFixtures(app).bySeller(shop.seller, inside.orderId);
  await app.drain();
});
afterAll(() => app.close());

class Undone extends Error {}

/** What the audit finds once the books are broken as no code of ours can, and then are not. */
async function foundAfter(breakage: RawBuilder<unknown>): Promise<string[]> {
  let found: string[] = [];
  const plant = async (tx: Db) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    await breakage.execute(tx);
    found = (await brokenRefunds(tx, 50)).map(({ invariant }) => invariant);
    throw new Undone("as before");
  };
  await expect(app.db.transaction().execute(plant)).rejects.toThrow(Undone);
  return found;
}

describe("the audit of refunds", () => {
  test("finds nothing in true books, and each break of them", async () => {
    expect(await brokenRefunds(app.db, 50)).toEqual([]);
    const person = BigInt(buyer.id);
    const table: [RawBuilder<unknown>, string[]][] = [
      [
        sql`UPDATE refunds SET amount = amount + 1`,
        ["francs of a refund", "refunds in transit", "order of a refund"],
      ],
      [sql`DELETE FROM refunds`, ["refund of francs", "refunds in transit", "refund of an order"]],
      [sql`UPDATE orders SET status = 'paid' WHERE id = ${order}`, ["order of a refund"]],
      [
        sql`UPDATE refunds SET status = 'done', done_at = created_at, method = 'wave-ci',
          phone = '+2250701020304', operator_reference = 'X1'`,
        ["francs of a refund", "refunds in transit"],
      ],
      [
        sql`INSERT INTO seller_advances (seller_id, owed, updated_at)
          SELECT id, 7, created_at FROM sellers LIMIT 1`,
        ["advances owed", "advance of a seller"],
      ],
      [
        sql`INSERT INTO write_offs (seller_id, amount, asked_by, asked_at, decided_by, decided_at)
          SELECT id, 7, id, created_at, id, created_at FROM sellers LIMIT 1`,
        ["francs of a write-off"],
      ],
      [
        sql`UPDATE accesses SET ends_at = ends_at + interval '1 day' WHERE person_id = ${person}`,
        ["access after a refund"],
      ],
    ];
    for (const [breakage, invariants] of table) {
      expect(await foundAfter(breakage)).toEqual(expect.arrayContaining(invariants));
    }
  });

  test("puts a break on the desk", async () => {
    const now = app.clock.now();
    await auditBooks({ db: app.db, log: { error: () => {} } }, now);
    const kinds = async () => {
      const { rows } = await sql<{ kind: string }>`SELECT kind FROM desk_alerts`.execute(app.db);
      return rows.map(({ kind }) => kind);
    };
    expect(await kinds()).toEqual([]);
    await sql`
      INSERT INTO seller_advances (seller_id, owed, updated_at)
      SELECT id, 7, created_at FROM sellers LIMIT 1
    `.execute(app.db);
    await auditBooks({ db: app.db, log: { error: () => {} } }, now);
    expect(await kinds()).toContain("refund.broken");
  });
});
