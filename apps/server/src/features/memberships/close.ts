import type { AccessStatus } from "@sesame/contract/memberships";
import { MINUTE_MS } from "@sesame/kernel";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { tell } from "../../bot/message.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { recordEvent } from "../groups/index.ts";
import * as accesses from "./accesses.ts";
import { BUTTONS, cameBack, cannotRemove, ended } from "./messages.fr.ts";
import { OPEN_ACCESS, reopening } from "./open.ts";

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
  const access = await accesses.accessById(app.db, job.ref);
  if (!access) return DONE;
  if (access.status !== "ended") {
    // Renewed meanwhile. An attempt that was cut short may have removed the person: look.
    if (job.attempts > 1) await reopen(app, access);
    return DONE;
  }
  // Let in by hand since: the seller decides.
  if (await mayStay(app.db, access)) return DONE;
  const trouble = { kind: "access.cannot-close", order: access, job } as const;
  const where = await accesses.whereIs(app, access);
  if (!where.ok && accesses.isAboutChat(where.refusal)) {
    return accesses.meetTrouble(app, { ...trouble, refusal: where.refusal });
  }
  // Not told where he is, we remove him: at worst he was gone. Who was once let in is removed even
  // if he is said to have left: a removal too many harms nobody, one too few lets him stay.
  const place = where.ok && where.value !== "unknown" ? where.value : "inside";
  const removes = place === "inside" || (place === "outside" && access.joined_at !== null);
  if (removes) {
    const banned = await accesses.banForAMoment(app, access);
    if (!banned.ok) {
      const { refusal } = banned;
      if (refusal.kind === "is-admin") return leaveAdmin(app, access);
      if (refusal.kind !== "user-unknown")
        return accesses.meetTrouble(app, { ...trouble, refusal });
    }
  }
  if (removes || place === "removing") {
    await accesses.liftBan(app, access);
  }
  return finish(app, access, { place, cameBack: job.payload["why"] === CAME_BACK });
}

/**
 * Whether a person whose paid time is over stays inside: on the white list, or let in since by
 * somebody who may, or who Telegram has not named yet.
 */
async function mayStay(
  db: Db,
  membership: { group_id: bigint; person_id: bigint; ends_at: Date },
): Promise<boolean> {
  const leave = await maybe(db)`
    SELECT group_id FROM allowed_members
    WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
    UNION ALL
    SELECT group_id FROM unpaid_entries
    WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
      AND status IN ('new', 'open') AND entered_at >= ${membership.ends_at}
    LIMIT 1
  `;
  return leave !== null;
}

async function finish(
  app: App,
  access: accesses.Membership,
  { place: where, cameBack: again }: { place: accesses.Whereabouts; cameBack: boolean },
): Promise<JobOutcome> {
  const now = app.clock.now();
  const closed = await app.db.transaction().execute(async (tx) => {
    if (!(await accesses.changeStatus(tx, access, { to: "removed", from: ["ended"], now })))
      return false;
    await accesses.revokeLinks(tx, access, now);
    await accesses.publishStatus(tx, access, "removed");
    await resolveAlerts(tx, {
      kinds: ["access.cannot-close"],
      subjects: [accesses.subjectOf(access)],
      now,
    });
    if (where === "inside" || where === "removing") {
      await recordEvent(tx, { groupId: access.group_id, event: "member_removed", now });
      await accesses.publishMember(tx, access, "user:left");
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

async function reopen(app: App, access: accesses.Membership): Promise<void> {
  const now = app.clock.now();
  const current = await accesses.accessById(app.db, access.access_id);
  if (!current) return;
  const jobs = reopening(current, { why: "again", now });
  await app.db.transaction().execute((tx) => enqueue(tx, jobs));
}

/** Telegram lets no bot remove an owner or an admin: people must. */
async function leaveAdmin(app: App, access: accesses.Membership): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const isNew = await raiseAlert(tx, {
      kind: "access.is-admin",
      subject: accesses.subjectOf(access),
      details: { chat_id: String(access.chat_id), telegram_id: String(access.telegram_id) },
      now,
    });
    if (!isNew) return;
    const message = { text: cannotRemove(access, String(access.telegram_id)) };
    await tell(tx, [{ bot: "seller", personId: access.seller_id, message }], now);
  });
  return DONE;
}

type ShortenedAccess = {
  readonly id: bigint;
  readonly person_id: bigint;
  readonly group_id: bigint;
  /** The order that stands for it now. */
  readonly order_id: bigint;
  readonly status: AccessStatus;
  readonly ended_now: boolean;
  readonly ends_at: Date;
};

/**
 * A sale is given back, its buyer's orders in the group being locked: the time it still gave is taken
 * from its access. Its link goes with it, and who has no time left is removed as by the sweep. → when
 * what is left ends; null: nothing is left, or nothing ran
 */
export async function takeBackIn(
  tx: Db,
  sale: { readonly id: bigint; readonly buyer_id: bigint; readonly group_id: bigint },
  { unusedSeconds, now }: { unusedSeconds: number; now: Date },
): Promise<{ readonly endsAt: Date } | null> {
  const access = await maybe<ShortenedAccess>(tx)`
    WITH before AS (
      SELECT a.id, a.status, a.ends_at - make_interval(secs => ${unusedSeconds}::float8) AS ends_at
      FROM accesses a WHERE a.person_id = ${sale.buyer_id} AND a.group_id = ${sale.group_id}
      FOR UPDATE
    )
    UPDATE accesses a SET ends_at = b.ends_at, updated_at = ${now},
      status = CASE WHEN b.status IN ('waiting', 'inside', 'left', 'banned')
        AND b.ends_at <= ${now} THEN 'ended' ELSE b.status END,
      -- Another of his sales stands for what is left.
      order_id = coalesce((
        SELECT o.id FROM orders o
        WHERE o.buyer_id = ${sale.buyer_id} AND o.group_id = ${sale.group_id} AND o.kind = 'product'
          AND o.status = 'paid' AND o.access_until > ${now}
        ORDER BY o.access_until DESC LIMIT 1
      ), a.order_id)
    FROM before b WHERE a.id = b.id
    RETURNING a.id, a.person_id, a.group_id, a.order_id, a.status, a.ends_at,
      b.status <> 'ended' AND a.status = 'ended' AS ended_now
  `;
  if (!access) return null;
  if (access.ended_now) {
    await accesses.revokeLinks(tx, access, now);
    await enqueue(tx, [{ topic: CLOSE_ACCESS, ref: access.id, priority: 0, dueAt: now }]);
    await accesses.publishStatus(tx, access, "ended");
    await noteAccesses(tx, { type: "access.ended", ids: [access.id] }, now);
    return null;
  }
  await accesses.revokeLinks(tx, { order_id: sale.id }, now);
  const running = access.ends_at > now;
  const outside = access.status === "waiting" || access.status === "left";
  // The link he had was the undone sale's: another sale of his opens the door with its own.
  if (running && outside && !(await accesses.hasLiveLink(tx, access.order_id))) {
    const job = { topic: OPEN_ACCESS, ref: access.order_id, payload: { why: "again" } } as const;
    await enqueue(tx, [{ ...job, priority: 0, dueAt: now }]);
  }
  await accesses.publishStatus(tx, access, access.status);
  return running ? { endsAt: access.ends_at } : null;
}
