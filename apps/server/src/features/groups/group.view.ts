import {
  type ChannelOnWire,
  GROUP_EVENT_NAMES,
  GROUP_STATE_NAMES,
  type GroupEvent,
  type GroupFacts,
  missingRights,
  NEEDED_RIGHTS,
  type NeededRight,
  RIGHT_NAMES,
  stateOfGroup,
} from "@sesame/contract/groups";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../app.ts";
import { type Db, many } from "../../postgres/database.ts";
import { mapPart, rowsPart, type SellerPart } from "../../postgres/parts.ts";

export type GroupRow = {
  readonly id: bigint;
  readonly chat_id: bigint;
  readonly kind: "supergroup" | "channel";
  readonly title: string;
  readonly public_username: string | null;
  readonly seller_id: bigint;
  readonly bot_present: boolean;
  readonly can_manage: boolean;
  readonly can_invite: boolean;
  readonly can_restrict: boolean;
  readonly member_count: number | null;
  readonly linked_at: Date;
  readonly checked_at: Date;
  readonly last_event: string | null;
  readonly last_event_at: Date | null;
  readonly in_quota: boolean;
  /** Null while its seller is its creator, or an administrator who may invite and restrict. */
  readonly seller_lost_rights_at: Date | null;
};

type ChannelRow = GroupRow & {
  readonly products: number;
  readonly sales: number;
  readonly members_can_add: boolean | null;
  readonly remove_added: boolean;
};

export async function listGroupsWhere(db: Db, where: RawBuilder<unknown>): Promise<GroupRow[]> {
  return many<GroupRow>(db)`
    SELECT g.*, group_in_quota(g) AS in_quota FROM groups g WHERE ${where}
    ORDER BY g.linked_at, g.id
  `;
}

export async function groupById(db: Db, id: bigint): Promise<GroupRow | null> {
  return (await listGroupsWhere(db, sql`g.id = ${id}`))[0] ?? null;
}

export async function groupByChat(db: Db, chatId: bigint): Promise<GroupRow | null> {
  return (await listGroupsWhere(db, sql`g.chat_id = ${chatId}`))[0] ?? null;
}

/** By our id, or by Telegram's, which is negative. */
export function findGroup(db: Db, wireId: string): Promise<GroupRow | null> {
  const id = BigInt(wireId);
  return id < 0n ? groupByChat(db, id) : groupById(db, id);
}

export async function groupsOfSeller(db: Db, sellerId: bigint): Promise<GroupRow[]> {
  return listGroupsWhere(db, sql`g.seller_id = ${sellerId}`);
}

/** The seller behind a Telegram account; null for who is none. */
export async function sellerOfTelegram(
  db: Db,
  telegramId: number | bigint,
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT s.id FROM sellers s JOIN people p ON p.id = s.id WHERE p.telegram_id = ${BigInt(telegramId)}
  `.execute(db);
  return rows[0]?.id ?? null;
}

/** The owner and the admins of a group cannot buy it (decision 80). */
export async function isAdminOf(db: Db, groupId: bigint, telegramId: bigint): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`
    SELECT EXISTS (
      SELECT FROM group_admins
      WHERE group_id = ${groupId} AND telegram_id = ${telegramId}
    ) AS yes
  `.execute(db);
  return rows[0]?.yes ?? false;
}

/** `channels[]` of a seller, or one of them (A §3). */
export async function channelsOnWire(
  db: Db,
  of: { sellerId: bigint; groupId?: bigint },
): Promise<ChannelOnWire[]> {
  const { rows } = await channelsSelect(sql`${of.sellerId}`, of.groupId ?? null).execute(db);
  return rows.map(onWire);
}

export function channelsOf({ db }: App, sellerId: bigint): Promise<ChannelOnWire[]> {
  return channelsOnWire(db, { sellerId });
}

const CHANNEL_KINDS = {
  id: "bigint",
  chat_id: "bigint",
  seller_id: "bigint",
  linked_at: "instant",
  checked_at: "instant",
  last_event_at: "instant",
  seller_lost_rights_at: "instant",
} as const;

/** `channels[]`, as a part of the seller's start. */
export const channelsPart: SellerPart<ChannelOnWire[]> = (seller) =>
  mapPart(rowsPart<ChannelRow>(channelsSelect(seller, null), CHANNEL_KINDS), (rows) =>
    rows.map(onWire),
  );

function channelsSelect(seller: RawBuilder<unknown>, groupId: bigint | null) {
  return sql<ChannelRow>`
    SELECT g.*, group_in_quota(g) AS in_quota,
      (SELECT count(*)::int FROM products p
        WHERE p.group_id = g.id AND p.seller_id = g.seller_id AND p.archived_at IS NULL) AS products,
      coalesce(sold.count, 0) AS sales, entry.members_can_add,
      coalesce(entry.remove_added, false) AS remove_added
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

export function groupFacts(row: GroupRow): GroupFacts {
  return {
    botPresent: row.bot_present,
    publicUsername: row.public_username,
    rights: {
      manage_chat: row.can_manage,
      restrict_members: row.can_restrict,
      invite_users: row.can_invite,
    },
    inQuota: row.in_quota,
    sellerMayOwn: row.seller_lost_rights_at === null,
  };
}

export function named(right: NeededRight): { right: NeededRight; label: string } {
  return { right, label: RIGHT_NAMES[right] };
}

function onWire(row: ChannelRow): ChannelOnWire {
  const facts = groupFacts(row);
  const state = stateOfGroup(facts);
  const event = row.last_event as GroupEvent | null;
  return {
    id: String(row.id),
    name: row.title,
    type: row.kind === "channel" ? "canal" : "groupe",
    telegram_group_id: Number(row.chat_id),
    details: {
      state,
      state_label: GROUP_STATE_NAMES[state],
      sellable: state === "connected",
      rights: NEEDED_RIGHTS.filter((right) => facts.rights[right]).map(named),
      missing_rights: missingRights(facts).map(named),
      members: row.member_count,
      in_quota: row.in_quota,
      public: row.public_username !== null,
      username: row.public_username,
      last_event: event === null ? null : GROUP_EVENT_NAMES[event],
      last_event_at: row.last_event_at?.toISOString() ?? null,
      checked_at: row.checked_at.toISOString(),
      linked_at: row.linked_at.toISOString(),
      products: row.products,
      sales: row.sales,
      members_can_add: row.members_can_add,
      remove_added: row.remove_added,
    },
  };
}
