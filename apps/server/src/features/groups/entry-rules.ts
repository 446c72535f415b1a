import { addMs, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { html, notify } from "../../bot/message.ts";
import { type Db, maybe } from "../../postgres/database.ts";
import { type GroupRow, groupById, publishChannels, RECHECK_EVERY_MS } from "./groups.ts";
import * as messages from "./messages.fr.ts";

/** How people can enter a group without our links, and the seller's choice about it. */
type EntryRules = {
  /** Null: a channel, or not read yet. */
  readonly members_can_add: boolean | null;
  readonly remove_added: boolean;
};

export async function entryRulesOf(db: Db, groupId: bigint): Promise<EntryRules> {
  const rules = await maybe<EntryRules>(db)`
    SELECT members_can_add, remove_added FROM group_entry_rules WHERE group_id = ${groupId}
  `;
  return rules ?? { members_can_add: null, remove_added: false };
}

/** Spreads the checks of groups that were linked at the same time. */
const SPREAD_MS = 5 * MINUTE_MS;

/**
 * Stores whether members may add members, and notifies the seller of the fault once. Null: a channel,
 * or unknown.
 */
export async function noteMembersCanAdd(app: App, groupId: bigint, canAdd: boolean | null) {
  const now = app.clock.now();
  const spreadMs = Number(groupId % 60n) * (SPREAD_MS / 60);
  const dueAt = addMs(now, RECHECK_EVERY_MS - spreadMs);
  await app.db.transaction().execute(async (tx) => {
    // The last state notified to the seller: a notification about this group locks its row first.
    const last = await maybe<{ state: string | null }>(tx)`
      SELECT notified_state AS state FROM groups WHERE id = ${groupId} FOR NO KEY UPDATE
    `;
    if (!last) return;
    const before = await entryRulesOf(tx, groupId);
    await sql`
      INSERT INTO group_entry_rules AS r (group_id, members_can_add, due_at)
      VALUES (${groupId}, ${canAdd}, ${dueAt})
      ON CONFLICT (group_id) DO UPDATE SET members_can_add = excluded.members_can_add,
        due_at = excluded.due_at,
        fault_notified_at = CASE WHEN excluded.members_can_add THEN r.fault_notified_at END
    `.execute(tx);
    const isNews = before.members_can_add !== canAdd;
    const group = isNews || canAdd === true ? await groupById(tx, groupId) : null;
    if (!group) return;
    if (isNews) await publishChannels(tx, group.seller_id);
    // The message that it is linked reports the fault itself.
    const hasLinked = last.state === "connected" || last.state === "over_quota";
    if (canAdd !== true || !hasLinked || !(await takeFaultNotification(tx, groupId, now))) return;
    const message = await entryRulesMessage(tx, group);
    await notify(tx, [{ bot: "seller", personId: group.seller_id, message }], now);
  });
}

/** Marks the fault as notified. False: there is no fault, or it was notified before. */
export async function takeFaultNotification(tx: Db, groupId: bigint, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE group_entry_rules SET fault_notified_at = ${now}
    WHERE group_id = ${groupId} AND members_can_add AND fault_notified_at IS NULL
  `.execute(tx);
  return numAffectedRows === 1n;
}

/**
 * The seller's switch: a person added by a member without paid time is removed, or only reported. A
 * group never checked is checked at once.
 */
export async function chooseRemoveAdded(app: App, group: GroupRow, removes: boolean) {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await sql`
      INSERT INTO group_entry_rules (group_id, remove_added, due_at)
      VALUES (${group.id}, ${removes}, ${now})
      ON CONFLICT (group_id) DO UPDATE SET remove_added = excluded.remove_added
    `.execute(tx);
    await publishChannels(tx, group.seller_id);
  });
}

/** How people can enter a group without our links, with the seller's choices. */
export async function entryRulesMessage(db: Db, group: GroupRow) {
  const { members_can_add: canAdd, remove_added: removes } = await entryRulesOf(db, group.id);
  const { RULE_BUTTONS, REMOVED, REPORTED } = messages;
  const close = { text: RULE_BUTTONS.close, callback: `group:close-adds:${group.id}` };
  const change = removes
    ? { text: RULE_BUTTONS.keep, callback: `group:remove-added:${group.id}:off` }
    : { text: RULE_BUTTONS.remove, callback: `group:remove-added:${group.id}:on` };
  const buttons = canAdd && group.facts.rights.restrict_members ? [close, change] : [change];
  const added = removes ? REMOVED : REPORTED;
  // Not read from Telegram yet.
  if (canAdd === null) return { text: added, buttons };
  const rule = canAdd ? messages.membersCanAdd(group) : messages.membersCannotAdd(group);
  return {
    text: html`${rule}

${added}`,
    buttons,
  };
}
