import { type GroupState, stateOfGroup } from "@sesame/contract/groups";
import type { Db } from "../../postgres/database.ts";
import { findGroup, type GroupRow, groupByChat, groupById, groupFacts } from "./group.view.ts";

/** A chat and whether access to it can be sold now. */
export type GroupForSale = {
  readonly id: bigint;
  readonly sellerId: bigint;
  readonly chatId: bigint;
  readonly kind: "supergroup" | "channel";
  readonly title: string;
  readonly state: GroupState;
  /** The bot is in it with its rights, it is not public, and it is within the quota. */
  readonly healthy: boolean;
};

export async function groupForSale(db: Db, groupId: bigint): Promise<GroupForSale | null> {
  return forSale(await groupById(db, groupId));
}

export async function groupOfChat(db: Db, chatId: bigint): Promise<GroupForSale | null> {
  return forSale(await groupByChat(db, chatId));
}

/** `wireId` is `channels[].id` or `telegram_group_id` (WIRE §2). Null for another seller's. */
export async function groupOfSeller(
  db: Db,
  sellerId: bigint,
  wireId: string,
): Promise<GroupForSale | null> {
  if (!/^-?\d{1,18}$/.test(wireId)) return null;
  const group = await findGroup(db, wireId);
  return group && group.seller_id === sellerId ? forSale(group) : null;
}

function forSale(row: GroupRow | null): GroupForSale | null {
  if (!row) return null;
  const state = stateOfGroup(groupFacts(row));
  return {
    id: row.id,
    sellerId: row.seller_id,
    chatId: row.chat_id,
    kind: row.kind,
    title: row.title,
    state,
    healthy: state === "connected",
  };
}
