import type { OrderAccessOnWire } from "@sesame/contract/memberships";
import type { OrderAnswer } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import type { BotRole } from "../../emulators/src/index.ts";
import type { LinkedGroup, SignedInBuyer, SignedInSeller, TestApp } from "./harness.ts";
import { buyProduct, publishProduct } from "./stage.ts";

export type Shop = {
  readonly seller: SignedInSeller;
  readonly group: LinkedGroup;
  readonly reference: string;
  /** The owner and the chat, as the emulators' actors take them. */
  readonly ids: { readonly personId: number; readonly chatId: number };
};

export type Inside = { readonly buyer: SignedInBuyer; readonly orderId: string };

const DAY_MINUTES = 1_440;

/** What sellers, buyers and strangers do around a group, and what can be seen of it. */
export function createScene(app: TestApp) {
  const write = (personId: number, bot: BotRole, text: string): void => {
    app.emulators.telegram.sendMessage({ personId, to: { bot }, text });
  };
  const talk = async (personId: number, bot: BotRole, text: string): Promise<void> => {
    write(personId, bot, text);
    await app.drain();
  };
  const accessOf = async (buyer: SignedInBuyer, orderId: string): Promise<OrderAccessOnWire> => {
    const path = `/api/orders/${orderId}`;
    const answer = await app.call<OrderAnswer>("GET", path, { token: buyer.token });
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
  /** A buyer the bot may write to: it hears so at the next drain, before it has anything to say. */
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
    /** Open matters of a kind on the desk. */
    async alerts(kind: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM desk_alerts
        WHERE kind = ${kind} AND resolved_at IS NULL
      `.execute(app.db);
      return rows[0]?.count ?? 0;
    },
  };
}

export type Scene = ReturnType<typeof createScene>;
