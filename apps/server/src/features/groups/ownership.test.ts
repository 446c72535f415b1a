import { expect, test } from "vitest";
import {
  createOwnerFixtures,
  MANAGER_RIGHTS,
  type OwnerFixtures,
  type Role,
} from "../../../test/group-owners.ts";
import { RIGHTS, startTestApp } from "../../../test/harness.ts";
import { publishProduct } from "../../../test/sales.ts";

/** The owner of a group, the notifications, and whether it sells: with the emulated Telegram. */

const app = await startTestApp();

/** The chat of the situation; the product to check, else the owner publishes one; the id of the proven person. */
type Played = { readonly chatId: number; readonly reference?: string; readonly owner?: string };

type Outcome = {
  /** The owner afterwards: one of the two people, the one in `Played`, or nobody. */
  readonly owner: Role | "the last proven" | null;
  /** Texts that the bot has sent to each, once. */
  readonly notified?: Partial<Record<Role, string>>;
  /** Whether the product can be bought; absent: there is none. */
  readonly sells?: boolean;
};

/** The bot's messages, by words that no other message contains. */
const SAID = {
  linked: "est relié. Vous pouvez maintenant",
  paused: "ses ventes sont en pause",
  sellerLost: "n'en est plus administrateur",
  notAdmin: "Seul un administrateur",
  lacking: "Il vous manque",
  taken: "l'a repris dans Sésame",
  yours: "maintenant relié à votre compte",
} as const;

const NOBODY: Outcome = { owner: null };
const OWNER_LINKED: Outcome = { owner: "owner", notified: { owner: SAID.linked }, sells: true };
const OWNER_SELLS: Outcome = { owner: "owner", sells: true };
const LACKING: Outcome = { owner: null, notified: { other: SAID.lacking } };
const OTHER_LINKED: Outcome = { owner: "other", notified: { other: SAID.linked }, sells: true };
const PAUSED_MESSAGES = { other: SAID.paused, owner: SAID.sellerLost };
const PAUSED: Outcome = { owner: "other", notified: PAUSED_MESSAGES, sells: false };
const PAUSED_AND_BACK: Outcome = { ...PAUSED, sells: true };

/** Plays each situation, then checks the owner, the notifications, and whether it sells. */
function situations(
  outcome: Outcome,
  plays: Record<string, (s: OwnerFixtures) => Promise<Played>>,
) {
  const whose = outcome.owner === null ? "nobody's" : `${outcome.owner}'s`;
  test.each(Object.entries(plays))(`a group is ${whose} when %s`, async (_when, play) => {
    const s = await createOwnerFixtures(app);
    const played = await play(s);
    await s.settle();
    expect(await s.sellerOf(played.chatId)).toBe(played.owner ?? outcome.owner);
    for (const role of ["owner", "other"] as const) {
      const words = outcome.notified?.[role];
      if (words !== undefined) expect([role, s.said(role, words)]).toEqual([role, 1]);
    }
    if (outcome.owner === null) {
      expect(s.said("owner", SAID.linked) + s.said("other", SAID.linked)).toBe(0);
    }
    if (outcome.sells === undefined) return;
    const seller = outcome.owner === "other" ? s.other : s.owner;
    const reference = played.reference ?? (await publish(s, seller, played.chatId));
    const { status, code } = await s.order(reference);
    expect([status, code]).toEqual(
      outcome.sells ? [201, undefined] : [422, "checkout.group-unhealthy"],
    );
  });
}

const publish = async (s: OwnerFixtures, seller: OwnerFixtures["owner"], chatId: number) =>
  (await publishProduct(app, { seller, group: await s.linked(chatId) })).reference;

type Sold = Awaited<ReturnType<OwnerFixtures["soldByOther"]>>;

/** The same, when the other person sells the owner's group. */
const whenSold = (
  outcome: Outcome,
  acts: Record<string, (s: OwnerFixtures, sold: Sold) => unknown>,
) =>
  situations(
    outcome,
    Object.fromEntries(
      Object.entries(acts).map(([when, act]) => [
        when,
        async (s: OwnerFixtures) => {
          const sold = await s.soldByOther();
          await act(s, sold);
          return { chatId: sold.chatId, reference: sold.product.reference };
        },
      ]),
    ),
  );

/** The bot is in a chat of the owner's, who has added it. */
async function linkedByOwner(s: OwnerFixtures): Promise<number> {
  const chatId = s.chat();
  s.addBot(chatId, "owner");
  await s.settle();
  return chatId;
}

/** A plain member has added the bot to a basic group, which then may become a supergroup. */
async function hintedByMember(s: OwnerFixtures): Promise<number> {
  const chatId = s.chat("group");
  s.addBot(chatId, "other", []);
  await s.settle();
  return chatId;
}

async function migrate(s: OwnerFixtures, chatId: number, quietly = false) {
  const moved = s.telegram.migrate({ personId: s.idOf("owner"), chatId, quietly });
  await s.settle();
  return moved;
}

function anonymousOwner(s: OwnerFixtures): number {
  const chatId = s.chat();
  s.telegram.setAnonymous({ personId: s.idOf("owner"), chatId, anonymous: true });
  return chatId;
}

async function addedByLinkOf(s: OwnerFixtures, role: Role): Promise<Played> {
  const chatId = anonymousOwner(s);
  const { payload } = await s.linkOf(role);
  const personId = s.idOf("owner");
  s.telegram.addBot({ personId, chatId, bot: "seller", rights: [...RIGHTS], payload });
  return { chatId };
}

/** An administrator with these rights adds the bot, which gets none. */
async function addedWith(s: OwnerFixtures, rights: Parameters<OwnerFixtures["setRights"]>[1]) {
  const chatId = s.chat();
  s.setRights(chatId, rights);
  s.addBot(chatId, "other", []);
  return { chatId };
}

async function givenAway(s: OwnerFixtures) {
  const chatId = await linkedByOwner(s);
  const reference = await publish(s, s.owner, chatId);
  s.telegram.transferOwnership({ personId: s.idOf("owner"), chatId, userId: s.idOf("other") });
  return { chatId, reference };
}

// A group is linked to the person that Telegram proves.

situations(
  { owner: "owner", notified: { other: "déjà relié par un autre vendeur" }, sells: true },
  {
    "the bot is removed, and added by another administrator": async (s) => {
      const chatId = await linkedByOwner(s);
      s.setRights(chatId, MANAGER_RIGHTS);
      s.removeBot(chatId);
      await s.settle();
      s.addBot(chatId, "other");
      return { chatId };
    },
  },
);

situations(
  { owner: null, notified: { other: SAID.notAdmin } },
  {
    "a plain member adds the bot to a supergroup": async (s) => {
      const chatId = s.chat();
      s.addBot(chatId, "other", []);
      return { chatId };
    },
  },
);

situations(LACKING, {
  "an administrator without the right to invite adds the bot": (s) =>
    addedWith(s, ["promote_members", "manage_chat", "restrict_members"]),
  "an administrator without the right to restrict adds the bot": (s) =>
    addedWith(s, ["promote_members", "manage_chat", "invite_users"]),
});

situations(OTHER_LINKED, {
  "an administrator who lacked a right is given it after having added the bot": async (s) => {
    const chatId = s.chat();
    s.setRights(chatId, ["promote_members", "manage_chat", "invite_users", "restrict_members"]);
    s.setRights(chatId, ["promote_members", "manage_chat"]);
    s.addBot(chatId, "other", ["manage_chat"]);
    await s.settle();
    expect(await s.sellerOf(chatId)).toBeNull();
    s.setRights(chatId, MANAGER_RIGHTS);
    await s.settle();
    s.promoteBot(chatId, "owner");
    return { chatId };
  },
  "an administrator adds the bot to a basic group, and promotes it": async (s) => {
    const chatId = s.setRights(s.chat("group"), MANAGER_RIGHTS);
    s.addBot(chatId, "other");
    return { chatId };
  },
});

situations(OWNER_LINKED, {
  "an anonymous owner links the group by the link of the app": (s) => addedByLinkOf(s, "owner"),
  "Telegram does not answer while the bot is added, and answers later": async (s) => {
    const chatId = s.chat();
    s.fallSilent();
    s.addBot(chatId, "owner");
    await s.settle();
    expect(await s.sellerOf(chatId)).toBeNull();
    await s.answerAgain();
    return { chatId };
  },
});

situations(NOBODY, {
  "an anonymous administrator adds the bot": async (s) => {
    const chatId = anonymousOwner(s);
    s.addBot(chatId, "owner");
    await s.settle();
    expect(app.messagesIn(chatId)[0]?.text).toContain("administrateur anonyme");
    return { chatId };
  },
  "an anonymous owner taps the link of a seller who does not administer the group": (s) =>
    addedByLinkOf(s, "other"),
  "a person who administered the group when adding the bot signs in for the first time": async (
    s,
  ) => {
    const person = await s.person();
    const chatId = s.chat();
    s.telegram.addMember({ personId: s.idOf("owner"), chatId, userId: person.id });
    s.setRights(chatId, MANAGER_RIGHTS, person.id);
    s.telegram.addBot({ personId: person.id, chatId, bot: "seller", rights: [...RIGHTS] });
    await s.settle();
    expect(app.lastTo(person.id, "seller").text).toContain("Ouvrez Sésame");
    s.setRights(chatId, [], person.id);
    await s.settle();
    await app.signInSeller(person);
    return { chatId };
  },
});

// A hint of who added the bot links nothing without proof.

situations(OWNER_LINKED, {
  "a member adds the bot to a basic group, then its owner converts it and promotes the bot": async (
    s,
  ) => {
    const moved = await migrate(s, await hintedByMember(s));
    s.promoteBot(moved.chatId, "owner");
    return moved;
  },
  "a member adds the bot to a basic group, whose hint moves with the conversion, and its owner promotes it":
    async (s) => {
      const moved = await migrate(s, await hintedByMember(s), true);
      const person = await app.value<bigint>`
        SELECT telegram_id FROM pending_groups WHERE chat_id = ${moved.chatId}`;
      expect(Number(person)).toBe(s.idOf("other"));
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
  "a member adds the bot to a basic group, and its owner promotes the bot at once": async (s) => ({
    chatId: s.promoteBot(await hintedByMember(s), "owner"),
  }),
});

situations(NOBODY, {
  "a member who is a converted group's hint asks for a check of all their groups": async (s) => {
    const moved = await migrate(s, await hintedByMember(s), true);
    await app.done("POST /api/channels/refresh", s.other);
    return moved;
  },
  "a member adds the bot to a basic group that is converted, and signs in for the first time":
    async (s) => {
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
  "two administrators add the bot before being sellers, and the first signs in": async (s) => {
    const { chatId, first } = await addedByTwo(s);
    await app.signInSeller(first);
    return { chatId };
  },
});

/** The first promotes the bot, the second gives it its rights: both are proven, neither is a seller. */
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

situations(
  { owner: "the last proven" },
  {
    "two administrators add the bot before being sellers, and each has signed in": async (s) => {
      const { chatId, first, second } = await addedByTwo(s);
      await app.signInSeller(first);
      await s.settle();
      const seller = await app.signInSeller(second);
      await s.settle();
      const rights = ["manage_chat"] as const;
      s.telegram.setBotRights({ personId: first.id, chatId, bot: "seller", rights: [...rights] });
      return { chatId, owner: seller.id };
    },
  },
);

// A seller without the rights to invite and restrict sells nothing.

whenSold(PAUSED, {
  "the seller is dismissed as an administrator": (s, { chatId }) => s.setRights(chatId, []),
  "the seller loses the right to invite": (s, { chatId }) =>
    s.setRights(chatId, ["manage_chat", "restrict_members"]),
  "the seller loses the right to restrict": (s, { chatId }) =>
    s.setRights(chatId, ["manage_chat", "invite_users"]),
  "the seller is expelled": (s, { chatId }) =>
    s.telegram.ban({ personId: s.idOf("owner"), chatId, userId: s.idOf("other") }),
  "the seller leaves the group": (s, { chatId }) =>
    s.telegram.leave({ personId: s.idOf("other"), chatId }),
  "the dismissal of the seller never reached the bot, and the hour's check finds it": async (
    s,
    { chatId, product },
  ) => {
    app.emulators.panel.setUpdateDelivery({ drop: true });
    s.setRights(chatId, []);
    app.emulators.panel.setUpdateDelivery({ drop: false });
    await s.settle();
    expect(await s.order(product.reference)).toMatchObject({ status: 201 });
    app.clock.advance(3_600_000);
  },
});

whenSold(PAUSED_AND_BACK, {
  "the dismissed seller is an administrator again": async (s, { chatId }) => {
    s.setRights(chatId, []);
    await s.settle();
    expect(await s.stateOf("other", chatId)).toBe("seller_not_admin");
    s.setRights(chatId, MANAGER_RIGHTS);
  },
  "Telegram does not answer when the rights of a dismissed seller come back, then does": async (
    s,
    { chatId, product },
  ) => {
    s.setRights(chatId, []);
    await s.settle();
    s.fallSilent();
    s.setRights(chatId, MANAGER_RIGHTS);
    await s.settle();
    expect(await s.order(product.reference)).toMatchObject({ status: 422 });
    await s.answerAgain();
  },
});

// The creator of a group may take it over.

situations(
  { owner: "other", notified: { owner: SAID.taken, other: SAID.yours }, sells: false },
  {
    "a creator whom the bot knows only since the transfer takes the group back": async (s) => {
      const given = await givenAway(s);
      await s.settle();
      expect(await s.reclaimable("other")).toEqual([given.chatId]);
      const group = await s.linked(given.chatId);
      expect(await s.reclaim(group.id, "other")).toMatchObject({ status: 200 });
      return given;
    },
  },
);

whenSold(
  { owner: "owner", notified: { owner: SAID.yours, other: SAID.taken }, sells: false },
  {
    "the creator takes the group back": async (s, { chatId, group }) => {
      expect(await s.reclaimable("owner")).toEqual([chatId]);
      expect(await s.reclaimable("other")).toEqual([]);
      expect(await s.reclaim(group.id, "owner")).toMatchObject({
        status: 200,
        body: { channel: { id: group.id, details: { state: "connected", products: 0 } } },
      });
      expect(await s.reclaimable("owner")).toEqual([]);
    },
  },
);

situations(OWNER_SELLS, {
  "the seller gives the ownership of the group away and stays its administrator": givenAway,
  "an administrator who is not the creator tries to take the group back": async (s) => {
    const chatId = await linkedByOwner(s);
    s.setRights(chatId, MANAGER_RIGHTS);
    await s.settle();
    const group = await s.linked(chatId);
    expect(await s.reclaimable("other")).toEqual([]);
    const refusal = { status: 422, body: { code: "groups.not-creator" } };
    expect(await s.reclaim(group.id, "other")).toMatchObject(refusal);
    return { chatId };
  },
  "a stranger tries to take the group back": async (s) => {
    const chatId = await linkedByOwner(s);
    const group = await s.linked(chatId);
    const foreign = await s.reclaim(group.id, "other");
    const absent = await s.reclaim("999999", "other");
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(absent.body);
    return { chatId };
  },
});

whenSold(
  { owner: "other", sells: false },
  {
    "the creator tries to take back a group without the bot": async (s, { chatId, group }) => {
      s.removeBot(chatId);
      await s.settle();
      const refusal = { status: 422, body: { code: "groups.bot-absent" } };
      expect(await s.reclaim(group.id, "owner")).toMatchObject(refusal);
    },
  },
);

whenSold(
  { owner: "other", sells: true },
  {
    "Telegram does not answer when the creator takes the group back": async (s, { group }) => {
      s.fallSilent();
      expect(await s.reclaim(group.id, "owner")).toMatchObject({ status: 503 });
      await s.answerAgain();
    },
  },
);
