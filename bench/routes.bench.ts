import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { needsToken, type RouteRow } from "../apps/server/src/http/server.ts";
import { loadSite } from "../apps/server/src/pages/site.ts";
import { MONEROO_WEBHOOK_SECRET, openTestApp, type TestApp } from "../apps/server/test/harness.ts";
import { publishProduct } from "../apps/server/test/sales.ts";
import { buildPages } from "../tools/launch/build.ts";
import { median, milliseconds, runProgram, say } from "./figures.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TABLE = at("../docs/route-costs.md");
const ROUNDS = 3;
const CALLS = 200;
const WARM_UP = 60;
const TELEGRAM_SECRET = "a-webhook-secret";

/** Without a path: the route's own, with 1 for each parameter. */
type RouteCall = {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
type Examples = Readonly<Record<string, RouteCall>>;
type Cost = { readonly route: RouteRow; readonly cpuMs: number; readonly statuses: string };

/**
 * The CPU time of this process for a call of each public route, all threads, without the
 * database's: the whole server over HTTP, called by another process. ROUTE_COSTS=write writes the
 * table of docs/route-costs.md anew.
 */
export async function run(): Promise<void> {
  buildPages(["web"]);
  const app = await openTestApp({ site: await loadSite(at("../apps/web/dist")) });
  const wanted = (route: RouteRow) => !isTelegram(route);
  const costs = await measureAll(await examplesOf(app), app, wanted);
  await app.close();
  const env = { TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET, PUBLIC_URL: "https://sesame.example" };
  const called = await openTestApp({ env });
  costs.push(...(await measureAll(TELEGRAM, called, isTelegram)));
  await called.close();
  costs.sort((a, b) => b.cpuMs - a.cpuMs);
  if (process.env["ROUTE_COSTS"] === "write") writeTable(costs);
}

const isTelegram = ({ url }: RouteRow) => url.startsWith("/webhooks/telegram/");

async function measureAll(
  examples: Examples,
  app: TestApp,
  wanted: (route: RouteRow) => boolean,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const route of app.app.http.routeTable) {
    if (needsToken(route.access) || !wanted(route)) continue;
    const call = examples[`${route.method} ${route.url}`] ?? {};
    const cost = await measure(app, route, call);
    say(milliseconds(`${route.method} ${route.url} (${cost.statuses})`, cost.cpuMs));
    costs.push(cost);
  }
  return costs;
}

async function measure(app: TestApp, route: RouteRow, call: RouteCall): Promise<Cost> {
  await load(app, route, { call, count: WARM_UP });
  const rounds: number[] = [];
  let statuses = "";
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    statuses = await load(app, route, { call, count: CALLS });
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1_000 / CALLS);
  }
  return { route, cpuMs: median(rounds), statuses };
}

async function load(
  app: TestApp,
  { method, url }: RouteRow,
  { call, count }: { call: RouteCall; count: number },
): Promise<string> {
  const headers = {
    "accept-encoding": "gzip, deflate, br",
    accept: "text/html,application/json",
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    ...call.headers,
  };
  const path = call.path ?? url.replaceAll(/:\w+/g, "1").replace("*", "une-page");
  const spec = JSON.stringify({ method, path, headers, body: call.body ?? "" });
  const printed = await runProgram("route-load.ts", app.url, String(count), spec);
  return Object.keys(JSON.parse(printed) as object).join(", ");
}

async function examplesOf(app: TestApp): Promise<Examples> {
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const buyer = await app.signInBuyer();
  const { body: order } = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference: product.reference, provider: "fedapay" },
  });
  // FedaPay's widget is on a page of ours, whose address carries the secret.
  const secret = order.payment_url.split("/").at(-1) ?? "";
  const proof = { "x-telegram-init-data": app.initData(await app.person()) };
  const webhook = '{"event":"payment.failed","data":{"id":"py_nobody_knows"}}';
  const signature = createHmac("sha256", MONEROO_WEBHOOK_SECRET).update(webhook).digest("hex");
  const reference = product.reference;
  const assets = await readdir(at("../apps/web/dist/client/assets"));
  const asset = assets.find((name) => name.endsWith(".js"));
  return {
    "GET /achat": { path: `/achat?reference=${reference}` },
    "GET /achats": { path: `/achats?idVendeur=${seller.id}&idProduit=${product.id}` },
    "GET /paiement": { path: `/paiement?reference=inconnu{n}` },
    "GET /checkout": { path: `/checkout?reference=${reference}` },
    "GET /PaymentSelector": { path: `/PaymentSelector?reference=${reference}` },
    "GET /boutique/:idVendeur": { path: `/boutique/9999{n}` },
    "GET /commande/:order": { path: "/commande/1{n}" },
    "GET /payment-success": { path: "/payment-success?paymentId=py_{n}" },
    "GET /paiement/retour/:secret": { path: `/paiement/retour/${secret}` },
    "GET /paiement/page/:secret": { path: `/paiement/page/${secret}` },
    "GET /assets/:name": { path: `/assets/${asset}` },
    "GET /api/public/products/:reference": { path: `/api/public/products/${reference}` },
    "GET /api/products/:idVendeur/:idProduit": { path: `/api/products/${seller.id}/${product.id}` },
    "GET /images/:id/:file": { path: product.image_url ?? "/images/1/1" },
    "GET /api/orders/by-secret/:secret": { path: `/api/orders/by-secret/${secret}` },
    "POST /api/auth/vendeur": { headers: proof },
    "GET /api/auth/vendeur": { headers: proof },
    "POST /api/auth/acheteur": { headers: proof },
    "POST /webhooks/moneroo": { body: webhook, headers: { "x-moneroo-signature": signature } },
    "POST /webhooks/paydunya": { body: JSON.stringify({ data: "x".repeat(60_000) }) },
  };
}

const TELEGRAM_CALL: RouteCall = {
  body: '{"update_id":1{n},"message":{"message_id":1,"chat":{"id":1,"type":"private"}}}',
  headers: { "x-telegram-bot-api-secret-token": TELEGRAM_SECRET },
};
const TELEGRAM: Examples = {
  "POST /webhooks/telegram/seller": TELEGRAM_CALL,
  "POST /webhooks/telegram/buyer": TELEGRAM_CALL,
};

/** The text above the table is written by hand and stays. */
function writeTable(costs: readonly Cost[]): void {
  const head = "| Route | Limit a minute | CPU ms a call | Cores at the limit | Answered |";
  const [before = ""] = readFileSync(TABLE, "utf8").split(head);
  const lines = costs.map(({ route, cpuMs, statuses }) => {
    const cores = ((route.limit ?? 0) * cpuMs) / 60_000;
    return `| ${route.method} ${route.url} | ${route.limit} | ${cpuMs.toFixed(2)} | ${cores.toFixed(2)} | ${statuses} |`;
  });
  writeFileSync(TABLE, `${before}${head}\n|---|---|---|---|---|\n${lines.join("\n")}\n`);
}
