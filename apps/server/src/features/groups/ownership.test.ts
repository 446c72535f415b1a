import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createOwnerFixtures,
  MANAGER_RIGHTS,
  type OwnerFixtures,
  type Role,
} from "../../../test/group-owners.ts";
import { lastTo, messagesIn, RIGHTS } from "../../../test/groups.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { publishProduct } from "../../../test/sales.ts";

/** The chat it is about; the product looked at, else the owner publishes one; whose id is right. */
type Played = {
  readonly chatId: number;
  readonly reference?: string;
  readonly owner?: string;
};

type Situation = {
  readonly when: string;
  play(fixture: OwnerFixtures, app: TestApp): Promise<Played>;
  /** Whose the group is then: played by one of the two, by whom `Played` names, or nobody's. */
  readonly owner: Role | "the last proven" | null;
  /** Words the bot has said to each, once. */
  readonly notified?: Partial<Record<Role, string>>;
  /** Whether the product can be bought; absent: there is none. */
  readonly sells?: boolean;
};

/** What the bot says, by the words that no other message holds. */
const SAID = {
  linked: "est relié. Vous pouvez maintenant",
  paused: "ses ventes sont en pause",
  sellerLost: "n'en est plus administrateur",
  notAdmin: "Seul un administrateur",
  lacking: "Il vous manque",
} as const;

/** Plays each against the emulated Telegram: whose the group is, who is told, whether it sells. */
function playSituations(title: string, situations: readonly Situation[]): void {
  describe(title, () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startTestApp();
    });
    afterAll(() => app.close());
    for (const situation of situations) {
      const whose = situation.owner === null ? "nobody's" : `${situation.owner}'s`;
      test(`it is ${whose} when ${situation.when}`, async () => {
        const fixture = await createOwnerFixtures(app);
        const played = await situation.play(fixture, app);
        await fixture.settle();
        await look(app, fixture, { situation, played });
      });
    }
  });
}

async function look(
  app: TestApp,
  fixture: OwnerFixtures,
  { situation, played }: { situation: Situation; played: Played },
): Promise<void> {
  const { chatId } = played;
  expect(await fixture.sellerOf(chatId)).toBe(played.owner ?? situation.owner);
  for (const role of ["owner", "other"] as const) {
    const words = situation.notified?.[role];
    if (words !== undefined) expect([role, fixture.said(role, words)]).toEqual([role, 1]);
  }
  if (situation.owner === null) {
    expect(fixture.said("owner", SAID.linked) + fixture.said("other", SAID.linked)).toBe(0);
  }
  if (situation.sells === undefined) return;
  const seller = situation.owner === "other" ? fixture.other : fixture.owner;
  const reference =
    played.reference ??
    (await publishProduct(app, { seller, group: await fixture.linked(chatId) })).reference;
  const { status, code } = await fixture.order(reference);
  expect([status, code]).toEqual(
    situation.sells ? [201, undefined] : [422, "checkout.group-unhealthy"],
  );
}

playSituations("a group, to whom Telegram proves it", [
  // A group is linked to whom Telegram proves.
  {
    when: "the bot is removed, and added by another administrator",
    async play(s) {
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
    notified: { other: "déjà relié par un autre vendeur" },
    sells: true,
  },
  {
    when: "a plain member adds the bot to a supergroup",
    async play(s) {
      const chatId = s.chat();
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    notified: { other: SAID.notAdmin },
  },
  {
    when: "an administrator without the right to invite adds the bot",
    async play(s) {
      const chatId = s.chat();
      s.setRights(chatId, ["promote_members", "manage_chat", "restrict_members"]);
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    notified: { other: SAID.lacking },
  },
  {
    when: "an administrator without the right to restrict adds the bot",
    async play(s) {
      const chatId = s.chat();
      s.setRights(chatId, ["promote_members", "manage_chat", "invite_users"]);
      s.addBot(chatId, "other", []);
      return { chatId };
    },
    owner: null,
    notified: { other: SAID.lacking },
  },
  {
    when: "an administrator who lacked a right is given it after having added the bot",
    async play(s) {
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
    notified: { other: SAID.linked },
    sells: true,
  },
  {
    when: "an anonymous administrator adds the bot",
    async play(s, app) {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      s.addBot(chatId, "owner");
      await s.settle();
      expect(messagesIn(app.emulators, chatId)[0]?.text).toContain("administrateur anonyme");
      return { chatId };
    },
    owner: null,
  },
  {
    when: "an anonymous owner links the group by the link of the app",
    async play(s) {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      const { payload } = await s.linkOf("owner");
      const personId = s.idOf("owner");
      const rights = RIGHTS;
      s.telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights], payload });
      return { chatId };
    },
    owner: "owner",
    notified: { owner: SAID.linked },
    sells: true,
  },
  {
    when: "an anonymous owner taps the link of a seller who does not administer the group",
    async play(s) {
      const chatId = s.chat();
      s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
      const { payload } = await s.linkOf("other");
      const rights = RIGHTS;
      const personId = s.idOf("owner");
      s.telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights], payload });
      return { chatId };
    },
    owner: null,
  },
  {
    when: "Telegram does not answer while the bot is added, and answers later",
    async play(s) {
      const chatId = s.chat();
      s.fallSilent();
      s.addBot(chatId, "owner");
      await s.settle();
      expect(await s.sellerOf(chatId)).toBeNull();
      await s.answerAgain();
      return { chatId };
    },
    owner: "owner",
    notified: { owner: SAID.linked },
    sells: true,
  },
  // A hint of who added the bot gives nothing by itself.
  {
    when: "a member adds the bot to a basic group, then its owner converts it and promotes the bot",
    async play(s) {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId });
      await s.settle();
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
    owner: "owner",
    notified: { owner: SAID.linked },
    sells: true,
  },
  {
    when: "a member adds the bot to a basic group, whose hint moves with the conversion, and its owner promotes it",
    async play(s, app) {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId, quietly: true });
      await s.settle();
      const { rows } = await sql<{ person: bigint }>`
        SELECT telegram_id AS person FROM pending_groups WHERE chat_id = ${moved.chatId}
      `.execute(app.db);
      expect(Number(rows[0]?.person)).toBe(s.idOf("other"));
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
    owner: "owner",
    notified: { owner: SAID.linked },
    sells: true,
  },
  {
    when: "a member who is the hint of a converted group asks for a check of all their groups",
    async play(s, app) {
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
    async play(s) {
      const chatId = s.chat("group");
      s.addBot(chatId, "other", []);
      await s.settle();
      return { chatId: s.promoteBot(chatId, "owner") };
    },
    owner: "owner",
    notified: { owner: SAID.linked },
    sells: true,
  },
  {
    when: "a member adds the bot to a basic group that is converted, and signs in for the first time",
    async play(s, app) {
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
    async play(s) {
      const basic = s.chat("group");
      const chatId = s.setRights(basic, MANAGER_RIGHTS);
      s.addBot(chatId, "other");
      return { chatId };
    },
    owner: "other",
    notified: { other: SAID.linked },
    sells: true,
  },
  {
    when: "a person signs in for the first time who was an administrator when adding the bot",
    async play(s, app) {
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
      expect(lastTo(app.emulators, person.id, "seller").text).toContain("Ouvrez Sésame");
      s.setRights(chatId, [], person.id);
      await s.settle();
      await app.signInSeller(person);
      return { chatId };
    },
    owner: null,
  },
  {
    when: "two administrators add the bot before being sellers, and the first of them signs in",
    async play(s, app) {
      const { chatId, first } = await addedByTwo(s);
      await app.signInSeller(first);
      return { chatId };
    },
    owner: null,
  },
  {
    when: "two administrators add the bot before being sellers, and each has signed in",
    async play(s, app) {
      const { chatId, first, second } = await addedByTwo(s);
      await app.signInSeller(first);
      await s.settle();
      const seller = await app.signInSeller(second);
      await s.settle();
      s.telegram.setBotRights({
        personId: first.id,
        chatId,
        bot: "seller",
        rights: ["manage_chat"],
      });
      return { chatId, owner: seller.id };
    },
    owner: "the last proven",
  },
  // A seller who may not invite and restrict any more sells nothing.
  {
    when: "the seller is dismissed as an administrator",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the seller loses the right to invite",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, ["manage_chat", "restrict_members"]);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the seller loses the right to restrict",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, ["manage_chat", "invite_users"]);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the seller is expelled",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.telegram.ban({ personId: s.idOf("owner"), chatId, userId: s.idOf("other") });
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the seller leaves the group",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.telegram.leave({ personId: s.idOf("other"), chatId });
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the dismissal of the seller never reached the bot, and the hour's check finds it",
    async play(s, app) {
      const { chatId, product } = await s.soldByOther();
      app.emulators.panel.setUpdateDelivery({ drop: true });
      s.setRights(chatId, []);
      app.emulators.panel.setUpdateDelivery({ drop: false });
      await s.settle();
      expect(await s.order(product.reference)).toMatchObject({ status: 201 });
      app.clock.advance(3_600_000);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: false,
  },
  {
    when: "the dismissed seller is an administrator again",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      await s.settle();
      expect(await s.stateOf("other", chatId)).toBe("seller_not_admin");
      s.setRights(chatId, MANAGER_RIGHTS);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: true,
  },
  {
    when: "the seller gives the ownership of the group away and stays its administrator",
    async play(s, app) {
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
    when: "Telegram does not answer when the rights of a dismissed seller come back, then does",
    async play(s) {
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
    notified: { other: SAID.paused, owner: SAID.sellerLost },
    sells: true,
  },
  // The creator of a group may take it back.
  {
    when: "a creator takes the group back whom the bot knows only since the ownership was given",
    async play(s, app) {
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
    notified: { owner: "l'a repris dans Sésame", other: "maintenant relié à votre compte" },
    sells: false,
  },
  {
    when: "the creator takes the group back",
    async play(s) {
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
    notified: { owner: "maintenant relié à votre compte", other: "l'a repris dans Sésame" },
    sells: false,
  },
  {
    when: "an administrator who is not the creator tries to take the group back",
    async play(s) {
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
    async play(s) {
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
    async play(s) {
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
    when: "Telegram does not answer when the creator takes the group back",
    async play(s) {
      const { chatId, group, product } = await s.soldByOther();
      s.fallSilent();
      expect(await s.reclaim(group.id, "owner")).toMatchObject({ status: 503 });
      await s.answerAgain();
      return { chatId, reference: product.reference };
    },
    owner: "other",
    sells: true,
  },
]);

/** The first promotes the bot, the second gives it its rights: both are proven, none is a seller. */
async function addedByTwo(s: OwnerFixtures) {
  const [first, second] = [await s.person(), await s.person()];
  const chatId = s.chat();
  for (const { id: userId } of [first, second]) {
    s.telegram.addMember({ personId: s.idOf("owner"), chatId, userId });
    s.setRights(chatId, MANAGER_RIGHTS, userId);
  }
  const bot = "seller" as const;
  s.telegram.addBot({ personId: first.id, chatId, bot, rights: ["manage_chat"] });
  await s.settle();
  s.telegram.setBotRights({ personId: second.id, chatId, bot, rights: [...RIGHTS] });
  await s.settle();
  return { chatId, first, second };
}
