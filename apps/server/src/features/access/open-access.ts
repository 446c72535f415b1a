import { isRunning } from "@sesame/contract/access";
import type { Html } from "../../bot/html.ts";
import { html } from "../../bot/html.ts";
import type { MessageButton } from "../../bot/message.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job, NewJob } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { changeStatus } from "./access.store.ts";
import { type PaidOrder, paidOrder } from "./access.view.ts";
import { raiseAlert, resolveAlert } from "./alert.store.ts";
import { publishStatus } from "./announce.ts";
import {
  alreadyInside,
  BUTTONS,
  bannedThere,
  joinNow,
  leftWithLink,
  linkComesLater,
  linkName,
  newLink,
  receipt,
} from "./messages.fr.ts";
import type { AccessDeps } from "./deps.ts";
import { hasLiveLink, saveLink } from "./link.store.ts";
import { revokeLinks } from "./revoke-links.ts";
import { meetTrouble, type Trouble } from "./trouble.ts";
import { isAboutChat, whereIs } from "./whereabouts.ts";

export const OPEN_ACCESS = "access.open";

/** Why a door is opened: a sale, or once more for someone who has paid already. */
export type OpenReason = "paid" | "again" | "left";

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

/** Opens the door an order paid for: a link of its own, unless the payer is inside already. */
export async function openAccess(deps: AccessDeps, job: Job): Promise<JobOutcome> {
  const order = await paidOrder(deps.db, job.ref);
  if (!order) return DONE;
  const now = deps.clock.now();
  if (order.status === "banned") return tellBanned(deps, order);
  // Paid so late, or opened so late, that the time has gone: the sweep has it now.
  if (!isRunning({ status: order.status, endsAt: order.ends_at }, now)) return DONE;
  const reason = readReason(job);
  const where = await whereIs(deps, order);
  if (!where.ok && isAboutChat(where.refusal)) {
    return cannotOpen(deps, { order, refusal: where.refusal, job });
  }
  // Not told where the payer is, we make him a link: at worst it is one too many.
  const place = where.ok ? where.value : "outside";
  switch (place) {
    case "inside":
      return noteInside(deps, order, reason);
    case "unknown":
      // Whom we let in is inside until Telegram says he left.
      return order.status === "inside"
        ? noteInside(deps, order, reason)
        : openDoor(deps, { order, job, reason });
    case "banned":
      return tellBanned(deps, order);
    case "removing":
      // A removal under way meets a renewal: lift its ban, or the link would not serve.
      await deps.telegram.gatewayOf("seller").call("unbanChatMember", {
        chat_id: Number(order.chat_id),
        user_id: Number(order.telegram_id),
        only_if_banned: true,
      });
      return openDoor(deps, { order, job, reason });
    case "outside":
      return openDoor(deps, { order, job, reason });
  }
}

function readReason(job: Job): OpenReason {
  const why = job.payload["why"];
  return why === "again" || why === "left" ? why : "paid";
}

type Opening = { readonly order: PaidOrder; readonly job: Job; readonly reason: OpenReason };

async function openDoor(deps: AccessDeps, opening: Opening): Promise<JobOutcome> {
  const { order, reason } = opening;
  if (await hasLiveLink(deps.db, order.order_id)) return DONE;
  const made = await deps.telegram.gatewayOf("seller").call("createChatInviteLink", {
    chat_id: Number(order.chat_id),
    name: linkName(order.order_id).slice(0, 32),
    expire_date: Math.floor(order.ends_at.getTime() / 1_000),
    creates_join_request: true,
  });
  if (!made.ok) return cannotOpen(deps, { order, refusal: made.refusal, job: opening.job });
  const inviteLink = made.value.invite_link;
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    await saveLink(tx, { orderId: order.order_id, groupId: order.group_id, inviteLink, now });
    if (reason !== "left") {
      await changeStatus(tx, order.access_id, { to: "waiting", from: ["inside", "left"], now });
    }
    await publishStatus(tx, order, reason === "left" ? "left" : "waiting");
    await resolveAlert(tx, { kind: "access.cannot-open", subject: subjectOf(order) }, now);
    const text = textOf(deps, order, reason);
    await sayToBuyer(deps, tx, {
      order,
      text,
      buttons: [{ text: BUTTONS.join, url: inviteLink }],
    });
  });
  return DONE;
}

function textOf(deps: AccessDeps, order: PaidOrder, reason: OpenReason): Html {
  switch (reason) {
    case "paid":
      return html`${receipt(order, deps.sayInstant)}

${joinNow(order)}`;
    case "again":
      return newLink(order);
    case "left":
      return leftWithLink(order, deps.sayInstant);
  }
}

async function noteInside(
  deps: AccessDeps,
  order: PaidOrder,
  reason: OpenReason,
): Promise<JobOutcome> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const from = ["waiting", "left", "inside"] as const;
    const access = await changeStatus(tx, order.access_id, { to: "inside", from, now });
    if (!access) return;
    await revokeLinks(tx, order, now);
    await publishStatus(tx, order, "inside");
    // A renewal of who is inside lets nobody in.
    const ids = order.status === "inside" ? [] : [access.id];
    await noteAccesses(tx, { type: "access.started", ids }, now);
    await resolveAlert(tx, { kind: "access.cannot-open", subject: subjectOf(order) }, now);
    if (reason !== "paid") return;
    const text = html`${receipt(order, deps.sayInstant)}

${alreadyInside(order)}`;
    await sayToBuyer(deps, tx, { order, text, buttons: [] });
  });
  return DONE;
}

async function tellBanned(deps: AccessDeps, order: PaidOrder): Promise<JobOutcome> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const from = ["waiting", "left", "inside"] as const;
    await changeStatus(tx, order.access_id, { to: "banned", from, now });
    await publishStatus(tx, order, "banned");
    await raiseAlert(tx, {
      kind: "access.paid-while-banned",
      subject: `order:${order.order_id}`,
      details: { order_id: String(order.order_id) },
      now,
    });
    const text = html`${receipt(order, deps.sayInstant)}

${bannedThere(order)}`;
    await sayToBuyer(deps, tx, { order, text, buttons: [] });
  });
  return DONE;
}

async function cannotOpen(
  deps: AccessDeps,
  trouble: Omit<Trouble, "kind"> & { readonly order: PaidOrder },
): Promise<JobOutcome> {
  const { order, refusal, job } = trouble;
  if (job.attempts === 1 && refusal.kind !== "migrated" && readReason(job) === "paid") {
    await deps.db
      .transaction()
      .execute((tx) => sayToBuyer(deps, tx, { order, text: linkComesLater(order), buttons: [] }));
  }
  return meetTrouble(deps, { kind: "access.cannot-open", ...trouble });
}

type Saying = {
  readonly order: PaidOrder;
  readonly text: Html;
  readonly buttons: readonly MessageButton[];
};

async function sayToBuyer(deps: AccessDeps, tx: Db, saying: Saying): Promise<void> {
  const buttons = [...saying.buttons, deps.appButton(BUTTONS.myAccess, "/mes-acces")];
  const message = { text: saying.text, buttons };
  const personId = saying.order.person_id;
  await tell(tx, [{ bot: "buyer", personId, message, priority: 0 }], deps.clock.now());
}

function subjectOf(order: PaidOrder): string {
  return `access:${order.access_id}`;
}
