import type { ALLOWED_UPDATES } from "../src/bot/allowed-updates.ts";

const from = { id: 7_001, is_bot: false, first_name: "Awa", language_code: "fr" };
const privateChat = { id: 7_001, type: "private", first_name: "Awa" };
const group = { id: -1_001_234, type: "supergroup", title: "Club VIP" };
const bot = { id: 7_000_000_001, is_bot: true, first_name: "Sésame", username: "sesame_bot" };
const admin = {
  user: bot,
  status: "administrator",
  can_be_edited: false,
  can_invite_users: true,
  can_restrict_members: true,
};

/** An honest update of each type we ask Telegram for, as its documentation shapes them. */
export const SAMPLE_UPDATES: Readonly<
  Record<(typeof ALLOWED_UPDATES)[number], readonly Readonly<Record<string, unknown>>[]>
> = {
  message: [
    { message_id: 1, date: 1_700_000_000, from, chat: privateChat, text: "/start abcdefgh" },
    { message_id: 2, date: 1_700_000_000, from, chat: privateChat, text: "Bonjour" },
    { message_id: 3, date: 1_700_000_000, from, chat: group, new_chat_title: "Club" },
    { message_id: 4, date: 1_700_000_000, from, chat: group, migrate_to_chat_id: -1_009 },
    {
      message_id: 5,
      date: 1_700_000_000,
      from,
      chat: privateChat,
      successful_payment: {
        currency: "XTR",
        total_amount: 100,
        invoice_payload: "order-1",
        telegram_payment_charge_id: "c1",
        provider_payment_charge_id: "p1",
      },
    },
    {
      message_id: 6,
      date: 1_700_000_000,
      from,
      chat: privateChat,
      reply_to_message: { message_id: 1, date: 1, chat: privateChat, text: "Demande n° 1" },
      text: "MP1.23",
    },
  ],
  callback_query: ["group:check:1", "payout:freeze", "w:approve:1", "order:1"].map((data) => ({
    id: "1",
    from,
    message: { message_id: 1, date: 1_700_000_000, chat: privateChat, text: "x" },
    chat_instance: "1",
    data,
  })),
  my_chat_member: [
    {
      chat: group,
      from,
      date: 1_700_000_000,
      old_chat_member: { user: bot, status: "left" },
      new_chat_member: admin,
    },
  ],
  chat_member: [
    {
      chat: group,
      from,
      date: 1_700_000_000,
      old_chat_member: { user: from, status: "left" },
      new_chat_member: { user: from, status: "member" },
      invite_link: { invite_link: "https://t.me/+x", creator: bot, creates_join_request: true },
    },
  ],
  chat_join_request: [
    {
      chat: group,
      from,
      user_chat_id: 7_001,
      date: 1_700_000_000,
      invite_link: { invite_link: "https://t.me/+x", creator: bot, creates_join_request: true },
    },
  ],
  pre_checkout_query: [
    { id: "1", from, currency: "XTR", total_amount: 100, invoice_payload: "order-1" },
  ],
};
