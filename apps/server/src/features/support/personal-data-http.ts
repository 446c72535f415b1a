import { commonRefusals } from "@sesame/contract";
import { registryRefusals } from "@sesame/contract/desk";
import {
  DATA_ERASED,
  eraseAnswer,
  eraseBody,
  personalDataAnswer,
  supportRefusals,
} from "@sesame/contract/support";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { type EraseRefusal, eraseAtRequest } from "./erase-person.ts";
import { EXPORT_MAX, exportBuyer, exportPerson, exportSeller } from "./personal-data.view.ts";

const person = { access: "person" } as const;
const sentences = { ...supportRefusals, ...registryRefusals, ...commonRefusals };
const CONFIRM = { kind: "personal.confirm-missing" } as const;

/** What is kept of a person: to be had, and to be erased (decision 101). */
export function registerPersonalDataHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/me/export",
    {
      summary: "Tout ce qui est gardé de soi, acheteur et vendeur, sans secret",
      config: person,
      schema: { response: { 200: personalDataAnswer } },
    },
    async (request, reply) => {
      const { personId: id } = callerOf(request);
      const { db, clock } = app;
      return reply
        .header("cache-control", "no-store")
        .header("content-disposition", 'attachment; filename="sesame-mes-donnees.json"')
        .send({
          success: true,
          made_at: clock.now().toISOString(),
          limit: EXPORT_MAX,
          person: await exportPerson(db, id),
          as_buyer: await exportBuyer(db, id),
          as_seller: await exportSeller(db, id),
        });
    },
  );
  http.post(
    "/api/me/delete",
    {
      summary: "Effacer ses données ; les comptes restent, sans nom ni numéro",
      config: person,
      schema: { body: eraseBody.optional(), response: { 200: eraseAnswer } },
    },
    async (request, reply) => {
      // Nobody erases himself by a call without a word.
      if (request.body?.confirm !== true) {
        return answerRefusal<EraseRefusal>(reply, CONFIRM, sentences);
      }
      const erased = await eraseAtRequest(app, callerOf(request));
      if (!erased.ok) return answerRefusal<EraseRefusal>(reply, erased.refusal, sentences);
      return { success: true as const, message: DATA_ERASED };
    },
  );
}
