import type { AccessStatus } from "@sesame/contract/access";
import type { ChatMember, ChatMemberUpdated } from "grammy/types";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { addMembers, groupByChat, type GroupRow, recordEvent } from "../groups/index.ts";
import { changeStatus } from "./access.store.ts";
import { accessInChat, type Membership } from "./access.view.ts";
import { admit } from "./admit.ts";
import { publishMember, publishStatus } from "./announce.ts";
import { bannedThere } from "./messages.fr.ts";
import { CLOSE_ACCESS } from "./close-access.ts";
import { noteEntry, noteExit } from "./entries/note-entry.ts";
import { reopening } from "./open-access.ts";

/** Somebody came, went, was banned or let back (`chat_member`). */
export async function noteMember(app: App, event: ChatMemberUpdated): Promise<void> {
  const { user } = event.new_chat_member;
  if (user.is_bot) return;
  const chatId = BigInt(event.chat.id);
  const group = await groupByChat(app.db, chatId);
  if (!group) return;
  const was = isInside(event.old_chat_member);
  const is = isInside(event.new_chat_member);
  if (was !== is) await countMember(app, group, is);
  const access = await accessInChat(app.db, { chatId, telegramId: BigInt(user.id) });
  const runs = access !== null && access.ends_at.getTime() > app.clock.now().getTime();
  if (is && runs) return admit(app, access, ["waiting", "left", "banned"]);
  if (is && !was) return noteEntry(app, event, { group, access });
  if (is) {
    // Was an administrator, and is one no more, with no time left.
    if (access?.status === "ended") await closeAgain(app, access);
    return;
  }
  await noteExit(app, event, group);
  // What the bot does itself is written where it is decided.
  const byUs = BigInt(event.from.id) === app.telegram.names.idOf("seller");
  if (byUs || !runs) return;
  if (event.new_chat_member.status === "kicked") return noteBan(app, access);
  if (was) return noteGone(app, access, "inside");
  if (event.old_chat_member.status === "kicked") return noteGone(app, access, "banned");
}

function isInside(member: ChatMember): boolean {
  switch (member.status) {
    case "creator":
    case "administrator":
    case "member":
      return true;
    case "restricted":
      return member.is_member;
    case "left":
    case "kicked":
      return false;
  }
}

async function countMember(app: App, group: GroupRow, came: boolean): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await addMembers(tx, group.id, came ? 1 : -1);
    await recordEvent(tx, {
      groupId: group.id,
      event: came ? "member_joined" : "member_left",
      now,
    });
    await publishMember(
      tx,
      { id: group.id, sellerId: group.seller_id },
      came ? "user:joined" : "user:left",
    );
  });
}

/** An admin's ban stands: paid time goes on, the door stays shut. */
async function noteBan(app: App, access: Membership): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const from = ["waiting", "inside", "left"] as const;
    if (!(await changeStatus(tx, access.access_id, { to: "banned", from, now }))) return;
    await publishStatus(tx, access, "banned");
    const message = { text: bannedThere(access) };
    await tell(tx, [{ bot: "buyer", personId: access.person_id, message }], now);
  });
}

/** Left, or let back by an admin, with time to run: a link lets him return when he wants. */
async function noteGone(app: App, access: Membership, from: AccessStatus): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await changeStatus(tx, access.access_id, { to: "left", from: [from], now }))) return;
    await publishStatus(tx, access, "left");
    await enqueue(tx, reopening(access, { why: "left", now }));
  });
}

/** Time is over, and the bot could not remove this person before. */
async function closeAgain(app: App, access: Membership): Promise<void> {
  const now = app.clock.now();
  await app.db
    .transaction()
    .execute((tx) =>
      enqueue(tx, [{ topic: CLOSE_ACCESS, ref: access.access_id, priority: 0, dueAt: now }]),
    );
}
