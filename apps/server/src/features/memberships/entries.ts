import { DAY_MS, Outage } from "@sesame/kernel";
import type { ChatMemberUpdated, User } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type TelegramRefusal } from "../../bot/gateway.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { backOffMs, DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { meetPerson } from "../../people/people.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import * as groups from "../groups/index.ts";
import {
  accessInChat,
  banForAMoment,
  changeStatus,
  isAdministrator,
  liftBan,
  type Membership,
  placeOf,
  publishMember,
} from "./accesses.ts";
import { admit, CAME_BACK, CLOSE_ACCESS, reopening, UNTRUSTED_CLOCK } from "./telegram-access.ts";

/** The job that decides about an entry: it may have the person removed and reported. */
export const DECIDE_ENTRY = "access.decide-entry";
export const REMOVE_ENTRY = "access.remove-entry";
/** `ref` is the group. */
export const REPORT_ENTRIES = "access.report-entries";

type EntryStatus =
  | "new"
  | "open"
  | "removing"
  | "removed"
  | "closed"
  | "granted"
  | "allowed"
  | "left";

/** A person came into a group without paid time. */
export type Entry = {
  readonly id: bigint;
  readonly group_id: bigint;
  readonly chat_id: bigint;
  readonly group_title: string;
  readonly seller_id: bigint;
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly name: string;
  readonly entered_at: Date;
  /** `hand`: another member added the person; `folder`: a shared folder of chats. */
  readonly came_by: "link" | "hand" | "folder";
  readonly host_telegram_id: bigint | null;
  readonly host_name: string | null;
  readonly by_administrator: boolean | null;
  readonly status: EntryStatus;
};

export const ENTRY = sql`
  SELECT e.id, e.group_id, g.chat_id, g.title AS group_title, g.seller_id, e.person_id,
    p.telegram_id, p.name, e.entered_at, e.came_by,
    host.telegram_id AS host_telegram_id,
    nullif(host.name, '') AS host_name,
    e.by_administrator, e.status
  FROM unpaid_entries e
  JOIN groups g ON g.id = e.group_id
  JOIN people p ON p.id = e.person_id
  LEFT JOIN people host ON host.id = e.let_in_by
`;

export async function entryById(db: Db, id: bigint): Promise<Entry | null> {
  return maybe<Entry>(db)`${ENTRY} WHERE e.id = ${id}`;
}

/** Changes one entry. False if it has none of the statuses any more, or the person came in again since. */
export async function changeEntry(
  tx: Db,
  entry: Entry,
  { to, from, byAdministrator }: Decision & { readonly from: readonly EntryStatus[] },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE unpaid_entries SET status = ${to},
      by_administrator = coalesce(${byAdministrator ?? null}, by_administrator)
    WHERE id = ${entry.id} AND entered_at = ${entry.entered_at}
      AND status = ANY(${[...from]}::text[])
  `.execute(tx);
  return numAffectedRows === 1n;
}

/** Deletes entries of the person, or by him as host. Given time stays as a record. */
export async function eraseEntries(tx: Db, id: bigint): Promise<void> {
  await sql`DELETE FROM unpaid_entries WHERE person_id = ${id}`.execute(tx);
  await sql`UPDATE unpaid_entries SET let_in_by = NULL WHERE let_in_by = ${id}`.execute(tx);
  await sql`DELETE FROM allowed_members WHERE person_id = ${id}`.execute(tx);
}

/** `host` let the person in; a bot as host is an administrator, since only those can. */
type LetIn = Pick<Entry, "came_by"> & { readonly host: User | null };

/**
 * A person came in without time left. The entry is recorded, in place of an earlier one, and a job
 * decides: it asks Telegram who let the person in, for as long as Telegram does not answer.
 */
export async function noteEntry(
  app: App,
  event: ChatMemberUpdated,
  group: groups.GroupRow,
  access: Membership | null,
) {
  const { came_by, host } = whoLetIn(app, event);
  // A stranger by a link, who was never a buyer, is left alone.
  if (!access && came_by === "link" && !(await isMembersLink(app, group.id, host))) return;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const personId = access?.person_id ?? (await meetPerson(tx, event.new_chat_member.user, now));
    const letInBy = host && !host.is_bot ? await meetPerson(tx, host, now) : null;
    // None for an update that is not newer: it came twice, or late.
    const entry = await maybe<{ id: bigint }>(tx)`
      INSERT INTO unpaid_entries AS e
        (group_id, person_id, entered_at, came_by, let_in_by, by_administrator, status)
      VALUES (${group.id}, ${personId}, ${enteredAt(event, now)}, ${came_by}, ${letInBy},
        ${came_by === "hand" && host?.is_bot ? true : null}, 'new')
      ON CONFLICT (group_id, person_id) DO UPDATE SET entered_at = excluded.entered_at,
        came_by = excluded.came_by, let_in_by = excluded.let_in_by,
        by_administrator = excluded.by_administrator, status = 'new', reported_at = NULL
        WHERE excluded.entered_at > e.entered_at
          OR (excluded.entered_at = e.entered_at AND e.status = 'left')
      RETURNING id
    `;
    if (!entry) return;
    await enqueue(tx, [{ topic: DECIDE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
  });
}

/** A person without paid time left again: nothing to decide. */
export async function noteExit(app: App, event: ChatMemberUpdated, group: groups.GroupRow) {
  await sql`
    UPDATE unpaid_entries e SET status = 'left' FROM people p
    WHERE p.id = e.person_id AND p.telegram_id = ${BigInt(event.new_chat_member.user.id)}
      AND e.group_id = ${group.id} AND e.entered_at <= ${enteredAt(event, app.clock.now())}
      AND e.status IN ('new', 'open', 'allowed', 'granted')
  `.execute(app.db);
}

function whoLetIn(app: App, event: ChatMemberUpdated): LetIn {
  const { from, invite_link: link } = event;
  // The bot approves only people with time left: it has ended since.
  if (BigInt(from.id) === app.telegram.names.idOf("seller")) return { came_by: "link", host: null };
  if (from.id !== event.new_chat_member.user.id) return { came_by: "hand", host: from };
  // A shared folder is a list of chats that a member passes on.
  if (event.via_chat_folder_invite_link) return { came_by: "folder", host: link?.creator ?? null };
  return { came_by: "link", host: link?.creator ?? null };
}

/** The creator does not administer the group, as far as is known. */
async function isMembersLink(app: App, groupId: bigint, creator: User | null): Promise<boolean> {
  if (!creator || creator.is_bot) return false;
  return !(await groups.isAdminOf(app.db, groupId, BigInt(creator.id)));
}

/** Telegram's time, in seconds; our clock's if Telegram's is far off. */
function enteredAt(event: ChatMemberUpdated, now: Date): Date {
  const at = new Date(event.date * 1_000);
  return Math.abs(at.getTime() - now.getTime()) < DAY_MS * 2 ? at : now;
}

/**
 * The decision about a person without time left (decision 111). Let in by an administrator, or on
 * the white list: stays. A former buyer by a link or a member: removed again. A stranger let in by
 * a member: reported, and removed when the seller wants it.
 */
export async function decideEntry(app: App, job: Job): Promise<JobOutcome> {
  const entry = await entryById(app.db, job.ref);
  if (entry?.status !== "new") return DONE;
  const access = await accessInChat(app.db, entry);
  if (access && access.ends_at > app.clock.now()) return noteBuyer(app, entry, access);
  const allowed = await maybe(app.db)`
    SELECT group_id FROM allowed_members
    WHERE group_id = ${entry.group_id} AND person_id = ${entry.person_id}
  `;
  if (allowed) return settle(app, entry, { to: "allowed" });
  // Former buyers may come in by no link, whoever created it.
  if (access && entry.came_by === "link") return closeAgain(app, entry, access);
  const byAdministrator = await isByAdministrator(app, entry);
  const stays = access === null || byAdministrator;
  if (stays && (await isNoNews(app, entry))) return settle(app, entry, { to: "left" });
  if (byAdministrator) return settle(app, entry, { to: "open", byAdministrator });
  if (access) return closeAgain(app, entry, access);
  const { remove_added: removes } = await groups.entryRulesOf(app.db, entry.group_id);
  return settle(app, entry, { to: removes ? "removing" : "open", byAdministrator });
}

/** Whether an administrator let the person in, according to Telegram now. Throws an Outage. */
async function isByAdministrator(app: App, entry: Entry): Promise<boolean> {
  if (entry.by_administrator !== null) return entry.by_administrator;
  // No host: a folder's link. Any member can pass one on, so it proves nothing.
  if (entry.host_telegram_id === null) return false;
  const host = await app.telegram
    .gatewayOf("seller")
    .askMember(entry.chat_id, entry.host_telegram_id);
  if (host.ok) return isAdministrator(host.value);
  if (host.refusal.kind === "user-unknown") {
    // The host is gone since: our own records decide.
    return groups.isAdminOf(app.db, entry.group_id, entry.host_telegram_id);
  }
  if (host.refusal.kind === "migrated") {
    await groups.followMigration(app, { from: entry.chat_id, to: host.refusal.to });
  }
  // The host's role is unknown: nobody is removed on a doubt; retry.
  throw new Outage(`cannot ask who let a person in: ${host.refusal.said}`, {
    party: "telegram",
    retryable: true,
  });
}

/** Gone again, or an administrator now: nothing for the seller to decide. */
async function isNoNews(app: App, entry: Entry): Promise<boolean> {
  const member = await app.telegram.gatewayOf("seller").askMember(entry.chat_id, entry.telegram_id);
  if (!member.ok) return false;
  return isAdministrator(member.value) || placeOf(member.value, app.clock.now()) !== "inside";
}

/** The person paid meanwhile. */
async function noteBuyer(app: App, entry: Entry, access: Membership): Promise<JobOutcome> {
  await admit(app, access, ["waiting", "left", "banned"]);
  await changeEntry(app.db, entry, { to: "closed", from: ["new"] });
  return DONE;
}

type Decision = { readonly to: EntryStatus; readonly byAdministrator?: boolean };

async function settle(app: App, entry: Entry, decision: Decision): Promise<JobOutcome> {
  await app.db
    .transaction()
    .execute((tx) => settleIn(tx, entry, { ...decision, now: app.clock.now() }));
  return DONE;
}

async function settleIn(
  tx: Db,
  entry: Entry,
  { now, ...decision }: Decision & { readonly now: Date },
): Promise<boolean> {
  if (!(await changeEntry(tx, entry, { ...decision, from: ["new"] }))) return false;
  if (decision.to === "removing") {
    await enqueue(tx, [{ topic: REMOVE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
  }
  if (decision.to !== "allowed" && decision.to !== "left") {
    await enqueue(tx, [{ topic: REPORT_ENTRIES, ref: entry.group_id, dueAt: now }]);
  }
  return true;
}

/** The time had ended, whatever happened then: the membership is closed as at the end. */
async function closeAgain(app: App, entry: Entry, access: Membership): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const decision = { to: "closed", byAdministrator: false, now } as const;
    if (!(await settleIn(tx, entry, decision))) return;
    // With another status the sweep has not ended it yet: it ends now.
    const change = { to: "ended", from: ["ended", "removed"], now } as const;
    if (!(await changeStatus(tx, access, change))) return;
    const payload = { why: CAME_BACK };
    await enqueue(tx, [
      { topic: CLOSE_ACCESS, ref: access.access_id, payload, priority: 0, dueAt: now },
    ]);
  });
  return DONE;
}

/**
 * Removes a person without paid time, because the seller wants it. Every step can be repeated. A
 * person who has paid meanwhile is not removed, and no administrator is.
 */
export async function removeEntry(app: App, job: Job): Promise<JobOutcome> {
  if (!app.clock.isTrusted()) return UNTRUSTED_CLOCK;
  const entry = await entryById(app.db, job.ref);
  if (entry?.status !== "removing") return DONE;
  if (await hasTime(app, entry)) return stop(app, entry, job);
  const member = await app.telegram.gatewayOf("seller").askMember(entry.chat_id, entry.telegram_id);
  if (member.ok && isAdministrator(member.value)) return leaveInside(app, entry);
  const place = member.ok ? placeOf(member.value, app.clock.now()) : "inside";
  // An administrator's ban stays: it must not be lifted.
  if (place === "outside" || place === "banned") return finish(app, entry);
  const banned = await banForAMoment(app, entry);
  if (!banned.ok) {
    const { refusal } = banned;
    if (refusal.kind === "user-unknown") return finish(app, entry);
    if (refusal.kind === "is-admin") return leaveInside(app, entry);
    return wait(app, entry, { job, refusal });
  }
  await liftBan(app, entry);
  // Paid between the check and the removal: the membership is opened again.
  if (await hasTime(app, entry)) return stop(app, entry, { ...job, attempts: 2 });
  return finish(app, entry);
}

async function hasTime(app: App, entry: Entry): Promise<boolean> {
  const access = await accessInChat(app.db, entry);
  return access !== null && access.ends_at > app.clock.now();
}

/** Time is left now. An interrupted attempt may have removed the person: the membership is opened again. */
async function stop(app: App, entry: Entry, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  const access = await accessInChat(app.db, entry);
  await app.db.transaction().execute(async (tx) => {
    if (!(await changeEntry(tx, entry, { to: "closed", from: ["removing"] }))) return;
    if (access && job.attempts > 1) await enqueue(tx, reopening(access, { why: "again", now }));
  });
  return DONE;
}

async function finish(app: App, entry: Entry): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await changeEntry(tx, entry, { to: "removed", from: ["removing"] }))) return;
    // A former buyer who stayed by the seller's permission: the membership ends now.
    const access = await accessInChat(tx, entry);
    if (access) await changeStatus(tx, access, { to: "removed", from: ["ended"], now });
    await groups.recordEvent(tx, entry.group_id, "member_left", now);
    await publishMember(tx, entry, "user:left");
  });
  return DONE;
}

async function leaveInside(app: App, entry: Entry): Promise<JobOutcome> {
  await changeEntry(app.db, entry, { to: "open", from: ["removing"] });
  return DONE;
}

/** The re-check notifies the seller of a missing right; the removal waits for it. */
async function wait(
  app: App,
  entry: Entry,
  { job, refusal }: { job: Job; refusal: TelegramRefusal },
): Promise<JobOutcome> {
  if (refusal.kind === "migrated") {
    await groups.followMigration(app, { from: entry.chat_id, to: refusal.to });
    return { kind: "later", afterMs: 0, reason: refusal.said };
  }
  await groups.recheckGroup(app, entry.group_id).catch(() => {
    // The job is retried anyway, and the re-check with it.
  });
  return { kind: "later", afterMs: backOffMs(job.attempts), reason: refusal.said };
}
