import { idInPath } from "@sesame/contract";
import {
  addDurationBody,
  changeSettingsBody,
  DEFAULTS_ON_WIRE,
  type DeskDurationsAnswer,
  deskDurationsAnswer,
  editDurationBody,
  type SettingsAnswer,
  settingsAnswer,
  settingsHistoryAnswer,
  settingsHistoryQuery,
  settingsRefusals,
} from "@sesame/contract/settings";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { loadSettings, type ReadSettings } from "../../settings.ts";
import { addDuration, editDuration } from "./change-durations.ts";
import { changeSettings } from "./change-settings.ts";
import { type DurationRow, listDurations } from "./durations.store.ts";
import { findChanges } from "./settings.store.ts";

const operator = { access: "operator" } as const;
const PAGE = 30;

/** What an operator reads and changes. */
export function registerSettingsHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/desk/settings",
    {
      summary: "Les réglages en vigueur et leurs défauts",
      config: operator,
      schema: { response: { 200: settingsAnswer } },
    },
    async () => answerOf(await loadSettings(app.db)),
  );
  http.put(
    "/api/desk/settings",
    {
      summary: "Changer des réglages : frais, limites, horaires, seuils, liens",
      config: operator,
      schema: { body: changeSettingsBody, response: { 200: settingsAnswer } },
    },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const changed = await changeSettings(app, { body: request.body, actor });
      if (!changed.ok) return answerRefusal(reply, changed.refusal, settingsRefusals);
      return answerOf(changed.value);
    },
  );
  http.get(
    "/api/desk/settings/history",
    {
      summary: "Chaque changement d'un réglage : qui, quand, avant, après",
      config: operator,
      schema: { querystring: settingsHistoryQuery, response: { 200: settingsHistoryAnswer } },
    },
    async (request) => {
      const { key = null, cursor = null } = request.query;
      const rows = await findChanges(app.db, { key, before: cursor, limit: PAGE });
      const changes = rows.map((row) => ({
        ...row,
        id: String(row.id),
        changed_at: row.changed_at.toISOString(),
        changed_by: String(row.changed_by),
      }));
      const next = rows.length === PAGE ? (changes.at(-1)?.id ?? null) : null;
      return { success: true as const, changes, next_cursor: next };
    },
  );
  registerDurations(app, http);
}

function registerDurations(app: App, http: HttpServer): void {
  const answer = { 200: deskDurationsAnswer };
  const list = async () => durationsAnswerOf(await listDurations(app.db));
  http.get(
    "/api/desk/settings/durations",
    {
      summary: "Les durées proposées aux vendeurs",
      config: operator,
      schema: { response: answer },
    },
    list,
  );
  http.post(
    "/api/desk/settings/durations",
    {
      summary: "Ajouter une durée",
      config: operator,
      schema: { body: addDurationBody, response: answer },
    },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const added = await addDuration(app, { body: request.body, actor });
      if (!added.ok) return answerRefusal(reply, added.refusal, settingsRefusals);
      return list();
    },
  );
  http.put(
    "/api/desk/settings/durations/:id",
    {
      summary: "Renommer, décrire, activer ou désactiver une durée ; les produits gardent la leur",
      config: operator,
      schema: { params: z.object({ id: idInPath }), body: editDurationBody, response: answer },
    },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const { id } = request.params;
      const edited = await editDuration(app, { id, body: request.body, actor });
      if (!edited.ok) return answerRefusal(reply, edited.refusal, settingsRefusals);
      return list();
    },
  );
}

function answerOf({ wire, version }: ReadSettings): SettingsAnswer {
  return { success: true, settings: wire, defaults: DEFAULTS_ON_WIRE, version };
}

function durationsAnswerOf(rows: (DurationRow & { products: number })[]): DeskDurationsAnswer {
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
  return { success: true, durations };
}
