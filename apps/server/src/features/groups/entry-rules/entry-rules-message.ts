import { type Html, html } from "../../../bot/html.ts";
import type { BotMessage, MessageButton } from "../../../bot/message.ts";
import type { Db } from "../../../postgres/database.ts";
import type { GroupRow } from "../group.view.ts";
import { entryRulesOf } from "./entry-rules.store.ts";
import * as messages from "../messages.fr.ts";

type Group = Pick<GroupRow, "id" | "title" | "kind" | "can_restrict">;
type EntryRulesMessage = BotMessage & { readonly buttons: readonly MessageButton[] };

/** How people can come into a group beside our links, with what the seller may do about it. */
export async function entryRulesMessage(db: Db, group: Group): Promise<EntryRulesMessage> {
  const rules = await entryRulesOf(db, group.id);
  const close = { text: messages.RULE_BUTTONS.close, callback: `group:close-adds:${group.id}` };
  const change = rules.remove_added
    ? { text: messages.RULE_BUTTONS.keep, callback: `group:remove-added:${group.id}:off` }
    : { text: messages.RULE_BUTTONS.remove, callback: `group:remove-added:${group.id}:on` };
  const closes = rules.members_can_add === true && group.can_restrict;
  const added = rules.remove_added ? messages.REMOVED : messages.REPORTED;
  const door = sayDoor(group, rules.members_can_add);
  return {
    text: door
      ? html`${door}

${added}`
      : added,
    buttons: closes ? [close, change] : [change],
  };
}

/** Null: Telegram has not said yet. */
function sayDoor(group: Group, membersCanAdd: boolean | null): Html | null {
  if (membersCanAdd === null) return null;
  return membersCanAdd ? messages.membersCanAdd(group) : messages.membersCannotAdd(group);
}
