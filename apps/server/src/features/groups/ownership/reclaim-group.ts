import type { ChannelOnWire, GroupRefusal, ReclaimableChannel } from "@sesame/contract/groups";
import type { CommonRefusal } from "@sesame/contract";
import { ok, Outage, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../../app.ts";
import { actorOf, audit } from "../../../audit/audit.store.ts";
import { telegramIdOf } from "../../../bot/people.store.ts";
import { tell } from "../../../bot/tell.ts";
import type { IdempotentCall } from "../../../http/idempotency.store.ts";
import { once } from "../../../http/once.ts";
import type { Principal } from "../../../http/principal.ts";
import type { Db } from "../../../postgres/database.ts";
import { announceChange, recheckLater } from "../announce.ts";
import { channelsOnWire, findGroup, type GroupRow } from "../group.view.ts";
import { askAdministrators } from "./administrators.ts";
import { replaceAdministrators } from "./administrators.store.ts";
import { OWNER_BUTTONS, takenBack, youTookItBack } from "../messages.fr.ts";
import { countProducts, findCreator, listCreatedGroups } from "./reclaim.view.ts";
import { sql } from "kysely";

/** Who sells the group now; the row is locked. Null for an absent one. */
async function lockGroupSeller(tx: Db, groupId: bigint): Promise<bigint | null> {
  const { rows } = await sql<{ seller_id: bigint }>`
    SELECT seller_id FROM groups WHERE id = ${groupId} FOR NO KEY UPDATE
  `.execute(tx);
  return rows[0]?.seller_id ?? null;
}

/**
 * The group changes hands, and its new seller is told so here: not once more that it is linked. Its
 * memberships hang on the group, its orders on their own seller.
 */
async function handOver(tx: Db, change: { groupId: bigint; to: bigint; now: Date }): Promise<void> {
  await sql`
    UPDATE groups SET seller_id = ${change.to}, linked_at = ${change.now}, quota_rank = NULL,
      seller_lost_rights_at = NULL, told_state = 'connected', last_event = 'reclaimed',
      last_event_at = ${change.now}
    WHERE id = ${change.groupId}
  `.execute(tx);
}

type ReclaimRequest = {
  /** `channels[].id` or `telegram_group_id`. */
  readonly wireId: string;
  readonly caller: Principal;
  readonly call: IdempotentCall | null;
};

const NOT_FOUND = { kind: "groups.not-found" } as const;

/**
 * The creator takes a group back from the seller who linked it (decision 126). The group changes
 * hands with the memberships that run in it; orders, what is paid for them late and their refunds
 * stay with the seller they name. Asks Telegram first; throws an Outage when it does not answer.
 */
export async function reclaimGroup(
  app: App,
  request: ReclaimRequest,
): Promise<Result<ChannelOnWire, GroupRefusal | CommonRefusal>> {
  const { caller, call } = request;
  const group = await findGroup(app.db, request.wireId);
  if (!group) return refuse(NOT_FOUND);
  const refused = await refuseUnproven(app, group, caller.personId);
  if (refused) return refuse(refused);
  const now = app.clock.now();
  return once<ChannelOnWire, GroupRefusal>(app, call, async (tx) => {
    const from = await lockGroupSeller(tx, group.id);
    if (from === null) return refuse(NOT_FOUND);
    if (from !== caller.personId) await changeHands(app, tx, { group, from, caller, now });
    const [channel] = await channelsOnWire(tx, { sellerId: caller.personId, groupId: group.id });
    return channel ? ok(channel) : refuse(NOT_FOUND);
  });
}

/** Why the caller may not have the group; null when Telegram has just named them its creator. */
async function refuseUnproven(
  app: App,
  group: GroupRow,
  personId: bigint,
): Promise<GroupRefusal | null> {
  // Taken back already: the same answer again.
  if (group.seller_id === personId) return null;
  const telegramId = await telegramIdOf(app.db, personId);
  if (telegramId === null) return NOT_FOUND;
  const administrators = group.bot_present
    ? await askAdministrators(app, group.chat_id, [telegramId])
    : null;
  if (!administrators) {
    // Only a person we heard of as its creator learns that we know this group.
    const isCreator = (await findCreator(app.db, group.id)) === personId;
    return isCreator ? { kind: "groups.bot-absent" } : NOT_FOUND;
  }
  const { all, complete } = administrators;
  if (complete) {
    await app.db.transaction().execute((tx) => replaceAdministrators(tx, group.id, all));
  }
  const standing = administrators.standingOf(telegramId);
  if (standing.kind === "may-own" && standing.isCreator) return null;
  return standing.kind === "not-admin" ? NOT_FOUND : { kind: "groups.not-creator" };
}

type Handover = {
  readonly group: GroupRow;
  readonly from: bigint;
  readonly caller: Principal;
  readonly now: Date;
};

async function changeHands(
  app: App,
  tx: Db,
  { group, from, caller, now }: Handover,
): Promise<void> {
  const { id: groupId } = group;
  const to = caller.personId;
  const products = await countProducts(tx, { groupId, sellerId: from });
  await handOver(tx, { groupId, to, now });
  await recheckLater(tx, groupId, now);
  await announceChange(tx, { sellerId: from, now });
  await announceChange(tx, { sellerId: to, now });
  const toProducts = app.appButton(OWNER_BUTTONS.products, "/ProductsList");
  const toGroups = app.appButton(OWNER_BUTTONS.groups, "/GroupeListe");
  await tell(
    tx,
    [
      {
        bot: "seller",
        personId: from,
        message: { text: takenBack(group, products), buttons: [toProducts] },
      },
      {
        bot: "seller",
        personId: to,
        message: { text: youTookItBack(group), buttons: [toGroups] },
      },
    ],
    now,
  );
  const entry = { action: "group.reclaim", subject: `group:${groupId}`, actor: actorOf(caller) };
  const change = { before: { seller_id: String(from) }, after: { seller_id: String(to) } };
  await audit(tx, { ...entry, ...change }, now);
}

/**
 * Groups of other sellers that the caller can take back: Telegram is asked about each now. One it
 * does not answer for stays in the list, since taking back asks again.
 */
export async function listReclaimable(app: App, personId: bigint): Promise<ReclaimableChannel[]> {
  const telegramId = await telegramIdOf(app.db, personId);
  if (telegramId === null) return [];
  const groups = await listCreatedGroups(app.db, { personId, telegramId });
  const asked = groups.map(async (group) => {
    const isCreator = await isCreatorNow(app, group, telegramId);
    return isCreator ? [group] : [];
  });
  return (await Promise.all(asked)).flat().map((group) => ({
    id: String(group.id),
    name: group.title,
    type: group.kind === "channel" ? "canal" : "groupe",
    telegram_group_id: Number(group.chat_id),
  }));
}

async function isCreatorNow(app: App, group: GroupRow, telegramId: bigint): Promise<boolean> {
  if (!group.bot_present) return true;
  const administrators = await askAdministrators(app, group.chat_id, [telegramId]).catch(
    (error: unknown) => {
      if (error instanceof Outage) return null;
      throw error;
    },
  );
  if (!administrators) return true;
  const standing = administrators.standingOf(telegramId);
  return standing.kind === "may-own" && standing.isCreator;
}
