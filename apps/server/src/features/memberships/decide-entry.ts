import { Outage } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { type Db, one } from "../../postgres/database.ts";
import { entryRulesOf, followMigration, isAdminOf } from "../groups/index.ts";
import { accessInChat, changeStatus, type Membership } from "./accesses.ts";
import { CAME_BACK, CLOSE_ACCESS } from "./close.ts";
import {
  changeEntry,
  type Entry,
  type EntryStatus,
  entryById,
  REMOVE_ENTRY,
  REPORT_ENTRIES,
} from "./entries.ts";
import { admit } from "./open.ts";
import { isAdministrator, placeOf } from "./whereabouts.ts";

/**
 * What becomes of a person who came in without running time (decision 111). Let in by an
 * administrator, or on the white list: stays. A former buyer who came by a link or a member's hand:
 * closed again. A stranger whom a member let in: reported, and removed when the seller wants it.
 */
export async function decideEntry(app: App, job: Job): Promise<JobOutcome> {
  const entry = await entryById(app.db, job.ref);
  if (entry?.status !== "new") return DONE;
  const access = await accessInChat(app.db, entry);
  if (access && access.ends_at > app.clock.now()) return noteBuyer(app, entry, access);
  const { is_allowed: isAllowed } = await one<{ is_allowed: boolean }>(app.db)`
    SELECT EXISTS (
      SELECT FROM allowed_members
      WHERE group_id = ${entry.group_id} AND person_id = ${entry.person_id}
    ) AS is_allowed
  `;
  if (isAllowed) return settle(app, entry, { to: "allowed" });
  // Former buyers come in by no link, whoever made it.
  if (access && entry.door === "link") return closeAgain(app, entry, access);
  const byAdministrator = await isByAdministrator(app, entry);
  const stays = access === null || byAdministrator;
  if (stays && (await isNoNews(app, entry))) return settle(app, entry, { to: "left" });
  if (byAdministrator) return settle(app, entry, { to: "open", byAdministrator });
  if (access) return closeAgain(app, entry, access);
  const { remove_added: removes } = await entryRulesOf(app.db, entry.group_id);
  return settle(app, entry, { to: removes ? "removing" : "open", byAdministrator });
}

/** Whether an administrator let the person in, asked of Telegram at this moment. Throws an Outage. */
async function isByAdministrator(app: App, entry: Entry): Promise<boolean> {
  if (entry.by_administrator !== null) return entry.by_administrator;
  // Nobody is named: a folder's link. Only members and administrators hand one on: nobody is trusted.
  if (entry.host_telegram_id === null) return false;
  const host = await app.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(entry.chat_id),
    user_id: Number(entry.host_telegram_id),
  });
  if (host.ok) return isAdministrator(host.value);
  if (host.refusal.kind === "user-unknown") {
    // Gone since: what we knew of him decides.
    return isAdminOf(app.db, entry.group_id, entry.host_telegram_id);
  }
  if (host.refusal.kind === "migrated") {
    await followMigration(app, { from: entry.chat_id, to: host.refusal.to });
  }
  // Who let the person in is not known: nobody is removed on a doubt, and we ask again.
  throw new Outage(`cannot ask who let a person in: ${host.refusal.said}`, {
    party: "telegram",
    retryable: true,
  });
}

/** Gone again since, or an administrator now: nobody the seller has to decide about. */
async function isNoNews(app: App, entry: Entry): Promise<boolean> {
  const member = await app.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(entry.chat_id),
    user_id: Number(entry.telegram_id),
  });
  if (!member.ok) return false;
  return isAdministrator(member.value) || placeOf(member.value, app.clock.now()) !== "inside";
}

/** Paid at the very moment. */
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

/** Time had ended, whatever became of the person then: the door is closed as at the end. */
async function closeAgain(app: App, entry: Entry, access: Membership): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const decision = { to: "closed", byAdministrator: false, now } as const;
    if (!(await settleIn(tx, entry, decision))) return;
    // In another status the sweep has not ended it yet, and does it now.
    const change = { to: "ended", from: ["ended", "removed"], now } as const;
    if (!(await changeStatus(tx, access, change))) return;
    const payload = { why: CAME_BACK };
    await enqueue(tx, [
      { topic: CLOSE_ACCESS, ref: access.access_id, payload, priority: 0, dueAt: now },
    ]);
  });
  return DONE;
}
