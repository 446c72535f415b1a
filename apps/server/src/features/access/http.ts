import { listAccesses } from "@sesame/contract/access";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { accessesOf } from "./access.view.ts";

export function registerAccessHttp(app: App, http: HttpServer): void {
  on(http, listAccesses, async ({ caller }) => ({
    accesses: await accessesOf(app, caller.personId),
  }));
}
