import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEntryFixtures, type EntryFixtures, leaveGroups } from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { buyProduct } from "../../../test/sales.ts";
import { brokenAccesses } from "../../upkeep/books.view.ts";
import { brokenRefunds } from "../../upkeep/refunds-books.view.ts";

let app: TestApp;
let scene: EntryFixtures;

beforeAll(async () => {
  app = await startTestApp();
  scene = createEntryFixtures(app);
});
beforeEach(() => leaveGroups(app));
afterAll(async () => {
  await app.close();
});

describe("time that was given", () => {
  /** A former buyer to whom the seller gave seven days. */
  const give = async () => {
    const shop = await scene.openShop();
    const former = await scene.formerBuyer(shop);
    await scene.add(shop, shop.ids.personId, former.person.id);
    for (const text of ["Donner du temps", "7 jours"]) await scene.press(shop, text);
    return { shop, former };
  };

  test("stays when a sale made beside it is given back, and the books say so", async () => {
    const { shop, former } = await give();
    const orderId = await buyProduct(app, former, shop.reference);
    await createRefundFixtures(app).bySeller(shop.seller, orderId);
    await app.drain();
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    expect(await brokenRefunds(app.db, 10)).toEqual([]);
    await scene.advance(7 * DAY_MS - MINUTE_MS);
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    await scene.advance(MINUTE_MS);
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
  });

  test("that no gift explains is found by the hourly check", async () => {
    const { shop, former } = await give();
    await sql`
      UPDATE accesses SET ends_at = ends_at + interval '1 day'
      WHERE group_id = ${shop.group.id} AND person_id = ${former.id}
    `.execute(app.db);
    expect(await brokenAccesses(app.db, 10)).toMatchObject([{ invariant: "access = time paid" }]);
    await sql`
      UPDATE accesses SET ends_at = ends_at - interval '1 day'
      WHERE group_id = ${shop.group.id} AND person_id = ${former.id}
    `.execute(app.db);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
  });

  test("is in the person's export, and stays in the books when he is erased", async () => {
    const { former } = await give();
    const { token } = former;
    const exported = await app.call<{ as_buyer: Record<string, unknown[]> }>(
      "GET",
      "/api/me/export",
      { token },
    );
    expect(exported.body.as_buyer).toMatchObject({
      given_time: [{ minutes: 10_080, reason: "let-in", group: "Club VIP" }],
      entries_without_paid_time: [{ door: "hand", status: "granted", part: "entered" }],
    });
    await scene.advance(7 * DAY_MS);
    const erased = await app.call("POST", "/api/me/delete", {
      token: (await app.signInBuyer(former.person)).token,
      body: { confirm: true },
    });
    expect(erased.status).toBe(200);
    const { rows } = await sql<{ entries: number; grants: number }>`
      SELECT (SELECT count(*)::int FROM unpaid_entries WHERE person_id = ${former.id}) AS entries,
        (SELECT count(*)::int FROM membership_grants WHERE person_id = ${former.id}) AS grants
    `.execute(app.db);
    expect(rows[0]).toEqual({ entries: 0, grants: 1 });
  });
});

test("time that was given can be neither changed nor taken away", async () => {
  for (const statement of [
    sql`UPDATE membership_grants SET minutes = 1`,
    sql`DELETE FROM membership_grants`,
    sql`TRUNCATE membership_grants`,
  ]) {
    await expect(statement.execute(app.db)).rejects.toThrow(/refused/);
  }
});
