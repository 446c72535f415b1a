import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  buttonOf,
  createEntryFixtures,
  type EntryFixtures,
  lastTo,
  leaveGroups,
  messagesTo,
  type Shop,
  tap,
} from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buyProduct } from "../../../test/sales.ts";
import type { App } from "../../app.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { UNTRUSTED_CLOCK } from "./close.ts";
import { removeEntry } from "./entries.ts";

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

type Who = "former buyer" | "stranger" | "buyer";

type Door = "a link" | "a member" | "an administrator" | "the creator";

type Situation = {
  readonly who: Who;
  readonly door: Door;
  readonly switchOn?: boolean;
  readonly whiteListed?: boolean;
  readonly becomes: "member" | "left";
  /** The message to the seller; null for none. */
  readonly notified: RegExp | null;
};

const SITUATIONS: readonly Situation[] = [
  { who: "former buyer", door: "a link", becomes: "left", notified: null },
  { who: "former buyer", door: "a member", becomes: "left", notified: /je retire cette personne/ },
  { who: "former buyer", door: "an administrator", becomes: "member", notified: /qui administre/ },
  { who: "former buyer", door: "the creator", becomes: "member", notified: /qui administre/ },
  { who: "former buyer", door: "a link", whiteListed: true, becomes: "member", notified: null },
  { who: "former buyer", door: "a member", whiteListed: true, becomes: "member", notified: null },
  { who: "stranger", door: "a link", becomes: "member", notified: null },
  {
    who: "stranger",
    door: "a member",
    becomes: "member",
    notified: /qui n'administre pas le groupe/,
  },
  { who: "stranger", door: "a member", switchOn: true, becomes: "left", notified: /je retire/ },
  { who: "stranger", door: "a link", switchOn: true, becomes: "member", notified: null },
  {
    who: "stranger",
    door: "an administrator",
    switchOn: true,
    becomes: "member",
    notified: /administre/,
  },
  {
    who: "stranger",
    door: "the creator",
    switchOn: true,
    becomes: "member",
    notified: /administre/,
  },
  {
    who: "stranger",
    door: "a member",
    switchOn: true,
    whiteListed: true,
    becomes: "member",
    notified: null,
  },
  { who: "buyer", door: "a member", switchOn: true, becomes: "member", notified: null },
  { who: "buyer", door: "an administrator", switchOn: true, becomes: "member", notified: null },
];

async function come(shop: Shop, who: Who): Promise<number> {
  switch (who) {
    case "former buyer":
      return (await scene.formerBuyer(shop)).person.id;
    case "stranger":
      return (await app.person({ first_name: "Fatou" })).id;
    case "buyer": {
      const buyer = await scene.buyerInTouch();
      await buyProduct(app, buyer, shop.reference);
      return buyer.person.id;
    }
  }
}

async function enter(shop: Shop, userId: number, door: Door): Promise<void> {
  switch (door) {
    case "a link":
      await scene.join(userId, await scene.openLink(shop));
      return;
    case "a member":
      return scene.add(shop, (await scene.member(shop)).id, userId);
    case "an administrator":
      return scene.add(shop, (await scene.administrator(shop)).id, userId);
    case "the creator":
      return scene.add(shop, shop.ids.personId, userId);
  }
}

async function putOnWhiteList(shop: Shop, telegramId: number): Promise<void> {
  await sql`
    INSERT INTO people (telegram_id, first_name, created_at, seen_at)
    VALUES (${telegramId}, 'Fatou', now(), now()) ON CONFLICT DO NOTHING
  `.execute(app.db);
  await sql`
    INSERT INTO allowed_members (group_id, person_id, allowed_by, allowed_at)
    SELECT ${shop.group.id}, p.id, ${shop.seller.id}, now() FROM people p
    WHERE p.telegram_id = ${telegramId}
  `.execute(app.db);
}

const titleOf = ({ who, door, switchOn, whiteListed, becomes, notified }: Situation): string =>
  `a ${who} ${whiteListed ? "on the white list " : ""}let in by ${door} ` +
  `${switchOn ? "while added people are removed " : ""}` +
  `${becomes === "member" ? "stays" : "is out again"}, and the seller is ${notified ? "notified" : "not notified"}`;

describe("without running time", () => {
  test.each(SITUATIONS.map((situation) => [titleOf(situation), situation] as const))(
    "%s",
    async (_title, situation) => {
      const shop = await scene.openShop();
      const userId = await come(shop, situation.who);
      if (situation.switchOn) await scene.chooseRemoval(shop);
      if (situation.whiteListed) await putOnWhiteList(shop, userId);
      await enter(shop, userId, situation.door);
      expect(scene.memberStatus(shop, userId)).toBe(situation.becomes);
      const reports = scene.reports(shop);
      expect(reports).toHaveLength(situation.notified ? 1 : 0);
      if (situation.notified) expect(reports[0]).toMatch(situation.notified);
    },
  );

  // The attack: an ended buyer was brought back by a paying member, and stayed for ever.
  test("a former buyer is out however often he is brought back, and is notified why each time", async () => {
    const shop = await scene.openShop();
    const former = await scene.formerBuyer(shop);
    const { buyer: accomplice } = await scene.buyerInside(shop);
    for (let time = 1; time <= 2; time++) {
      await scene.advance(1_000);
      await scene.add(shop, accomplice.person.id, former.person.id);
      expect(scene.memberStatus(shop, former.person.id)).toBe("left");
      const notified = messagesTo(app.emulators, former.person.id, "buyer").filter(({ text }) =>
        text.includes("Vous étiez de retour"),
      );
      expect(notified).toHaveLength(time);
    }
    expect(buttonOf(lastTo(app.emulators, former.person.id, "buyer"), "Renouveler").url).toContain(
      shop.reference,
    );
    expect(scene.memberStatus(shop, accomplice.person.id)).toBe("member");
  });

  test("a former buyer who had left by himself is closed again too", async () => {
    const shop = await scene.openShop();
    const { buyer } = await scene.buyerInside(shop);
    app.emulators.telegram.leave({ personId: buyer.person.id, chatId: shop.ids.chatId });
    await app.drain();
    await scene.advance(DAY_MS);
    await scene.join(buyer.person.id, await scene.openLink(shop));
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("left");
  });

  test("a person is closed again where the bot had lost its rights, once they are back", async () => {
    const shop = await scene.openShop();
    const former = await scene.formerBuyer(shop);
    const member = await scene.member(shop);
    const bot = { ...shop.ids, bot: "seller" as const };
    app.emulators.telegram.setBotRights({ ...bot, rights: ["manage_chat", "invite_users"] });
    await app.drain();
    await scene.add(shop, member.id, former.person.id);
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    const rights = ["manage_chat", "restrict_members", "invite_users"] as const;
    app.emulators.telegram.setBotRights({ ...bot, rights: [...rights] });
    await app.drain();
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
  });

  test("nobody is removed while Telegram does not say who let the person in", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const stranger = await app.person();
    const fault = { method: "getChatMember", fault: { kind: "dropBefore" } as const };
    app.emulators.telegram.faults.add({ ...fault, times: 1 });
    const calls = scene.watchCalls();
    await scene.add(shop, member.id, stranger.id);
    expect(calls).not.toContain("banChatMember");
    expect(scene.memberStatus(shop, stranger.id)).toBe("member");
    await scene.advance(1_000);
    expect(scene.memberStatus(shop, stranger.id)).toBe("left");
    expect(scene.reports(shop)).toHaveLength(1);
  });

  test("an update that Telegram gives three times removes and reports once", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const stranger = await app.person();
    const calls = scene.watchCalls();
    app.emulators.panel.setUpdateDelivery({ copies: 3 });
    await scene.add(shop, member.id, stranger.id);
    app.emulators.panel.setUpdateDelivery({ copies: 1 });
    expect(calls.filter((method) => method === "banChatMember")).toHaveLength(1);
    await afterGrouping();
    expect(scene.reports(shop)).toHaveLength(1);
  });

  test("somebody who is gone before Telegram answers is neither reported nor removed", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const stranger = await app.person();
    app.emulators.telegram.faults.add({
      method: "getChatMember",
      fault: { kind: "dropBefore" },
      times: 1,
    });
    const calls = scene.watchCalls();
    await scene.add(shop, member.id, stranger.id);
    app.emulators.telegram.leave({ personId: stranger.id, chatId: shop.ids.chatId });
    await scene.advance(1_000);
    expect(calls).not.toContain("banChatMember");
    expect(scene.reports(shop)).toEqual([]);
  });

  test("a payment that comes while the removal is cut short opens the door again", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const buyer = await scene.buyerInTouch();
    // The ban is done, its answer lost: the job is cut short there.
    app.emulators.telegram.faults.add({
      method: "banChatMember",
      fault: { kind: "dropAfter" },
      times: 1,
    });
    await scene.add(shop, member.id, buyer.person.id);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("kicked");
    const orderId = await buyProduct(app, buyer, shop.reference);
    await scene.advance(2_000);
    await scene.join(buyer.person.id, await scene.linkOf(buyer, orderId));
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
  });

  test("a person who pays before Telegram says who let him in is a buyer like any other", async () => {
    const shop = await scene.openShop();
    await scene.chooseRemoval(shop);
    const member = await scene.member(shop);
    const buyer = await scene.buyerInTouch();
    app.emulators.telegram.faults.add({
      method: "getChatMember",
      fault: { kind: "dropBefore" },
      times: 1,
    });
    await scene.add(shop, member.id, buyer.person.id);
    const orderId = await buyProduct(app, buyer, shop.reference);
    await scene.advance(1_000);
    expect(scene.memberStatus(shop, buyer.person.id)).toBe("member");
    expect((await scene.accessOf(buyer, orderId)).status).toBe("inside");
    expect(scene.reports(shop)).toEqual([]);
  });

  test("people who come together are reported in one message, five names at a time", async () => {
    const shop = await scene.openShop();
    const member = await scene.member(shop);
    for (let n = 1; n <= 8; n++) {
      const person = await app.person({ first_name: `Invité ${n}` });
      await scene.add(shop, member.id, person.id);
    }
    expect(scene.reports(shop)).toHaveLength(1);
    await afterGrouping();
    const reports = scene.reports(shop);
    expect(reports).toHaveLength(2);
    expect(reports[1]).toContain("7 personnes");
    expect(reports[1]).toContain("et 2 autres");
    const names = scene.lastReport(shop).buttons.flat();
    expect(names.map(({ text }) => text)).toContain("Invité 8");
    tap(app.emulators, { personId: shop.ids.personId, bot: "seller", text: "Suivantes" });
    await app.drain();
    expect(scene.lastReport(shop).text).toContain("Invité 3");
  });

  test("a channel is watched as a group is", async () => {
    const shop = await scene.openShop({ kind: "channel" });
    const former = await scene.formerBuyer(shop);
    await scene.join(former.person.id, await scene.openLink(shop));
    expect(scene.memberStatus(shop, former.person.id)).toBe("left");
    await scene.advance(1_000);
    await scene.add(shop, shop.ids.personId, former.person.id);
    expect(scene.memberStatus(shop, former.person.id)).toBe("member");
    expect(scene.reports(shop)).toHaveLength(1);
  });
});

test("nobody who came in is removed by a clock that may be wrong: nothing is even looked at", async () => {
  const app = { clock: { isTrusted: () => false } } as unknown as App;
  expect(await removeEntry(app, { ref: 1n } as Job)).toEqual(UNTRUSTED_CLOCK);
});
