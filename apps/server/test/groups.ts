import type { ChannelOnWire } from "@sesame/contract/groups";
import type { OrderAccessOnWire } from "@sesame/contract/memberships";
import { assert } from "@sesame/kernel";
import type { Opts } from "grammy/types";
import { sql } from "kysely";
import type { AdminRight, BotRole, Message } from "../../emulators/src/index.ts";
import type { Method } from "../src/bot/gateway.ts";
import {
  type LinkedGroup,
  RIGHTS,
  type SignedInBuyer,
  type SignedInSeller,
  type TestApp,
} from "./harness.ts";
import type { TestPerson } from "./http.ts";
import { buyProduct, openShelf, type Shelf } from "./sales.ts";

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

type Fault = Parameters<TestApp["emulators"]["telegram"]["faults"]["add"]>[0]["fault"];

/** What sellers, buyers and strangers do in groups, and what can be seen of it. */
export function createGroupFixtures(app: TestApp) {
  const { telegram } = app.emulators;
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
  const memberStatus = ({ group }: { readonly group: LinkedGroup }, personId: number): string => {
    const chat = app.emulators.state().chats.find((each) => each.id === group.chatId);
    return chat?.members.find((member) => member.userId === personId)?.status ?? "left";
  };
  /** Opens the link and waits for the answer. → the text of the invite sheet */
  const join = async (personId: number, link: string): Promise<string> => {
    telegram.join({ personId, link });
    await app.drain();
    return telegram.previewInvite({ personId, link }).state;
  };
  /** A buyer to whom the bot may write, who has paid and not joined. */
  const buyerWaiting = async (shop: Shelf) => {
    const buyer = await app.buyerInTouch();
    const orderId = await buyProduct(app, buyer, shop.reference);
    return { buyer, orderId, link: await linkOf(buyer, orderId) };
  };
  /** A buyer who has paid and joined. */
  const buyerInside = async (shop: Shelf) => {
    const { buyer, orderId, link } = await buyerWaiting(shop);
    await join(buyer.person.id, link);
    assert(memberStatus(shop, buyer.person.id) === "member", "the payer was let in");
    return { buyer, orderId };
  };
  /** A person inside with time left, who is no administrator. */
  const member = async (shop: Shelf): Promise<TestPerson> => (await buyerInside(shop)).buyer.person;
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
    buyerWaiting,
    buyerInside,
    member,
    /** A seller to whom the bot may write, with a group and a product of one day. */
    async openShop(choice: { kind?: "supergroup" | "channel" } = {}): Promise<Shelf> {
      const seller = await app.signInSeller();
      app.write(seller.person.id, "seller", "/start");
      return openShelf(app, seller, { minutes: 1_440, ...choice });
    },
    channelsOf: async (seller: SignedInSeller): Promise<ChannelOnWire[]> =>
      (await app.read("GET /api/channels", seller)).channels,
    /** Lets several changes settle before the seller is notified. */
    async settle(): Promise<void> {
      await app.drain();
      await app.advance(2_000);
    },
    /** The sellers' bot's rights: default all that it needs. */
    async setBotRights({ ids }: Pick<Shelf, "ids">, rights: readonly AdminRight[] = RIGHTS) {
      telegram.setBotRights({ ...ids, bot: "seller", rights: [...rights] });
      await app.drain();
    },
    failOnce: (method: string, fault: Fault) => telegram.faults.add({ method, fault, times: 1 }),
    /** The methods of the Bot API called from now on, in order. */
    watchCalls(): string[] {
      const calls: string[] = [];
      telegram.onExchange(({ method }) => void calls.push(method));
      return calls;
    },
    /** The seller presses a button of the bot's last message. */
    async press({ ids }: Shelf, text: string): Promise<void> {
      app.tap({ personId: ids.personId, bot: "seller", text });
      await app.drain();
    },
    async add({ ids }: Shelf, by: number, userId: number): Promise<void> {
      telegram.addMember({ personId: by, chatId: ids.chatId, userId });
      await app.drain();
    },
    alerts: async (kind: string): Promise<number> =>
      (await app.openAlerts()).filter((each) => each === kind).length,
  };
}

/** Calls the Bot API as the sellers' bot. */
export async function callTelegram<M extends Method>(app: TestApp, method: M, params: Opts<M>) {
  const answer = await app.core.telegram.gatewayOf("seller").call(method, params);
  assert(answer.ok, `${method}: ${JSON.stringify(answer)}`);
  return answer.value;
}

/**
 * Marks the groups of earlier tests as left: groups with the bot are re-checked whenever an hour
 * has passed, which would take most of the time of a file with many shops.
 */
export async function leaveGroups({ db }: TestApp): Promise<void> {
  await sql`UPDATE groups SET bot_present = false WHERE bot_present`.execute(db);
}
