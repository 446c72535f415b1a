import {
  addDeskDuration,
  changeDeskSettings,
  DEFAULTS_ON_WIRE,
  editDeskDuration,
  listDeskDurations,
  listSettingChanges,
  readDeskSettings,
} from "@sesame/contract/settings";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { loadSettings, type ReadSettings } from "../../settings.ts";
import { addDuration, editDuration } from "./change-durations.ts";
import { changeSettings } from "./change-settings.ts";
import { listDurations } from "./durations.store.ts";
import { findChanges } from "./settings.store.ts";

const PAGE = 30;

/** What an operator reads and changes. */
export function registerSettingsHttp(app: App, http: HttpServer): void {
  on(http, readDeskSettings, async () => answerOf(await loadSettings(app.db)));
  on(http, changeDeskSettings, async ({ body, caller }) => {
    const changed = await changeSettings(app, { body, actor: actorOf(caller) });
    return changed.ok ? answerOf(changed.value) : changed;
  });
  on(http, listSettingChanges, async ({ query: { key = null, cursor = null } }) => {
    const rows = await findChanges(app.db, { key, before: cursor, limit: PAGE });
    const changes = rows.map((row) => ({
      ...row,
      id: String(row.id),
      changed_at: row.changed_at.toISOString(),
      changed_by: String(row.changed_by),
    }));
    return { changes, next_cursor: rows.length === PAGE ? (changes.at(-1)?.id ?? null) : null };
  });
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

async function durationsOf({ db }: App) {
  const rows = await listDurations(db);
  const durations = rows.map((row) => ({
    id: String(row.id),
    minutes: row.minutes,
    label: row.display_name,
    description: row.description,
    discount: row.discount_percent,
    price_tier: row.price_tier,
    active: row.active,
    products: row.products,
  }));
  return { durations };
}
