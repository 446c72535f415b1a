import { Outage } from "@sesame/kernel";
import { DONE, type JobOutcome } from "../../../jobs/outbox.ts";
import { enqueue, type Job } from "../../../jobs/outbox.store.ts";
import type { Db } from "../../../postgres/database.ts";
import { changeStatus } from "../access.store.ts";
import { accessInChat, type Membership } from "../access.view.ts";
import { admit } from "../admit.ts";
import { CAME_BACK, CLOSE_ACCESS } from "../close-access.ts";
import type { AccessDeps } from "../deps.ts";
import { isAdministrator, placeOf } from "../whereabouts.ts";
import {
  changeEntry,
  type Entry,
  type EntryStatus,
  entryById,
  isAllowed,
} from "./entries.store.ts";
import { REMOVE_ENTRY } from "./remove-entry.ts";
import { REPORT_ENTRIES } from "./report-entries.ts";

/**
 * What becomes of a person who came in without running time (decision 111). Let in by an
 * administrator, or on the white list: stays. A former buyer who came by a link or a member's hand:
 * closed again. A stranger whom a member let in: reported, and removed when the seller wants it.
 */
export async function decideEntry(deps: AccessDeps, job: Job): Promise<JobOutcome> {
  const entry = await entryById(deps.db, job.ref);
  if (entry?.status !== "new") return DONE;
  const access = await accessInChat(deps.db, {
    chatId: entry.chat_id,
    telegramId: entry.telegram_id,
  });
  if (access && access.ends_at > deps.clock.now()) return noteBuyer(deps, entry, access);
  const member = { groupId: entry.group_id, personId: entry.person_id };
  if (await isAllowed(deps.db, member)) return settle(deps, entry, { to: "allowed" });
  // Former buyers come in by no link, whoever made it.
  if (access && entry.door === "link") return closeAgain(deps, entry, access);
  const byAdministrator = await isByAdministrator(deps, entry);
  const stays = access === null || byAdministrator;
  if (stays && (await isNoNews(deps, entry))) return settle(deps, entry, { to: "left" });
  if (byAdministrator) return settle(deps, entry, { to: "open", byAdministrator });
  if (access) return closeAgain(deps, entry, access);
  const { remove_added: removes } = await deps.groups.entryRulesOf(deps.db, entry.group_id);
  return settle(deps, entry, { to: removes ? "removing" : "open", byAdministrator });
}

/** Whether an administrator let the person in, asked of Telegram at this moment. Throws an Outage. */
async function isByAdministrator(deps: AccessDeps, entry: Entry): Promise<boolean> {
  if (entry.by_administrator !== null) return entry.by_administrator;
  // Nobody is named: a folder's link. Only members and administrators hand one on: nobody is trusted.
  if (entry.host_telegram_id === null) return false;
  const host = await deps.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(entry.chat_id),
    user_id: Number(entry.host_telegram_id),
  });
  if (host.ok) return isAdministrator(host.value);
  if (host.refusal.kind === "user-unknown") {
    // Gone since: what we knew of him decides.
    return deps.groups.isAdminOf(deps.db, entry.group_id, entry.host_telegram_id);
  }
  if (host.refusal.kind === "migrated") {
    await deps.groups.followMigration({ from: entry.chat_id, to: host.refusal.to });
  }
  // Who let the person in is not known: nobody is removed on a doubt, and we ask again.
  throw new Outage(`cannot ask who let a person in: ${host.refusal.said}`, {
    party: "telegram",
    retryable: true,
  });
}

/** Gone again since, or an administrator now: nobody the seller has to decide about. */
async function isNoNews(deps: AccessDeps, entry: Entry): Promise<boolean> {
  const member = await deps.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(entry.chat_id),
    user_id: Number(entry.telegram_id),
  });
  if (!member.ok) return false;
  return isAdministrator(member.value) || placeOf(member.value, deps.clock.now()) !== "inside";
}

/** Paid at the very moment. */
async function noteBuyer(deps: AccessDeps, entry: Entry, access: Membership): Promise<JobOutcome> {
  await admit(deps, access, ["waiting", "left", "banned"]);
  await changeEntry(deps.db, entry.id, {
    to: "closed",
    from: ["new"],
    enteredAt: entry.entered_at,
  });
  return DONE;
}

type Decision = { readonly to: EntryStatus; readonly byAdministrator?: boolean };

async function settle(deps: AccessDeps, entry: Entry, decision: Decision): Promise<JobOutcome> {
  await deps.db.transaction().execute((tx) => settleIn(deps, tx, { entry, decision }));
  return DONE;
}

async function settleIn(
  deps: AccessDeps,
  tx: Db,
  { entry, decision }: { entry: Entry; decision: Decision },
): Promise<boolean> {
  const now = deps.clock.now();
  const change = { ...decision, from: ["new"] as const, enteredAt: entry.entered_at };
  if (!(await changeEntry(tx, entry.id, change))) return false;
  if (decision.to === "removing") {
    await enqueue(tx, [{ topic: REMOVE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
  }
  if (decision.to !== "allowed" && decision.to !== "left") {
    await enqueue(tx, [{ topic: REPORT_ENTRIES, ref: entry.group_id, dueAt: now }]);
  }
  return true;
}

/** Time had ended, whatever became of the person then: the door is closed as at the end. */
async function closeAgain(deps: AccessDeps, entry: Entry, access: Membership): Promise<JobOutcome> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const decision = { to: "closed", byAdministrator: false } as const;
    if (!(await settleIn(deps, tx, { entry, decision }))) return;
    // In another status the sweep has not ended it yet, and does it now.
    const change = { to: "ended", from: ["ended", "removed"], now } as const;
    if (!(await changeStatus(tx, access.access_id, change))) return;
    const payload = { why: CAME_BACK };
    await enqueue(tx, [
      { topic: CLOSE_ACCESS, ref: access.access_id, payload, priority: 0, dueAt: now },
    ]);
  });
  return DONE;
}
