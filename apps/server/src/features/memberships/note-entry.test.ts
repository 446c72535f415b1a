import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createEntryFixtures,
  type EntryFixtures,
  leaveGroups,
  type Shop,
} from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";

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

/** What the emulated people cannot do: the update comes as Telegram would write it. */
let nextUpdateId = 900_000_001;
async function deliver(body: Record<string, unknown>): Promise<void> {
  const id = nextUpdateId++;
  await sql`
    INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
    VALUES ('seller', ${id}, ${`update:${id}`}, ${JSON.stringify({ update_id: id, ...body })}::jsonb,
      ${app.clock.now()}, ${app.clock.now()})
  `.execute(app.db);
  await app.drain();
}

const asUser = (person: { id: number; first_name?: string }) => ({
  id: person.id,
  is_bot: false,
  first_name: person.first_name ?? "Quelqu'un",
});
const ANONYMOUS = { id: 1_087_968_824, is_bot: true, first_name: "Group" };
const OTHER_BOT = { id: 6_000_000_009, is_bot: true, first_name: "Portier" };

/** The person is inside, and the update that says so is ours. */
async function comeIn(
  shop: Shop,
  person: { id: number; first_name?: string },
  how: Record<string, unknown>,
): Promise<void> {
  app.emulators.panel.setUpdateDelivery({ drop: true });
  app.emulators.telegram.addMember({ ...shop.ids, userId: person.id });
  app.emulators.panel.setUpdateDelivery({ drop: false });
  const user = asUser(person);
  await deliver({
    chat_member: {
      chat: { id: shop.ids.chatId, type: "supergroup", title: "Club VIP" },
      date: Math.floor(app.clock.now().getTime() / 1_000),
      from: user,
      old_chat_member: { status: "left", user },
      new_chat_member: { status: "member", user },
      ...how,
    },
  });
}

const linkOf = (creator: object) => ({
  invite_link: "https://t.me/+abc...",
  creator,
  creates_join_request: false,
  is_primary: false,
  is_revoked: false,
});

describe("somebody who came in", () => {
  test("by a link that a plain member made is taken for that member's guest", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const host = await scene.member(shop);
    const guest = await app.person();
    await comeIn(shop, guest, { invite_link: linkOf(asUser(host)) });
    expect(scene.memberStatus(shop, guest.id)).toBe("left");
    expect(scene.reports(shop)).toHaveLength(1);
  });

  test("by an administrator's link is let be, unless his paid time is over", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const invite_link = linkOf(asUser({ id: shop.ids.personId }));
    const guest = await app.person();
    await comeIn(shop, guest, { invite_link });
    expect(scene.memberStatus(shop, guest.id)).toBe("member");
    expect(scene.reports(shop)).toEqual([]);
    const former = await scene.formerBuyer(shop);
    await comeIn(shop, former.person, { invite_link });
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
  });

  test("by a shared folder is reported, and removed when the seller wants it", async () => {
    const shop = await scene.openShop();
    const [first, second] = [await app.person(), await app.person()];
    await comeIn(shop, first, { via_chat_folder_invite_link: true });
    expect(scene.memberStatus(shop, first.id)).toBe("member");
    expect(scene.reports(shop)[0]).toContain("dossier partagé");
    await scene.chooseRemoval(shop);
    await comeIn(shop, second, { via_chat_folder_invite_link: true });
    expect(scene.memberStatus(shop, second.id)).toBe("left");
  });

  test.each([
    ["an anonymous administrator", ANONYMOUS],
    ["another bot, which must administer the group to do that", OTHER_BOT],
  ])("by the hand of %s stays, and the seller is notified", async (_who, from) => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const former = await scene.formerBuyer(shop);
    await comeIn(shop, former.person, { from });
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    expect(scene.reports(shop)[0]).toContain("Un administrateur l'a fait entrer");
  });

  test("and left, notified in the other order, is neither reported nor removed", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const guest = await app.person();
    const calls = scene.watchCalls();
    const { chatId } = shop.ids;
    app.emulators.panel.setUpdateDelivery({ reorder: true });
    app.emulators.telegram.addMember({ personId: member.id, chatId, userId: guest.id });
    app.emulators.telegram.leave({ personId: guest.id, chatId });
    app.emulators.panel.setUpdateDelivery({ reorder: false });
    await scene.advance(MINUTE_MS);
    expect(calls).not.toContain("banChatMember");
    expect(scene.reports(shop)).toEqual([]);
  });

  test("is removed by nobody once the seller made him an administrator", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const guest = await app.person();
    app.emulators.telegram.faults.add({
      method: "getChatMember",
      fault: { kind: "dropBefore" },
      times: 1,
    });
    await scene.add(shop, member.id, guest.id);
    app.emulators.telegram.setAdmin({ ...shop.ids, userId: guest.id, rights: ["manage_chat"] });
    await scene.advance(MINUTE_MS);
    expect(scene.memberStatus(shop, guest.id)).toBe("administrator");
    expect(scene.reports(shop)).toEqual([]);
  });
});

describe("the seller of a group", () => {
  test("is the only one who may decide", async () => {
    const shop = await scene.openShop();
    const former = await scene.formerBuyer(shop);
    await scene.add(shop, shop.ids.personId, former.person.id);
    const { rows } = await sql<{ id: bigint }>`
      SELECT e.id FROM unpaid_entries e JOIN people p ON p.id = e.person_id
      WHERE p.telegram_id = ${former.person.id}
    `.execute(app.db);
    const other = await scene.openShop();
    // A press that somebody makes up: Telegram passes on whatever an old message may have held.
    await deliver({
      callback_query: {
        id: "1",
        chat_instance: "1",
        from: asUser({ id: other.ids.personId }),
        data: `entry:remove:${rows[0]?.id}`,
      },
    });
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
  });
});
