import { createHash } from "node:crypto";
import { CALLS_A_MINUTE, idInPath } from "@sesame/contract";
import {
  type PublicProductOnWire,
  type PublicShopOnWire,
  readShopReference,
} from "@sesame/contract/catalogue";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { publicProduct, publicShop } from "../features/catalogue/index.ts";
import * as checkout from "../features/checkout/index.ts";
import { createRecent } from "../http/caches.ts";
import * as compress from "../http/compress.ts";
import { pagePolicy, widgetPolicy } from "../http/content-security-policy.ts";
import type { HttpServer } from "../http/server.ts";
import { readContacts } from "../settings.ts";
import {
  type BuyerHead,
  type BuyerSite,
  buyerHtml,
  buyerParts,
  escapeAttribute,
  escapeJson,
  widgetHtml,
  widgetlessHtml,
} from "./html.ts";
import { pagesCopy } from "./messages.fr.ts";
import { registerAssets, type Site } from "./site.ts";

const PAGE = {
  config: { access: "public", rateLimit: { max: CALLS_A_MINUTE.page } },
  schema: { hide: true },
} as const;

type Show = (request: PageRequest, reply: FastifyReply) => unknown;

/** Every address that a person may open: the buyers' pages, rendered here, and the sellers' shell. */
export async function registerPages(app: App, http: HttpServer, site: Site): Promise<void> {
  const pages = createPages(app, site);
  await registerAssets(http, site);
  const at = (paths: readonly string[], show: Show) => {
    for (const path of paths) http.get(path, PAGE, show);
  };
  at(["/"], async (request, reply) => {
    const reference = single(request.query["tgWebAppStartParam"]);
    if (reference === null) return pages.shell(request, reply);
    const shop = readShopReference(reference);
    if (shop !== null) return pages.shop(request, reply, await publicShop(app, shop));
    return pages.product(request, reply, await publicProduct(app, { reference }));
  });
  // Decision 36: the addresses of the specification open the product's page. A §2: prefixes
  // of routes, whatever an old link has after them.
  const product: Show = async (request, reply) =>
    pages.product(request, reply, await findProduct(app, request.query));
  at(["/achat", "/achats", "/paiement", "/checkout"].flatMap(andBelow), product);
  // Decision 42: with a product the choice behind « Acheter »; else the plan's, for a seller.
  const choice: Show = async (request, reply) => {
    const { query } = request;
    if (!("reference" in query) && !("idProduit" in query)) return pages.shell(request, reply);
    const chosen = await findProduct(app, query);
    if (!chosen) return pages.product(request, reply, null);
    return pages.plain(request, reply, { at: "product", product: chosen, paying: true });
  };
  at(["/PaymentSelector"], choice);
  // Decision 43: all products a seller has on sale.
  at(["/boutique/:idVendeur"], async (request, reply) => {
    const seller = idInPath.safeParse(request.params["idVendeur"]);
    return pages.shop(request, reply, seller.success ? await publicShop(app, seller.data) : null);
  });
  // The one status page (decision 54), by our order's id or a provider's payment id.
  const named = (request: PageRequest, reply: FastifyReply, name: string) => {
    const known = /^[\w-]{1,64}$/.test(name);
    if (!known) reply.code(404);
    return pages.kind(request, reply, { at: "named", name: known ? name : null });
  };
  const order = (request: PageRequest, reply: FastifyReply, id: string) =>
    idInPath.safeParse(id).success
      ? pages.kind(request, reply, { at: "order", orderId: id })
      : named(request, reply, "");
  at(["/commande/:order"], (request, reply) =>
    order(request, reply, request.params["order"] ?? ""),
  );
  at(["/IndexPaiement", "/IndexPaiementAbonnement"], (request, reply) => {
    const id = single(request.query["order"]);
    return id === null ? choice(request, reply) : order(request, reply, id);
  });
  at(STATUS_PATHS, (request, reply) => {
    const { query } = request;
    if (single(query["app"]) === SELLERS) return pages.shell(request, reply);
    const id = single(query["order"]);
    if (id !== null) return order(request, reply, id);
    const name = PAYMENT_NAMES.map((key) => single(query[key])).find((value) => value !== null);
    // A §2: a purchase link without a payment opens its product, whose page shows a pending order.
    if (name === undefined && "idProduit" in query) return product(request, reply);
    return named(request, reply, name ?? "");
  });
  at(["/mes-acces"], (request, reply) => pages.plain(request, reply, { at: "accesses" }));
  // Pages for any browser, by the payment's secret.
  at(["/paiement/retour/:secret"], async (request, reply) => {
    const secret = request.params["secret"] ?? "";
    const bought = await checkout.orderBySecret(app, secret);
    if (!bought) return pages.product(request, reply, null);
    return pages.plain(request, reply, { at: "return", secret, order: bought });
  });
  at(["/paiement/page/:secret"], async (request, reply) => {
    const secret = request.params["secret"] ?? "";
    const returnUrl = `/paiement/retour/${encodeURIComponent(secret)}`;
    const payment = await checkout.widgetBySecret(app.db, secret);
    if (payment?.open === false) return reply.redirect(returnUrl);
    if (payment) return pages.widget(request, reply, { payment, returnUrl });
    reply.code(404);
    return pages.widgetless(request, reply);
  });
  // The address of a payment's page after its script has removed the secret.
  at(["/paiement/page"], pages.widgetless);
  at(["/*"], (request, reply) => {
    const isPage = request.headers.accept?.includes("text/html") ?? false;
    const ours = /^\/(api|webhooks|images|assets|socket\.io)(\/|$)/.test(request.url);
    return isPage && !ours ? pages.shell(request, reply) : reply.callNotFound();
  });
}

const andBelow = (path: string) => [path, `${path}/*`];

const STATUS_PATHS = [
  ...["/payment-success", "/payment-error"].flatMap(andBelow),
  "/PaymentStatus",
  "/MonerooPaymentStatus",
  "/PaymentStatusFedapay",
  "/PaymentStatusFedapayFalse",
];

/** `?app=vendeur`: opened from the sellers' shell. */
const SELLERS = "vendeur";

/** Names of a payment's id in a query, by clients and providers. */
const PAYMENT_NAMES = [
  "paymentId",
  "payment_id",
  "transaction_id",
  "transactionId",
  "id",
  "token",
] as const;

/** By its reference, or by its seller's id and its own. */
async function findProduct(app: App, query: Query): Promise<PublicProductOnWire | null> {
  const reference = single(query["reference"]);
  if (reference !== null) return publicProduct(app, { reference });
  const seller = idInPath.safeParse(query["idVendeur"]);
  const product = idInPath.safeParse(query["idProduit"]);
  return seller.success && product.success
    ? publicProduct(app, { sellerId: seller.data, productId: product.data })
    : null;
}

function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}

type Page = { readonly view: { readonly at: string } };

/** The common part of the documents of one kind. */
type Frame = {
  readonly before: string;
  readonly after: string;
  readonly gzip: (end: Buffer) => Buffer;
};

/** A few kinds, times the bots' names and the open providers. */
const KEPT_FRAMES = 16;

/**
 * Pages of which only the JSON differs: an order's, a payment's. The server renders nothing of the
 * id in their address (tested with the buyers' page), so everything else is rendered and compressed
 * once for all: less than 1 ms instead of 7.
 */
function createPageKinds(site: BuyerSite, head: BuyerHead): (page: Page) => compress.EncodedOnce {
  const frames = createRecent<Frame>(KEPT_FRAMES);
  const frameOf = (page: Page): Frame =>
    frames.get(kindOf(page), () => {
      const { before, after } = buyerParts(site, head, page);
      return { before, after, gzip: compress.createSplicedGzip(Buffer.from(before)) };
    });
  return (page) => {
    const { before, after, gzip } = frameOf(page);
    const end = escapeJson(page) + after;
    return async (encoding) =>
      encoding === "gzip" ? gzip(Buffer.from(end)) : Buffer.from(before + end);
  };
}

/** Views with the same fields, whatever their values, are of one kind. */
function kindOf({ view, ...shared }: Page): string {
  const says = Object.entries(view).map(([name, value]) => [name, value === null]);
  return JSON.stringify([view.at, says, shared]);
}

type Query = Readonly<Record<string, string | string[] | undefined>>;
type PageRequest = FastifyRequest<{ Querystring: Query; Params: Record<string, string> }>;

type Document = {
  readonly bodyIn: compress.EncodedOnce;
  readonly policy: string;
  /** Absent: any encoding that the phone accepts. */
  readonly encoding?: compress.Encoding;
  /** For one person: no cache of a shared phone may keep it. */
  readonly personal?: true;
};

/** Pages cached besides those of products and shops: a repeated address costs nothing. */
const KEPT_PAGES = 64;

/** A view, by its name in the web app. */
type View = { readonly at: string } & Readonly<Record<string, unknown>>;

function createPages(app: App, site: Site) {
  return {
    ...createBuyerPages(app, site),
    ...createWidgetPages(app, site),
    shell: createShell(app, site),
  };
}

function createBuyerPages(app: App, site: Site) {
  const framed = { ...site, webOrigins: app.config.telegramWebOrigins };
  const policy = pagePolicy(app.config, {
    scripts: [site.bootScript],
    styles: [site.buyerCss],
  });
  // One rendering for as long as the catalogue returns the same product object.
  const rendered = new WeakMap<object, Document>();
  const recent = createRecent<Document>(KEPT_PAGES);

  const page = <V>(view: V) => {
    return {
      view,
      botUsername: app.telegram.names.buyer(),
      botAppName: app.config.buyerAppName,
      providers: checkout.openProviders(app),
    };
  };
  const render = (head: BuyerHead, view: unknown): Document => {
    const html = buyerHtml(framed, head, page(view));
    return { bodyIn: compress.encodeOnce(Buffer.from(html)), policy };
  };
  // Keyed by its input: another name of the bot or list of providers is another page.
  const renderRecent = (head: BuyerHead, view: unknown): Document =>
    recent.get(JSON.stringify(page(view)), () => render(head, view));
  const bodyOfKind = createPageKinds(framed, pagesCopy.order);
  const once = (shown: object, draw: () => Document): Document => {
    const document = rendered.get(shown) ?? draw();
    rendered.set(shown, document);
    return document;
  };
  const urlOf = (path: string | null | undefined) =>
    path ? new URL(path, app.config.publicUrl).href : null;

  return {
    async product(request: PageRequest, reply: FastifyReply, product: PublicProductOnWire | null) {
      if (product) {
        const { title, image_url: image } = product;
        const description = product.description || pagesCopy.soldBy(product.seller.name);
        const head = { title, description, imageUrl: urlOf(image) };
        const document = once(product, () => render(head, { at: "product", product }));
        return send(request, reply, document);
      }
      reply.code(404);
      return send(request, reply, renderRecent(pagesCopy.missing, { at: "missing" }));
    },
    async shop(request: PageRequest, reply: FastifyReply, shop: PublicShopOnWire | null) {
      if (shop) {
        const first = shop.products.find(({ image_url: image }) => image !== null);
        const head = { ...pagesCopy.shop(shop), imageUrl: urlOf(first?.image_url) };
        const document = once(shop, () => render(head, { at: "shop", shop }));
        return send(request, reply, document);
      }
      reply.code(404);
      return send(request, reply, renderRecent(pagesCopy.missingShop, { at: "missing-shop" }));
    },
    async plain(request: PageRequest, reply: FastifyReply, view: View) {
      const document = renderRecent(pagesCopy.order, view);
      return send(request, reply, { ...document, personal: true });
    },
    /** The page of an order or payment whose data the phone requests itself: only the JSON differs. */
    async kind(request: PageRequest, reply: FastifyReply, view: View) {
      // Brotli parts cannot be concatenated; clients that accept it accept gzip too.
      const isZipped = request.headers["accept-encoding"]?.includes("gzip");
      const document = { bodyIn: bodyOfKind(page(view)), policy, personal: true } as const;
      return send(request, reply, { ...document, encoding: isZipped ? "gzip" : "identity" });
    },
  };
}

type Widget = { readonly payment: checkout.WidgetPayment; readonly returnUrl: string };

function createWidgetPages(app: App, site: Site) {
  const inlines = { scripts: [], styles: [site.widgetCss] };
  const recent = createRecent<compress.EncodedOnce>(KEPT_PAGES);
  const draw = (html: string) => recent.get(html, () => compress.encodeOnce(Buffer.from(html)));
  return {
    async widget(request: PageRequest, reply: FastifyReply, { payment, returnUrl }: Widget) {
      const bodyIn = draw(widgetHtml(site, payment, returnUrl));
      const policy = widgetPolicy(app.config, inlines, payment.scriptUrl);
      return send(request, reply, { bodyIn, policy, personal: true });
    },
    async widgetless(request: PageRequest, reply: FastifyReply) {
      const bodyIn = draw(widgetlessHtml(site));
      return send(request, reply, { bodyIn, policy: pagePolicy(app.config, inlines) });
    },
  };
}

/**
 * The sellers' page, with the data of the instance. It includes the home page's styles and picture,
 * and changes only with a release or a setting: a phone that has it gets 304.
 */
function createShell(app: App, site: Site) {
  const { shellScripts: scripts, shellStyles: styles } = site;
  const policy = pagePolicy(app.config, { scripts, styles });
  const origins = escapeAttribute(app.config.telegramWebOrigins.join(" "));
  let last: { readonly instance: string; readonly shell: Shell } | null = null;
  const draw = (instance: string): Shell => {
    const html = site.shell.replace(
      "<head>",
      `<head><meta name="sesame-web-origins" content="${origins}">` +
        `<meta name="sesame-instance" content="${escapeAttribute(instance)}">`,
    );
    const hash = createHash("sha256").update(policy).update(html).digest("base64url");
    const bodyIn = compress.encodeOnce(Buffer.from(html), compress.BEST_QUALITY);
    return { bodyIn, policy, tag: `W/"${hash.slice(0, 22)}"` };
  };
  return async (request: PageRequest, reply: FastifyReply) => {
    // What the sellers' shell needs before its first call.
    const known = { sellerBot: app.telegram.names.seller(), ...(await readContacts(app)) };
    const instance = JSON.stringify(known);
    if (last?.instance !== instance) last = { instance, shell: draw(instance) };
    const { shell } = last;
    // The service worker caches only a page with this header.
    reply.header("x-sesame-page", "shell").header("etag", shell.tag);
    if (request.headers["if-none-match"] === shell.tag) reply.code(304);
    return send(request, reply, shell);
  };
}

type Shell = Document & { readonly tag: string };

async function send(request: PageRequest, reply: FastifyReply, document: Document) {
  reply
    .header("content-security-policy", document.policy)
    .header("cache-control", document.personal ? "no-store" : "no-cache");
  if (reply.statusCode === 304) return reply.header("vary", "accept-encoding").send();
  reply.type("text/html; charset=utf-8");
  return compress.sendEncoded(request, reply, document.bodyIn, document.encoding);
}
