import type { App } from "../../../app.ts";
import type { BotMessage, MessageButton } from "../../../bot/message.ts";
import { type Entry, openEntries } from "./entries.store.ts";
import * as messages from "../messages.fr.ts";

const { ENTRY_BUTTONS, ENTRIES_SHOWN } = messages;

/** Durations a seller gives by one tap, of those every product may have. */
export const GRANT_MINUTES = [10_080, 43_200, 129_600] as const;

/** One person, with what the seller may do about him. */
export function cardMessage(entry: Entry): BotMessage {
  const press = (text: string, verb: string) => ({ text, callback: `entry:${verb}:${entry.id}` });
  const buttons =
    entry.status === "open"
      ? [
          press(ENTRY_BUTTONS.giveTime, "time"),
          press(ENTRY_BUTTONS.remove, "remove"),
          press(ENTRY_BUTTONS.allow, "allow"),
        ]
      : [];
  return { text: messages.sayEntry(entry), buttons };
}

export function timeMessage(entry: Entry): BotMessage {
  const durations = GRANT_MINUTES.map((minutes) => ({
    text: ENTRY_BUTTONS.duration(minutes),
    callback: `entry:give:${entry.id}:${minutes}`,
  }));
  const back = { text: ENTRY_BUTTONS.back, callback: `entry:card:${entry.id}` };
  return { text: messages.whichTime(entry), buttons: [...durations, back] };
}

/** What the seller is notified of a group's entries: one in full, several by name. */
export function reportMessage(entries: readonly Entry[]): BotMessage {
  const [first] = entries;
  if (first && entries.length === 1) return cardMessage(first);
  return { text: messages.sayEntries(entries, entries.length), buttons: listButtons(entries) };
}

/** Those who wait for a decision, a few at a time. */
export async function listMessage(
  app: App,
  of: { groupId: bigint; title: string; before: bigint | null },
): Promise<BotMessage> {
  const { entries, total } = await openEntries(app.db, {
    groupId: of.groupId,
    before: of.before,
    limit: ENTRIES_SHOWN,
  });
  if (entries.length === 0) return { text: messages.nobodyLeft(of.title) };
  return {
    text: messages.sayEntries(entries, total),
    buttons: listButtons(entries, total > entries.length),
  };
}

function listButtons(entries: readonly Entry[], more = entries.length > ENTRIES_SHOWN) {
  const open = entries.slice(0, ENTRIES_SHOWN).filter((entry) => entry.status === "open");
  const buttons: MessageButton[] = open.map((entry) => ({
    text: entry.name,
    callback: `entry:card:${entry.id}`,
  }));
  const last = entries.slice(0, ENTRIES_SHOWN).at(-1);
  if (more && last) {
    const callback = `entry:list:${last.group_id}:${last.id}`;
    buttons.push({ text: ENTRY_BUTTONS.next, callback });
  }
  return buttons;
}

/** After a decision: what was decided, and the way to the others. */
export function outcomeMessage(entry: Entry, text: BotMessage["text"]): BotMessage {
  const callback = `entry:list:${entry.group_id}:0`;
  return { text, buttons: [{ text: ENTRY_BUTTONS.others, callback }] };
}
