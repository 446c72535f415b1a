import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { ALLOWED_UPDATES } from "../src/bot/incoming.ts";
import { addLinks } from "../src/features/groups/waiting.ts";
import type { TestPerson } from "./client.ts";
import { createEntryFixtures } from "./groups.ts";
import type { TestApp } from "./harness.ts";
import { buyProduct } from "./sales.ts";

/** Who and what honest updates are about: a group that the bot serves, with buyers and newcomers. */
export type Club = {
  readonly seller: TestPerson;
  /** Has paid and is inside the group. */
  readonly member: TestPerson;
  /** Has paid, and has not asked to come in. */
  readonly buyer: TestPerson;
  readonly stranger: TestPerson;
  readonly chatId: number;
  readonly groupId: string;
  /** Of the product. */
  readonly reference: string;
  /** Of the link by which the seller adds the bot to a group. */
  readonly addPayload: string;
  readonly inviteLink: string;
  /** People who came in without paid time, each of whom waits for the seller's decision. */
  readonly entries: readonly string[];
  /** Of the buyer's order in Stars. */
  readonly invoice: string;
  /** Another group of the seller's: the one that migrates. */
  readonly otherChatId: number;
};

const ENTRIES = 4;

export async function openClub(app: TestApp): Promise<Club> {
  const scene = createEntryFixtures(app);
  const shop = await scene.openShop();
  const { seller, group, reference } = shop;
  const { buyer: member } = await scene.buyerInside(shop);
  const buyer = await scene.buyerInTouch();
  const orderId = await buyProduct(app, buyer, reference);
  for (let nth = 0; nth < ENTRIES; nth++) {
    await scene.add(shop, member.person.id, (await app.person({ first_name: `Ami ${nth}` })).id);
  }
  const entries = await sql<{ id: bigint }>`
    SELECT id FROM unpaid_entries WHERE group_id = ${group.id} ORDER BY id`.execute(app.db);
  const inStars = await app.call("POST", "/api/orders", {
    token: member.token,
    body: { reference, provider: "stars" },
  });
  assert(inStars.status === 201, `the order in Stars answered ${JSON.stringify(inStars.body)}`);
  const invoices = await sql<{ id: string }>`
    SELECT provider_payment_id AS id FROM payments WHERE provider = 'stars'
    ORDER BY id DESC LIMIT 1`.execute(app.db);
  return {
    seller: seller.person,
    member: member.person,
    buyer: buyer.person,
    stranger: await app.person(),
    chatId: group.chatId,
    groupId: group.id,
    reference,
    addPayload:
      new URL(addLinks(app.core, "bot", BigInt(seller.id)).group).searchParams.get("startgroup") ??
      "",
    inviteLink: await scene.linkOf(buyer, orderId),
    entries: entries.rows.map(({ id }) => String(id)),
    invoice: invoices.rows[0]?.id ?? "",
    otherChatId: (await app.linkGroup(seller)).chatId,
  };
}

/** The data of every button that the bot sends, pressed by the seller of the club. */
export function buttonsOf({ groupId, entries }: Pick<Club, "groupId" | "entries">): string[] {
  const [shown, removed, allowed, given] = entries;
  return [
    `entry:card:${shown}`,
    `entry:time:${shown}`,
    `entry:remove:${removed}`,
    `entry:allow:${allowed}`,
    `entry:give:${given}:43200`,
    `entry:list:${groupId}:0`,
    `entry:list:${groupId}:${shown}`,
    `group:check:${groupId}`,
    `group:close-adds:${groupId}`,
    `group:remove-added:${groupId}:on`,
    `group:remove-added:${groupId}:off`,
    "payout:freeze",
  ];
}

type Samples = Readonly<
  Record<(typeof ALLOWED_UPDATES)[number], readonly Readonly<Record<string, unknown>>[]>
>;

/** Honest updates of each type we ask Telegram for, as its documentation shapes them. */
export function sampleUpdates(club: Club): Samples {
  const user = ({ id, first_name }: TestPerson) => ({
    id,
    is_bot: false,
    first_name,
    language_code: "fr",
  });
  const seller = user(club.seller);
  const buyer = user(club.buyer);
  const member = user(club.member);
  const stranger = user(club.stranger);
  const date = 1_700_000_000;
  const inPrivate = { ...member, type: "private" };
  const group = { id: club.chatId, type: "supergroup", title: "Club VIP" };
  const bot = { id: 7_000_000_001, is_bot: true, first_name: "Sésame", username: "sesame_bot" };
  const rights = { can_be_edited: false, can_manage_chat: true, can_invite_users: true };
  const admin = { status: "administrator", ...rights, can_restrict_members: true };
  const link = { invite_link: club.inviteLink, creator: bot, creates_join_request: true };
  const privately = { date, from: member, chat: inPrivate };
  const inGroup = { date, from: seller, chat: group };
  const invoice = { currency: "XTR", total_amount: 100, invoice_payload: club.invoice };
  const charge = { telegram_payment_charge_id: "c1", provider_payment_charge_id: "p1" };
  return {
    message: [
      { message_id: 1, ...privately, text: `/start ${club.reference}` },
      { message_id: 2, ...privately, text: "/mesacces" },
      { message_id: 3, ...inGroup, new_chat_title: "Club" },
      { message_id: 4, ...inGroup, text: `/start@sesame_bot ${club.addPayload}` },
      { message_id: 5, ...privately, successful_payment: { ...invoice, ...charge } },
      { message_id: 6, ...privately, refunded_payment: { ...invoice, ...charge } },
      {
        message_id: 7,
        ...inGroup,
        chat: { ...group, id: club.otherChatId },
        migrate_to_chat_id: club.otherChatId - 1_000_000,
      },
    ],
    callback_query: buttonsOf(club).map((data, nth) => ({
      id: String(nth),
      from: seller,
      message: { message_id: 1, date, chat: { ...seller, type: "private" }, text: "x" },
      chat_instance: "1",
      data,
    })),
    my_chat_member: [
      {
        ...inGroup,
        old_chat_member: { user: bot, status: "member" },
        new_chat_member: { user: bot, ...admin },
      },
    ],
    chat_member: [
      {
        ...inGroup,
        from: buyer,
        old_chat_member: { user: buyer, status: "left" },
        new_chat_member: { user: buyer, status: "member" },
        invite_link: link,
      },
      {
        ...inGroup,
        from: member,
        old_chat_member: { user: stranger, status: "left" },
        new_chat_member: { user: stranger, status: "member" },
      },
      {
        ...inGroup,
        old_chat_member: { user: member, status: "member" },
        new_chat_member: { user: member, ...admin },
      },
    ],
    chat_join_request: [buyer, stranger].map((from) => ({
      ...inGroup,
      from,
      user_chat_id: from.id,
      invite_link: link,
    })),
    pre_checkout_query: [{ id: "1", from: member, ...invoice }],
  };
}
