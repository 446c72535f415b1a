import * as accesses from "./accesses.ts";
import * as messages from "./messages.fr.ts";
import type { AccessStatus } from "@sesame/contract/memberships";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Html, html, notify } from "../../bot/message.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job, type NewJob } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outbound/events.store.ts";
import { type Db, finds, maybe } from "../../postgres/database.ts";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";
import { MINUTE_MS } from "@sesame/kernel";
import { recordEvent } from "../groups/index.ts";

export const OPEN_ACCESS = "access.open";

/** Why a group is opened to a person: a sale, or again for a person who has paid already. */
type OpenReason = "paid" | "again" | "left";

/**
 * The job that opens the group again; none for a membership without an order, whose person is
 * approved when he requests to join by any link, or may be added.
 */
export function reopening(
  access: { order_id: bigint | null },
  { why, now }: { why: Exclude<OpenReason, "paid">; now: Date },
): NewJob[] {
  const { order_id: ref } = access;
  return ref === null
    ? []
    : [{ topic: OPEN_ACCESS, ref, payload: { why }, priority: 0, dueAt: now }];
}

/** A paid order with the membership it opened or extended. */
type PaidOrder = accesses.Membership & {
  readonly order_id: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: bigint;
  readonly paid_at: Date;
  readonly is_renewal: boolean;
};

/** Opens the group for a paid order: a link of its own, unless the buyer is inside already. */
export async function openAccess(app: App, job: Job): Promise<JobOutcome> {
  const order = await maybe<PaidOrder>(app.db)`
    SELECT ${accesses.MEMBERSHIP_COLUMNS}, o.title, o.price, o.paid_at, o.is_renewal
    FROM orders o
    JOIN products p ON p.id = o.product_id
    JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    JOIN people pe ON pe.id = o.buyer_id
    JOIN groups g ON g.id = o.group_id
    WHERE o.id = ${job.ref} AND o.status = 'paid'
  `;
  if (!order) return DONE;
  const now = app.clock.now();
  if (order.status === "banned") return notifyBanned(app, order);
  // Paid or opened so late that the time is over: the sweep ends it.
  if (!accesses.isRunning({ status: order.status, endsAt: order.ends_at }, now)) return DONE;
  const reason = readReason(job);
  const where = await accesses.whereIs(app, order);
  if (!where.ok && accesses.isAboutChat(where.refusal)) {
    return cannotOpen(app, { order, refusal: where.refusal, job });
  }
  // If it is unknown whether the buyer is inside, a link is created: at worst it is one too many.
  const place = where.ok ? where.value : "outside";
  switch (place) {
    case "inside":
      return noteInside(app, order, reason);
    case "unknown":
      // An admitted member is inside until Telegram reports the leave.
      return order.status === "inside"
        ? noteInside(app, order, reason)
        : sendLink(app, { order, job, reason });
    case "banned":
      return notifyBanned(app, order);
    case "removing":
      // A renewal during a removal: without lifting the ban the link would not work.
      await accesses.liftBan(app, order);
      return sendLink(app, { order, job, reason });
    case "outside":
      return sendLink(app, { order, job, reason });
  }
}

function readReason(job: Job): OpenReason {
  const why = job.payload["why"];
  return why === "again" || why === "left" ? why : "paid";
}

type Opening = { readonly order: PaidOrder; readonly job: Job; readonly reason: OpenReason };

async function sendLink(app: App, opening: Opening): Promise<JobOutcome> {
  const { order, reason } = opening;
  if (await accesses.hasLiveLink(app.db, order.order_id)) return DONE;
  const made = await app.telegram.gatewayOf("seller").call("createChatInviteLink", {
    chat_id: Number(order.chat_id),
    name: messages.linkName(order.order_id).slice(0, 32),
    expire_date: Math.floor(order.ends_at.getTime() / 1_000),
    creates_join_request: true,
  });
  if (!made.ok) return cannotOpen(app, { order, refusal: made.refusal, job: opening.job });
  const inviteLink = made.value.invite_link;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    // One link per order and group: a new one replaces a dead one.
    await sql`
      INSERT INTO access_links (order_id, group_id, invite_link, created_at)
      VALUES (${order.order_id}, ${order.group_id}, ${inviteLink}, ${now})
      ON CONFLICT (order_id, group_id) DO UPDATE
        SET invite_link = excluded.invite_link, created_at = excluded.created_at, revoked_at = NULL
    `.execute(tx);
    if (reason !== "left") {
      await accesses.changeStatus(tx, order, { to: "waiting", from: ["inside", "left"], now });
    }
    await accesses.publishStatus(tx, order, reason === "left" ? "left" : "waiting");
    const subjects = [accesses.subjectOf(order)];
    await resolveAlerts(tx, { kinds: ["access.cannot-open"], subjects, now });
    const text = textOf(app, order, reason);
    await sayToBuyer(app, tx, { order, text, link: inviteLink });
  });
  return DONE;
}

function textOf(app: App, order: PaidOrder, reason: OpenReason): Html {
  switch (reason) {
    case "paid":
      return html`${messages.receipt(order, app.sayInstant)}

${messages.joinNow(order)}`;
    case "again":
      return messages.newLink(order);
    case "left":
      return messages.leftWithLink(order, app.sayInstant);
  }
}

async function noteInside(app: App, order: PaidOrder, reason: OpenReason): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const from = ["waiting", "left", "inside"] as const;
    if (!(await accesses.changeStatus(tx, order, { to: "inside", from, now }))) return;
    await accesses.revokeLinks(tx, order, now);
    await accesses.publishStatus(tx, order, "inside");
    // The renewal of a member inside admits nobody.
    const ids = order.status === "inside" ? [] : [order.access_id];
    await noteAccesses(tx, { type: "access.started", ids }, now);
    const subjects = [accesses.subjectOf(order)];
    await resolveAlerts(tx, { kinds: ["access.cannot-open"], subjects, now });
    if (reason !== "paid") return;
    const text = html`${messages.receipt(order, app.sayInstant)}

${messages.alreadyInside(order)}`;
    await sayToBuyer(app, tx, { order, text });
  });
  return DONE;
}

async function notifyBanned(app: App, order: PaidOrder): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const from = ["waiting", "left", "inside"] as const;
    await accesses.changeStatus(tx, order, { to: "banned", from, now });
    await accesses.publishStatus(tx, order, "banned");
    await raiseAlert(tx, {
      kind: "access.paid-while-banned",
      subject: `order:${order.order_id}`,
      details: { order_id: String(order.order_id) },
      now,
    });
    const text = html`${messages.receipt(order, app.sayInstant)}

${messages.bannedThere(order)}`;
    await sayToBuyer(app, tx, { order, text });
  });
  return DONE;
}

async function cannotOpen(
  app: App,
  trouble: Omit<accesses.Trouble, "kind"> & { readonly order: PaidOrder },
): Promise<JobOutcome> {
  const { order, refusal, job } = trouble;
  if (job.attempts === 1 && refusal.kind !== "migrated" && readReason(job) === "paid") {
    await app.db
      .transaction()
      .execute((tx) => sayToBuyer(app, tx, { order, text: messages.linkComesLater(order) }));
  }
  return accesses.meetTrouble(app, { kind: "access.cannot-open", ...trouble });
}

async function sayToBuyer(
  app: App,
  tx: Db,
  { order, text, link }: { order: PaidOrder; text: Html; link?: string },
): Promise<void> {
  const join = link ? [{ text: messages.BUTTONS.join, url: link }] : [];
  const message = {
    text,
    buttons: [...join, app.appButton(messages.BUTTONS.myAccess, "/mes-acces")],
  };
  const personId = order.person_id;
  await notify(tx, [{ bot: "buyer", personId, message, priority: 0 }], app.clock.now());
}

/** The person is inside: the links have done their work. A repeat has no effect. */
export async function admit(
  app: App,
  access: accesses.Membership,
  from: readonly AccessStatus[] = ["waiting", "left"],
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await accesses.changeStatus(tx, access, { to: "inside", from, now }))) return;
    await accesses.revokeLinks(tx, access, now);
    await accesses.publishStatus(tx, access, "inside");
    await noteAccesses(tx, { type: "access.started", ids: [access.access_id] }, now);
    const message = {
      text: messages.welcome(access, app.sayInstant),
      buttons: [app.appButton(messages.BUTTONS.myAccess, "/mes-acces")],
    };
    await notify(tx, [{ bot: "buyer", personId: access.person_id, message }], now);
  });
}

export const CLOSE_ACCESS = "access.close";

/** Why a membership is closed once more: a person without time left was inside again. */
export const CAME_BACK = "came-back";

/** No removal by a clock that may be wrong. */
export const UNTRUSTED_CLOCK: JobOutcome = {
  kind: "later",
  afterMs: MINUTE_MS,
  reason: "the clock is not trusted",
};

/**
 * Time is over: removes the person, then notifies him. Every step can be repeated, so that after a
 * kill between the ban and its lifting the job's next attempt lifts it.
 */
export async function closeAccess(app: App, job: Job): Promise<JobOutcome> {
  if (!app.clock.isTrusted()) return UNTRUSTED_CLOCK;
  const access = await accesses.accessById(app.db, job.ref);
  if (!access) return DONE;
  if (access.status !== "ended") {
    // Renewed meanwhile. An interrupted attempt may have removed the person: check.
    if (job.attempts > 1) await reopen(app, access);
    return DONE;
  }
  // Let in by a person since: the seller decides.
  if (await mayStay(app.db, access)) return DONE;
  const trouble = { kind: "access.cannot-close", order: access, job } as const;
  const where = await accesses.whereIs(app, access);
  if (!where.ok && accesses.isAboutChat(where.refusal)) {
    return accesses.meetTrouble(app, { ...trouble, refusal: where.refusal });
  }
  // If the place is unknown the person is removed: at worst he was gone. A former member is removed even
  // if Telegram reports that he left: a needless removal is harmless, a missing one lets him stay.
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
 * Whether a person without paid time stays inside: on the white list, or let in since by a person
 * who may, or by one whom Telegram has not named yet.
 */
async function mayStay(db: Db, membership: { group_id: bigint; person_id: bigint; ends_at: Date }) {
  return finds(db)`
    SELECT group_id FROM allowed_members
    WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
    UNION ALL
    SELECT group_id FROM unpaid_entries
    WHERE group_id = ${membership.group_id} AND person_id = ${membership.person_id}
      AND status IN ('new', 'open') AND entered_at >= ${membership.ends_at}
    LIMIT 1
  `;
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
    const subjects = [accesses.subjectOf(access)];
    await resolveAlerts(tx, { kinds: ["access.cannot-close"], subjects, now });
    if (where === "inside" || where === "removing") {
      await recordEvent(tx, access.group_id, "member_removed", now);
      await accesses.publishMember(tx, access, "user:left");
    }
    // For a refunded order the refund's message said it.
    if (where === "banned" || (access.refunded && !again)) return true;
    // Came back and left again.
    if (again && where === "outside") return true;
    const say = again ? messages.cameBack : messages.ended;
    const { renew_reference: reference } = access;
    const message = {
      text: say(access, app.sayInstant),
      buttons: [
        ...(reference === null
          ? []
          : [{ text: messages.BUTTONS.renew, url: app.telegram.names.shareLink(reference) }]),
        app.appButton(messages.BUTTONS.myAccess, "/mes-acces"),
      ],
    };
    await notify(tx, [{ bot: "buyer", personId: access.person_id, message, priority: 1 }], now);
    return true;
  });
  // Renewed between the check and the removal: the membership is opened again.
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

/** Telegram allows no bot to remove an owner or an admin: people must. */
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
    const message = { text: messages.cannotRemove(access, String(access.telegram_id)) };
    await notify(tx, [{ bot: "seller", personId: access.seller_id, message }], now);
  });
  return DONE;
}

type ShortenedAccess = {
  readonly id: bigint;
  readonly person_id: bigint;
  readonly group_id: bigint;
  /** The order that the membership now refers to. */
  readonly order_id: bigint;
  readonly status: AccessStatus;
  readonly ended_now: boolean;
  readonly ends_at: Date;
};

/**
 * Takes a refunded sale's remaining time from its membership, with the buyer's orders in the group
 * locked. Revokes its link; a person without time left is removed as by the sweep. → the end of the
 * rest; null: nothing is left, or nothing ran
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
      -- Another sale of the buyer is the order for the rest.
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
  // The revoked link was the refunded sale's: another sale of the buyer gives a link of its own.
  if (running && outside && !(await accesses.hasLiveLink(tx, access.order_id))) {
    const job = { topic: OPEN_ACCESS, ref: access.order_id, payload: { why: "again" } } as const;
    await enqueue(tx, [{ ...job, priority: 0, dueAt: now }]);
  }
  await accesses.publishStatus(tx, access, access.status);
  return running ? { endsAt: access.ends_at } : null;
}
