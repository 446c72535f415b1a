import { checkMayWrite, resolveTarget } from "../access.ts";
import { badRequest } from "../api-error.ts";
import { readKeyboard } from "../keyboards.ts";
import { postFromBot, postInChat } from "../messages.ts";
import { invoiceLink } from "../stars/links.ts";
import { readInvoice } from "../stars/read-invoice.ts";
import { balanceOf, transactionsOf } from "../stars/transactions.ts";
import type { MethodTable } from "./table.ts";

const ONE_PAGE = 100;

/** Payments in Stars, and nothing else of Telegram's payments (payment-providers.md §9). */
export const starMethods: MethodTable = {
  createInvoiceLink(town, { bot, args }) {
    const { slug } = town.stars.open({ ...readInvoice(args), botId: bot.id });
    return invoiceLink(slug);
  },
  sendInvoice(town, call) {
    const { bot, args } = call;
    const read = { ...readInvoice(args), subscriptionPeriod: null };
    const target = resolveTarget(town, call, "write");
    if (target.is === "private") checkMayWrite(town, bot, target.dialog);
    const isPrivate = target.is === "private";
    const keyboard = readKeyboard(town, args.json("reply_markup"), { isPrivate, pays: true });
    const { slug } = town.stars.open({ ...read, botId: bot.id });
    const { title, description, amount } = read;
    const pay = { text: `${amount} ⭐`, pay: true as const };
    const content = {
      invoice: {
        title,
        description,
        start_parameter: args.text("start_parameter"),
        currency: "XTR",
        total_amount: amount,
      },
      reply_markup: keyboard ?? { inline_keyboard: [[pay]] },
    };
    const message =
      target.is === "private"
        ? postFromBot(town, bot, { dialog: target.dialog, content })
        : postInChat(town, target.chat, { authorId: bot.id, content });
    town.state.stars.shown.set(`${message.chat.id}:${message.message_id}`, slug);
    return message;
  },
  answerPreCheckoutQuery(town, { bot, args }) {
    const ok = args.boolean("ok");
    const words = args.text("error_message") || null;
    if (!ok && words === null) throw badRequest('parameter "error_message" is required');
    town.stars.answer(bot, { id: args.text("pre_checkout_query_id"), ok, words });
    return true;
  },
  refundStarPayment(town, { bot, args }) {
    const chargeId = args.text("telegram_payment_charge_id");
    if (chargeId === "") throw badRequest("CHARGE_ID_EMPTY");
    town.stars.refund(bot, { personId: args.integer("user_id"), chargeId });
    return true;
  },
  getStarTransactions(town, { bot, args }) {
    const offset = args.integer("offset");
    const limit = args.has("limit") ? args.integer("limit") : ONE_PAGE;
    if (offset < 0) throw badRequest("OFFSET_INVALID");
    if (limit < 1 || limit > ONE_PAGE) throw badRequest("LIMIT_INVALID");
    return { transactions: transactionsOf(town, bot, { offset, limit }) };
  },
  getMyStarBalance: (town, { bot }) => ({ amount: balanceOf(town, bot) }),
};
