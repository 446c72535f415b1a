import type { OpenAPIV3_1 } from "openapi-types";
import { pagePolicy } from "../http/content-security-policy.ts";
import { type MadeOnce, makeOnce } from "../http/made-once.ts";
import type { HttpServer } from "../http/server.ts";
import { docsHtml } from "./docs-html.ts";
import { DOCS_CSS } from "./docs-css.ts";

export type DocsDeps = {
  readonly publicUrl: string;
  readonly frameAncestors: readonly string[];
};

/** /docs: the description of every call, for people to read. Made once, from /api/openapi.json. */
export function registerDocs(app: HttpServer, deps: DocsDeps): void {
  const policy = pagePolicy(deps, { scripts: [], styles: [DOCS_CSS] });
  let page: MadeOnce | null = null;
  app.get("/docs", { config: { access: "public" }, schema: { hide: true } }, (request, reply) => {
    page ??= makeOnce(docsHtml(app.swagger() as OpenAPIV3_1.Document), "text/html; charset=utf-8");
    return page.send(request, reply.header("content-security-policy", policy));
  });
}
