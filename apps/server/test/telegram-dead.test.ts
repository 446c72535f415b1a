import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { expect, test } from "vitest";
import { ageLimitOf } from "../src/jobs/retries.ts";
import type { Topic } from "../src/alerts/kinds.fr.ts";
import { createGroupFixtures } from "./groups.ts";
import { openTestApp } from "./harness.ts";
import { buyProduct, publishProduct } from "./sales.ts";

const DEAD_MS = 48 * HOUR_MS;
const STEP_MS = 8 * HOUR_MS;

type Left = { readonly topic: Topic; readonly priority: number; readonly expired: boolean };

/** What Telegram was made to do, and what is left to do, after two days of sales, ends and messages. */
async function play(isDead: boolean): Promise<{ done: string[]; left: Left[]; unhandled: number }> {
  const app = await openTestApp();
  const fixture = createGroupFixtures(app);
  const done: string[] = [];
  app.emulators.telegram.onExchange(({ method, params, answer }) => {
    if (!answer?.ok || !/^(sendmessage|approvechat|banchat|createchat)/i.test(method)) return;
    const { chat_id: chat, user_id: user, text } = params;
    const said = String(text ?? "").split("\n")[0];
    done.push([method, chat, user, said].filter(Boolean).join(" "));
  });
  // In an outage due work stays due, so it cannot be drained.
  const pass = async (ms: number) => {
    app.clock.advance(ms);
    for (let round = 0; round < 2; round += 1) {
      for (const loop of app.app.loops) await loop.drain();
    }
  };
  const shop = await fixture.openShop();
  const month = await publishProduct(app, shop, { title: "Un mois" });
  const ending = await fixture.buyerInside(shop);
  const asking = await fixture.buyerInTouch();
  const link = await fixture.linkOf(asking, await buyProduct(app, asking, month.reference));
  const buying = await fixture.buyerInTouch();
  const stranger = await app.person();
  await app.drain();
  const premiumUntil = addMs(app.clock.now(), 7 * DAY_MS + 10 * HOUR_MS);
  await app.sql`
    UPDATE sellers SET plan = 'premium', premium_until = ${premiumUntil}
    WHERE id = ${BigInt(shop.seller.id)}`;

  if (isDead)
    app.emulators.telegram.faults.add({ method: "*", fault: { kind: "serverError" }, times: null });
  app.emulators.telegram.join({ personId: asking.person.id, link });
  await buyProduct(app, buying, month.reference);
  app.write(stranger.id, "seller", "/start");
  for (let passed = 0; passed < DEAD_MS; passed += STEP_MS) await pass(STEP_MS);
  const before = fixture.memberStatus(shop, ending.buyer.person.id);
  expect(before).toBe(isDead ? "member" : "left");
  app.emulators.telegram.faults.clear();
  // Each waits for ten minutes at most before its next try.
  for (let turn = 0; turn < 4; turn += 1) await fixture.advance(10 * MINUTE_MS);

  expect(fixture.memberStatus(shop, ending.buyer.person.id)).toBe("left");
  expect(fixture.memberStatus(shop, asking.person.id)).toBe("member");
  const left = await app.sql<Left>`SELECT topic, priority, expired FROM outbox`;
  const unhandled = await app.sql`
    SELECT FROM telegram_updates WHERE handled_at IS NULL OR last_error IS NOT NULL`;
  app.takeErrors();
  await app.close();
  return { done: done.toSorted(), left, unhandled: unhandled.length };
}

test("an outage of Telegram of 48 hours loses nothing: each is done once when it is back, or expired by its rule", async () => {
  const [alive, dead] = await Promise.all([play(false), play(true)]);
  expect([alive.left, alive.unhandled, dead.unhandled]).toEqual([[], 0, 0]);
  const once = dead.done.filter((call) => !call.startsWith("createChat"));
  expect(once).toEqual([...new Set(once)]);
  // A reminder is useful at its hour only, and a group is checked again anyway.
  const isReminder = (said: string) => said.includes("se termine dans 7 jours");
  expect(alive.done.filter(isReminder)).toHaveLength(1);
  expect(dead.done).toEqual(alive.done.filter((said) => !isReminder(said)));
  expect(dead.left.filter(({ topic }) => topic === "bot.notify")).toHaveLength(1);
  for (const { topic, priority, expired } of dead.left) {
    expect(expired).toBe(true);
    expect(ageLimitOf(topic, priority).waitsMs).toBeLessThan(DEAD_MS);
  }
});
