import {
  type Access,
  type AccessStatus,
  listAccesses,
  type OrderAccessOnWire,
  orderAccessOnWire,
} from "@sesame/contract/memberships";
import { ok, type Result } from "@sesame/kernel";
import type { ChatMember } from "grammy/types";
import { sql } from "kysely";
import { z } from "zod";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { type TelegramRefusal } from "../../bot/gateway.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { backOffMs, DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { type Db, finds, many, maybe } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { imageUrlOf } from "../catalogue/index.ts";
import { ENTRY_PAUSED, followMigration, recheckGroup } from "../groups/index.ts";

/** A person's membership of a group, with the Telegram ids. */
export type Membership = {
  readonly access_id: bigint;
  readonly status: AccessStatus;
  readonly ends_at: Date;
  /** Null: never joined. */
  readonly joined_at: Date | null;
  readonly person_id: bigint;
  readonly telegram_id: bigint;
  readonly group_id: bigint;
  readonly chat_id: bigint;
  readonly kind: "supergroup" | "channel";
  readonly group_title: string;
  readonly seller_id: bigint;
  /** The last order that extended it; null: the seller gave all its time. */
  readonly order_id: bigint | null;
  /** Its product, while it is on sale in this group; null: the membership cannot be renewed. */
  readonly renew_reference: string | null;
  readonly refunded: boolean;
};

const RENEW_REFERENCE = sql`CASE WHEN p.archived_at IS NULL AND p.suspended_at IS NULL AND p.switched_on
  AND p.group_id = g.id AND p.seller_id = g.seller_id THEN p.reference END`;

export const MEMBERSHIP_COLUMNS = sql`
  a.id AS access_id, a.status, a.ends_at, a.joined_at, a.person_id, pe.telegram_id,
  g.id AS group_id, g.chat_id, g.kind, g.title AS group_title,
  coalesce(o.seller_id, g.seller_id) AS seller_id, o.id AS order_id,
  ${RENEW_REFERENCE} AS renew_reference,
  coalesce(o.status = 'refunded', false) AS refunded
`;

/** A membership with the last order that extended it. */
export const MEMBERSHIP = sql`
  SELECT ${MEMBERSHIP_COLUMNS}
  FROM accesses a
  JOIN people pe ON pe.id = a.person_id
  JOIN groups g ON g.id = a.group_id
  LEFT JOIN orders o ON o.id = a.order_id
  LEFT JOIN products p ON p.id = o.product_id
`;

export async function accessById(db: Db, accessId: bigint): Promise<Membership | null> {
  return maybe<Membership>(db)`${MEMBERSHIP} WHERE a.id = ${accessId}`;
}

/** A person's membership of a chat. */
export async function accessInChat(db: Db, who: { chat_id: bigint; telegram_id: bigint }) {
  return maybe<Membership>(db)`
    ${MEMBERSHIP} WHERE pe.telegram_id = ${who.telegram_id} AND g.chat_id = ${who.chat_id}
  `;
}

/** Changes one membership. False if it has none of the statuses `from`: another change came first. */
export async function changeStatus(
  tx: Db,
  { access_id: id }: Pick<Membership, "access_id">,
  { to, from, now }: { to: AccessStatus; from: readonly AccessStatus[]; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE accesses SET status = ${to}, updated_at = ${now},
      joined_at = CASE WHEN ${to} = 'inside' THEN coalesce(joined_at, ${now}) ELSE joined_at END
    WHERE id = ${id} AND status = ANY(${[...from]}::text[])
  `.execute(tx);
  return numAffectedRows === 1n;
}

type Concerned = Pick<Membership, "order_id" | "person_id">;

/** Publishes a membership's status to its person and to the pages of the order. */
export async function publishStatus(tx: Db, access: Concerned, status: AccessStatus) {
  await publishStatuses(tx, [{ ...access, status }]);
}

export async function publishStatuses(
  tx: Db,
  changes: readonly (Concerned & { status: AccessStatus })[],
): Promise<void> {
  await publish(
    tx,
    changes.flatMap(({ order_id, person_id, status }) => {
      const body = { order_id: order_id === null ? null : String(order_id), status };
      const rooms = [`person:${person_id}`, ...(order_id === null ? [] : [`order:${order_id}`])];
      return rooms.map((room) => ({ room, name: "access:status", body }));
    }),
  );
}

/** The seller's screens display who came and left (decision 47). */
export async function publishMember(
  tx: Db,
  group: { group_id: bigint; seller_id: bigint },
  name: "user:joined" | "user:left",
): Promise<void> {
  const body = { group_id: String(group.group_id) };
  await publish(tx, [{ room: `person:${group.seller_id}`, name, body }]);
}

export const subjectOf = (access: Membership): string => `access:${access.access_id}`;

export function registerMembershipsHttp(app: App, http: HttpServer): void {
  on(http, listAccesses, async ({ caller }) => ({
    accesses: await accessesOf(app, caller.personId),
    orders: await openOrdersOf(app, caller.personId),
  }));
}

/** The newest valid link, while the person is not inside. */
const openLink = sql`(
  SELECT l.invite_link FROM orders lo
  JOIN access_links l ON l.order_id = lo.id AND l.group_id = a.group_id
  WHERE lo.buyer_id = a.person_id AND l.revoked_at IS NULL AND a.status IN ('waiting', 'left')
  ORDER BY l.created_at DESC LIMIT 1
)`;

const entryPaused = sql`(a.status IN ('waiting', 'left') AND ${ENTRY_PAUSED}) AS entry_paused`;

/** Telegram's link to a message of a private chat opens it, for members alone: at its end by a high number. */
const NEWEST_MESSAGE = "999999999";

/** A person's memberships: running ones first, the nearest end first. */
export async function accessesOf({ db }: App, personId: bigint): Promise<Access[]> {
  const rows = await many<Access & { readonly image_id: string | null }>(db)`
    SELECT a.id, a.status, a.ends_at AS expires_at, a.joined_at, a.order_id, p.image_id,
      json_build_object('name', g.title,
        'type', CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END,
        'link', CASE WHEN a.status = 'inside'
          THEN 'https://t.me/c/' || substr(g.chat_id::text, 5) || '/' || ${NEWEST_MESSAGE}::text END) AS group,
      CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'title', p.title) END AS product,
      ${openLink} AS invite_link, ${entryPaused},
      CASE WHEN a.status <> 'banned' THEN ${RENEW_REFERENCE} END AS renew_reference
    FROM accesses a
    JOIN groups g ON g.id = a.group_id
    LEFT JOIN orders o ON o.id = a.order_id
    LEFT JOIN products p ON p.id = o.product_id
    WHERE a.person_id = ${personId}
    ORDER BY a.status IN ('ended', 'removed', 'banned'), a.ends_at, a.id
    LIMIT 200
  `;
  return rows.map(({ image_id, product, ...row }) => {
    const image_url = image_id === null ? null : imageUrlOf(image_id);
    return { ...row, product: product && { ...product, image_url } };
  });
}

/** A person's purchases whose payment was opened and is awaited or checked, newest first. */
const openOrdersOf = ({ db }: App, personId: bigint) =>
  many<z.output<typeof listAccesses.answer>["orders"][number]>(db)`
    SELECT o.id, o.title, o.price AS amount, o.created_at FROM orders o
    WHERE o.buyer_id = ${personId} AND o.status = 'pending' AND o.kind IN ('product', 'donation')
      AND EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
    ORDER BY o.id DESC LIMIT 10
  `;

type OrderAccess = Omit<z.output<typeof orderAccessOnWire>, "links"> & { readonly group: string };

/** `access` of GET /api/orders/{id}; null until the sale is settled. */
export async function accessOfOrder(db: Db, orderId: bigint): Promise<OrderAccessOnWire | null> {
  const access = await maybe<OrderAccess>(db)`
    SELECT a.status, a.ends_at AS expires_at, g.title AS group, ${openLink} AS invite_link, ${entryPaused}
    FROM orders o
    JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
    JOIN groups g ON g.id = a.group_id
    WHERE o.id = ${orderId} AND o.status = 'paid'
  `;
  if (!access) return null;
  const { group, invite_link } = access;
  return z.encode(orderAccessOnWire, { ...access, links: [{ group, invite_link }] });
}

/** Whether paid time remains: then a join request may be approved. `banned`: by the group's admins. */
export function isRunning(access: { status: AccessStatus; endsAt: Date }, now: Date): boolean {
  const open =
    access.status === "waiting" || access.status === "inside" || access.status === "left";
  return open && access.endsAt.getTime() > now.getTime();
}

export const REVOKE_LINK = "access.revoke-link";

/** Revokes a person's links to a group, or those of one order: here at once, at Telegram by a job. */
export async function revokeLinks(
  tx: Db,
  of: { person_id: bigint; group_id: bigint } | { order_id: bigint },
  now: Date,
): Promise<void> {
  const those =
    "person_id" in of
      ? sql`o.buyer_id = ${of.person_id} AND l.group_id = ${of.group_id}`
      : sql`o.id = ${of.order_id}`;
  const links = await many<{ order_id: bigint; invite_link: string }>(tx)`
    UPDATE access_links l SET revoked_at = ${now} FROM orders o
    WHERE o.id = l.order_id AND ${those} AND l.revoked_at IS NULL
    RETURNING l.order_id, l.invite_link
  `;
  await enqueue(
    tx,
    links.map(({ order_id: ref, invite_link }) => ({
      topic: REVOKE_LINK,
      ref,
      payload: { invite_link },
      priority: 3,
      dueAt: now,
    })),
  );
}

export async function revokeLink(app: App, job: Job): Promise<JobOutcome> {
  const chat = await maybe<{ id: bigint }>(app.db)`
    SELECT g.chat_id AS id FROM orders o JOIN groups g ON g.id = o.group_id WHERE o.id = ${job.ref}
  `;
  const link = job.payload["invite_link"];
  if (!chat || typeof link !== "string") return DONE;
  // Whatever Telegram answers, the link admits nobody: requests are decided by person.
  await app.telegram.gatewayOf("seller").call("revokeChatInviteLink", {
    chat_id: Number(chat.id),
    invite_link: link,
  });
  return DONE;
}

export async function hasLiveLink(db: Db, orderId: bigint): Promise<boolean> {
  return finds(db)`
    SELECT order_id FROM access_links WHERE order_id = ${orderId} AND revoked_at IS NULL LIMIT 1
  `;
}

type Someone = { readonly chat_id: bigint; readonly telegram_id: bigint };

/**
 * `removing`: banned by us for the minute of a removal. `banned`: by the group's admins, whose ban
 * stays. `unknown`: no such person, which Telegram sometimes answers about a member too.
 */
export type Whereabouts = "inside" | "outside" | "removing" | "banned" | "unknown";

/** A removal's ban lasts this long, so that it ends even if we cannot lift it. */
const REMOVAL_BAN_SECONDS = 60;

/** Whether a person is in a chat now, according to Telegram. */
export async function whereIs(
  app: App,
  who: Someone,
): Promise<Result<Whereabouts, TelegramRefusal>> {
  const answer = await app.telegram.gatewayOf("seller").askMember(who.chat_id, who.telegram_id);
  if (!answer.ok) {
    return answer.refusal.kind === "user-unknown" ? ok("unknown") : answer;
  }
  return ok(placeOf(answer.value, app.clock.now()));
}

/** The same for a member that Telegram describes. */
export function placeOf(member: ChatMember, now: Date): Exclude<Whereabouts, "unknown"> {
  switch (member.status) {
    case "creator":
    case "administrator":
    case "member":
      return "inside";
    case "restricted":
      return member.is_member ? "inside" : "outside";
    case "left":
      return "outside";
    case "kicked":
      return isRemoval(member.until_date, now) ? "removing" : "banned";
  }
}

export function isAdministrator(member: ChatMember): boolean {
  return member.status === "creator" || member.status === "administrator";
}

/** Admins ban for ever or for long; only our removals end within the minute. */
function isRemoval(untilDate: number, now: Date): boolean {
  const leftSeconds = untilDate - now.getTime() / 1_000;
  return untilDate > 0 && leftSeconds <= REMOVAL_BAN_SECONDS + 5;
}

/** The chat has moved, or the bot has no access: nothing can be done in it now. */
export function isAboutChat(refusal: TelegramRefusal): boolean {
  return refusal.kind === "migrated" || refusal.kind === "chat-gone";
}

/** The first half of a removal. The ban ends even without the second half. */
export function banForAMoment(app: App, who: Someone): Promise<Result<true, TelegramRefusal>> {
  return app.telegram.gatewayOf("seller").call("banChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    until_date: Math.ceil(app.clock.now().getTime() / 1_000) + REMOVAL_BAN_SECONDS,
  });
}

/** The second half: the person may come back when admitted again. */
export async function liftBan(app: App, who: Someone): Promise<void> {
  await app.telegram.gatewayOf("seller").call("unbanChatMember", {
    chat_id: Number(who.chat_id),
    user_id: Number(who.telegram_id),
    only_if_banned: true,
  });
}

export type Trouble = {
  readonly kind: "access.cannot-open" | "access.cannot-close";
  readonly order: Membership;
  readonly refusal: TelegramRefusal;
  readonly job: Job;
};

/** After this many attempts an unknown refusal is left to the back office. */
const UNFORESEEN_ATTEMPTS = 10;

/**
 * Telegram refuses what a membership needs in a chat. A moved chat is followed; missing rights are
 * reported to the seller (by a re-check of the chat) and to the back office, and the job is retried
 * more and more slowly: the return of the rights makes it due.
 */
export async function meetTrouble(app: App, trouble: Trouble): Promise<JobOutcome> {
  const { order, refusal, job } = trouble;
  const reason = refusal.said;
  if (refusal.kind === "migrated") {
    await followMigration(app, { from: order.chat_id, to: refusal.to });
    return { kind: "later", afterMs: 0, reason };
  }
  await raiseAlert(app.db, {
    kind: trouble.kind,
    subject: subjectOf(order),
    details: {
      order_id: String(order.order_id ?? ""),
      chat_id: String(order.chat_id),
      said: reason,
    },
    now: app.clock.now(),
  });
  await recheckGroup(app, order.group_id).catch(() => {
    // The job is retried anyway, and the re-check with it.
  });
  if (refusal.kind === "unknown" && job.attempts >= UNFORESEEN_ATTEMPTS) {
    return { kind: "failed", reason };
  }
  return { kind: "later", afterMs: backOffMs(job.attempts), reason };
}
