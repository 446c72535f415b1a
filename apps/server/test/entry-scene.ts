import { assert, DAY_MS } from "@sesame/kernel";
import { type SignedInBuyer, SELLER_BOT_TOKEN, type TestApp } from "./harness.ts";
import type { TestPerson } from "./init-data.ts";
import { lastTo, messagesTo, tap } from "./said.ts";
import { createScene, type Shop } from "./scene.ts";

/** Who comes into a group without paid time, by which door, and what becomes of it. */
export function createEntryScene(app: TestApp) {
  const scene = createScene(app);
  const add = async (shop: Shop, by: number, userId: number): Promise<void> => {
    app.emulators.telegram.addMember({ personId: by, chatId: shop.ids.chatId, userId });
    await app.drain();
  };
  /** A person inside whose time runs, and who is no administrator. */
  const member = async (shop: Shop): Promise<TestPerson> =>
    (await scene.buyerInside(shop)).buyer.person;
  return {
    ...scene,
    add,
    member,
    /** The seller has been notified that the group is linked: what comes next is about people. */
    async openShop(choice: Parameters<typeof scene.openShop>[0] = {}): Promise<Shop> {
      const shop = await scene.openShop(choice);
      await scene.advance(2_000);
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
      const { buyer } = await scene.buyerInside(shop);
      await scene.advance(DAY_MS);
      assert(scene.memberStatus(shop, buyer.person.id) === "left", "removed at the end");
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

export type EntryScene = ReturnType<typeof createEntryScene>;

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
