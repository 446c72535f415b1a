import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import sharp from "sharp";
import { ROOT } from "../tools/launch/build.ts";
import { expect, test } from "./fixtures.ts";
import { grainyPhotograph, launchOf, photograph, publish, setFixture } from "./fixture.ts";

/** QUALITY §2, in kilobytes as they travel. */
const BUYER_PAGE_KB = 14;
const BUYER_SCRIPTS_KB = 75;
const IMAGE_KB = 40;
/** With home's styles and its picture: in one window of a new connection. */
const SELLER_PAGE_KB = 14;
const SELLER_FIRST_KB = 92;
const SELLER_OTHER_KB = 20;
const WORKER_KB = 3;

/** Words of modules that have no place in a first load. */
const FOR_LATER = /socket\.io|uplot|chart|service-worker/i;
const NOT_BUYERS = /socket\.io|uplot|chart|react-query|wouter|src\/app\//i;

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

test.describe("what travels to the phone", () => {
  test("the buyer's page, its scripts and its picture", async ({ product }) => {
    const fixture = await setFixture(product, {
      title: "Formation complète « Élevage rentable » : 12 semaines, suivi et bonus",
      description: "Analyses du matin, signaux en direct, salon d'entraide. "
        .repeat(8)
        .slice(0, 500),
      image: await grainyPhotograph(),
    });
    const url = `${fixture.app}/?tgWebAppStartParam=${fixture.product.reference}`;
    const page = await weigh(url);
    const manifest = await readManifest();
    const parts = manifest[BUYER]?.dynamicImports ?? [];
    // One visit asks for one of these at most: a refund whose number is asked for, a complaint and its
    // record, a gift, a report, one's accesses, a shop, the way back from a provider.
    expect(parts).toEqual(expect.arrayContaining(RARE.flat()));
    const always = [BUYER, ...parts.filter((part) => !RARE.flat().includes(part))];
    const visits = RARE.map((rare) => needed(manifest, [...always, ...rare]));
    expect(mixed(manifest, visits.flat(), NOT_BUYERS), "what only sellers need").toEqual([]);
    const weights = await Promise.all(visits.map((files) => weighScripts(fixture.app, files)));
    const files = needed(manifest, [BUYER, ...parts]);
    expect(mixed(manifest, files, NOT_BUYERS), "what only sellers need").toEqual([]);
    const scripts = Math.max(...weights);
    const picture = /[^"\s]+800\.avif/.exec(page.body.toString())?.[0] ?? "";
    const image = await weigh(new URL(picture, fixture.app).href);
    note(`page ${kb(page.bytes)}, scripts ${kb(scripts)}, picture ${kb(image.bytes)} kB`);
    expect(kb(page.bytes), "HTML and CSS").toBeLessThanOrEqual(BUYER_PAGE_KB);
    expect(kb(scripts), "JavaScript of a visit").toBeLessThanOrEqual(BUYER_SCRIPTS_KB);
    expect(image.type).toBe("image/avif");
    expect(kb(image.bytes), "picture").toBeLessThanOrEqual(IMAGE_KB);
  });

  test("a seller's shop, with thirty products in it", async ({ product }) => {
    const fixture = await setFixture(product);
    const group = { id: fixture.product.group_id ?? "", name: fixture.group };
    // The smallest picture: what is weighed is the page, not what is made of photographs.
    const image = await sharp(await photograph())
      .resize(64)
      .jpeg()
      .toBuffer();
    await Promise.all(
      Array.from({ length: 29 }, (_, at) =>
        publish(product, fixture.seller, group, {
          title: `Formation ${at}, suivi et bonus`,
          image,
        }),
      ),
    );
    const page = await weigh(`${fixture.app}/boutique/${fixture.seller.userId}`);
    note(`shop ${kb(page.bytes)} kB`);
    expect(page.body.toString().match(/loading="lazy"/g)?.length).toBe(26);
    expect(kb(page.bytes), "HTML and CSS").toBeLessThanOrEqual(BUYER_PAGE_KB);
  });

  test("the seller's first route, and each other one", async ({ product }) => {
    const manifest = await readManifest();
    const page = await weigh(`${product.appUrl}/IndexEspace`);
    note(`page ${kb(page.bytes)} kB`);
    expect(kb(page.bytes), "HTML and CSS").toBeLessThanOrEqual(SELLER_PAGE_KB);
    const first = needed(manifest, [SELLER]);
    expect(mixed(manifest, first, FOR_LATER), "charts and realtime come later").toEqual([]);
    const firstKb = kb(await weighScripts(product.appUrl, first));
    note(`first route ${firstKb} kB`);
    expect(firstKb, "first route").toBeLessThanOrEqual(SELLER_FIRST_KB);
    const lists = Object.values(manifest).filter(({ file }) => first.includes(file));
    const others = [...lists, manifest[PAYMENTS]].flatMap((list) => list?.dynamicImports ?? []);
    expect(others.length).toBeGreaterThan(10);
    for (const route of others) {
      const more = needed(manifest, [route]).filter((file) => !first.includes(file));
      const moreKb = kb(await weighScripts(product.appUrl, more));
      note(`${route} ${moreKb} kB`);
      expect(moreKb, route).toBeLessThanOrEqual(SELLER_OTHER_KB);
    }
  });
});

test.describe("where the phone's requests go", () => {
  test("to the app alone; built files are compressed, kept for ever", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const url = await launchOf(product, { personId: fixture.seller.person.id, bot: "seller" });
    const { origin } = new URL(url);
    const others = new Set<string>();
    const loose: string[] = [];
    page.on("request", (request) => {
      const asked = new URL(request.url());
      if (asked.protocol.startsWith("http") && asked.origin !== origin) others.add(asked.origin);
    });
    page.on("response", (answer) => {
      const { pathname } = new URL(answer.url());
      if (!pathname.startsWith("/assets/") || answer.fromServiceWorker()) return;
      const headers = answer.headers();
      const kept = headers["cache-control"]?.includes("immutable");
      const packed = headers["content-encoding"] !== undefined;
      if (!kept || (!packed && /\.(js|css|svg)$/.test(pathname))) loose.push(pathname);
    });
    await page.goto(url);
    await expect(page.getByText("Solde disponible")).toBeVisible();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto(`${origin}/?tgWebAppStartParam=${fixture.product.reference}`);
    await expect(page.getByRole("heading", { name: fixture.product.title })).toBeVisible();
    expect([...others]).toEqual([]);
    expect(loose).toEqual([]);
  });

  test("the service worker is small, asked anew, and names existing files", async ({ product }) => {
    const worker = await weigh(`${product.appUrl}/service-worker.js`);
    expect(kb(worker.bytes)).toBeLessThanOrEqual(WORKER_KB);
    expect(worker.type).toContain("text/javascript");
    const names = worker.body.toString().match(/\/assets\/[\w.-]+(?=")/g) ?? [];
    expect(names.length).toBeGreaterThan(10);
    const weights = await Promise.all(
      names.map((name) => weigh(new URL(name, product.appUrl).href)),
    );
    expect(weights.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

const BUYER = "src/buyer/entry-client.tsx";
const RARE = [
  ["features/checkout/order-care", "features/checkout/refund-number"],
  ["features/checkout/order-care", "features/checkout/complaint-sheet"],
  ["features/checkout/donation-sheet"],
  ["features/checkout/report-sheet"],
  ["features/memberships/my-accesses"],
  ["features/checkout/shop-page"],
  ["buyer/return-view"],
].map((visit) => visit.map((part) => `src/${part}.tsx`));
const SELLER = "index.html";
const PAYMENTS = "src/app/payment-routes.tsx";

function note(description: string): void {
  test.info().annotations.push({ type: "weight", description });
}

function kb(bytes: number): number {
  return Math.round(bytes / 102.4) / 10;
}

async function readManifest(): Promise<Manifest> {
  const file = join(ROOT, "apps/web/dist/client/.vite/manifest.json");
  return JSON.parse(await readFile(file, "utf8")) as Manifest;
}

/** Files of these chunks and of all they import before they run. */
function needed(manifest: Manifest, names: readonly string[]): string[] {
  const found = new Set<string>();
  const walk = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk || found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const next of chunk.imports ?? []) walk(next);
  };
  for (const name of names) walk(name);
  return [...found];
}

/** Of these files, those whose chunk is named after what has no place there. */
function mixed(manifest: Manifest, files: readonly string[], words: RegExp): string[] {
  return Object.entries(manifest)
    .filter(([name, { file }]) => files.includes(file) && words.test(`${name} ${file}`))
    .map(([name]) => name);
}

async function weighScripts(appUrl: string, files: readonly string[]): Promise<number> {
  const weights = await Promise.all(files.map((file) => weigh(new URL(file, appUrl).href)));
  return weights.reduce((sum, { bytes }) => sum + bytes, 0);
}

type Weighed = {
  readonly status: number;
  readonly bytes: number;
  readonly type: string;
  readonly body: Buffer;
};

/** As the phone receives it: brotli where the server has it. */
function weigh(url: string): Promise<Weighed> {
  const headers = { "accept-encoding": "br", accept: "text/html,image/avif,*/*" };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const sent = Buffer.concat(parts);
        const packed = answer.headers["content-encoding"] === "br";
        resolve({
          status: answer.statusCode ?? 0,
          bytes: sent.length,
          type: answer.headers["content-type"] ?? "",
          body: packed ? brotliDecompressSync(sent) : sent,
        });
      });
    }).on("error", reject);
  });
}
