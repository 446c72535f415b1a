import { MINUTE_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { recordEvent } from "../groups/index.ts";
import { changeStatus } from "./access.store.ts";
import { accessById, type Membership } from "./access.view.ts";
import { raiseAlert, resolveAlert } from "./alert.store.ts";
import { publishMember, publishStatus } from "./announce.ts";
import { BUTTONS, cameBack, cannotRemove, ended } from "./messages.fr.ts";
import { mayStay } from "./entries/entries.store.ts";
import { hasLiveLink, retireOrderLinks } from "./link.store.ts";
import { OPEN_ACCESS, reopening } from "./open-access.ts";
import { banForAMoment, liftBan } from "./remove-person.ts";
import { retireAtTelegram, revokeLinks } from "./revoke-links.ts";
import { shortenAccess, type UndoneSale } from "./take-back.store.ts";
import { meetTrouble } from "./trouble.ts";
import { isAboutChat, type Whereabouts, whereIs } from "./whereabouts.ts";

export const CLOSE_ACCESS = "access.close";

/** Why a door is closed once more: a person whose time had ended was inside again. */
export const CAME_BACK = "came-back";

/** Nobody is removed by a clock that may be wrong. */
export const UNTRUSTED_CLOCK: JobOutcome = {
  kind: "later",
  afterMs: MINUTE_MS,
  reason: "the clock is not trusted",
};

/**
 * Time is over: removes the person, then tells him. Every step can be done twice, so a kill between
 * the ban and its lifting is mended by the job's next attempt.
 */
export async function closeAccess(app: App, job: Job): Promise<JobOutcome> {
  if (!app.clock.isTrusted()) return UNTRUSTED_CLOCK;
  const access = await accessById(app.db, job.ref);
  if (!access) return DONE;
  if (access.status !== "ended") {
    // Renewed meanwhile. An attempt that was cut short may have removed the person: look.
    if (job.attempts > 1) await reopen(app, access);
    return DONE;
  }
  // Let in by hand since: the seller decides.
  if (await mayStay(app.db, access)) return DONE;
  const where = await whereIs(app, access);
  if (!where.ok && isAboutChat(where.refusal)) {
    return cannotClose(app, access, { refusal: where.refusal, job });
  }
  // Not told where he is, we remove him: at worst he was gone. Who was once let in is removed even
  // if he is said to have left: a removal too many harms nobody, one too few lets him stay.
  const place = where.ok && where.value !== "unknown" ? where.value : "inside";
  const removes = place === "inside" || (place === "outside" && access.joined_at !== null);
  if (removes) {
    const banned = await banForAMoment(app, access);
    if (!banned.ok) {
      const { refusal } = banned;
      if (refusal.kind === "is-admin") return leaveAdmin(app, access);
      if (refusal.kind !== "user-unknown") return cannotClose(app, access, { refusal, job });
    }
  }
  if (removes || place === "removing") {
    await liftBan(app, access);
  }
  return finish(app, access, { place, cameBack: job.payload["why"] === CAME_BACK });
}

function cannotClose(
  app: App,
  order: Membership,
  trouble: { refusal: TelegramRefusal; job: Job },
): Promise<JobOutcome> {
  return meetTrouble(app, { kind: "access.cannot-close", order, ...trouble });
}

async function finish(
  app: App,
  access: Membership,
  { place: where, cameBack: again }: { place: Whereabouts; cameBack: boolean },
): Promise<JobOutcome> {
  const now = app.clock.now();
  const closed = await app.db.transaction().execute(async (tx) => {
    const done = await changeStatus(tx, access.access_id, { to: "removed", from: ["ended"], now });
    if (!done) return false;
    await revokeLinks(tx, access, now);
    await publishStatus(tx, access, "removed");
    await resolveAlert(tx, { kind: "access.cannot-close", subject: subjectOf(access) }, now);
    if (where === "inside" || where === "removing") {
      await recordEvent(tx, { groupId: access.group_id, event: "member_removed", now });
      await publishMember(tx, { id: access.group_id, sellerId: access.seller_id }, "user:left");
    }
    // Of a refunded order he was told with the refund.
    if (where === "banned" || (access.refunded && !again)) return true;
    // Came back and went again by himself.
    if (again && where === "outside") return true;
    const say = again ? cameBack : ended;
    const { reference } = access;
    const message = {
      text: say(access, app.sayInstant),
      buttons: [
        ...(reference === null
          ? []
          : [{ text: BUTTONS.renew, url: app.telegram.names.shareLink(reference) }]),
        app.appButton(BUTTONS.myAccess, "/mes-acces"),
      ],
    };
    await tell(tx, [{ bot: "buyer", personId: access.person_id, message, priority: 1 }], now);
    return true;
  });
  // Renewed between the look and the removal: the door is opened again.
  if (!closed) await reopen(app, access);
  return DONE;
}

async function reopen(app: App, access: Membership): Promise<void> {
  const now = app.clock.now();
  const current = await accessById(app.db, access.access_id);
  if (!current) return;
  const jobs = reopening(current, { why: "again", now });
  await app.db.transaction().execute((tx) => enqueue(tx, jobs));
}

/** Telegram lets no bot remove an owner or an admin: people must. */
async function leaveAdmin(app: App, access: Membership): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const isNew = await raiseAlert(tx, {
      kind: "access.is-admin",
      subject: subjectOf(access),
      details: { chat_id: String(access.chat_id), telegram_id: String(access.telegram_id) },
      now,
    });
    if (!isNew) return;
    const message = { text: cannotRemove(access, String(access.telegram_id)) };
    await tell(tx, [{ bot: "seller", personId: access.seller_id, message }], now);
  });
  return DONE;
}

function subjectOf(access: Membership): string {
  return `access:${access.access_id}`;
}

/** When what is left ends, for its person; null: nothing is left, or nothing ran. */
type TimeLeft = { readonly endsAt: Date };

/**
 * A sale is undone: the time it still gave is taken away, its link with it, and who has no time left
 * is removed as by the sweep.
 */
export async function takeBackIn(tx: Db, sale: UndoneSale, now: Date): Promise<TimeLeft | null> {
  const access = await shortenAccess(tx, sale, now);
  if (!access) return null;
  if (access.ended_now) {
    await revokeLinks(tx, access, now);
    await enqueue(tx, [{ topic: CLOSE_ACCESS, ref: access.id, priority: 0, dueAt: now }]);
    await publishStatus(tx, access, "ended");
    await noteAccesses(tx, { type: "access.ended", ids: [access.id] }, now);
    return null;
  }
  await retireAtTelegram(tx, await retireOrderLinks(tx, sale.orderId, now), now);
  const running = access.ends_at > now;
  const outside = access.status === "waiting" || access.status === "left";
  // The link he had was the undone sale's: another sale of his opens the door with its own.
  if (running && outside && !(await hasLiveLink(tx, access.order_id))) {
    const job = { topic: OPEN_ACCESS, ref: access.order_id, payload: { why: "again" } } as const;
    await enqueue(tx, [{ ...job, priority: 0, dueAt: now }]);
  }
  await publishStatus(tx, access, access.status);
  return running ? { endsAt: access.ends_at } : null;
}
