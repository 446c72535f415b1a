import { DAY_MS } from "@sesame/kernel";
import { expect, test } from "vitest";
import { perApp } from "../src/app.ts";
import { createGroupFixtures } from "./groups.ts";
import { createTestApp, OPERATOR_ID, startTestApp, type TestApp } from "./harness.ts";

const here = await startTestApp();
const there = await startTestApp();

test("of two applications of one process each uses its own clock", async () => {
  const fixtures = [createGroupFixtures(here), createGroupFixtures(there)] as const;
  const [bought, other] = [await buyIn(fixtures[0]), await buyIn(fixtures[1])];
  await fixtures[0].advance(DAY_MS);
  await there.drain();
  expect(fixtures[0].memberStatus(bought.shop, bought.buyer.person.id)).toBe("left");
  expect(fixtures[1].memberStatus(other.shop, other.buyer.person.id)).toBe("member");
});

test("of two applications of one process each has its own settings, pages and sessions", async () => {
  const before = await priceIn(there);
  const staff = await here.person();
  const operator = await here.signInSeller({ ...staff, id: OPERATOR_ID });
  const changes = { premium: { price: before + 1_000, period_days: 30 } };
  await here.done("PUT /api/desk/settings", operator, { changes, reason: "Essai" });
  expect(await priceIn(here)).toBe(before + 1_000);
  expect(await priceIn(there)).toBe(before);
  expect((await there.call("GET", "/api/products", operator)).status).toBe(401);
});

test("a value that each App has one of is created once for it, and again for another", () => {
  const { db, clock } = here;
  const listOf = perApp((): string[] => []);
  const [one, two] = [createTestApp({ db, clock }), createTestApp({ db, clock })];
  listOf(one).push("said");
  expect([listOf(one), listOf(two)]).toEqual([["said"], []]);
});

async function buyIn(fixture: ReturnType<typeof createGroupFixtures>) {
  const shop = await fixture.openShop();
  const { buyer } = await fixture.buyerInside(shop);
  return { shop, buyer };
}

const priceIn = async (app: TestApp) => (await app.read("GET /api/plans")).plans[1]?.price ?? 0;
