import { CALLS_A_MINUTE, idInPath } from "@sesame/contract";
import { type PublicProductOnWire, readShopReference } from "@sesame/contract/catalogue";
import type { FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { publicProduct, publicShop } from "../features/catalogue/index.ts";
import { orderBySecret, widgetBySecret } from "../features/checkout/index.ts";
import type { HttpServer } from "../http/server.ts";
import { createPages, type PageRequest, type Query } from "./documents.ts";
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
    const bought = await orderBySecret(app, secret);
    if (!bought) return pages.product(request, reply, null);
    return pages.plain(request, reply, { at: "return", secret, order: bought });
  });
  at(["/paiement/page/:secret"], async (request, reply) => {
    const secret = request.params["secret"] ?? "";
    const returnUrl = `/paiement/retour/${encodeURIComponent(secret)}`;
    const payment = await widgetBySecret(app.db, secret);
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
