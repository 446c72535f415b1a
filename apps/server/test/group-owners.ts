import type { ProductOnWire } from "@sesame/contract/catalogue";
import { assert, MINUTE_MS } from "@sesame/kernel";
import type { AdminRight } from "../../emulators/src/index.ts";
import { maybe } from "../src/postgres/database.ts";
import { createGroupFixtures } from "./groups.ts";
import {
  type LinkedGroup,
  linkedGroup,
  RIGHTS,
  type SignedInSeller,
  type TestApp,
} from "./harness.ts";
import type { TestPerson } from "./http.ts";
import { publishProduct } from "./sales.ts";

/** The rights with which a person may own a group, and promote the bot. */
export const MANAGER_RIGHTS: readonly AdminRight[] = ["promote_members", ...RIGHTS];

/** The two roles around one group. */
export type Role = "owner" | "other";

/** Two people who may both sell, a group of the first, and what can be seen of it. */
export async function createOwnerFixtures(app: TestApp) {
  const telegram = app.emulators.telegram;
  const { settle, channelsOf } = createGroupFixtures(app);
  const owner = await app.seller();
  const other = await app.seller();
  const sellers: Readonly<Record<Role, SignedInSeller>> = { owner, other };
  const idOf = (role: Role) => sellers[role].person.id;
  return {
    owner,
    other,
    telegram,
    settle,
    idOf,
    /** A chat of the owner's, with the other person as a plain member. */
    chat(kind: "group" | "supergroup" | "channel" = "supergroup"): number {
      const { chatId } = telegram.createChat({ ownerId: idOf("owner"), kind, title: "Club VIP" });
      telegram.addMember({ personId: idOf("owner"), chatId, userId: idOf("other") });
      return chatId;
    },
    setRights(chatId: number, rights: readonly AdminRight[], userId = idOf("other")): number {
      const personId = idOf("owner");
      return telegram.setAdmin({ personId, chatId, userId, rights: [...rights] }).chatId;
    },
    addBot(chatId: number, role: Role, rights: readonly AdminRight[] = RIGHTS): number {
      const personId = idOf(role);
      return telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights] }).chatId;
    },
    promoteBot(chatId: number, role: Role): number {
      const personId = idOf(role);
      return telegram.setBotRights({ personId, chatId, bot: "seller", rights: [...RIGHTS] }).chatId;
    },
    removeBot(chatId: number): void {
      telegram.removeBot({ personId: idOf("owner"), chatId, bot: "seller" });
    },
    /** The group's seller in our tables; null while there is none. */
    async sellerOf(chatId: number): Promise<string | null> {
      const group = await maybe<{ seller_id: bigint }>(app.db)`
        SELECT seller_id FROM groups WHERE chat_id = ${chatId}
      `;
      if (!group) return null;
      const id = String(group.seller_id);
      return id === owner.id ? "owner" : id === other.id ? "other" : id;
    },
    linked: (chatId: number) => linkedGroup(app.db, chatId),
    /** The other person sells the owner's group: as an administrator who added the bot. */
    async soldByOther(): Promise<{ chatId: number; group: LinkedGroup; product: ProductOnWire }> {
      const chatId = this.chat();
      this.setRights(chatId, MANAGER_RIGHTS);
      this.addBot(chatId, "other");
      await settle();
      assert((await this.sellerOf(chatId)) === "other", "the administrator has linked it");
      const group = await this.linked(chatId);
      return { chatId, group, product: await publishProduct(app, { seller: other, group }) };
    },
    /** The add link of the app, which names a seller. */
    async linkOf(role: Role): Promise<{ payload: string }> {
      const links = await app.read("GET /api/bot/links", sellers[role]);
      return { payload: new URL(links.group).searchParams.get("startgroup") ?? "" };
    },
    /** 201 when the product can be bought now, else the refusal of the order. */
    async order(reference: string): Promise<{ status: number; code: string | undefined }> {
      const buyer = await app.signInBuyer();
      const { status, body } = await app.send("POST /api/orders", buyer, {
        reference,
        provider: "moneroo",
      });
      return { status, code: body.code };
    },
    async stateOf(role: Role, chatId: number): Promise<string | undefined> {
      const channels = await channelsOf(sellers[role]);
      return channels.find((channel) => channel.telegram_group_id === chatId)?.details.state;
    },
    reclaim(groupId: string, role: Role, key?: string) {
      return app.send("POST /api/channels/:id/reclaim", sellers[role], { id: groupId }, key);
    },
    async reclaimable(role: Role): Promise<number[]> {
      const { channels } = await app.read("GET /api/channels/reclaimable", sellers[role]);
      return channels.map((channel) => channel.telegram_group_id);
    },
    /** How many of the bot's messages to them contain these words. */
    said(role: Role, words: string): number {
      return app.textsTo(idOf(role), "seller").filter((text) => text.includes(words)).length;
    },
    /** Telegram does not answer who administers a chat, until `answerAgain`. */
    fallSilent(): void {
      telegram.faults.add({
        method: "getChatAdministrators",
        fault: { kind: "serverError" },
        times: null,
      });
    },
    /** Telegram answers, and the waits of the outage are over. */
    async answerAgain(): Promise<void> {
      telegram.faults.clear();
      app.clock.advance(MINUTE_MS);
      await settle();
    },
    async person(): Promise<TestPerson> {
      const person = await app.person();
      app.write(person.id, "seller", "/start");
      await app.drain();
      return person;
    },
  };
}

export type OwnerFixtures = Awaited<ReturnType<typeof createOwnerFixtures>>;
