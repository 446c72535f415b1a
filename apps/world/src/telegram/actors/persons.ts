import { createChat, requireAdmin } from "../chats.ts";
import { postService } from "../messages.ts";
import { renewPrimary } from "../invite-links.ts";
import type { Person } from "../state.ts";
import { chatById, personById, type Town, userById } from "../town.ts";
import { personView } from "../views.ts";
import type { Actors } from "./actors.ts";

/** People, and the chats they make. */
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
  } satisfies Partial<Actors>;
}
