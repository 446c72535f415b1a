import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createEntryFixtures,
  type EntryFixtures,
  lastTo,
  leaveGroups,
  type Shop,
} from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buyProduct } from "../../../test/sales.ts";
import { brokenAccesses } from "../../upkeep/books.view.ts";

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

/** Later than the period whose entries are reported together. */
const afterGrouping = () => scene.advance(MINUTE_MS);

describe("the seller who is notified of a person let in by an administrator", () => {
  const letIn = async (shop: Shop) => {
    const former = await scene.formerBuyer(shop);
    await scene.add(shop, (await scene.administrator(shop)).id, former.person.id);
    return former;
  };
  const runsFor = async (shop: Shop, telegramId: number): Promise<number> => {
    const { rows } = await sql<{ days: number }>`
      SELECT round(extract(epoch FROM a.ends_at - ${app.clock.now()}::timestamptz) / 86400)::int
        AS days
      FROM accesses a JOIN people p ON p.id = a.person_id
      WHERE p.telegram_id = ${telegramId} AND a.group_id = ${shop.group.id}
    `.execute(app.db);
    return rows[0]?.days ?? 0;
  };

  test("gives time, which is no sale, and ends as paid time does", async () => {
    const shop = await scene.openShop();
    const former = await letIn(shop);
    const orders = () =>
      sql`SELECT FROM orders WHERE seller_id = ${shop.seller.id}`.execute(app.db);
    const before = (await orders()).rows.length;
    await scene.press(shop, "Donner du temps");
    await scene.press(shop, "7 jours");
    expect(scene.lastReport(shop).text).toContain("7 jours d'accès à Club VIP");
    expect(await runsFor(shop, former.person.id)).toBe(7);
    expect(lastTo(app.emulators, former.person.id, "buyer").text).toContain(
      "offre 7 jours d'accès",
    );
    expect((await orders()).rows).toHaveLength(before);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    await scene.advance(6 * DAY_MS);
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    await scene.advance(DAY_MS);
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
  });

  test("gives time to somebody who never bought, and who buys more of it later", async () => {
    const shop = await scene.openShop();
    const guest = await scene.buyerInTouch();
    await scene.add(shop, shop.ids.personId, guest.person.id);
    await scene.press(shop, "Donner du temps");
    await scene.press(shop, "30 jours");
    const mine = await app.call<{ accesses: unknown[] }>("GET", "/api/me/access", {
      token: guest.token,
    });
    expect(mine.body.accesses).toMatchObject([
      { status: "inside", product: null, order_id: null, renew_reference: null },
    ]);
    await buyProduct(app, guest, shop.reference);
    expect(await runsFor(shop, guest.person.id)).toBe(31);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    await scene.advance(31 * DAY_MS);
    expect(scene.memberStatus(shop, guest.person.id)).toBe("left");
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
  });

  test("gives it once, however often and wherever the button is pressed", async () => {
    const shop = await scene.openShop();
    const former = await letIn(shop);
    await scene.press(shop, "Donner du temps");
    const message = scene.lastReport(shop);
    const row = message.buttons.findIndex((each) => each[0]?.text === "30 jours");
    const { messageId } = message;
    const { personId } = shop.ids;
    for (let n = 0; n < 3; n++) {
      app.emulators.telegram.pressButton({
        personId,
        in: { bot: "seller" },
        messageId,
        row,
        column: 0,
      });
    }
    await app.drain();
    expect(await runsFor(shop, former.person.id)).toBe(30);
    expect(scene.lastReport(shop).text).toContain("Personne n'attend votre décision");
  });

  test("removes the person", async () => {
    const shop = await scene.openShop();
    const former = await letIn(shop);
    await scene.press(shop, "Retirer");
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
    expect(scene.lastReport(shop).text).toContain("Je retire");
  });

  test("hears no more of a person he keeps, who then comes and goes as he likes", async () => {
    const shop = await scene.openShop();
    const former = await letIn(shop);
    await scene.press(shop, "Ne plus signaler");
    expect(scene.lastReport(shop).text).toContain("je ne vous en parle plus");
    app.emulators.telegram.leave({ personId: former.person.id, chatId: shop.ids.chatId });
    await scene.advance(5 * MINUTE_MS);
    await scene.add(shop, (await scene.member(shop)).id, former.person.id);
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    await afterGrouping();
    expect(scene.reports(shop)).toEqual([]);
  });

  test("cannot remove a person who has paid meanwhile", async () => {
    const shop = await scene.openShop();
    const former = await letIn(shop);
    const message = scene.lastReport(shop);
    await buyProduct(app, former, shop.reference);
    const row = message.buttons.findIndex((each) => each[0]?.text === "Retirer");
    const { messageId } = message;
    app.emulators.telegram.pressButton({
      personId: shop.ids.personId,
      in: { bot: "seller" },
      messageId,
      row,
      column: 0,
    });
    await app.drain();
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
  });
});
