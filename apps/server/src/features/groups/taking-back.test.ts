import { expect } from "vitest";
import { MANAGER_RIGHTS, playSituations } from "../../../test/group-owners.ts";
import { publishProduct } from "../../../test/sales.ts";

playSituations("the creator of a group may take it back", [
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
    told: { owner: "l'a repris dans Sésame", other: "maintenant relié à votre compte" },
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
    told: { owner: "maintenant relié à votre compte", other: "l'a repris dans Sésame" },
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
