import { DAY_MS } from "@sesame/kernel";
import type { ChatMemberUpdated, User } from "grammy/types";
import type { App } from "../../../app.ts";
import { meetPerson } from "../../../bot/people.store.ts";
import { enqueue } from "../../../jobs/outbox.store.ts";
import type { Db } from "../../../postgres/database.ts";
import { type GroupRow, isAdminOf } from "../../groups/index.ts";
import type { Membership } from "../access.view.ts";
import { type Door, noteLeft, saveEntry } from "./entries.store.ts";

export const DECIDE_ENTRY = "access.decide-entry";

type Around = { readonly group: GroupRow; readonly access: Membership | null };

/** `host` let the person in; a bot that did is an administrator, or nobody could have asked it. */
type LetIn = { readonly door: Door; readonly host: User | null };

/**
 * Somebody came in without running time. Written down, and decided by a job: it asks Telegram who
 * let the person in, for as long as Telegram does not answer.
 */
export async function noteEntry(
  app: App,
  event: ChatMemberUpdated,
  { group, access }: Around,
): Promise<void> {
  const letIn = whoLetIn(app, event);
  // By a link, without having been a buyer: strangers by link are let be.
  if (!access && letIn.door === "link" && !(await isMembersLink(app, group.id, letIn.host))) {
    return;
  }
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const personId = access?.person_id ?? (await meetPerson(tx, event.new_chat_member.user, now));
    const entryId = await saveEntry(tx, {
      groupId: group.id,
      personId,
      enteredAt: enteredAt(event, now),
      door: letIn.door,
      letInBy: await meetHost(tx, letIn.host, now),
      byAdministrator: letIn.door === "hand" && letIn.host?.is_bot ? true : null,
    });
    if (entryId === null) return;
    await enqueue(tx, [{ topic: DECIDE_ENTRY, ref: entryId, priority: 0, dueAt: now }]);
  });
}

/** Whoever came in without paid time is out again. */
export async function noteExit(app: App, event: ChatMemberUpdated, group: GroupRow): Promise<void> {
  const telegramId = BigInt(event.new_chat_member.user.id);
  const at = enteredAt(event, app.clock.now());
  await noteLeft(app.db, { groupId: group.id, telegramId, at });
}

function whoLetIn(app: App, event: ChatMemberUpdated): LetIn {
  const { from, invite_link: link } = event;
  // We approve only requests of people whose time runs: it has ended since.
  if (BigInt(from.id) === app.telegram.names.idOf("seller")) return { door: "link", host: null };
  if (from.id !== event.new_chat_member.user.id) return { door: "hand", host: from };
  // A shared folder is a list of chats that some member hands on.
  if (event.via_chat_folder_invite_link) return { door: "folder", host: link?.creator ?? null };
  return { door: "link", host: link?.creator ?? null };
}

/** Made by somebody who does not administer the group, as far as we know. */
async function isMembersLink(app: App, groupId: bigint, creator: User | null): Promise<boolean> {
  if (!creator || creator.is_bot) return false;
  return !(await isAdminOf(app.db, groupId, BigInt(creator.id)));
}

async function meetHost(tx: Db, host: User | null, now: Date): Promise<bigint | null> {
  return host && !host.is_bot ? meetPerson(tx, host, now) : null;
}

/** As Telegram dates it, by the second; by our own clock where Telegram's is far off. */
function enteredAt(event: ChatMemberUpdated, now: Date): Date {
  const at = new Date(event.date * 1_000);
  return Math.abs(at.getTime() - now.getTime()) < DAY_MS * 2 ? at : now;
}
