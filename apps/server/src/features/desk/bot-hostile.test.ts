import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDeskScene, type DeskScene } from "../../../test/desk-scene.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../test/harness.ts";
import { HOSTILE_TEXTS } from "../../../test/hostile.ts";
import type { TestPerson } from "../../../test/init-data.ts";
import { lastTo, messagesTo } from "../../../test/said.ts";

/** People who live in the world from its beginning: the staff are the first of them. */
const FIRST_PERSON = 7_100_000_001;

let app: TestApp;
let desk: DeskScene;
let awa: TestPerson;
let moussa: TestPerson;
let chief: TestPerson;
let api: SignedInBuyer;

beforeAll(async () => {
  app = await startTestApp({
    env: {
      AGENT_TELEGRAM_IDS: `${FIRST_PERSON},${FIRST_PERSON + 1}`,
      OPERATOR_TELEGRAM_IDS: `${FIRST_PERSON + 2}`,
    },
  });
  desk = createDeskScene(app);
  [awa, moussa, chief] = ["Awa", "Moussa", "Fatou"].map((first_name, index) => ({
    id: FIRST_PERSON + index,
    first_name,
    language_code: "fr",
  })) as [TestPerson, TestPerson, TestPerson];
  for (const person of [awa, moussa]) await say(person, "/start");
  api = await app.signInBuyer(chief);
});
afterAll(() => app?.close());

async function say(person: TestPerson, text: string, replyTo?: number): Promise<void> {
  app.world.telegram.sendMessage({
    personId: person.id,
    to: { bot: "seller" },
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
  });
  await app.drain();
}

const last = (person: TestPerson) => lastTo(app.world, person.id, "seller");
async function ask(choice: Parameters<DeskScene["request"]>[0] = {}) {
  const made = await desk.request(choice);
  return { id: made.id, seller: made.seller, reference: made.reference_transaction };
}

/** A request the agents are told of at once: the last was long ago. */
async function request(choice: Parameters<DeskScene["request"]>[0] = {}) {
  app.clock.advance(MINUTE_MS);
  const made = await ask(choice);
  await app.drain();
  return made;
}

describe("nobody else", () => {
  /** A press of a button that was never shown, as a modified client may send it. */
  const forge = async (person: TestPerson, data: string): Promise<void> => {
    const message = last(person);
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
      SELECT 'seller', coalesce(max(update_id), 0) + 1, ${`person:${person.id}`},
        ${JSON.stringify({
          update_id: 1,
          callback_query: {
            id: `forged-${data}`,
            from: { id: person.id, is_bot: false, first_name: person.first_name },
            chat_instance: "1",
            data,
            message: {
              message_id: message.messageId,
              date: 1,
              chat: { id: person.id, type: "private" },
            },
          },
        })}::jsonb, ${app.clock.now()}, ${app.clock.now()}
      FROM telegram_updates WHERE bot = 'seller'
    `.execute(app.db);
    await app.drain();
  };

  test("does anything by a forged button", async () => {
    const { id, seller } = await request({ amount: 980 });
    await say(seller.person, "/start");
    const before = messagesTo(app.world, seller.person.id, "seller").length;
    for (const action of ["claim", "approve-manual", "reject-suspicious", "paid", "show", "back"]) {
      await forge(seller.person, `desk:${action}:${id}`);
    }
    expect(messagesTo(app.world, seller.person.id, "seller")).toHaveLength(before);
    expect(await desk.detail(api, id)).toMatchObject({ stage: "pending", claim: null });
    expect(await desk.deeds(id)).toEqual([]);
  });

  test("and an agent's forged button passes by the same checks", async () => {
    const { id } = await request({ amount: 990 });
    for (const data of [
      `desk:approve-manual:${id}`,
      `desk:reject-suspicious:${id}`,
      `desk:paid:${id}`,
      `desk:approve-nothing:${id}`,
      "desk:claim:999999999999999999",
      "desk:claim:x",
      "desk:__proto__:1",
      `desk:constructor:${id}`,
    ]) {
      await forge(awa, data);
    }
    expect(await desk.detail(api, id)).toMatchObject({ stage: "pending", claim: null });
    expect(await desk.deeds(id)).toEqual([]);
  });
});

test("an agent who blocked the bot keeps nobody else from being told", async () => {
  app.world.telegram.blockBot({ personId: moussa.id, bot: "seller" });
  const { reference } = await request({ amount: 995 });
  expect(last(awa).text).toContain(reference);
  expect(last(moussa).text).not.toContain(reference);
  app.world.telegram.unblockBot({ personId: moussa.id, bot: "seller" });
  await say(moussa, "/start");
  const next = await request({ amount: 996 });
  expect(last(moussa).text).toContain(next.reference);
});

describe("hostile text of sellers", () => {
  test("arrives as text in the agents' messages, which are never broken", async () => {
    for (const text of HOSTILE_TEXTS.filter((each) => each.trim() === each && each.length <= 60)) {
      const person = await app.person({ first_name: text });
      const seller = await app.signInSeller(person);
      const { reference } = await request({ amount: 1_500, seller });
      expect(last(awa).text).toContain(reference);
      expect(last(awa).text).toContain(text);
    }
    expect(app.takeErrors()).toEqual([]);
  });
});
