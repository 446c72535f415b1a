import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { createGroupFixtures } from "../../../test/groups.ts";
import { startTestApp } from "../../../test/harness.ts";
import { keepDatabase } from "../../../test/tables.ts";

/** The emulated Telegram's first person. */
const FIRST_PERSON = 7_100_000_001;

const app = await startTestApp({ env: { OPERATOR_TELEGRAM_IDS: String(FIRST_PERSON) } });
const { openShop, buyerWaiting, talk } = createGroupFixtures(app);
const shop = await openShop();
const mend = await keepDatabase(app.db);
afterEach(async () => {
  await mend();
  app.clock.setOffset(0);
});

/** Members of the shop's group, whose time ends after so many milliseconds. */
async function addMembers(count: number, endsInMs: number): Promise<void> {
  const endsAt = new Date(app.clock.now().getTime() + endsInMs);
  await app.sql`
    WITH made AS (
      INSERT INTO people (telegram_id, first_name, created_at, seen_at)
      SELECT 9000000000 + (SELECT count(*) FROM people) + n, 'Membre', ${app.clock.now()}, ${app.clock.now()}
      FROM generate_series(1, ${count}) n RETURNING id
    ), sold AS (
      SELECT id FROM orders WHERE status = 'paid' ORDER BY id LIMIT 1
    )
    INSERT INTO accesses (person_id, group_id, order_id, status, started_at, ends_at, updated_at)
    SELECT made.id, ${BigInt(shop.group.id)}, sold.id, 'inside', ${app.clock.now()}, ${endsAt}, ${app.clock.now()}
    FROM made, sold`;
}

const countEnded = () => app.value<number>`
  SELECT count(*)::int AS count FROM accesses WHERE status IN ('ended', 'removed')`;

const sweep = () => app.app.loops.find(({ name }) => name === "access sweep")?.drain();

describe("the sweep of memberships", () => {
  test("ends two hundred in an hour, and asks before the two hundred and first", async () => {
    await buyerWaiting(shop);
    await addMembers(200, HOUR_MS);
    app.clock.advance(HOUR_MS);
    await sweep();
    expect(await countEnded()).toBe(200);
    await addMembers(1, -1);
    await sweep();
    expect(await countEnded()).toBe(200);
    // The next hour has its own limit.
    app.clock.advance(HOUR_MS);
    await sweep();
    expect(await countEnded()).toBe(201);
    expect(app.takeErrors().join()).toContain("an operator is asked");
  });

  test("asks an operator, and ends what was due once the operator allows it", async () => {
    const operator = await app.signInSeller({ id: FIRST_PERSON, first_name: "Opératrice" });
    await talk(FIRST_PERSON, "seller", "/start");
    await buyerWaiting(shop);
    await addMembers(230, HOUR_MS);
    app.clock.advance(HOUR_MS);
    for (let look = 0; look < 3; look += 1) await sweep();
    expect(await countEnded()).toBe(0);
    await app.drain();
    const texts = app.textsTo(FIRST_PERSON, "seller");
    expect(texts.filter((text) => text.includes("Fins d'accès arrêtées"))).toHaveLength(1);
    const kind = { kind: "access.sweep-stopped" };
    const [alert] = (await app.read("GET /api/desk/alerts", operator, kind)).alerts;
    expect(alert?.facts).toContainEqual({ label: "Fins en attente", value: "230" });
    // Memberships that end later are not part of what was allowed.
    app.clock.advance(HOUR_MS);
    await addMembers(201, -1);
    const note = { id: alert?.id, note: "Les abonnés du mois" };
    await app.done("POST /api/desk/alerts/:id/resolve", operator, note);
    for (let look = 0; look < 2; look += 1) {
      await sweep();
      expect(await countEnded()).toBe(230);
    }
    app.takeErrors();
  });

  test("allows five times the median hour of fourteen days, and one in a hundred", async () => {
    await buyerWaiting(shop);
    const hours = (days: number) => sql`
      INSERT INTO membership_sweep_hours (hour, ended)
      SELECT date_trunc('hour', ${app.clock.now()}::timestamptz) - n * interval '1 hour', 50
      FROM generate_series(1, ${days * 24}) n ON CONFLICT DO NOTHING
    `;
    await hours(13).execute(app.db);
    await addMembers(240, -1);
    await sweep();
    // Thirteen days are too short a history.
    expect(await countEnded()).toBe(0);
    await hours(15).execute(app.db);
    await sweep();
    expect(await countEnded()).toBe(240);
    app.takeErrors();
  });

  test("ends nothing, and nobody signs in, while the clock is not trusted", async () => {
    const { buyer } = await buyerWaiting(shop);
    app.clock.advance(2 * DAY_MS);
    Object.assign(app.clock, { isTrusted: () => false });
    await sweep();
    expect(await countEnded()).toBe(0);
    const headers = { "x-telegram-init-data": app.initData(buyer.person, { bot: "buyer" }) };
    expect((await app.call("POST", "/api/auth/acheteur", { headers })).status).toBe(503);
    Object.assign(app.clock, { isTrusted: () => true });
    await app.drain();
    expect(await countEnded()).toBe(1);
    expect((await app.call("POST", "/api/auth/acheteur", { headers })).status).toBe(200);
    app.takeErrors();
  });
});
