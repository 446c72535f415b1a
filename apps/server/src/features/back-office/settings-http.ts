import {
  addDeskDuration,
  changeDeskSettings,
  DEFAULTS_ON_WIRE,
  editDeskDuration,
  listDeskDurations,
  listSettingChanges,
  readDeskSettings,
} from "@sesame/contract/back-office";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { loadSettings, type ReadSettings } from "../../settings.ts";
import { addDuration, editDuration, listDurations } from "./durations.ts";
import { changeSettings, listChanges } from "./settings.ts";

/** What an operator reads and changes. */
export function registerSettingsHttp(app: App, http: HttpServer): void {
  on(http, readDeskSettings, async () => answerOf(await loadSettings(app.db)));
  on(http, changeDeskSettings, async ({ body, caller }) => {
    const changed = await changeSettings(app, { body, actor: actorOf(caller) });
    return changed.ok ? answerOf(changed.value) : changed;
  });
  on(http, listSettingChanges, ({ query: { key = null, cursor = null } }) =>
    listChanges(app.db, key, cursor),
  );
  on(http, listDeskDurations, () => durationsOf(app));
  on(http, addDeskDuration, async ({ body, caller }) => {
    const added = await addDuration(app, { body, actor: actorOf(caller) });
    return added.ok ? durationsOf(app) : added;
  });
  on(http, editDeskDuration, async ({ params: { id }, body, caller }) => {
    const edited = await editDuration(app, { id, body, actor: actorOf(caller) });
    return edited.ok ? durationsOf(app) : edited;
  });
}

function answerOf({ wire, version }: ReadSettings) {
  return { settings: wire, defaults: DEFAULTS_ON_WIRE, version };
}

const durationsOf = async ({ db }: App) => ({ durations: await listDurations(db) });
