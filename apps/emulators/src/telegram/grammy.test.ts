import { Bot } from "grammy";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { emulatorsEach, groupWithBot, TOKENS } from "../testing/test-emulators.ts";

const { emulators } = emulatorsEach();
let bot: Bot;

beforeEach(() => {
  bot = new Bot(TOKENS.seller, { client: { apiRoot: emulators.apiRoot } });
});

afterEach(() => bot.stop());

test("a grammY bot approves a join request, by long polling", async () => {
  const chatId = groupWithBot(emulators);
  bot.on("chat_join_request", (ctx) => ctx.approveChatJoinRequest(ctx.from.id));
  bot.on("chat_member", (ctx) => void seen.push(ctx.chatMember.new_chat_member.status));
  bot.command("start", (ctx) => ctx.reply(`bonjour ${ctx.match}`));
  const seen: string[] = [];
  void bot.start({ allowed_updates: ["message", "chat_join_request", "chat_member"] });
  const personId = emulators.buyer;
  emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text: "/start abc" });
  await eventually(() => emulators.state().dialogs[0]?.messages[1]?.text === "bonjour abc");
  const { invite_link: link } = await bot.api.createChatInviteLink(chatId, {
    creates_join_request: true,
  });
  expect(emulators.telegram.join({ personId, link }).state).toBe("asked");
  await eventually(() => seen.length === 1);
  expect(seen).toEqual(["member"]);
});

test("a grammY bot is paid in Stars and gives them back", async () => {
  const events: string[] = [];
  bot.on("pre_checkout_query", (ctx) => ctx.answerPreCheckoutQuery(true));
  bot.on(":successful_payment", (ctx) => {
    const { telegram_payment_charge_id: charge } = ctx.message?.successful_payment ?? {};
    events.push("paid");
    return bot.api.refundStarPayment(ctx.from?.id ?? 0, charge ?? "");
  });
  bot.on(":refunded_payment", () => void events.push("refunded"));
  void bot.start();
  const prices = [{ label: "Club", amount: 50 }];
  const link = await bot.api.createInvoiceLink("Club", "Un mois", "order-1", "", "XTR", prices);
  const paid = await emulators.telegram.payInvoice({ personId: emulators.buyer, link });
  expect(paid).toMatchObject({ status: "paid", stars: 4_950 });
  await eventually(() => events.length === 2);
  expect(events).toEqual(["paid", "refunded"]);
  const { transactions } = await bot.api.getStarTransactions();
  expect(transactions.map(({ source }) => source !== undefined)).toEqual([true, false]);
  expect(await bot.api.getMyStarBalance()).toEqual({ amount: 0 });
});
