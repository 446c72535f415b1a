import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CALLS_A_MINUTE } from "@sesame/contract";
import { assert } from "@sesame/kernel";
import { BEST_QUALITY, type EncodedOnce, encodeOnce, sendEncoded } from "../http/compress.ts";
import type { HttpServer } from "../http/server.ts";

/** The built web app: the sellers' shell, and the parts of the buyers' page. */
export type Site = {
  readonly shell: string;
  readonly shellScripts: readonly string[];
  readonly shellStyles: readonly string[];
  readonly buyerEntry: string;
  /** Imports of the entry: fetched beside it, not after it. */
  readonly buyerPreload: readonly string[];
  readonly buyerCss: string;
  readonly bootScript: string;
  /** The script and styles of a payment's own page, with a provider's widget. */
  readonly widgetEntry: string;
  readonly widgetPreload: readonly string[];
  readonly widgetCss: string;
  /** The buyer's page as HTML for `#root`; `page` is the web app's `BuyerPage`. */
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
/** Rendered by the server and chunks of their own in the browser: the document needs their styles. */
const OWN_VIEWS = ["src/features/checkout/shop-page.tsx", "src/buyer/return-view.tsx"];
const WIDGET_ENTRY = "src/widget/entry.ts";

/** Loads the result of `vite build` and `vite build --ssr` under `folder`. */
export async function loadSite(folder: string): Promise<Site> {
  const client = join(folder, "client");
  const manifest = JSON.parse(
    await readFile(join(client, ".vite", "manifest.json"), "utf8"),
  ) as Record<string, ManifestChunk>;
  const buyer = await readEntry(client, manifest, BUYER_ENTRY);
  const own = OWN_VIEWS.map((name) => {
    const chunk = manifest[name];
    assert(chunk, `the build has no ${name}`);
    return chunk;
  });
  const ownCss = await readStyles(client, own);
  const widget = await readEntry(client, manifest, WIDGET_ENTRY);
  const shell = await readFile(join(client, "index.html"), "utf8");
  const server = await loadServerEntry(join(folder, "server", "entry-server.js"));
  return {
    shell,
    shellScripts: inlines(shell, "script"),
    shellStyles: inlines(shell, "style"),
    buyerEntry: buyer.entry,
    buyerPreload: buyer.preload,
    buyerCss: buyer.css + ownCss,
    widgetEntry: widget.entry,
    widgetPreload: widget.preload,
    widgetCss: widget.css,
    ...server,
    assetsFolder: join(client, "assets"),
    worker: await readFile(join(client, "service-worker.js"), "utf8"),
  };
}

async function readEntry(client: string, manifest: Record<string, ManifestChunk>, name: string) {
  const entry = manifest[name];
  assert(entry, `the web's manifest has no ${name}: build it again`);
  const chunks = importsOf(manifest, entry);
  return {
    entry: `/${entry.file}`,
    preload: chunks.map((chunk) => `/${chunk.file}`),
    css: await readStyles(client, [entry, ...chunks]),
  };
}

async function readStyles(client: string, chunks: readonly ManifestChunk[]) {
  const files = chunks.flatMap((chunk) => chunk.css ?? []);
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

async function loadServerEntry(path: string) {
  const built: Partial<Pick<Site, "renderBuyerPage" | "bootScript">> = await import(
    pathToFileURL(path).href
  );
  const { renderBuyerPage, bootScript } = built;
  const isSound = typeof renderBuyerPage === "function" && typeof bootScript === "string";
  assert(isSound, "the buyers' server entry has other names: build the web again");
  return { bootScript, renderBuyerPage };
}

function inlines(html: string, tag: "script" | "style"): string[] {
  const element = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g");
  return [...html.matchAll(element)].map((match) => match[1] ?? "");
}

const FILE = {
  config: { access: "public", rateLimit: { max: CALLS_A_MINUTE.file } },
  schema: { hide: true },
} as const;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".woff2": "font/woff2",
};

/** Serves the built files from memory: their names contain a hash, so they never change. */
export async function registerAssets(http: HttpServer, site: Site): Promise<void> {
  const { assetsFolder: folder, worker } = site;
  const assets = new Map<string, { type: string; bodyIn: EncodedOnce }>();
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (!type) continue;
    assets.set(name, { type, bodyIn: await readAsset(join(folder, name), names) });
  }
  http.get<{ Params: { name: string } }>("/assets/:name", FILE, (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) return reply.callNotFound();
    reply.header("cache-control", "public, max-age=31536000, immutable").type(asset.type);
    return sendEncoded(request, reply, asset.bodyIn);
  });
  if (worker === undefined) return;
  const bodyIn = encodeOnce(Buffer.from(worker), BEST_QUALITY);
  // Checked at each opening, so that a release is used at the next one.
  http.get("/service-worker.js", FILE, (request, reply) => {
    reply.header("cache-control", "no-cache").type("text/javascript; charset=utf-8");
    return sendEncoded(request, reply, bodyIn);
  });
}

/** Compressed at the build; any other encoding at its first request. */
async function readAsset(file: string, names: ReadonlySet<string>): Promise<EncodedOnce> {
  const plain = await readFile(file);
  if (!names.has(`${basename(file)}.br`)) return encodeOnce(plain, BEST_QUALITY);
  const [br, gz] = await Promise.all([readFile(`${file}.br`), readFile(`${file}.gz`)]);
  const bodies = { br, gzip: gz, identity: plain };
  return async (encoding) => bodies[encoding];
}
