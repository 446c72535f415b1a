import { myAccessAnswer } from "@sesame/contract/access";
import type { App } from "../../app.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { accessesOf } from "./access.view.ts";

export function registerAccessHttp(app: App, http: HttpServer): void {
  http.get(
    "/api/me/access",
    {
      summary: "Ses accès, en cours et terminés",
      config: { access: "person" },
      schema: { response: { 200: myAccessAnswer } },
    },
    async (request) => ({
      success: true as const,
      accesses: await accessesOf(app, callerOf(request).personId),
    }),
  );
}
