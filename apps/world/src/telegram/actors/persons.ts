import { textOf } from "@sesame/kernel";
import { NotPossible } from "../api-error.ts";
import { createChat, requireAdmin } from "../chats.ts";
import { postService } from "../messages.ts";
import { renewPrimary } from "../invite-links.ts";
import type { Bot, Person } from "../state.ts";
import { botOfRole, chatById, personById, type Town, userById } from "../town.ts";
import { personView } from "../views.ts";
import type { Actors } from "./actors.ts";

/** People, the chats they make, and what a mini app keeps in their cloud. */
export function personActors(town: Town) {
  return {
    createPerson({ firstName, lastName, username, languageCode }) {
      const person: Person = {
        id: town.state.nextPersonId++,
        firstName,
        lastName: lastName ?? null,
        username: username ?? null,
        languageCode: languageCode ?? "fr",
        deactivated: false,
      };
      town.state.persons.set(person.id, person);
      town.changed();
      return personView(town, person);
    },
    deactivatePerson({ personId }) {
      personById(town, personId).deactivated = true;
      town.changed();
      return null;
    },
    createChat(input) {
      const chat = createChat(town, input);
      // Every chat that can be joined has its owner's own link from the start.
      if (chat.kind !== "group") renewPrimary(town, chat, input.ownerId);
      return { chatId: chat.id };
    },
    renameChat({ personId, chatId, title }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "change_info");
      chat.title = title;
      town.changed();
      if (chat.kind !== "channel") {
        postService(town, chat, { from: userById(town, personId), new_chat_title: title });
      }
      return null;
    },
    customMethod({ personId, bot, method, params }) {
      return callCloud(storageOf(botOfRole(town, bot), personId), method, params);
    },
  } satisfies Partial<Actors>;
}

function storageOf(bot: Bot, personId: number): Map<string, string> {
  const storage = bot.storage.get(personId) ?? new Map<string, string>();
  bot.storage.set(personId, storage);
  return storage;
}

const MAX_KEYS = 1_024;
const MAX_VALUE_CHARS = 4_096;

/** Cloud storage of mini apps: four custom methods (telegram.md §1.3). */
function callCloud(
  storage: Map<string, string>,
  method: string,
  params: Record<string, unknown>,
): { result: unknown } | { error: string } {
  const keys = Array.isArray(params.keys) ? params.keys.map(String) : [];
  switch (method) {
    case "saveStorageValue": {
      const key = textOf(params.key);
      const value = textOf(params.value);
      if (!/^[\w-]{1,128}$/.test(key)) return { error: "KEY_INVALID" };
      if (value.length > MAX_VALUE_CHARS) return { error: "VALUE_INVALID" };
      if (!storage.has(key) && storage.size >= MAX_KEYS) return { error: "QUOTA_EXCEEDED" };
      storage.set(key, value);
      return { result: true };
    }
    case "getStorageValues":
      return { result: Object.fromEntries(keys.map((key) => [key, storage.get(key) ?? ""])) };
    case "deleteStorageValues":
      for (const key of keys) storage.delete(key);
      return { result: true };
    case "getStorageKeys":
      return { result: [...storage.keys()] };
    default:
      throw new NotPossible(`no custom method ${method}`);
  }
}
