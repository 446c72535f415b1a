import { idInPath } from "@sesame/contract";
import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import type { OrderBySecretAnswer, PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pagePolicy } from "../http/content-security-policy.ts";
import type { HttpServer } from "../http/server.ts";
import { bestEncoding, encode, type Encoded, registerAssets } from "./assets.ts";
import { type BuyerHead, buyerHtml, escapeAttribute } from "./buyer-html.ts";
import { pagesCopy } from "./copy.fr.ts";
import type { Site } from "./site.ts";

export type PagesDeps = {
  readonly site: Site;
  readonly publicUrl: string;
  readonly webOrigins: readonly string[];
  /** What the sellers' shell must know of the instance, as JSON in a meta element. */
  instance(): Promise<Record<string, unknown>>;
  /** Username of the buyers' bot, and the short name of its mini app. */
  buyerBot(): { username: string | null; appName: string | null };
  providers(): readonly PaymentProviderOnWire[];
  productByReference(reference: string): Promise<PublicProductOnWire | null>;
  productByIds(sellerId: bigint, productId: bigint): Promise<PublicProductOnWire | null>;
  orderBySecret(secret: string): Promise<OrderBySecretAnswer | null>;
};

type Query = Readonly<Record<string, string | string[] | undefined>>;
type PageRequest = FastifyRequest<{ Querystring: Query; Params: Record<string, string> }>;

/** Without a rate: a link that spreads is opened by a whole town behind one carrier's address. */
const PAGE = {
  config: { access: "public", rateLimit: false },
  schema: { hide: true },
} as const;

/** Every address a person may open: the buyers' pages, rendered here, and the sellers' shell. */
export async function registerPages(app: HttpServer, deps: PagesDeps): Promise<void> {
  const pages = createPages(deps);
  await registerAssets(app, deps.site.assetsFolder);
  app.get("/", PAGE, async (request: PageRequest, reply) => {
    const reference = single(request.query["tgWebAppStartParam"]);
    if (reference === null) return pages.shell(request, reply);
    return pages.product(request, reply, await deps.productByReference(reference));
  });
  // Decision 36: the addresses of the specification open the same pages.
  for (const path of ["/achats", "/paiement", "/checkout"]) {
    app.get(path, PAGE, async (request: PageRequest, reply) => {
      const seller = idInPath.safeParse(request.query["idVendeur"]);
      const product = idInPath.safeParse(request.query["idProduit"]);
      const found =
        seller.success && product.success
          ? await deps.productByIds(seller.data, product.data)
          : null;
      return pages.product(request, reply, found);
    });
  }
  for (const path of ["/payment-success", "/payment-error", "/commande/:order"]) {
    app.get(path, PAGE, async (request: PageRequest, reply) => {
      const id = request.params["order"] ?? single(request.query["order"]) ?? "";
      if (!idInPath.safeParse(id).success) return pages.product(request, reply, null);
      return pages.plain(request, reply, { at: "order", orderId: id });
    });
  }
  app.get("/mes-acces", PAGE, (request: PageRequest, reply) =>
    pages.plain(request, reply, { at: "accesses" }),
  );
  app.get("/paiement/retour/:secret", PAGE, async (request: PageRequest, reply) => {
    const secret = request.params["secret"] ?? "";
    const order = await deps.orderBySecret(secret);
    if (!order) return pages.product(request, reply, null);
    return pages.plain(request, reply, { at: "return", secret, order });
  });
  app.get("/*", PAGE, async (request: PageRequest, reply) => {
    const isPage = request.headers.accept?.includes("text/html") ?? false;
    const ours = /^\/(api|webhooks|images|assets|socket\.io)(\/|$)/.test(request.url);
    return isPage && !ours ? pages.shell(request, reply) : reply.callNotFound();
  });
}

function single(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}

type Document = { readonly bodies: Encoded; readonly policy: string };

/** Quality for pages made on the fly: a millisecond for most of the gain. */
const LIVE_QUALITY = 5;

function createPages(deps: PagesDeps) {
  const { site } = deps;
  const options = { publicUrl: deps.publicUrl, frameAncestors: deps.webOrigins };
  const buyerPolicy = pagePolicy(options, { scripts: [site.bootScript], styles: [site.buyerCss] });
  const shellPolicy = pagePolicy(options, { scripts: site.shellScripts, styles: [] });
  // One rendering for as long as the catalogue hands out the same product object.
  const rendered = new WeakMap<PublicProductOnWire, Promise<Document>>();

  const page = (view: unknown) => {
    const bot = deps.buyerBot();
    return {
      view,
      botUsername: bot.username,
      botAppName: bot.appName,
      providers: deps.providers(),
    };
  };
  const render = async (head: Omit<BuyerHead, "webOrigins">, view: unknown): Promise<Document> => {
    const html = buyerHtml(site, { ...head, webOrigins: deps.webOrigins }, page(view));
    return { bodies: await encode(Buffer.from(html), LIVE_QUALITY), policy: buyerPolicy };
  };
  const renderProduct = (product: PublicProductOnWire): Promise<Document> =>
    render(
      {
        title: product.title,
        description: product.description || pagesCopy.soldBy(product.seller.name),
        imageUrl: product.image_url ? new URL(product.image_url, deps.publicUrl).href : null,
      },
      { at: "product", product },
    );

  return {
    async product(request: PageRequest, reply: FastifyReply, product: PublicProductOnWire | null) {
      if (!product) {
        reply.code(404);
        return send(request, reply, await render(pagesCopy.missing, { at: "missing" }));
      }
      const document = rendered.get(product) ?? renderProduct(product);
      rendered.set(product, document);
      return send(request, reply, await document);
    },
    async plain(request: PageRequest, reply: FastifyReply, view: unknown) {
      return send(request, reply, await render(pagesCopy.order, view));
    },
    async shell(request: PageRequest, reply: FastifyReply) {
      const origins = escapeAttribute(deps.webOrigins.join(" "));
      const instance = escapeAttribute(JSON.stringify(await deps.instance()));
      const html = site.shell.replace(
        "<head>",
        `<head><meta name="sesame-web-origins" content="${origins}">` +
          `<meta name="sesame-instance" content="${instance}">`,
      );
      const bodies = await encode(Buffer.from(html), LIVE_QUALITY);
      return send(request, reply, { bodies, policy: shellPolicy });
    },
  };
}

function send(request: PageRequest, reply: FastifyReply, document: Document): FastifyReply {
  const encoding = bestEncoding(request.headers["accept-encoding"]);
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply
    .header("content-security-policy", document.policy)
    .header("cache-control", "no-cache")
    .header("vary", "accept-encoding")
    .type("text/html; charset=utf-8")
    .send(document.bodies[encoding]);
}
