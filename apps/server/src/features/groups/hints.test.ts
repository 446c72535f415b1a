import { sql } from "kysely";
import { expect } from "vitest";
import {
  MANAGER_RIGHTS,
  type OwnerFixtures,
  playSituations,
  SAID,
} from "../../../test/group-owners.ts";
import { lastTo, RIGHTS } from "../../../test/groups.ts";

playSituations("a hint of who added the bot gives nothing by itself", [
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
    told: { owner: SAID.linked },
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
        SELECT telegram_id AS person FROM group_claims WHERE chat_id = ${moved.chatId}
      `.execute(app.db);
      expect(Number(rows[0]?.person)).toBe(s.idOf("other"));
      s.promoteBot(moved.chatId, "owner");
      return moved;
    },
    owner: "owner",
    told: { owner: SAID.linked },
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
    told: { owner: SAID.linked },
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
    told: { other: SAID.linked },
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
