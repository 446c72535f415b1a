import type { OrderAnswer } from "@sesame/contract/checkout";
import type { ChannelOnWire } from "@sesame/contract/groups";
import type { OrderAccessOnWire } from "@sesame/contract/memberships";
import { assert, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { BotRole, ButtonView, Emulators, MessageView } from "../../emulators/src/index.ts";
import {
  type LinkedGroup,
  SELLER_BOT_TOKEN,
  type SignedInBuyer,
  type SignedInSeller,
  type TestApp,
} from "./harness.ts";
import type { TestPerson } from "./http.ts";
import { buyProduct, publishProduct } from "./sales.ts";

/** What a bot has said to a person, oldest first. */
export function messagesTo(emulators: Emulators, personId: number, bot: BotRole): MessageView[] {
  const dialog = emulators
    .state()
    .dialogs.find((each) => each.personId === personId && each.bot === bot);
  return (dialog?.messages ?? []).filter((message) => message.from.isBot);
}

export function lastTo(emulators: Emulators, personId: number, bot: BotRole): MessageView {
  const message = messagesTo(emulators, personId, bot).at(-1);
  if (!message) throw new Error(`the ${bot} bot said nothing to ${personId}`);
  return message;
}

/** What a bot has said in a group. */
export function messagesIn(emulators: Emulators, chatId: number): MessageView[] {
  const chat = emulators.state().chats.find((each) => each.id === chatId);
  return (chat?.messages ?? []).filter((message) => message.from.isBot && message.service === null);
}

export function buttonOf(message: MessageView, text: string): ButtonView {
  const button = message.buttons.flat().find((each) => each.text === text);
  if (!button) throw new Error(`no button "${text}" under "${message.text}"`);
  return button;
}

/** Taps a button of the last message of a bot to a person. */
export function tap(
  emulators: Emulators,
  press: { personId: number; bot: BotRole; text: string },
): void {
  const { personId, bot, text } = press;
  const message = lastTo(emulators, personId, bot);
  const row = message.buttons.findIndex((each) => each.some((button) => button.text === text));
  const column = message.buttons[row]?.findIndex((button) => button.text === text) ?? -1;
  const { messageId } = message;
  emulators.telegram.pressButton({ personId, in: { bot }, messageId, row, column });
}

export type Shop = {
  readonly seller: SignedInSeller;
  readonly group: LinkedGroup;
  readonly reference: string;
  /** The owner and the chat, as the emulators' actors take them. */
  readonly ids: { readonly personId: number; readonly chatId: number };
};

type Inside = { readonly buyer: SignedInBuyer; readonly orderId: string };

const DAY_MINUTES = 1_440;

/** What sellers, buyers and strangers do around a group, and what can be seen of it. */
export function createGroupFixtures(app: TestApp) {
  const write = (personId: number, bot: BotRole, text: string): void => {
    app.emulators.telegram.sendMessage({ personId, to: { bot }, text });
  };
  const talk = async (personId: number, bot: BotRole, text: string): Promise<void> => {
    write(personId, bot, text);
    await app.drain();
  };
  const accessOf = async (buyer: SignedInBuyer, orderId: string): Promise<OrderAccessOnWire> => {
    const path = `/api/orders/${orderId}`;
    const answer = await app.call<OrderAnswer>("GET", path, buyer);
    assert(answer.status === 200 && answer.body.access, "the order has an access");
    return answer.body.access;
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
  /** Taps the link's button and waits for the answer. → what the invite sheet then says */
  const join = async (personId: number, link: string): Promise<string> => {
    app.emulators.telegram.join({ personId, link });
    await app.drain();
    return app.emulators.telegram.previewInvite({ personId, link }).state;
  };
  /** A buyer the bot may write to: it gets his first message at the next drain, before it writes. */
  const buyerInTouch = async (): Promise<SignedInBuyer> => {
    const buyer = await app.signInBuyer();
    write(buyer.person.id, "buyer", "/start");
    return buyer;
  };
  return {
    talk,
    accessOf,
    linkOf,
    memberStatus,
    join,
    buyerInTouch,
    /** A seller the bot may write to, with a group and a product of one day. */
    async openShop(choice: { kind?: "supergroup" | "channel" } = {}): Promise<Shop> {
      const seller = await app.signInSeller();
      write(seller.person.id, "seller", "/start");
      const group = await app.linkGroup(seller, { title: "Club VIP", ...choice });
      const product = await publishProduct(app, { seller, group }, { minutes: DAY_MINUTES });
      const ids = { personId: seller.person.id, chatId: group.chatId };
      return { seller, group, reference: product.reference, ids };
    },
    /** A buyer who has paid and gone in. */
    async buyerInside(shop: Shop): Promise<Inside> {
      const buyer = await buyerInTouch();
      const orderId = await buyProduct(app, buyer, shop.reference);
      await join(buyer.person.id, await linkOf(buyer, orderId));
      assert(memberStatus(shop, buyer.person.id) === "member", "the payer was let in");
      return { buyer, orderId };
    },
    async advance(ms: number): Promise<void> {
      app.clock.advance(ms);
      await app.drain();
    },
    /** How many alerts of a kind are open in the back office. */
    async alerts(kind: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM alerts
        WHERE kind = ${kind} AND resolved_at IS NULL
      `.execute(app.db);
      return rows[0]?.count ?? 0;
    },
  };
}

export const RIGHTS = ["manage_chat", "restrict_members", "invite_users"] as const;

/** What a seller does and sees around his groups. */
export function createSellerFixtures(app: TestApp) {
  const say = (personId: number, text: string): void => {
    app.emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text });
  };
  return {
    say,
    async channelsOf(token: string): Promise<ChannelOnWire[]> {
      return (await app.read("GET /api/channels", { token })).channels;
    },
    /** Time enough for several changes to settle before the seller is notified. */
    async settle(): Promise<void> {
      await app.drain();
      app.clock.advance(2_000);
      await app.drain();
    },
    /** A seller the bot may write to: it gets his first message at the next drain, before it writes. */
    async sellerInTouch(): Promise<SignedInSeller> {
      const seller = await app.signInSeller();
      say(seller.person.id, "/start");
      return seller;
    },
  };
}

/** People who enter a group without paid time: how they enter, and what follows. */
export function createEntryFixtures(app: TestApp) {
  const fixture = createGroupFixtures(app);
  const add = async (shop: Shop, by: number, userId: number): Promise<void> => {
    app.emulators.telegram.addMember({ personId: by, chatId: shop.ids.chatId, userId });
    await app.drain();
  };
  /** A person inside whose time runs, and who is no administrator. */
  const member = async (shop: Shop): Promise<TestPerson> =>
    (await fixture.buyerInside(shop)).buyer.person;
  return {
    ...fixture,
    add,
    member,
    /** The seller has been notified that the group is linked: what comes next is about people. */
    async openShop(choice: Parameters<typeof fixture.openShop>[0] = {}): Promise<Shop> {
      const shop = await fixture.openShop(choice);
      await fixture.advance(2_000);
      return shop;
    },
    /** One of the people who administer the group beside its owner. */
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
      await fixture.advance(DAY_MS);
      assert(fixture.memberStatus(shop, buyer.person.id) === "left", "removed at the end");
      return buyer;
    },
    /** The seller's switch: people whom a member adds are removed. */
    async chooseRemoval(shop: Shop): Promise<void> {
      const answer = await app.call("PUT", `/api/channels/${shop.group.id}/entry-rules`, {
        token: shop.seller.token,
        body: { remove_added: true },
      });
      assert(answer.status === 200, `the switch answered ${answer.status}`);
    },
    /** The seller taps a button of the bot's last message. */
    async press(shop: Shop, text: string): Promise<void> {
      tap(app.emulators, { personId: shop.ids.personId, bot: "seller", text });
      await app.drain();
    },
    /** A link of the bot's that lets anybody in at once: one the group's people have made. */
    async openLink(shop: Shop): Promise<string> {
      const answer = await callTelegram<{ invite_link: string }>(app, "createChatInviteLink", {
        chat_id: shop.ids.chatId,
      });
      return answer.invite_link;
    },
    /** What the seller was notified about people in his groups. */
    reports(shop: Shop): string[] {
      return messagesTo(app.emulators, shop.ids.personId, "seller")
        .map(({ text }) => text)
        .filter((text) => /^(👤|👥)/u.test(text));
    },
    lastReport: (shop: Shop) => lastTo(app.emulators, shop.ids.personId, "seller"),
    /** Methods of the Bot API that are called from now on, in order. */
    watchCalls(): string[] {
      const calls: string[] = [];
      app.emulators.telegram.onExchange(({ method }) => void calls.push(method));
      return calls;
    },
  };
}

/** Asks the Bot API as the seller's bot. */
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
  const { ok, result, description } = (await answer.json()) as {
    ok: boolean;
    result: T;
    description?: string;
  };
  assert(ok, `${method} answered ${description}`);
  return result;
}

/**
 * The groups of earlier tests count as left: those the bot is in are asked about again whenever an
 * hour has passed, and a file that opens a shop a test soon does little else.
 */
export async function leaveGroups({ db }: TestApp): Promise<void> {
  await sql`UPDATE groups SET bot_present = false WHERE bot_present`.execute(db);
}
