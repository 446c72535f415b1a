import type { BotLinksAnswer } from "@sesame/contract/groups";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../../../test/harness.ts";
import {
  createOwnershipScene,
  MANAGER_RIGHTS,
  type OwnershipScene,
  type Role,
} from "../../../../test/ownership-scene.ts";
import { RIGHTS } from "../../../../test/seller-scene.ts";
import { lastTo, messagesIn } from "../../../../test/said.ts";
import { publishProduct } from "../../../../test/stage.ts";

let app: TestApp;
let s: OwnershipScene;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  s = await createOwnershipScene(app);
});
afterAll(async () => {
  await app.close();
});

type Played = { readonly chatId: number; readonly reference?: string };

type Situation = {
  readonly when: string;
  /** Plays it; the product it names is the one looked at, else the new owner publishes one. */
  play(): Promise<Played>;
  readonly owner: Role | null;
  /** Words the bot has said to each, once; absent: none of them. */
  readonly told?: Partial<Record<Role, string>>;
  /** Whether the product can be bought; absent: there is none. */
  readonly sells?: boolean;
};

const LINKED = "est relié. Vous pouvez maintenant";
const PAUSED = "ses ventes sont en pause";
const SELLER_LOST = "n'en est plus administrateur";
const NOT_ADMIN = "Seul un administrateur";
const LACKING = "Il vous manque";

const situations: readonly Situation[] = [
  {
    when: "a member adds the bot to a basic group, then its owner converts it and promotes the bot",
    async play() {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId });
      await s.settle();
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
    owner: "owner",
    told: { owner: LINKED },
    sells: true,
  },
  {
    when: "a member adds the bot to a basic group, whose hint moves with the conversion, and its owner promotes it",
    async play() {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId, quietly: true });
      await s.settle();
      const { rows } = await sql<{ person: bigint }>`
        SELECT telegram_id AS person FROM group_claims WHERE chat_id = ${moved.chatId}
      `.execute(app.db);
      expect(Number(rows[0]?.person)).toBe(s.idOf("other"));
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
    owner: "owner",
    told: { owner: LINKED },
    sells: true,
  },
  {
    when: "a member who is the hint of a converted group asks for a check of all their groups",
    async play() {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId, quietly: true });
      await s.settle();
      const { token } = s.other;
      const answer = await app.call("POST", "/api/channels/refresh", { token });
      expect(answer.status).toBe(200);
      return moved;
    },
    owner: null,
  },
  {
    when: "a member adds the bot to a basic group, and its owner promotes the bot at once",
    async play() {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      return { chatId: s.promoteBot(chatId, "owner") };
    },
    owner: "owner",
    told: { owner: LINKED },
    sells: true,
  },
  {
    when: "a member adds the bot to a basic group that is converted, and signs in for the first time",
    async play() {
      const [creator, member] = [await s.person(), await s.person()];
      const made = { ownerId: creator.id, kind: "group", title: "Club VIP" } as const;
      const { chatId } = s.telegram.createChat(made);
      s.telegram.addMember({ personId: creator.id, chatId, userId: member.id });
      s.telegram.addBot({ personId: member.id, chatId, bot: "seller", rights: [] });
      await s.settle();
      const moved = s.telegram.migrate({ personId: creator.id, chatId, quietly: true });
      await s.settle();
      await app.signInSeller(member);
      return moved;
    },
    owner: null,
  },
  {
    when: "an administrator adds the bot to a basic group, and promotes it",
    async play() {
      const basic = s.chat("group");
      const chatId = s.setRights(basic, MANAGER_RIGHTS);
      s.addBot(chatId, "other");
      return { chatId };
    },
    owner: "other",
    told: { other: LINKED },
    sells: true,
  },
  {
    when: "the bot is removed, and added by another administrator",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "owner");
      await s.settle();
      s.setRights(chatId, MANAGER_RIGHTS);
      s.removeBot(chatId);
      await s.settle();
      s.addBot(chatId, "other");
      return { chatId };
    },
    owner: "owner",
    told: { other: "déjà relié par un autre vendeur" },
    sells: true,
  },
  {
    when: "a plain member adds the bot to a supergroup",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    told: { other: NOT_ADMIN },
  },
  {
    when: "an administrator without the right to invite adds the bot",
    async play() {
      const chatId = s.chat();
      s.setRights(chatId, ["promote_members", "manage_chat", "restrict_members"]);
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    told: { other: LACKING },
  },
  {
    when: "an administrator without the right to restrict adds the bot",
    async play() {
      const chatId = s.chat();
      s.setRights(chatId, ["promote_members", "manage_chat", "invite_users"]);
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    told: { other: LACKING },
  },
  {
    when: "an administrator who lacked a right is given it after having added the bot",
    async play() {
      const chatId = s.chat();
      s.setRights(chatId, ["promote_members", "manage_chat", "invite_users", "restrict_members"]);
      s.telegram.setAdmin({
        personId: s.idOf("owner"),
        chatId,
        userId: s.idOf("other"),
        rights: ["promote_members", "manage_chat"],
      });
      s.addBot(chatId, "other", ["manage_chat"]);
      await s.settle();
      expect(await s.sellerOf(chatId)).toBeNull();
      s.setRights(chatId, MANAGER_RIGHTS);
      await s.settle();
      s.promoteBot(chatId, "owner");
      return { chatId };
    },
    owner: "other",
    told: { other: LINKED },
    sells: true,
  },
  {
    when: "a person signs in for the first time who was an administrator when adding the bot",
    async play() {
      const person = await s.person();
      const chatId = s.chat();
      s.telegram.addMember({ personId: s.idOf("owner"), chatId, userId: person.id });
      s.setRights(chatId, MANAGER_RIGHTS, person.id);
      s.telegram.addBot({
        personId: person.id,
        chatId,
        bot: "seller",
        rights: [...RIGHTS],
      });
      await s.settle();
      expect(lastTo(app.world, person.id, "seller").text).toContain("Ouvrez Sésame");
      s.setRights(chatId, [], person.id);
      await s.settle();
      await app.signInSeller(person);
      return { chatId };
    },
    owner: null,
  },
  {
    when: "an anonymous administrator adds the bot",
    async play() {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      s.addBot(chatId, "owner");
      await s.settle();
      expect(messagesIn(app.world, chatId)[0]?.text).toContain("administrateur anonyme");
      return { chatId };
    },
    owner: null,
  },
  {
    when: "an anonymous owner links the group by the link of the app",
    async play() {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      const { personId, payload } = await linkOf("owner");
      const rights = RIGHTS;
      s.telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights], payload });
      return { chatId };
    },
    owner: "owner",
    told: { owner: LINKED },
    sells: true,
  },
  {
    when: "an anonymous owner taps the link of a seller who does not administer the group",
    async play() {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      const { payload } = await linkOf("other");
      const rights = RIGHTS;
      const personId = s.idOf("owner");
      s.telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights], payload });
      return { chatId };
    },
    owner: null,
  },
  {
    when: "the seller is dismissed as an administrator",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the seller loses the right to invite",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, ["manage_chat", "restrict_members"]);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the seller loses the right to restrict",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, ["manage_chat", "invite_users"]);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the seller is expelled",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.telegram.ban({ personId: s.idOf("owner"), chatId, userId: s.idOf("other") });
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the seller leaves the group",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.telegram.leave({ personId: s.idOf("other"), chatId });
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the dismissal of the seller never reached the bot, and the hour's check finds it",
    async play() {
      const { chatId, product } = await s.soldByOther();
      app.world.panel.setUpdateDelivery({ drop: true });
      s.setRights(chatId, []);
      app.world.panel.setUpdateDelivery({ drop: false });
      await s.settle();
      expect(await s.order(product.reference)).toMatchObject({ status: 201 });
      app.clock.advance(3_600_000);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: false,
  },
  {
    when: "the dismissed seller is an administrator again",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      await s.settle();
      expect(await s.stateOf("other", chatId)).toBe("seller_not_admin");
      s.setRights(chatId, MANAGER_RIGHTS);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: true,
  },
  {
    when: "the seller gives the ownership of the group away and stays its administrator",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "owner");
      await s.settle();
      const group = await s.linked(chatId);
      const { reference } = await publishProduct(app, { seller: s.owner, group });
      s.telegram.transferOwnership({
        personId: s.idOf("owner"),
        chatId,
        userId: s.idOf("other"),
      });
      return { chatId, reference };
    },
    owner: "owner",
    sells: true,
  },
  {
    when: "a creator takes the group back whom the bot knows only since the ownership was given",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "owner");
      await s.settle();
      const group = await s.linked(chatId);
      const { reference } = await publishProduct(app, { seller: s.owner, group });
      s.telegram.transferOwnership({
        personId: s.idOf("owner"),
        chatId,
        userId: s.idOf("other"),
      });
      await s.settle();
      expect(await s.reclaimable("other")).toEqual([chatId]);
      expect(await s.reclaim(group.id, "other")).toMatchObject({ status: 200 });
      return { chatId, reference };
    },
    owner: "other",
    told: { owner: "l'a repris dans Sésame", other: "maintenant relié à votre compte" },
    sells: false,
  },
  {
    when: "the creator takes the group back",
    async play() {
      const { chatId, group, product } = await s.soldByOther();
      expect(await s.reclaimable("owner")).toEqual([chatId]);
      expect(await s.reclaimable("other")).toEqual([]);
      expect(await s.reclaim(group.id, "owner")).toMatchObject({
        status: 200,
        body: { channel: { id: group.id, details: { state: "connected", products: 0 } } },
      });
      expect(await s.reclaimable("owner")).toEqual([]);
      return { chatId, reference: product.reference };
    },
    owner: "owner",
    told: { owner: "maintenant relié à votre compte", other: "l'a repris dans Sésame" },
    sells: false,
  },
  {
    when: "an administrator who is not the creator tries to take the group back",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "owner");
      await s.settle();
      s.setRights(chatId, MANAGER_RIGHTS);
      await s.settle();
      const group = await s.linked(chatId);
      expect(await s.reclaimable("other")).toEqual([]);
      expect(await s.reclaim(group.id, "other")).toMatchObject({
        status: 422,
        body: { code: "groups.not-creator" },
      });
      return { chatId };
    },
    owner: "owner",
    sells: true,
  },
  {
    when: "a stranger tries to take the group back",
    async play() {
      const chatId = s.chat();
      s.addBot(chatId, "owner");
      await s.settle();
      const group = await s.linked(chatId);
      const foreign = await s.reclaim(group.id, "other");
      const absent = await s.reclaim("999999", "other");
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
      return { chatId };
    },
    owner: "owner",
    sells: true,
  },
  {
    when: "the creator tries to take back a group the bot is not in any more",
    async play() {
      const { chatId, group, product } = await s.soldByOther();
      s.removeBot(chatId);
      await s.settle();
      expect(await s.reclaim(group.id, "owner")).toMatchObject({
        status: 422,
        body: { code: "groups.bot-absent" },
      });
      return { chatId, reference: product.reference };
    },
    owner: "other",
    sells: false,
  },
  {
    when: "Telegram does not answer while the bot is added, and answers later",
    async play() {
      const chatId = s.chat();
      s.fallSilent();
      s.addBot(chatId, "owner");
      await s.settle();
      expect(await s.sellerOf(chatId)).toBeNull();
      await s.answerAgain();
      return { chatId };
    },
    owner: "owner",
    told: { owner: LINKED },
    sells: true,
  },
  {
    when: "Telegram does not answer when the creator takes the group back",
    async play() {
      const { chatId, group, product } = await s.soldByOther();
      s.fallSilent();
      expect(await s.reclaim(group.id, "owner")).toMatchObject({ status: 503 });
      await s.answerAgain();
      return { chatId, reference: product.reference };
    },
    owner: "other",
    sells: true,
  },
  {
    when: "Telegram does not answer when the rights of a dismissed seller come back, then does",
    async play() {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      await s.settle();
      s.fallSilent();
      s.setRights(chatId, MANAGER_RIGHTS);
      await s.settle();
      expect(await s.order(product.reference)).toMatchObject({ status: 422 });
      await s.answerAgain();
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: PAUSED, owner: SELLER_LOST },
    sells: true,
  },
];

describe("a group belongs to who can prove it:", () => {
  for (const situation of situations) {
    const whose = situation.owner ?? "nobody";
    test(`it is ${whose}'s when ${situation.when}`, async () => {
      const { chatId, reference } = await situation.play();
      await s.settle();
      expect(await s.sellerOf(chatId)).toBe(situation.owner);
      for (const role of ["owner", "other"] as const) {
        const words = situation.told?.[role];
        if (words !== undefined) expect([role, s.said(role, words)]).toEqual([role, 1]);
      }
      if (situation.owner === null) {
        expect(s.said("owner", LINKED) + s.said("other", LINKED)).toBe(0);
      }
      if (situation.sells === undefined) return;
      const shown = reference ?? (await publishIn(chatId, situation.owner));
      const { status, code } = await s.order(shown);
      expect([status, code]).toEqual(
        situation.sells ? [201, undefined] : [422, "checkout.group-unhealthy"],
      );
    });
  }
});

test("a group that two administrators have added the bot to is given to the one proven last", async () => {
  const [first, second] = [await s.person(), await s.person()];
  const chatId = s.chat();
  const bot = "seller" as const;
  const rights = [...RIGHTS];
  for (const { id: userId } of [first, second]) {
    s.telegram.addMember({ personId: s.idOf("owner"), chatId, userId });
    s.setRights(chatId, MANAGER_RIGHTS, userId);
  }
  s.telegram.addBot({ personId: first.id, chatId, bot, rights: ["manage_chat"] });
  await s.settle();
  s.telegram.setBotRights({ personId: second.id, chatId, bot, rights });
  await s.settle();
  await app.signInSeller(first);
  await s.settle();
  expect(await s.sellerOf(chatId)).toBeNull();
  const seller = await app.signInSeller(second);
  await s.settle();
  expect(await s.sellerOf(chatId)).toBe(seller.id);
  s.telegram.setBotRights({ personId: first.id, chatId, bot, rights: ["manage_chat"] });
  await s.settle();
  expect(await s.sellerOf(chatId)).toBe(seller.id);
});

async function publishIn(chatId: number, owner: Role | null): Promise<string> {
  const group = await s.linked(chatId);
  const seller = owner === "other" ? s.other : s.owner;
  return (await publishProduct(app, { seller, group })).reference;
}

async function linkOf(role: Role): Promise<{ personId: number; payload: string }> {
  const { token } = role === "owner" ? s.owner : s.other;
  const links = await app.call<BotLinksAnswer>("GET", "/api/bot/links", { token });
  const payload = new URL(links.body.group).searchParams.get("startgroup") ?? "";
  return { personId: s.idOf(role), payload };
}
