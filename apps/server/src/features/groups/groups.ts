import * as contract from "@sesame/contract/groups";
import { addMs, HOUR_MS, Outage } from "@sesame/kernel";
import type { Chat, ChatMember } from "grammy/types";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, finds, many, maybe } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";
import { publish } from "../../realtime/events.store.ts";
import { datesAhead } from "../../jobs/leases.ts";
import * as messages from "./messages.fr.ts";

/** A linked chat, and whether membership of it can be sold now: in the state `connected`. */
export type GroupRow = {
  readonly id: bigint;
  readonly chat_id: bigint;
  readonly kind: "supergroup" | "channel";
  readonly title: string;
  readonly seller_id: bigint;
  readonly facts: contract.GroupFacts;
  readonly state: contract.GroupState;
};

/** The facts that decide the state of a group `g`. */
export const GROUP_FACTS = sql`json_build_object('botPresent', g.bot_present,
  'publicUsername', g.public_username,
  'rights', json_build_object('manage_chat', g.can_manage, 'restrict_members', g.can_restrict,
    'invite_users', g.can_invite),
  'inQuota', group_in_quota(g), 'sellerMayOwn', g.seller_lost_rights_at IS NULL)`;

/** A group `g` that can let nobody in, as its seller was notified. */
export const ENTRY_PAUSED = sql`(NOT (g.bot_present AND g.can_invite)
  AND coalesce(g.notified_state, '') ~ '^(removed|missing_rights)')`;

async function groupsWhere(db: Db, where: RawBuilder<unknown>): Promise<GroupRow[]> {
  const rows = await many<Omit<GroupRow, "state">>(db)`
    SELECT g.id, g.chat_id, g.kind, g.title, g.seller_id, ${GROUP_FACTS} AS facts FROM groups g WHERE ${where}
    ORDER BY g.linked_at, g.id
  `;
  return rows.map((row) => ({ ...row, state: contract.stateOfGroup(row.facts) }));
}

export async function groupById(db: Db, id: bigint): Promise<GroupRow | null> {
  return (await groupsWhere(db, sql`g.id = ${id}`))[0] ?? null;
}

export async function groupByChat(db: Db, chatId: bigint): Promise<GroupRow | null> {
  return (await groupsWhere(db, sql`g.chat_id = ${chatId}`))[0] ?? null;
}

/** By our id, or by Telegram's, which is negative: `channels[].id` or `telegram_group_id` (WIRE §2). */
export async function findGroup(db: Db, wireId: string): Promise<GroupRow | null> {
  if (!/^-?\d{1,18}$/.test(wireId)) return null;
  const id = BigInt(wireId);
  return id < 0n ? groupByChat(db, id) : groupById(db, id);
}

/** Null for another seller's group, as if it did not exist. */
export async function groupOfSeller(db: Db, sellerId: bigint, wireId: string) {
  const group = await findGroup(db, wireId);
  return group?.seller_id === sellerId ? group : null;
}

export async function groupsOfSeller(db: Db, sellerId: bigint): Promise<GroupRow[]> {
  return groupsWhere(db, sql`g.seller_id = ${sellerId}`);
}

/** The seller of a Telegram account; null for other people. */
export async function sellerOfTelegram(db: Db, telegramId: number | bigint) {
  const seller = await maybe<{ id: bigint }>(db)`
    SELECT s.id FROM sellers s JOIN people p ON p.id = s.id WHERE p.telegram_id = ${BigInt(telegramId)}
  `;
  return seller?.id ?? null;
}

/** The owner and the admins of a group cannot buy it (decision 80). */
export async function isAdminOf(db: Db, groupId: bigint, telegramId: bigint): Promise<boolean> {
  return finds(db)`
    SELECT group_id FROM group_admins WHERE group_id = ${groupId} AND telegram_id = ${telegramId}
  `;
}

/** Serializes linking and moving a chat: both decide which row has an id. Ids in ascending order. */
export async function lockChats(tx: Db, chatIds: readonly bigint[]): Promise<void> {
  for (const chatId of [...chatIds].sort((a, b) => (a < b ? -1 : 1))) {
    await sql`
      SELECT pg_advisory_xact_lock(hashtextextended('groups.chat', ${chatId}))
    `.execute(tx);
  }
}

export async function recordEvent(tx: Db, groupId: bigint, event: messages.GroupEvent, now: Date) {
  await sql`
    UPDATE groups SET last_event = ${event}, last_event_at = ${now} WHERE id = ${groupId}
  `.execute(tx);
}

/** A person came or left; the next re-check corrects the count. */
export async function addMembers(db: Db, groupId: bigint, delta: 1 | -1): Promise<void> {
  await sql`
    UPDATE groups SET member_count = greatest(0, member_count + ${delta}) WHERE id = ${groupId}
  `.execute(db);
}

/** The groups a seller chose for the free plan; the others stay in the order of their age. */
export async function rankGroups(tx: Db, sellerId: bigint, chosen: readonly bigint[]) {
  await sql`
    UPDATE groups g SET quota_rank = chosen.rank
    FROM groups own
    LEFT JOIN unnest(${[...chosen]}::bigint[]) WITH ORDINALITY AS chosen(id, rank)
      ON chosen.id = own.id
    WHERE g.id = own.id AND own.seller_id = ${sellerId}
  `.execute(tx);
}

type Channel = z.output<typeof contract.channelOnWire>;
type ChannelRow = Omit<Channel, "details"> & {
  readonly facts: contract.GroupFacts;
  readonly details: Omit<Channel["details"], "last_event"> & {
    readonly last_event: messages.GroupEvent;
  };
};

/** The name and kind of a group `g`, for its seller. */
export const NAMES = sql`g.id, g.title AS name,
  CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END AS type,
  g.chat_id::float8 AS telegram_group_id`;

/** `channels[]` of a seller, or one of them (A §3). */
export async function channelsOf(
  { db }: Pick<App, "db">,
  sellerId: bigint,
  groupId: bigint | null = null,
): Promise<Channel[]> {
  const { rows } = await channelsSelect(sql`${sellerId}`, groupId).execute(db);
  return rows.map(shown);
}

/** `channels[]`, as a part of the seller's start. */
export const channelsPart: SellerPart<Channel[]> = (seller) =>
  mapPart(rowsPart<ChannelRow>(channelsSelect(seller, null), { id: "bigint" }), (rows) =>
    rows.map(shown),
  );

function channelsSelect(seller: RawBuilder<unknown>, groupId: bigint | null) {
  return sql<ChannelRow>`
    SELECT ${NAMES}, ${GROUP_FACTS} AS facts, json_build_object('members', g.member_count,
      'last_event', g.last_event, 'last_event_at', g.last_event_at,
      'checked_at', g.checked_at, 'linked_at', g.linked_at,
      'products', (SELECT count(*)::int FROM products p
        WHERE p.group_id = g.id AND p.seller_id = g.seller_id AND p.archived_at IS NULL),
      'sales', coalesce(sold.count, 0), 'members_can_add', entry.members_can_add,
      'remove_added', coalesce(entry.remove_added, false)) AS details
    FROM groups g
    LEFT JOIN group_entry_rules entry ON entry.group_id = g.id
    LEFT JOIN (
      SELECT group_id, sum(sales)::int AS count FROM seller_sums(${seller}) GROUP BY group_id
    ) AS sold ON sold.group_id = g.id
    WHERE g.seller_id = ${seller}
      AND (${groupId}::bigint IS NULL OR g.id = ${groupId})
    ORDER BY g.linked_at, g.id
  `;
}

function shown({ facts, details, ...row }: ChannelRow): Channel {
  const state = contract.stateOfGroup(facts);
  const { last_event: event } = details;
  return {
    ...row,
    details: {
      ...details,
      state,
      state_label: messages.GROUP_STATE_NAMES[state],
      sellable: state === "connected",
      rights: contract.NEEDED_RIGHTS.filter((right) => facts.rights[right]).map(named),
      missing_rights: contract.missingRights(facts).map(named),
      in_quota: facts.inQuota,
      public: facts.publicUsername !== null,
      username: facts.publicUsername,
      last_event: event && messages.GROUP_EVENT_NAMES[event],
    },
  };
}

export function named(right: contract.NeededRight): { right: contract.NeededRight; label: string } {
  return { right, label: messages.RIGHT_NAMES[right] };
}

/** How often a linked chat and its default permissions are read from Telegram. */
export const RECHECK_EVERY_MS = HOUR_MS;

export const NOTIFY_STATE = "groups.notify-state";
export const RECHECK = "groups.recheck";
/** The bot can work in a group again, or its chat has another id: pending work is done now. */
export const RESUME_ACCESS = "access.resume-group";
export const RENEW_LINKS = "access.renew-links";

/** Several changes come together when a bot is added: the seller is notified of the last state. */
const SETTLE_MS = 1_000;

/** Events for the seller's screens at once; a bot's message once the state has settled. */
export async function announceChange(tx: Db, { sellerId, now }: { sellerId: bigint; now: Date }) {
  await publishChannels(tx, sellerId);
  // One chat more or less moves others into or out of the quota.
  const groups = await groupsOfSeller(tx, sellerId);
  const dueAt = addMs(now, SETTLE_MS);
  await enqueue(
    tx,
    groups.map((group) => ({ topic: NOTIFY_STATE, ref: group.id, dueAt })),
  );
}

/** The seller's screens reload the groups. */
export async function publishChannels(tx: Db, sellerId: bigint): Promise<void> {
  await publish(tx, [{ room: `person:${sellerId}`, name: "chatadd", body: {} }]);
}

export async function recheckLater(tx: Db, groupId: bigint, now: Date): Promise<void> {
  await enqueue(tx, [{ topic: RECHECK, ref: groupId, dueAt: now }]);
}

/** Columns of future instants, and the furthest that a correct clock can write. */
export const GROUPS_DATES = [
  ...datesAhead("groups", [["recheck_due_at", RECHECK_EVERY_MS, "bot_present"]]),
  // An early read from Telegram is harmless.
  ...datesAhead("group_entry_rules", [["due_at", RECHECK_EVERY_MS]], { isFenced: true }),
];

/** The status and rights of the bot, or of a person, in a chat. */
type Standing = {
  readonly present: boolean;
  readonly rights: Readonly<Record<contract.NeededRight, boolean>>;
};

const NO_RIGHTS = { manage_chat: false, restrict_members: false, invite_users: false };

export const ABSENT: Standing = { present: false, rights: NO_RIGHTS };

export function standingOf(member: ChatMember): Standing {
  switch (member.status) {
    case "creator":
    case "administrator": {
      const all = member.status === "creator";
      return {
        present: true,
        rights: {
          // Every administrator may at least do that.
          manage_chat: all || member.can_manage_chat !== false,
          // A right that is absent is not given.
          restrict_members: all || member.can_restrict_members === true,
          invite_users: all || member.can_invite_users === true,
        },
      };
    }
    case "member":
      return { present: true, rights: NO_RIGHTS };
    case "restricted":
      return { present: member.is_member === true, rights: NO_RIGHTS };
    case "left":
    case "kicked":
      return ABSENT;
  }
}

/** A chat from an update or getChat, with the bot's status in it. */
export const factsOf = (
  chat: Chat.GroupChat | Chat.SupergroupChat | Chat.ChannelChat,
  standing: Standing,
) => ({
  chatId: BigInt(chat.id),
  kind: chat.type,
  title: chat.title ?? "",
  publicUsername: "username" in chat ? (chat.username ?? null) : null,
  standing,
});

export type ChatFacts = Readonly<ReturnType<typeof factsOf>>;

/** A person who administers a chat, according to Telegram; anonymous ones too. */
export type Administrator = {
  readonly telegramId: bigint;
  readonly isCreator: boolean;
  /** Missing rights, of those that linking needs. */
  readonly missing: readonly contract.LinkerRight[];
};

/** Null for a plain member, and for a person outside the chat. */
export function administratorOf(member: ChatMember): Administrator | null {
  const isCreator = member.status === "creator";
  if (!isCreator && member.status !== "administrator") return null;
  const { rights } = standingOf(member);
  const missing = contract.LINKER_RIGHTS.filter((right) => !rights[right]);
  return { telegramId: BigInt(member.user.id), isCreator, missing };
}

/** Whether a chat can be linked to a person, and stay theirs (decision 110). */
export const mayOwn = (administrator: Administrator | null | undefined): boolean =>
  administrator?.missing.length === 0;

/**
 * The administrators of a chat now, without bots (`complete`: all of them); if Telegram refuses the list, these people are
 * checked one by one, which proves as much about them. Null when the answer proves nothing: the bot
 * is not in the chat, or may not see them. Throws an Outage when Telegram does not answer.
 */
export async function askAdministrators(app: App, chatId: bigint, people: readonly bigint[]) {
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(chatId);
  const answer = await telegram.call("getChatAdministrators", { chat_id });
  if (answer.ok)
    return among(
      answer.value.filter(({ user }) => !user.is_bot),
      true,
    );
  const { kind, said } = answer.refusal;
  if (kind === "chat-gone" || kind === "migrated" || kind === "rights-missing") return null;
  const members: ChatMember[] = [];
  for (const id of people) {
    const member = await telegram.askMember(chatId, id);
    if (!member.ok) throw new Outage(`telegram: ${said}`, { party: "telegram", retryable: true });
    members.push(member.value);
  }
  return among(members, false);
}

function among(members: readonly ChatMember[], complete: boolean) {
  const all = members.map(administratorOf).filter((one) => one !== null);
  return { all, complete, find: (id: bigint) => all.find(({ telegramId }) => telegramId === id) };
}
