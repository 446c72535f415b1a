import * as contract from "@sesame/contract/groups";
import { ok, Outage, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { telegramIdOf } from "../../people/people.ts";
import { notify, toPerson } from "../../bot/message.ts";
import { type IdempotentCall, once } from "../../http/on.ts";
import type { Principal } from "../../http/server.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import * as groups from "./groups.ts";
import { OWNER_BUTTONS, takenBack, youTookItBack } from "./messages.fr.ts";
import { replaceAdministrators } from "./linked-chat.ts";

const NOT_FOUND = refuse({ kind: "groups.not-found" });

/**
 * The creator takes a group over from the seller who linked it (decision 126). Its running
 * memberships go to the new seller; orders, their late payments and refunds stay with their own
 * seller. Reads the creator from Telegram first; throws an Outage when it does not answer.
 */
export async function reclaimGroup(
  app: App,
  wireId: string,
  caller: Principal,
  call: IdempotentCall | null,
) {
  const group = await groups.findGroup(app.db, wireId);
  if (!group) return NOT_FOUND;
  const refused = await refuseUnproven(app, group, caller.personId);
  if (refused) return refused;
  const now = app.clock.now();
  return once(app, call, async (tx) => {
    const sold = await maybe<{ by: bigint }>(tx)`
      SELECT seller_id AS by FROM groups WHERE id = ${group.id} FOR NO KEY UPDATE
    `;
    if (!sold) return NOT_FOUND;
    if (sold.by !== caller.personId) {
      await changeHands(app, tx, { group, from: sold.by, caller, now });
    }
    const [channel] = await groups.channelsOf({ db: tx }, caller.personId, group.id);
    return channel ? ok(z.encode(contract.channelOnWire, channel)) : NOT_FOUND;
  });
}

/** Why the caller may not have the group; null when Telegram just confirmed the caller as creator. */
async function refuseUnproven(app: App, group: groups.GroupRow, personId: bigint) {
  // Taken over already: the same answer again.
  if (group.seller_id === personId) return null;
  const telegramId = await telegramIdOf(app.db, personId);
  if (telegramId === null) return NOT_FOUND;
  const administrators = group.facts.botPresent
    ? await groups.askAdministrators(app, group.chat_id, [telegramId])
    : null;
  if (!administrators) {
    // Only a person known as its creator learns that this group is linked here.
    const isCreator = (await findCreator(app.db, group.id)) === personId;
    return isCreator ? refuse({ kind: "groups.bot-absent" }) : NOT_FOUND;
  }
  const { all, complete } = administrators;
  if (complete) {
    await app.db.transaction().execute((tx) => replaceAdministrators(tx, group.id, all));
  }
  const caller = administrators.find(telegramId);
  if (!caller) return NOT_FOUND;
  return caller.isCreator ? null : refuse({ kind: "groups.not-creator" });
}

/** The creator of a linked group as last reported, if known to the bot. */
export async function findCreator(db: Db, groupId: bigint): Promise<bigint | null> {
  const creator = await maybe<{ id: bigint }>(db)`
    SELECT p.id FROM group_admins a JOIN people p ON p.telegram_id = a.telegram_id
    WHERE a.group_id = ${groupId} AND a.is_creator
  `;
  return creator?.id ?? null;
}

/**
 * The new seller gets a message that the group is theirs, without a second one that it is linked.
 * Memberships belong to the group, orders to their own seller.
 */
async function changeHands(
  app: App,
  tx: Db,
  reclaimed: { group: groups.GroupRow; from: bigint; caller: Principal; now: Date },
): Promise<void> {
  const { group, from, caller, now } = reclaimed;
  const { id: groupId } = group;
  const { personId: to } = caller;
  const { products } = await one<{ products: number }>(tx)`
    SELECT count(*)::int AS products FROM products
    WHERE group_id = ${groupId} AND seller_id = ${from} AND archived_at IS NULL
  `;
  await sql`
    UPDATE groups SET seller_id = ${to}, linked_at = ${now}, quota_rank = NULL,
      seller_lost_rights_at = NULL, notified_state = 'connected', last_event = 'reclaimed',
      last_event_at = ${now}
    WHERE id = ${groupId}
  `.execute(tx);
  await groups.recheckLater(tx, groupId, now);
  await groups.announceChange(tx, { sellerId: from, now });
  await groups.announceChange(tx, { sellerId: to, now });
  const [lost, won] = [takenBack(group, products), youTookItBack(group)];
  const { products: toProducts, groups: toGroups } = OWNER_BUTTONS;
  const notifications = [
    toPerson(app, from, { text: lost, button: toProducts, path: "/ProductsList" }),
    toPerson(app, to, { text: won, button: toGroups, path: "/GroupeListe" }),
  ];
  await notify(tx, notifications, now);
  const entry = { action: "group.reclaim", subject: `group:${groupId}`, actor: actorOf(caller) };
  const change = { before: { seller_id: String(from) }, after: { seller_id: String(to) } };
  await audit(tx, { ...entry, ...change }, now);
}

type Created = z.output<typeof contract.reclaimableChannel> & {
  readonly chat_id: bigint;
  readonly bot_present: boolean;
};

const LISTED = 20;

/**
 * Groups of other sellers that the caller can take over: each is read from Telegram now. One
 * without an answer stays in the list, since taking over reads it again.
 */
export async function listReclaimable(app: App, personId: bigint): Promise<Created[]> {
  const telegramId = await telegramIdOf(app.db, personId);
  if (telegramId === null) return [];
  const created = await many<Created>(app.db)`
    SELECT ${groups.NAMES}, g.chat_id, g.bot_present FROM groups g
    WHERE g.seller_id <> ${personId} AND g.id IN (
      SELECT group_id FROM group_admins
      WHERE telegram_id = ${telegramId} AND is_creator LIMIT ${LISTED}
    )
    ORDER BY g.linked_at, g.id
  `;
  const theirs = await Promise.all(created.map((group) => isCreatorNow(app, group, telegramId)));
  return created.filter((_, index) => theirs[index]);
}

async function isCreatorNow(app: App, group: Created, telegramId: bigint): Promise<boolean> {
  if (!group.bot_present) return true;
  const administrators = await groups
    .askAdministrators(app, group.chat_id, [telegramId])
    .catch((error: unknown) => {
      if (error instanceof Outage) return null;
      throw error;
    });
  return !administrators || administrators.find(telegramId)?.isCreator === true;
}
