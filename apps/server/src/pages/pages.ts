import { CALLS_A_MINUTE, idInPath } from "@sesame/contract";
import { type PublicProductOnWire, readShopReference } from "@sesame/contract/catalogue";
import type { FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { publicProduct, publicShop } from "../features/catalogue/index.ts";
import { orderBySecret, widgetBySecret } from "../features/checkout/index.ts";
import type { HttpServer } from "../http/server.ts";
import { createPages, type PageRequest, type Pages, type Query } from "./documents.ts";
import { registerAssets, type Site } from "./site.ts";

const PAGE = {
  config: { access: "public", rateLimit: { max: CALLS_A_MINUTE.page } },
  schema: { hide: true },
} as const;

/** Every address that a person may open: the buyers' pages, rendered here, and the sellers' shell. */
export async function registerPages(app: App, http: HttpServer, site: Site): Promise<void> {
  const pages = createPages(app, site);
  await registerAssets(http, site);
  http.get("/", PAGE, async (request: PageRequest, reply) => {
    const reference = single(request.query["tgWebAppStartParam"]);
    if (reference === null) return pages.shell(request, reply);
    const shop = readShopReference(reference);
    if (shop !== null) return pages.shop(request, reply, await publicShop(app, shop));
    return pages.product(request, reply, await publicProduct(app, { reference }));
  });
  registerProductPages(app, http, pages);
  // Decision 43: all products a seller has on sale.
  http.get("/boutique/:idVendeur", PAGE, async (request: PageRequest, reply) => {
    const seller = idInPath.safeParse(request.params["idVendeur"]);
    return pages.shop(request, reply, seller.success ? await publicShop(app, seller.data) : null);
  });
  registerOrderPages(app, http, pages);
  registerPaymentPages(app, http, pages);
  http.get("/*", PAGE, async (request: PageRequest, reply) => {
    const isPage = request.headers.accept?.includes("text/html") ?? false;
    const ours = /^\/(api|webhooks|images|assets|socket\.io)(\/|$)/.test(request.url);
    return isPage && !ours ? pages.shell(request, reply) : reply.callNotFound();
  });
}

/** Decision 36: the addresses of the specification open the product's page. */
function registerProductPages(app: App, http: HttpServer, pages: Pages): void {
  const show = async (request: PageRequest, reply: FastifyReply) =>
    pages.product(request, reply, await findProduct(app, request.query));
  const paths = ["/achat", "/achats", "/paiement", "/checkout"];
  // A §2: prefixes of routes, whatever an old link has after them.
  for (const path of paths.flatMap((each) => [each, `${each}/*`])) http.get(path, PAGE, show);
  // Decision 42: with a product the choice behind « Acheter »; else the plan's, for a seller.
  http.get("/PaymentSelector", PAGE, (request: PageRequest, reply) =>
    choosePayment(app, pages, request, reply),
  );
}

async function choosePayment(app: App, pages: Pages, request: PageRequest, reply: FastifyReply) {
  const { query } = request;
  if (!("reference" in query) && !("idProduit" in query)) return pages.shell(request, reply);
  const product = await findProduct(app, query);
  if (!product) return pages.product(request, reply, null);
  return pages.plain(request, reply, { at: "product", product, paying: true });
}

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

/** The one status page (decision 54), by our order's id or a provider's payment id. */
function registerOrderPages(app: App, http: HttpServer, pages: Pages): void {
  http.get("/commande/:order", PAGE, (request: PageRequest, reply) =>
    showOrder(pages, request, { reply, id: request.params["order"] ?? "" }),
  );
  for (const path of ["/IndexPaiement", "/IndexPaiementAbonnement"]) {
    http.get(path, PAGE, (request: PageRequest, reply) => {
      const id = single(request.query["order"]);
      return id === null
        ? choosePayment(app, pages, request, reply)
        : showOrder(pages, request, { reply, id });
    });
  }
  for (const path of [
    "/payment-success",
    "/payment-success/*",
    "/payment-error",
    "/payment-error/*",
    "/PaymentStatus",
    "/MonerooPaymentStatus",
    "/PaymentStatusFedapay",
    "/PaymentStatusFedapayFalse",
  ]) {
    http.get(path, PAGE, async (request: PageRequest, reply) => {
      const { query } = request;
      if (single(query["app"]) === SELLERS) return pages.shell(request, reply);
      const id = single(query["order"]);
      if (id !== null) return showOrder(pages, request, { reply, id });
      const name = PAYMENT_NAMES.map((key) => single(query[key])).find((value) => value !== null);
      // A §2: a purchase link without a payment opens its product, whose page shows a pending order.
      if (name === undefined && "idProduit" in query) {
        return pages.product(request, reply, await findProduct(app, query));
      }
      return showNamed(pages, request, { reply, name: name ?? "" });
    });
  }
}

function showOrder(
  pages: Pages,
  request: PageRequest,
  { reply, id }: { reply: FastifyReply; id: string },
): Promise<FastifyReply> {
  if (idInPath.safeParse(id).success) {
    return pages.kind(request, reply, { at: "order", orderId: id });
  }
  return showNamed(pages, request, { reply, name: "" });
}

function showNamed(
  pages: Pages,
  request: PageRequest,
  { reply, name }: { reply: FastifyReply; name: string },
): Promise<FastifyReply> {
  const known = /^[\w-]{1,64}$/.test(name);
  if (!known) reply.code(404);
  return pages.kind(request, reply, { at: "named", name: known ? name : null });
}

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

/** Pages for any browser, by the payment's secret. */
function registerPaymentPages(app: App, http: HttpServer, pages: Pages): void {
  http.get("/mes-acces", PAGE, (request: PageRequest, reply) =>
    pages.plain(request, reply, { at: "accesses" }),
  );
  http.get("/paiement/retour/:secret", PAGE, async (request: PageRequest, reply) => {
    const secret = request.params["secret"] ?? "";
    const order = await orderBySecret(app, secret);
    if (!order) return pages.product(request, reply, null);
    return pages.plain(request, reply, { at: "return", secret, order });
  });
  http.get("/paiement/page/:secret", PAGE, async (request: PageRequest, reply) => {
    const secret = request.params["secret"] ?? "";
    const returnUrl = `/paiement/retour/${encodeURIComponent(secret)}`;
    const payment = await widgetBySecret(app.db, secret);
    if (payment?.open === false) return reply.redirect(returnUrl);
    if (payment) return pages.widget(request, reply, { payment, returnUrl });
    reply.code(404);
    return pages.widgetless(request, reply);
  });
  // The address of a payment's page after its script has removed the secret.
  http.get("/paiement/page", PAGE, (request: PageRequest, reply) =>
    pages.widgetless(request, reply),
  );
}

function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
