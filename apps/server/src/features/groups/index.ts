import { type ChannelOnWire, type GroupState, stateOfGroup } from "@sesame/contract/groups";
import type { FastifyBaseLogger } from "fastify";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Loop } from "../../jobs/loop.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import type { SellerPart } from "../../postgres/parts.ts";
import { announceChange, LINK_PENDING } from "./announce.ts";
import { groupUpdates } from "./bot.ts";
import type { GroupsDeps } from "./deps.ts";
import { type EntryRules, entryRulesOf } from "./entry-rules/entry-rules.store.ts";
import { createPermissionsLoop } from "./entry-rules/permissions-loop.ts";
import {
  channelsOnWire,
  channelsPart,
  findGroup,
  type GroupRow,
  groupById,
  groupByChat,
  groupFacts,
  isAdmin,
  sellerOfTelegram,
} from "./group.view.ts";
import { registerGroupsHttp } from "./http.ts";
import { groupJobs } from "./jobs.ts";
import { migrateGroup } from "./migrate-group.ts";
import { createRecheckLoop } from "./ownership/recheck-loop.ts";
import { refreshGroup } from "./refresh-group.ts";

export { createLinkPayloads } from "./add-links.ts";
export { RENEW_LINKS, RESUME_ACCESS } from "./announce.ts";
export type { GroupsDeps } from "./deps.ts";
export { addMembers, RECHECK_EVERY_MS, recordEvent } from "./group.store.ts";

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

export type Groups = {
  channelsOf(sellerId: bigint): Promise<ChannelOnWire[]>;
  readonly channelsAtStart: SellerPart<ChannelOnWire[]>;
  groupForSale(db: Db, groupId: bigint): Promise<GroupForSale | null>;
  groupOfChat(db: Db, chatId: bigint): Promise<GroupForSale | null>;
  /** `wireId` is `channels[].id` or `telegram_group_id` (WIRE §2). Null for another seller's. */
  groupOfSeller(db: Db, sellerId: bigint, wireId: string): Promise<GroupForSale | null>;
  /** The owner and the admins of a group cannot buy it (decision 80). */
  isAdminOf(db: Db, groupId: bigint, telegramId: bigint): Promise<boolean>;
  /** Chats the person added the bot to before being a seller. In the transaction that makes them one. */
  linkWaiting(tx: Db, who: { sellerId: bigint; now: Date }): Promise<void>;
  /** Telegram named another id for the chat. */
  followMigration(move: { from: bigint; to: bigint }): Promise<void>;
  /** The seller's quota is another: his screens, product pages and he himself hear what it does. */
  announceChange(tx: Db, change: { sellerId: bigint; now: Date }): Promise<void>;
  /** Asks Telegram about the chat anew. Throws an Outage. */
  recheck(groupId: bigint): Promise<void>;
  registerHttp(app: HttpServer): void;
  /** The seller behind a Telegram account; null for who is none. */
  sellerOfTelegram(telegramId: number): Promise<bigint | null>;
  /** What the seller wants done about people who come in beside our links. */
  entryRulesOf(db: Db, groupId: bigint): Promise<EntryRules>;
  /** Reads the default permissions of each group again, every hour. */
  permissionsLoop(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
  /** Asks about each linked chat once an hour. */
  recheckLoop(log: Pick<FastifyBaseLogger, "error" | "warn">): Loop;
  readonly jobs: readonly JobHandler[];
  readonly updates: UpdateHandler;
};

export function createGroups(deps: GroupsDeps): Groups {
  return {
    channelsOf: (sellerId) => channelsOnWire(deps.db, { sellerId }),
    channelsAtStart: channelsPart,
    groupForSale: async (db, groupId) => forSale(await groupById(db, groupId)),
    groupOfChat: async (db, chatId) => forSale(await groupByChat(db, chatId)),
    async groupOfSeller(db, sellerId, wireId) {
      if (!/^-?\d{1,18}$/.test(wireId)) return null;
      const group = await findGroup(db, wireId);
      return group && group.seller_id === sellerId ? forSale(group) : null;
    },
    isAdminOf: (db, groupId, telegramId) => isAdmin(db, { groupId, telegramId }),
    linkWaiting,
    followMigration: (move) => migrateGroup(deps, move),
    announceChange,
    recheck: (groupId) => refreshGroup(deps, groupId),
    sellerOfTelegram: (telegramId) => sellerOfTelegram(deps.db, BigInt(telegramId)),
    entryRulesOf,
    permissionsLoop: (log) => createPermissionsLoop(deps, log),
    registerHttp: (app) => registerGroupsHttp(app, deps),
    recheckLoop: (log) => createRecheckLoop(deps, log),
    jobs: groupJobs(deps),
    updates: groupUpdates(deps),
  };
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

/** Nothing is given in the sign-in itself: a job asks Telegram first, and again until it answers. */
async function linkWaiting(tx: Db, who: { sellerId: bigint; now: Date }): Promise<void> {
  await enqueue(tx, [{ topic: LINK_PENDING, ref: who.sellerId, priority: 1, dueAt: who.now }]);
}
