import { expect } from "vitest";
import { MANAGER_RIGHTS, playSituations, SAID } from "../../../test/group-owners.ts";
import { messagesIn, RIGHTS } from "../../../test/groups.ts";

playSituations("a group is linked to whom Telegram proves", [
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
    told: { other: "déjà relié par un autre vendeur" },
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
    told: { other: SAID.notAdmin },
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
    told: { other: SAID.lacking },
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
    told: { other: SAID.lacking },
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
    told: { other: SAID.linked },
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
    told: { owner: SAID.linked },
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
    told: { owner: SAID.linked },
    sells: true,
  },
]);
