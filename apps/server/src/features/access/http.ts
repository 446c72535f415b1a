import { myAccessAnswer } from "@sesame/contract/access";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { accessesOf } from "./access.view.ts";
import type { AccessDeps } from "./deps.ts";

export function registerAccessHttp(app: HttpServer, deps: AccessDeps): void {
  app.get(
    "/api/me/access",
    {
      summary: "Ses accès, en cours et terminés",
      config: { access: "person" },
      schema: { response: { 200: myAccessAnswer } },
    },
    async (request) => ({
      success: true as const,
      accesses: await accessesOf(deps.db, callerOf(request).personId, deps.imageUrl),
    }),
  );
}
