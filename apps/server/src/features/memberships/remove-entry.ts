import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/gateway.ts";
import { backOffMs, DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { followMigration, recheckGroup, recordEvent } from "../groups/index.ts";
import { accessInChat, changeStatus, publishMember } from "./accesses.ts";
import { UNTRUSTED_CLOCK } from "./close.ts";
import { changeEntry, type Entry, entryById } from "./entries.ts";
import { reopening } from "./open.ts";
import { banForAMoment, isAdministrator, liftBan, placeOf } from "./whereabouts.ts";

/**
 * Removes a person who came in without paid time, because the seller wants it. Every step can be
 * done twice. Nobody who has paid meanwhile is removed, and no administrator.
 */
export async function removeEntry(app: App, job: Job): Promise<JobOutcome> {
  if (!app.clock.isTrusted()) return UNTRUSTED_CLOCK;
  const entry = await entryById(app.db, job.ref);
  if (entry?.status !== "removing") return DONE;
  if (await hasTime(app, entry)) return stop(app, entry, job);
  const member = await app.telegram.gatewayOf("seller").call("getChatMember", {
    chat_id: Number(entry.chat_id),
    user_id: Number(entry.telegram_id),
  });
  if (member.ok && isAdministrator(member.value)) return leaveInside(app, entry);
  const place = member.ok ? placeOf(member.value, app.clock.now()) : "inside";
  // An administrator's ban stands: nothing of it is lifted.
  if (place === "outside" || place === "banned") return finish(app, entry);
  const banned = await banForAMoment(app, entry);
  if (!banned.ok) {
    const { refusal } = banned;
    if (refusal.kind === "user-unknown") return finish(app, entry);
    if (refusal.kind === "is-admin") return leaveInside(app, entry);
    return wait(app, entry, { job, refusal });
  }
  await liftBan(app, entry);
  // Paid between the look and the removal: the door is opened again.
  if (await hasTime(app, entry)) return stop(app, entry, { ...job, attempts: 2 });
  return finish(app, entry);
}

async function hasTime(app: App, entry: Entry): Promise<boolean> {
  const access = await accessInChat(app.db, entry);
  return access !== null && access.ends_at > app.clock.now();
}

/** Time runs now. An attempt that was cut short may have removed the person: the door opens again. */
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
    // A former buyer who stayed by the seller's leave: his end is done now.
    const access = await accessInChat(tx, entry);
    if (access) await changeStatus(tx, access, { to: "removed", from: ["ended"], now });
    await recordEvent(tx, { groupId: entry.group_id, event: "member_left", now });
    await publishMember(tx, entry, "user:left");
  });
  return DONE;
}

async function leaveInside(app: App, entry: Entry): Promise<JobOutcome> {
  await changeEntry(app.db, entry, { to: "open", from: ["removing"] });
  return DONE;
}

/** A missing right is notified to the seller by the re-check; the removal waits for it. */
async function wait(
  app: App,
  entry: Entry,
  { job, refusal }: { job: Job; refusal: TelegramRefusal },
): Promise<JobOutcome> {
  if (refusal.kind === "migrated") {
    await followMigration(app, { from: entry.chat_id, to: refusal.to });
    return { kind: "later", afterMs: 0, reason: refusal.said };
  }
  await recheckGroup(app, entry.group_id).catch(() => {
    // The job comes back anyway; the re-check with it.
  });
  return { kind: "later", afterMs: backOffMs(job.attempts), reason: refusal.said };
}
