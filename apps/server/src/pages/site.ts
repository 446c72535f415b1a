import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert } from "@sesame/kernel";

/** The built web: the sellers' shell, and what the buyers' page is made of. */
export type Site = {
  readonly shell: string;
  readonly shellScripts: readonly string[];
  readonly shellStyles: readonly string[];
  readonly buyerEntry: string;
  /** What the entry imports: fetched beside it, not after it. */
  readonly buyerPreload: readonly string[];
  readonly buyerCss: string;
  readonly bootScript: string;
  /** The script and the styles of a payment's own page, where a provider's widget is opened. */
  readonly widgetEntry: string;
  readonly widgetPreload: readonly string[];
  readonly widgetCss: string;
  /** HTML of the buyer's page for `#root`; `page` is the web's `BuyerPage`. */
  renderBuyerPage(page: unknown): string;
  readonly assetsFolder: string;
  /** The sellers' service worker. */
  readonly worker?: string;
};

type ManifestChunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
};

const BUYER_ENTRY = "src/buyer/entry-client.tsx";
/** Drawn by the server, fetched by the browser apart: its styles are wanted in the document. */
const SHOP = "src/buyer/shop-view.tsx";
const WIDGET_ENTRY = "src/widget/entry.ts";

/** Loads what `vite build` and `vite build --ssr` made under `folder`. */
export async function loadSite(folder: string): Promise<Site> {
  const client = join(folder, "client");
  const manifest = JSON.parse(
    await readFile(join(client, ".vite", "manifest.json"), "utf8"),
  ) as Record<string, ManifestChunk>;
  const buyer = await readEntry(client, manifest, BUYER_ENTRY);
  const shopCss = await readStyles(client, [manifest[SHOP]]);
  const widget = await readEntry(client, manifest, WIDGET_ENTRY);
  const shell = await readFile(join(client, "index.html"), "utf8");
  const server = await loadServerEntry(join(folder, "server", "entry-server.js"));
  return {
    shell,
    shellScripts: inlines(shell, "script"),
    shellStyles: inlines(shell, "style"),
    buyerEntry: buyer.entry,
    buyerPreload: buyer.preload,
    buyerCss: buyer.css + shopCss,
    widgetEntry: widget.entry,
    widgetPreload: widget.preload,
    widgetCss: widget.css,
    ...server,
    assetsFolder: join(client, "assets"),
    worker: await readFile(join(client, "service-worker.js"), "utf8"),
  };
}

async function readEntry(
  client: string,
  manifest: Record<string, ManifestChunk>,
  name: string,
): Promise<{ entry: string; preload: readonly string[]; css: string }> {
  const entry = manifest[name];
  assert(entry, `the web's manifest has no ${name}: build it again`);
  const chunks = importsOf(manifest, entry);
  return {
    entry: `/${entry.file}`,
    preload: chunks.map((chunk) => `/${chunk.file}`),
    css: await readStyles(client, [entry, ...chunks]),
  };
}

async function readStyles(
  client: string,
  chunks: readonly (ManifestChunk | undefined)[],
): Promise<string> {
  const files = chunks.flatMap((chunk) => chunk?.css ?? []);
  return (await Promise.all(files.map((file) => readFile(join(client, file), "utf8")))).join("");
}

function importsOf(manifest: Record<string, ManifestChunk>, entry: ManifestChunk): ManifestChunk[] {
  const found = new Map<string, ManifestChunk>();
  const walk = (chunk: ManifestChunk) => {
    for (const name of chunk.imports ?? []) {
      const next = manifest[name];
      if (!next || found.has(name)) continue;
      found.set(name, next);
      walk(next);
    }
  };
  walk(entry);
  return [...found.values()];
}

async function loadServerEntry(
  path: string,
): Promise<Pick<Site, "renderBuyerPage" | "bootScript">> {
  const module: unknown = await import(pathToFileURL(path).href);
  assert(
    typeof module === "object" &&
      module !== null &&
      "renderBuyerPage" in module &&
      "bootScript" in module,
    "the buyers' server entry has other names: build the web again",
  );
  const { renderBuyerPage, bootScript } = module;
  assert(typeof renderBuyerPage === "function", "renderBuyerPage is a function");
  assert(typeof bootScript === "string", "bootScript is a text");
  return { bootScript, renderBuyerPage: (page) => String(renderBuyerPage(page)) };
}

function inlines(html: string, tag: "script" | "style"): string[] {
  const element = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g");
  return [...html.matchAll(element)].map((match) => match[1] ?? "");
}
