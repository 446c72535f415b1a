import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { ownFolder } from "../../../tools/postgres/leftovers.ts";
import type { Site } from "../src/pages/site.ts";
import type { TestApp } from "./harness.ts";

/** A web app whose pages are the views they were rendered from; its files go after the file's tests. */
export async function stubSite(): Promise<Site> {
  const folder = ownFolder("pages");
  afterAll(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "buyer.js"), "self");
  return {
    shell: "<head><style>p{color:red}</style></head>shell",
    shellScripts: [],
    shellStyles: ["p{color:red}"],
    buyerEntry: "/assets/buyer.js",
    buyerPreload: [],
    buyerCss: "",
    bootScript: "",
    widgetEntry: "/assets/widget.js",
    widgetPreload: [],
    widgetCss: "",
    renderBuyerPage: () => "",
    assetsFolder: folder,
    worker: "self",
  };
}

export type Shown = { readonly status: number; readonly text: string; readonly policy: string };

export async function showPage(app: TestApp, path: string): Promise<Shown> {
  const answer = await app.call<string>("GET", path, { headers: { accept: "text/html" } });
  return {
    status: answer.status,
    text: answer.body,
    policy: answer.headers.get("content-security-policy") ?? "",
  };
}

/** The view of the buyers' page; null for another document. */
export function viewOf({ text }: Shown): Record<string, unknown> | null {
  const [, json] = /id="sesame-page">([\s\S]*?)<\/script>/.exec(text) ?? [];
  return json === undefined ? null : (JSON.parse(json) as { view: Record<string, unknown> }).view;
}
