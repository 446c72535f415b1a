import { MINUTE_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { buttonsOf } from "../../../../test/groups.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestPerson } from "../../../../test/http.ts";
import { createStaffFixtures, type StaffFixtures } from "../../../../test/withdrawals.ts";

/** The first of the people whom the emulators have from the start: the staff. */
const FIRST_PERSON = 7_100_000_001;

const app = await startTestApp({
  env: {
    AGENT_TELEGRAM_IDS: `${FIRST_PERSON},${FIRST_PERSON + 1}`,
    OPERATOR_TELEGRAM_IDS: `${FIRST_PERSON + 2}`,
  },
});
const staff = createStaffFixtures(app);
const awa = { id: FIRST_PERSON, first_name: "Awa", language_code: "fr" };
const moussa = { id: FIRST_PERSON + 1, first_name: "Moussa", language_code: "fr" };
const chief = { id: FIRST_PERSON + 2, first_name: "Fatou", language_code: "fr" };
for (const person of [awa, moussa]) await say(person, "/start");
const api = await app.signInBuyer(chief);

async function say(person: TestPerson, text: string): Promise<void> {
  app.write(person.id, "seller", text);
  await app.drain();
}

const last = (person: TestPerson) => app.lastTo(person.id, "seller");
const buttons = (person: TestPerson) =>
  buttonsOf(last(person))
    .flat()
    .map(({ text }) => text);

/** A request of which the agents are notified at once, since the last was long ago. */
async function request(choice: Parameters<StaffFixtures["request"]>[0]) {
  app.clock.advance(MINUTE_MS);
  const made = await staff.request(choice);
  await app.drain();
  return made;
}

const messages = ({ id }: TestPerson) => app.messagesTo(id, "seller").length;

describe("the agents", () => {
  test("are notified that a request waits, and where", async () => {
    await request({ amount: 12_000 });
    for (const agent of [awa, moussa]) {
      expect(last(agent).text).toBe("💸 1 demande attend, dont 1 ⭐");
      expect(buttons(agent)).toEqual(["Ouvrir le bureau"]);
    }
    // He never started the bot.
    expect(app.messagesTo(chief.id, "seller")).toEqual([]);
  });

  test("are notified of the requests of fifteen seconds together", async () => {
    await request({ amount: 1_001, plan: "free" });
    const before = messages(awa);
    for (let amount = 1_002; amount < 1_024; amount += 1)
      await staff.request({ amount, plan: "free" });
    await app.drain();
    expect(messages(awa)).toBe(before);
    await app.advance(15_000);
    expect(messages(awa)).toBe(before + 1);
    expect(last(awa).text).toBe("💸 24 demandes attendent, dont 1 ⭐");
  });

  test("are notified of a request once, whatever happens to it", async () => {
    const { id } = await request({ amount: 960 });
    const before = messages(awa);
    await staff.act(api, id, "assign");
    await app.advance(15 * MINUTE_MS);
    expect(messages(awa)).toBe(before);
  });

  test("who sell are not notified of their own request", async () => {
    const seller = await app.signInSeller(moussa);
    const notifiedOf = ({ id }: TestPerson) =>
      app.messagesTo(id, "seller").filter(({ text }) => text.includes("attend")).length;
    const before = [notifiedOf(awa), notifiedOf(moussa)];
    await request({ amount: 970, seller });
    expect([notifiedOf(awa), notifiedOf(moussa)]).toEqual([(before[0] ?? 0) + 1, before[1]]);
  });

  test("who blocked the bot do not stop the notification of others", async () => {
    app.emulators.telegram.blockBot({ personId: moussa.id, bot: "seller" });
    const before = messages(awa);
    await request({ amount: 995 });
    expect(messages(awa)).toBe(before + 1);
    app.emulators.telegram.unblockBot({ personId: moussa.id, bot: "seller" });
    await say(moussa, "/start");
    await request({ amount: 996 });
    expect(last(moussa).text).toContain("demandes attendent");
  });
});

test("a made-up button press decides nothing about a request", async () => {
  const { id } = await request({ amount: 980 });
  const from = { id: awa.id, is_bot: false, first_name: awa.first_name };
  for (const action of ["assign", "approve-manual", "reject-suspicious", "paid"]) {
    const press = { id: `old-${action}`, from, chat_instance: "1", data: `desk:${action}:${id}` };
    await app.sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
      SELECT 'seller', coalesce(max(update_id), 0) + 1, ${`person:${awa.id}`},
        ${JSON.stringify({ update_id: 1, callback_query: press })}::jsonb, ${app.clock.now()},
        ${app.clock.now()}
      FROM telegram_updates WHERE bot = 'seller'`;
    await app.drain();
  }
  expect(await staff.detail(api, id)).toMatchObject({ stage: "pending", assignment: null });
  expect(await staff.auditEntries(id)).toEqual([]);
});

describe("/bureau", () => {
  test("is part of the greeting too, with what waits, for the staff alone", async () => {
    await request({ amount: 973 });
    await say(chief, "/start");
    expect(last(chief).text).toMatch(/\n\nBureau des retraits\n.*• \d+ à décider/s);
    expect(buttons(chief)).toContain("Ouvrir le bureau");
    const seller = await app.signInSeller();
    await say(seller.person, "/start");
    expect(last(seller.person).text).not.toContain("Bureau");
    expect(buttons(seller.person)).not.toContain("Ouvrir le bureau");
  });

  test("lists what waits and opens the back office, for the staff alone", async () => {
    await request({ amount: 971 });
    await say(chief, "/bureau");
    expect(last(chief).text).toMatch(/^Bureau des retraits\n.*• \d+ à décider/s);
    expect(buttons(chief)).toEqual(["Ouvrir le bureau"]);
    const seller = await app.signInSeller();
    await say(seller.person, "/bureau");
    expect(last(seller.person).text).toContain("Je ne comprends que les commandes du menu");
  });

  test("leaves every other message of the staff to the conversation", async () => {
    await say(chief, "/aide");
    expect(last(chief).text).toContain("Comment ça marche");
    await say(chief, "bonjour 12345");
    expect(last(chief).text).toContain("Je ne comprends que les commandes du menu");
  });
});
