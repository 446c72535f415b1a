import type { AccessStatus } from "@sesame/contract/memberships";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Html, html, tell } from "../../bot/message.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job, NewJob } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import * as accesses from "./accesses.ts";
import * as messages from "./messages.fr.ts";
import { raiseAlert, resolveAlerts } from "../../alerts/alerts.ts";

export const OPEN_ACCESS = "access.open";

/** Why a door is opened: a sale, or once more for someone who has paid already. */
type OpenReason = "paid" | "again" | "left";

/**
 * The job that opens the door again; none for a membership without an order, whose person is let in
 * when he asks by any link, or by whoever adds him.
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

/** Opens the door an order paid for: a link of its own, unless the payer is inside already. */
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
  if (order.status === "banned") return tellBanned(app, order);
  // Paid so late, or opened so late, that the time has gone: the sweep has it now.
  if (!accesses.isRunning({ status: order.status, endsAt: order.ends_at }, now)) return DONE;
  const reason = readReason(job);
  const where = await accesses.whereIs(app, order);
  if (!where.ok && accesses.isAboutChat(where.refusal)) {
    return cannotOpen(app, { order, refusal: where.refusal, job });
  }
  // Not told where the payer is, we make him a link: at worst it is one too many.
  const place = where.ok ? where.value : "outside";
  switch (place) {
    case "inside":
      return noteInside(app, order, reason);
    case "unknown":
      // Whom we let in is inside until Telegram says he left.
      return order.status === "inside"
        ? noteInside(app, order, reason)
        : openDoor(app, { order, job, reason });
    case "banned":
      return tellBanned(app, order);
    case "removing":
      // A removal under way meets a renewal: lift its ban, or the link would not serve.
      await accesses.liftBan(app, order);
      return openDoor(app, { order, job, reason });
    case "outside":
      return openDoor(app, { order, job, reason });
  }
}

function readReason(job: Job): OpenReason {
  const why = job.payload["why"];
  return why === "again" || why === "left" ? why : "paid";
}

type Opening = { readonly order: PaidOrder; readonly job: Job; readonly reason: OpenReason };

async function openDoor(app: App, opening: Opening): Promise<JobOutcome> {
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
    // One link per order and group: a new one takes the place of one that is dead.
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
    await resolveAlerts(tx, {
      kinds: ["access.cannot-open"],
      subjects: [accesses.subjectOf(order)],
      now,
    });
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
    // A renewal of who is inside lets nobody in.
    const ids = order.status === "inside" ? [] : [order.access_id];
    await noteAccesses(tx, { type: "access.started", ids }, now);
    await resolveAlerts(tx, {
      kinds: ["access.cannot-open"],
      subjects: [accesses.subjectOf(order)],
      now,
    });
    if (reason !== "paid") return;
    const text = html`${messages.receipt(order, app.sayInstant)}

${messages.alreadyInside(order)}`;
    await sayToBuyer(app, tx, { order, text });
  });
  return DONE;
}

async function tellBanned(app: App, order: PaidOrder): Promise<JobOutcome> {
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
  await tell(tx, [{ bot: "buyer", personId, message, priority: 0 }], app.clock.now());
}

/** The person is inside: his links have served. Nothing happens the second time. */
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
    await tell(tx, [{ bot: "buyer", personId: access.person_id, message }], now);
  });
}
