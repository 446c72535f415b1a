import type { ChannelOnWire } from "@sesame/contract/groups";
import type { OrderAccessOnWire } from "@sesame/contract/memberships";
import { assert, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { BotRole, Message } from "../../emulators/src/index.ts";
import { one } from "../src/postgres/database.ts";
import {
  type LinkedGroup,
  SELLER_BOT_TOKEN,
  type SignedInBuyer,
  type SignedInSeller,
  type TestApp,
} from "./harness.ts";
import type { TestPerson } from "./http.ts";
import { buyProduct, publishProduct } from "./sales.ts";

/** The rows of buttons under a message. */
export const buttonsOf = (message: Message) => message.reply_markup?.inline_keyboard ?? [];

/** A button that opens an address, in a browser or as a mini app, or calls the bot back. */
export function buttonOf(message: Message, text: string) {
  const button = buttonsOf(message)
    .flat()
    .find((each) => each.text === text);
  if (!button) throw new Error(`no button "${text}" under "${message.text}"`);
  if ("url" in button) return { kind: "url", url: button.url };
  if ("web_app" in button) return { kind: "web_app", url: button.web_app.url };
  return { kind: "callback", url: undefined };
}

export type Shop = {
  readonly seller: SignedInSeller;
  readonly group: LinkedGroup;
  readonly reference: string;
  /** The owner and the chat, in the form of the emulators' functions. */
  readonly ids: { readonly personId: number; readonly chatId: number };
};

/** What sellers, buyers and strangers do in groups, and what can be seen of it. */
export function createGroupFixtures(app: TestApp) {
  const accessOf = async (buyer: SignedInBuyer, orderId: string): Promise<OrderAccessOnWire> => {
    const { access } = await app.read("GET /api/orders/:id", buyer, { id: orderId });
    assert(access, "the order has an access");
    return access;
  };
  const linkOf = async (buyer: SignedInBuyer, orderId: string): Promise<string> => {
    const { invite_link: link } = await accessOf(buyer, orderId);
    assert(link, "the order has a link");
    return link;
  };
  const memberStatus = (shop: Shop, personId: number): string => {
    const chat = app.emulators.state().chats.find((each) => each.id === shop.group.chatId);
    return chat?.members.find((member) => member.userId === personId)?.status ?? "left";
  };
  /** Opens the link and waits for the answer. → the text of the invite sheet */
  const join = async (personId: number, link: string): Promise<string> => {
    app.emulators.telegram.join({ personId, link });
    await app.drain();
    return app.emulators.telegram.previewInvite({ personId, link }).state;
  };
  return {
    async talk(personId: number, bot: BotRole, text: string) {
      app.write(personId, bot, text);
      await app.drain();
    },
    accessOf,
    linkOf,
    memberStatus,
    join,
    buyerInTouch: app.buyerInTouch,
    advance: app.advance,
    /** A seller to whom the bot may write, with a group and a product of one day. */
    async openShop(choice: { kind?: "supergroup" | "channel" } = {}): Promise<Shop> {
      const seller = await app.signInSeller();
      app.write(seller.person.id, "seller", "/start");
      const group = await app.linkGroup(seller, { title: "Club VIP", ...choice });
      const product = await publishProduct(app, { seller, group }, { minutes: 1_440 });
      const ids = { personId: seller.person.id, chatId: group.chatId };
      return { seller, group, reference: product.reference, ids };
    },
    /** A buyer who has paid and joined. */
    async buyerInside(shop: Shop) {
      const buyer = await app.buyerInTouch();
      const orderId = await buyProduct(app, buyer, shop.reference);
      await join(buyer.person.id, await linkOf(buyer, orderId));
      assert(memberStatus(shop, buyer.person.id) === "member", "the payer was let in");
      return { buyer, orderId };
    },
    async alerts(kind: string): Promise<number> {
      const { count } = await one<{ count: number }>(app.db)`
        SELECT count(*)::int AS count FROM alerts WHERE kind = ${kind} AND resolved_at IS NULL`;
      return count;
    },
  };
}

/** What a seller does with groups, and what can be seen of it. */
export function createSellerFixtures(app: TestApp) {
  return {
    async channelsOf(token: string): Promise<ChannelOnWire[]> {
      return (await app.read("GET /api/channels", { token })).channels;
    },
    /** Lets several changes settle before the seller is notified. */
    async settle(): Promise<void> {
      await app.drain();
      await app.advance(2_000);
    },
    /** A seller to whom the bot may write: its first message comes at the next drain. */
    async sellerInTouch(): Promise<SignedInSeller> {
      const seller = await app.signInSeller();
      app.write(seller.person.id, "seller", "/start");
      return seller;
    },
  };
}

/** People who enter a group without paid time, and what follows. */
export function createEntryFixtures(app: TestApp) {
  const fixture = createGroupFixtures(app);
  const add = async (shop: Shop, by: number, userId: number): Promise<void> => {
    app.emulators.telegram.addMember({ personId: by, chatId: shop.ids.chatId, userId });
    await app.drain();
  };
  /** A person inside with time left, who is no administrator. */
  const member = async (shop: Shop): Promise<TestPerson> =>
    (await fixture.buyerInside(shop)).buyer.person;
  return {
    ...fixture,
    add,
    member,
    /** The seller has been notified that the group is linked: later messages are about people. */
    async openShop(choice: Parameters<typeof fixture.openShop>[0] = {}): Promise<Shop> {
      const shop = await fixture.openShop(choice);
      await app.advance(2_000);
      return shop;
    },
    /** An administrator of the group, besides its owner. */
    async administrator(shop: Shop, rights: readonly "invite_users"[] = ["invite_users"]) {
      const person = await member(shop);
      const { chatId, personId } = shop.ids;
      const userId = person.id;
      app.emulators.telegram.setAdmin({ personId, chatId, userId, rights: [...rights] });
      await app.drain();
      return person;
    },
    /** A buyer whose time is over, and who has been removed. */
    async formerBuyer(shop: Shop): Promise<SignedInBuyer> {
      const { buyer } = await fixture.buyerInside(shop);
      await app.advance(DAY_MS);
      assert(fixture.memberStatus(shop, buyer.person.id) === "left", "removed at the end");
      return buyer;
    },
    /** The seller's switch: people whom a member adds are removed. */
    async chooseRemoval(shop: Shop): Promise<void> {
      const choice = { id: shop.group.id, remove_added: true };
      await app.done("PUT /api/channels/:id/entry-rules", shop.seller, choice);
    },
    /** The seller presses a button of the bot's last message. */
    async press(shop: Shop, text: string): Promise<void> {
      app.tap({ personId: shop.ids.personId, bot: "seller", text });
      await app.drain();
    },
    /** A link of the bot's that admits anybody at once: people of the group have made one. */
    async openLink(shop: Shop): Promise<string> {
      const chat = { chat_id: shop.ids.chatId };
      const made = await callTelegram<{ invite_link: string }>(app, "createChatInviteLink", chat);
      return made.invite_link;
    },
    /** The notifications to the seller about people in the groups. */
    reports(shop: Shop): string[] {
      return app.textsTo(shop.ids.personId, "seller").filter((text) => /^(👤|👥)/u.test(text));
    },
    lastReport: (shop: Shop) => app.lastTo(shop.ids.personId, "seller"),
    /** The methods of the Bot API called from now on, in order. */
    watchCalls(): string[] {
      const calls: string[] = [];
      app.emulators.telegram.onExchange(({ method }) => void calls.push(method));
      return calls;
    },
  };
}

/** Calls the Bot API as the sellers' bot. */
export async function callTelegram<T>(
  app: TestApp,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<T> {
  const answer = await fetch(`${app.emulators.apiRoot}/bot${SELLER_BOT_TOKEN}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(params),
  });
  type Said = { ok: boolean; result: T; description?: string };
  const { ok, result, description } = (await answer.json()) as Said;
  assert(ok, `${method} answered ${description}`);
  return result;
}

/**
 * Marks the groups of earlier tests as left: groups with the bot are re-checked whenever an hour
 * has passed, which would take most of the time of a file with many shops.
 */
export async function leaveGroups({ db }: TestApp): Promise<void> {
  await sql`UPDATE groups SET bot_present = false WHERE bot_present`.execute(db);
}
