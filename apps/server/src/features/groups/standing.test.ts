import { expect } from "vitest";
import { MANAGER_RIGHTS, playSituations, SAID } from "../../../test/group-owners.ts";
import { publishProduct } from "../../../test/sales.ts";

playSituations("a seller who may not invite and restrict any more sells nothing", [
  {
    when: "the seller is dismissed as an administrator",
    async play(s) {
      const { chatId, product } = await s.soldByOther();
      s.setRights(chatId, []);
      return { chatId, reference: product.reference };
    },
    owner: "other",
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
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
    told: { other: SAID.paused, owner: SAID.sellerLost },
    sells: true,
  },
]);
