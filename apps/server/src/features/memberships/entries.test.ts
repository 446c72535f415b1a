import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import {
  buttonOf,
  buttonsOf,
  callTelegram,
  createGroupFixtures,
  leaveGroups,
} from "../../../test/groups.ts";
import { type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import type { TestPerson } from "../../../test/http.ts";
import { buyProduct, type Shelf } from "../../../test/sales.ts";
import type { App } from "../../app.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { UNTRUSTED_CLOCK } from "./telegram-access.ts";
import { removeEntry } from "./entries.ts";
import { brokenAccesses } from "../../maintenance/books.view.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { brokenRefunds } from "../../maintenance/refunds-books.view.ts";

let shop: Shelf;

const app = await startTestApp();
const { telegram, panel } = app.emulators;
const fixture = createGroupFixtures(app);
const {
  advance,
  buyerInTouch,
  buyerWaiting,
  join,
  add,
  memberStatus,
  buyerInside,
  watchCalls,
  accessOf,
  press,
  failOnce,
  setBotRights,
} = fixture;
/** The seller has been notified that the group is linked: later messages are about people. */
async function openShop(choice?: Parameters<typeof fixture.openShop>[0]): Promise<Shelf> {
  const opened = await fixture.openShop(choice);
  await advance(2_000);
  return opened;
}

/** An administrator of the group, besides its owner. */
async function administrator(shop: Shelf): Promise<TestPerson> {
  const person = await fixture.member(shop);
  telegram.setAdmin({ ...shop.ids, userId: person.id, rights: ["invite_users"] });
  await app.drain();
  return person;
}

/** A buyer whose time is over, and who has been removed. */
async function formerBuyer(shop: Shelf): Promise<SignedInBuyer> {
  const { buyer } = await buyerInside(shop);
  await advance(DAY_MS);
  expect(memberStatus(shop, buyer.person.id), "removed at the end").toBe("left");
  return buyer;
}

/** The seller's switch: people whom a member adds are removed. */
const chooseRemoval = ({ seller, group: { id } }: Shelf) =>
  app.done("PUT /api/channels/:id/entry-rules", seller, { id, remove_added: true });

/** A link of the bot's that admits anybody at once: people of the group have made one. */
const openLink = async ({ ids }: Shelf): Promise<string> =>
  (await callTelegram(app, "createChatInviteLink", { chat_id: ids.chatId })).invite_link;

/** The notifications to the seller about people in the groups. */
const reported = ({ ids }: Shelf): string[] =>
  app.textsTo(ids.personId, "seller").filter((text) => /^(👤|👥)/u.test(text));
const lastReport = ({ ids }: Shelf) => app.lastTo(ids.personId, "seller");

beforeEach(async () => {
  await leaveGroups(app);
  shop = await openShop();
});

/** The connection is lost before Telegram has the call. */
const dropOnce = (method: string) => failOnce(method, { kind: "dropBefore" });

/** Later than the period whose entries are reported together. */
const afterGrouping = () => advance(MINUTE_MS);

/** Who comes. → the person's id */
const COMES = {
  "a former buyer": async () => (await formerBuyer(shop)).person.id,
  "a stranger": async () => (await app.person({ first_name: "Fatou" })).id,
  "a buyer": async () => (await buyerWaiting(shop)).buyer.person.id,
};

const LET_IN_BY = {
  "a link": async (userId: number) => join(userId, await openLink(shop)),
  "a member": async (userId: number) => add(shop, (await fixture.member(shop)).id, userId),
  "an administrator": async (userId: number) => add(shop, (await administrator(shop)).id, userId),
  "the creator": (userId: number) => add(shop, shop.ids.personId, userId),
};

/**
 * `given`: the seller's switch is on, so that added people are removed; the person is on the white
 * list. `notified`: the message to the seller; null for none.
 */
type Situation = readonly [
  who: keyof typeof COMES,
  by: keyof typeof LET_IN_BY,
  given: "nothing" | "switch" | "white list" | "switch, white list",
  becomes: "member" | "left",
  notified: RegExp | null,
];

const SITUATIONS: readonly Situation[] = [
  ["a former buyer", "a link", "nothing", "left", null],
  ["a former buyer", "a member", "nothing", "left", /je retire cette personne/],
  ["a former buyer", "an administrator", "nothing", "member", /qui administre/],
  ["a former buyer", "the creator", "nothing", "member", /qui administre/],
  ["a former buyer", "a link", "white list", "member", null],
  ["a former buyer", "a member", "white list", "member", null],
  ["a stranger", "a link", "nothing", "member", null],
  ["a stranger", "a member", "nothing", "member", /qui n'administre pas le groupe/],
  ["a stranger", "a member", "switch", "left", /je retire/],
  ["a stranger", "a link", "switch", "member", null],
  ["a stranger", "an administrator", "switch", "member", /administre/],
  ["a stranger", "the creator", "switch", "member", /administre/],
  ["a stranger", "a member", "switch, white list", "member", null],
  ["a buyer", "a member", "switch", "member", null],
  ["a buyer", "an administrator", "switch", "member", null],
];

/** The seller's switch is on, with a member who adds people, and a stranger to add. */
async function switchedOn() {
  await chooseRemoval(shop);
  return { member: await fixture.member(shop), stranger: await app.person() };
}

async function putOnWhiteList(telegramId: number): Promise<void> {
  await app.sql`
    INSERT INTO people (telegram_id, first_name, created_at, seen_at)
    VALUES (${telegramId}, 'Fatou', now(), now()) ON CONFLICT DO NOTHING`;
  await app.sql`
    INSERT INTO allowed_members (group_id, person_id, allowed_by, allowed_at)
    SELECT ${shop.group.id}, p.id, ${shop.seller.id}, now() FROM people p
    WHERE p.telegram_id = ${telegramId}`;
}

describe("without running time", () => {
  test.each(SITUATIONS)(
    "%s let in by %s, with %s on, becomes: %s",
    async (who, by, given, becomes, notified) => {
      const userId = await COMES[who]();
      if (given.includes("switch")) await chooseRemoval(shop);
      if (given.includes("white list")) await putOnWhiteList(userId);
      await LET_IN_BY[by](userId);
      expect(memberStatus(shop, userId)).toBe(becomes);
      const reports = reported(shop);
      expect(reports).toHaveLength(notified ? 1 : 0);
      if (notified) expect(reports[0]).toMatch(notified);
    },
  );

  // The attack: a paying member brought a former buyer back, who stayed for ever.
  test("a former buyer is removed however often a member brings him back, and is notified why each time", async () => {
    const former = await formerBuyer(shop);
    const { buyer: accomplice } = await buyerInside(shop);
    for (let time = 1; time <= 2; time++) {
      await advance(1_000);
      await add(shop, accomplice.person.id, former.person.id);
      expect(memberStatus(shop, former.person.id)).toBe("left");
      const texts = app.textsTo(former.person.id, "buyer");
      expect(texts.filter((text) => text.includes("Vous étiez de retour"))).toHaveLength(time);
    }
    const renewal = buttonOf(app.lastTo(former.person.id, "buyer"), "Renouveler");
    expect(renewal.url).toContain(shop.reference);
    expect(memberStatus(shop, accomplice.person.id)).toBe("member");
  });

  test("a former buyer who had left before is removed again too", async () => {
    const { buyer } = await buyerInside(shop);
    telegram.leave({ personId: buyer.person.id, chatId: shop.ids.chatId });
    await app.drain();
    await advance(DAY_MS);
    await join(buyer.person.id, await openLink(shop));
    expect(memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("a person is removed again when the bot has its rights back", async () => {
    const former = await formerBuyer(shop);
    const member = await fixture.member(shop);
    await setBotRights(shop, ["manage_chat", "invite_users"]);
    await add(shop, member.id, former.person.id);
    expect(memberStatus(shop, former.person.id)).toBe("member");
    await setBotRights(shop);
    expect(memberStatus(shop, former.person.id)).toBe("left");
  });

  test("nobody is removed while Telegram does not name who let the person in", async () => {
    const { member, stranger } = await switchedOn();
    dropOnce("getChatMember");
    const calls = watchCalls();
    await add(shop, member.id, stranger.id);
    expect(calls).not.toContain("banChatMember");
    expect(memberStatus(shop, stranger.id)).toBe("member");
    await advance(1_000);
    expect(memberStatus(shop, stranger.id)).toBe("left");
    expect(reported(shop)).toHaveLength(1);
  });

  test("a person who is gone before Telegram answers is neither reported nor removed", async () => {
    const { member, stranger } = await switchedOn();
    dropOnce("getChatMember");
    const calls = watchCalls();
    await add(shop, member.id, stranger.id);
    telegram.leave({ personId: stranger.id, chatId: shop.ids.chatId });
    await advance(1_000);
    expect(calls).not.toContain("banChatMember");
    expect(reported(shop)).toEqual([]);
  });

  test("a person who pays before Telegram answers is a buyer like any other", async () => {
    await chooseRemoval(shop);
    const member = await fixture.member(shop);
    const buyer = await buyerInTouch();
    dropOnce("getChatMember");
    await add(shop, member.id, buyer.person.id);
    const orderId = await buyProduct(app, buyer, shop.reference);
    await advance(1_000);
    expect(memberStatus(shop, buyer.person.id)).toBe("member");
    expect((await accessOf(buyer, orderId)).status).toBe("inside");
    expect(reported(shop)).toEqual([]);
  });

  test("people who come together are reported in one message, five names at a time", async () => {
    const member = await fixture.member(shop);
    for (let n = 1; n <= 8; n++) {
      const person = await app.person({ first_name: `Invité ${n}` });
      await add(shop, member.id, person.id);
    }
    expect(reported(shop)).toHaveLength(1);
    await afterGrouping();
    const reports = reported(shop);
    expect(reports).toHaveLength(2);
    for (const words of ["7 personnes", "et 2 autres"]) expect(reports[1]).toContain(words);
    const names = buttonsOf(lastReport(shop)).flat();
    expect(names.map(({ text }) => text)).toContain("Invité 8");
    await press(shop, "Suivantes");
    expect(lastReport(shop).text).toContain("Invité 3");
  });

  test("a channel is watched like a group", async () => {
    const shop = await openShop({ kind: "channel" });
    const former = await formerBuyer(shop);
    await join(former.person.id, await openLink(shop));
    expect(memberStatus(shop, former.person.id)).toBe("left");
    await advance(1_000);
    await add(shop, shop.ids.personId, former.person.id);
    expect(memberStatus(shop, former.person.id)).toBe("member");
    expect(reported(shop)).toHaveLength(1);
  });
});

test("nobody who came in is removed by a clock that may be wrong: no check is even made", async () => {
  const app = { clock: { isTrusted: () => false } } as unknown as App;
  expect(await removeEntry(app, { ref: 1n } as Job)).toEqual(UNTRUSTED_CLOCK);
});

/** What the emulated people cannot do: the update is sent in Telegram's form. */
let nextUpdateId = 900_000_001;
async function deliver(body: Record<string, unknown>): Promise<void> {
  const id = nextUpdateId++;
  await app.sql`
    INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
    VALUES ('seller', ${id}, ${`update:${id}`}, ${JSON.stringify({ update_id: id, ...body })}::jsonb,
      ${app.clock.now()}, ${app.clock.now()})`;
  await app.drain();
}

const asUser = (person: { id: number; first_name?: string }) => ({
  id: person.id,
  is_bot: false,
  first_name: person.first_name ?? "Quelqu'un",
});
const ANONYMOUS = { id: 1_087_968_824, is_bot: true, first_name: "Group" };
const OTHER_BOT = { id: 6_000_000_009, is_bot: true, first_name: "Portier" };

/** The person is inside, and the test sends the update. */
async function comeIn(person: { id: number; first_name?: string }, how: object): Promise<void> {
  panel.setUpdateDelivery({ drop: true });
  telegram.addMember({ ...shop.ids, userId: person.id });
  panel.setUpdateDelivery({ drop: false });
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

const linkBy = (creator: object) => ({
  invite_link: "https://t.me/+abc...",
  creator,
  creates_join_request: false,
  is_primary: false,
  is_revoked: false,
});

describe("a person who came in", () => {
  test("by a link of a plain member counts as that member's guest", async () => {
    await chooseRemoval(shop);
    const host = await fixture.member(shop);
    const guest = await app.person();
    await comeIn(guest, { invite_link: linkBy(asUser(host)) });
    expect(memberStatus(shop, guest.id)).toBe("left");
    expect(reported(shop)).toHaveLength(1);
  });

  test("by an administrator's link is left alone, unless the paid time is over", async () => {
    await chooseRemoval(shop);
    const invite_link = linkBy(asUser({ id: shop.ids.personId }));
    const guest = await app.person();
    await comeIn(guest, { invite_link });
    expect(memberStatus(shop, guest.id)).toBe("member");
    expect(reported(shop)).toEqual([]);
    const former = await formerBuyer(shop);
    await comeIn(former.person, { invite_link });
    expect(memberStatus(shop, former.person.id)).toBe("left");
  });

  test("by a shared folder is reported, and removed when the seller wants it", async () => {
    const [first, second] = [await app.person(), await app.person()];
    await comeIn(first, { via_chat_folder_invite_link: true });
    expect(memberStatus(shop, first.id)).toBe("member");
    expect(reported(shop)[0]).toContain("dossier partagé");
    await chooseRemoval(shop);
    await comeIn(second, { via_chat_folder_invite_link: true });
    expect(memberStatus(shop, second.id)).toBe("left");
  });

  test.each([
    ["an anonymous administrator", ANONYMOUS],
    ["another bot, which must administer the group to do that", OTHER_BOT],
  ])("by %s stays, and the seller is notified", async (_who, from) => {
    await chooseRemoval(shop);
    const former = await formerBuyer(shop);
    await comeIn(former.person, { from });
    expect(memberStatus(shop, former.person.id)).toBe("member");
    expect(reported(shop)[0]).toContain("Un administrateur l'a fait entrer");
  });

  test("and left, reported in the other order, is neither reported nor removed", async () => {
    await chooseRemoval(shop);
    const member = await fixture.member(shop);
    const guest = await app.person();
    const calls = watchCalls();
    const { chatId } = shop.ids;
    panel.setUpdateDelivery({ reorder: true });
    telegram.addMember({ personId: member.id, chatId, userId: guest.id });
    telegram.leave({ personId: guest.id, chatId });
    panel.setUpdateDelivery({ reorder: false });
    await advance(MINUTE_MS);
    expect(calls).not.toContain("banChatMember");
    expect(reported(shop)).toEqual([]);
  });

  test("is not removed after the seller made him an administrator", async () => {
    await chooseRemoval(shop);
    const member = await fixture.member(shop);
    const guest = await app.person();
    dropOnce("getChatMember");
    await add(shop, member.id, guest.id);
    telegram.setAdmin({ ...shop.ids, userId: guest.id, rights: ["manage_chat"] });
    await advance(MINUTE_MS);
    expect(memberStatus(shop, guest.id)).toBe("administrator");
    expect(reported(shop)).toEqual([]);
  });
});

test("the seller of a group is the only one who may decide", async () => {
  const former = await formerBuyer(shop);
  await add(shop, shop.ids.personId, former.person.id);
  const entry = await app.value`
    SELECT e.id FROM unpaid_entries e JOIN people p ON p.id = e.person_id
    WHERE p.telegram_id = ${former.person.id}`;
  const other = await openShop();
  // A forged press: Telegram passes on whatever an old message may have contained.
  await deliver({
    callback_query: {
      id: "1",
      chat_instance: "1",
      from: asUser({ id: other.ids.personId }),
      data: `entry:remove:${entry}`,
    },
  });
  expect(memberStatus(shop, former.person.id)).toBe("member");
});

describe("the seller who is notified of a person let in by an administrator", () => {
  const letIn = async () => {
    const former = await formerBuyer(shop);
    await add(shop, (await administrator(shop)).id, former.person.id);
    return former;
  };
  /** The days of a person's time that are left. */
  const runsFor = (telegramId: number) => app.value<number>`
    SELECT round(extract(epoch FROM a.ends_at - ${app.clock.now()}::timestamptz) / 86400)::int
    FROM accesses a JOIN people p ON p.id = a.person_id
    WHERE p.telegram_id = ${telegramId} AND a.group_id = ${shop.group.id}`;

  test("gives time, which is no sale, and ends as paid time does", async () => {
    const former = await letIn();
    const orders = () => app.sql`SELECT FROM orders WHERE seller_id = ${shop.seller.id}`;
    const before = (await orders()).length;
    await press(shop, "Donner du temps");
    await press(shop, "7 jours");
    expect(lastReport(shop).text).toContain("7 jours d'accès à Club VIP");
    expect(await runsFor(former.person.id)).toBe(7);
    expect(app.lastTo(former.person.id, "buyer").text).toContain("offre 7 jours d'accès");
    expect(await orders()).toHaveLength(before);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    await advance(6 * DAY_MS);
    expect(memberStatus(shop, former.person.id)).toBe("member");
    await advance(DAY_MS);
    expect(memberStatus(shop, former.person.id)).toBe("left");
  });

  test("gives time to a person who never bought, and who buys more of it later", async () => {
    const guest = await buyerInTouch();
    await add(shop, shop.ids.personId, guest.person.id);
    await press(shop, "Donner du temps");
    await press(shop, "30 jours");
    const mine = await app.read("GET /api/me/access", guest);
    expect(mine.accesses).toMatchObject([
      { status: "inside", product: null, order_id: null, renew_reference: null },
    ]);
    await buyProduct(app, guest, shop.reference);
    expect(await runsFor(guest.person.id)).toBe(31);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    await advance(31 * DAY_MS);
    expect(memberStatus(shop, guest.person.id)).toBe("left");
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
  });

  test("gives it once, however often and wherever the button is pressed", async () => {
    const former = await letIn();
    await press(shop, "Donner du temps");
    const { personId } = shop.ids;
    const press30 = {
      personId,
      bot: "seller",
      text: "30 jours",
      message: lastReport(shop),
    } as const;
    for (let n = 0; n < 3; n++) app.tap(press30);
    await app.drain();
    expect(await runsFor(former.person.id)).toBe(30);
    expect(lastReport(shop).text).toContain("Personne n'attend votre décision");
  });

  test("removes the person", async () => {
    const former = await letIn();
    await press(shop, "Retirer");
    expect(memberStatus(shop, former.person.id)).toBe("left");
    expect(lastReport(shop).text).toContain("Je retire");
  });

  test("gets no more reports of a person he keeps, who then comes and goes", async () => {
    const former = await letIn();
    await press(shop, "Ne plus signaler");
    expect(lastReport(shop).text).toContain("je ne vous en parle plus");
    telegram.leave({ personId: former.person.id, chatId: shop.ids.chatId });
    await advance(5 * MINUTE_MS);
    await add(shop, (await fixture.member(shop)).id, former.person.id);
    expect(memberStatus(shop, former.person.id)).toBe("member");
    await afterGrouping();
    expect(reported(shop)).toEqual([]);
  });

  test("cannot remove a person who has paid meanwhile", async () => {
    const former = await letIn();
    const message = lastReport(shop);
    await buyProduct(app, former, shop.reference);
    app.tap({ personId: shop.ids.personId, bot: "seller", text: "Retirer", message });
    await app.drain();
    expect(memberStatus(shop, former.person.id)).toBe("member");
  });
});

describe("time that was given", () => {
  /** A former buyer to whom the seller gave seven days. */
  const give = async () => {
    const former = await formerBuyer(shop);
    await add(shop, shop.ids.personId, former.person.id);
    for (const text of ["Donner du temps", "7 jours"]) await press(shop, text);
    return former;
  };

  test("stays when a sale made beside it is refunded, and the audit finds no fault", async () => {
    const former = await give();
    const orderId = await buyProduct(app, former, shop.reference);
    await createRefundFixtures(app).bySeller(shop.seller, orderId);
    await app.drain();
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    expect(await brokenRefunds(app.db, 10)).toEqual([]);
    await advance(7 * DAY_MS - MINUTE_MS);
    expect(memberStatus(shop, former.person.id)).toBe("member");
    await advance(MINUTE_MS);
    expect(memberStatus(shop, former.person.id)).toBe("left");
  });

  test("without a recorded gift is found by the hourly check", async () => {
    const former = await give();
    const move = (days: number) => app.sql`
      UPDATE accesses SET ends_at = ends_at + ${days} * interval '1 day'
      WHERE group_id = ${shop.group.id} AND person_id = ${former.id}`;
    await move(1);
    expect(await brokenAccesses(app.db, 10)).toMatchObject([{ invariant: "access = time paid" }]);
    await move(-1);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
  });

  test("is in the person's export, and stays in the books when the person is erased", async () => {
    const former = await give();
    const exported = await app.read("GET /api/me/export", former);
    expect(exported["as_buyer"]).toMatchObject({
      given_time: [{ minutes: 10_080, reason: "let-in", group: "Club VIP" }],
      entries_without_paid_time: [{ door: "hand", status: "granted", part: "entered" }],
    });
    await advance(7 * DAY_MS);
    const again = await app.signInBuyer(former.person);
    await app.done("POST /api/me/delete", again, { confirm: true });
    const rows = await app.sql`
      SELECT (SELECT count(*)::int FROM unpaid_entries WHERE person_id = ${former.id}) AS entries,
        (SELECT count(*)::int FROM membership_grants WHERE person_id = ${former.id}) AS grants`;
    expect(rows).toEqual([{ entries: 0, grants: 1 }]);
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
