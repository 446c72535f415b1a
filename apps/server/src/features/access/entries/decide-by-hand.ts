import type { App } from "../../../app.ts";
import { tell } from "../../../bot/tell.ts";
import { enqueue } from "../../../jobs/outbox.store.ts";
import { noteAccesses } from "../../../outgoing/events.store.ts";
import type { Db } from "../../../postgres/database.ts";
import { accessInChat } from "../access.view.ts";
import { publishStatus } from "../announce.ts";
import { BUTTONS, grantedToYou } from "../messages.fr.ts";
import { whereIs } from "../whereabouts.ts";
import {
  allowMember,
  changeEntry,
  disallowMember,
  type Entry,
  lockEntry,
} from "./entries.store.ts";
import { grantTime } from "./grant.store.ts";
import { REMOVE_ENTRY } from "./remove-entry.ts";

/** `decided` before, `left` the group, or `has-time`: paid meanwhile. */
export type Undecided = { readonly kind: "decided" | "left" | "has-time" };
export type Decided = { readonly kind: "done" } | Undecided;

const DONE = { kind: "done" } as const;

/** Gives time to a person inside. Throws an Outage. */
export async function giveTime(
  app: App,
  entry: Entry,
  { minutes, by }: { minutes: number; by: bigint },
): Promise<{ readonly kind: "granted"; readonly until: Date } | Undecided> {
  if (entry.status !== "open") return { kind: "decided" };
  if (await hasLeft(app, entry)) return { kind: "left" };
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    const why = await whyDecided(app, tx, entry);
    if (why) return why;
    await change(tx, entry, "granted");
    const membership = await grantTime(tx, {
      personId: entry.person_id,
      groupId: entry.group_id,
      minutes,
      by,
      requestKey: `entry:${entry.id}:${entry.entered_at.getTime()}`,
      now,
    });
    if (!membership) return { kind: "decided" };
    await publishStatus(tx, membership, "inside");
    await noteAccesses(tx, { type: "access.started", ids: [membership.id] }, now);
    const given = { minutes, until: membership.ends_at };
    const message = {
      text: grantedToYou(entry.group_title, given, app.sayInstant),
      buttons: [app.appButton(BUTTONS.myAccess, "/mes-acces")],
    };
    await tell(tx, [{ bot: "buyer", personId: entry.person_id, message }], now);
    return { kind: "granted", until: membership.ends_at };
  });
}

/** Removes the person, off the white list too. */
export async function removeByHand(app: App, entry: Entry): Promise<Decided> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<Decided> => {
    const why = await whyDecided(app, tx, entry);
    if (why) return why;
    await change(tx, entry, "removing");
    await disallowMember(tx, { groupId: entry.group_id, personId: entry.person_id });
    await enqueue(tx, [{ topic: REMOVE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
    return DONE;
  });
}

/** Puts the person on the white list: stays, and is not reported again. */
export async function allowEntry(app: App, entry: Entry): Promise<Decided> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<Decided> => {
    const why = await whyDecided(app, tx, entry);
    if (why) return why;
    await change(tx, entry, "allowed");
    const member = { groupId: entry.group_id, personId: entry.person_id };
    await allowMember(tx, { ...member, by: entry.seller_id, now });
    return DONE;
  });
}

/** Why a press comes too late; null when the entry is open, and held until the transaction ends. */
async function whyDecided(app: App, tx: Db, entry: Entry): Promise<Undecided | null> {
  const current = await lockEntry(tx, entry.id);
  const isSame = current?.entered_at.getTime() === entry.entered_at.getTime();
  if (!current || !isSame || current.status !== "open") {
    return { kind: current?.status === "left" ? "left" : "decided" };
  }
  const who = { chatId: entry.chat_id, telegramId: entry.telegram_id };
  const access = await accessInChat(tx, who);
  return access && access.ends_at > app.clock.now() ? { kind: "has-time" } : null;
}

async function change(tx: Db, entry: Entry, to: "granted" | "removing" | "allowed"): Promise<void> {
  await changeEntry(tx, entry.id, { to, from: ["open"], enteredAt: entry.entered_at });
}

async function hasLeft(app: App, entry: Entry): Promise<boolean> {
  const where = await whereIs(app, entry);
  return where.ok && where.value !== "inside" && where.value !== "unknown";
}
