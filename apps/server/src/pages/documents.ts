import { createHash } from "node:crypto";
import type { PublicProductOnWire, PublicShopOnWire } from "@sesame/contract/catalogue";
import type { OrderBySecretAnswer, PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { FastifyReply, FastifyRequest } from "fastify";
import { bestEncoding } from "../http/compress.ts";
import { pagePolicy, widgetPolicy } from "../http/content-security-policy.ts";
import { encode, type Encoded } from "./assets.ts";
import { type BuyerHead, buyerHtml, escapeAttribute } from "./buyer-html.ts";
import { pagesCopy } from "./copy.fr.ts";
import type { Site } from "./site.ts";
import { type WidgetPayment, widgetHtml, widgetlessHtml } from "./widget-html.ts";

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
  /** Null when the seller is absent, suspended or gone. */
  shopOf(sellerId: bigint): Promise<PublicShopOnWire | null>;
  orderBySecret(secret: string): Promise<OrderBySecretAnswer | null>;
  /** Null for an unknown secret, and for a payment that is made elsewhere than in a widget. */
  widgetBySecret(secret: string): Promise<WidgetPayment | null>;
};

export type Query = Readonly<Record<string, string | string[] | undefined>>;
export type PageRequest = FastifyRequest<{ Querystring: Query; Params: Record<string, string> }>;

type Document = { readonly bodies: Encoded; readonly policy: string };

/** Quality for pages made on the fly: a millisecond for most of the gain. */
const LIVE_QUALITY = 5;

export type Pages = ReturnType<typeof createPages>;

export function createPages(deps: PagesDeps) {
  return { ...createBuyerPages(deps), ...createWidgetPages(deps), shell: createShell(deps) };
}

function frameOf(deps: PagesDeps) {
  return { publicUrl: deps.publicUrl, frameAncestors: deps.webOrigins };
}

function createBuyerPages(deps: PagesDeps) {
  const { site } = deps;
  const policy = pagePolicy(frameOf(deps), {
    scripts: [site.bootScript],
    styles: [site.buyerCss],
  });
  // One rendering for as long as the catalogue hands out the same product object.
  const rendered = new WeakMap<PublicProductOnWire | PublicShopOnWire, Promise<Document>>();

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
    return { bodies: await encode(Buffer.from(html), LIVE_QUALITY), policy };
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
  const renderShop = (shop: PublicShopOnWire): Promise<Document> => {
    const first = shop.products.find(({ image_url }) => image_url !== null)?.image_url;
    const imageUrl = first ? new URL(first, deps.publicUrl).href : null;
    return render({ ...pagesCopy.shop(shop), imageUrl }, { at: "shop", shop });
  };
  const once = <T extends PublicProductOnWire | PublicShopOnWire>(
    shown: T,
    draw: (shown: T) => Promise<Document>,
  ): Promise<Document> => {
    const document = rendered.get(shown) ?? draw(shown);
    rendered.set(shown, document);
    return document;
  };

  return {
    async product(request: PageRequest, reply: FastifyReply, product: PublicProductOnWire | null) {
      if (product) return send(request, reply, await once(product, renderProduct));
      reply.code(404);
      return send(request, reply, await render(pagesCopy.missing, { at: "missing" }));
    },
    async shop(request: PageRequest, reply: FastifyReply, shop: PublicShopOnWire | null) {
      if (shop) return send(request, reply, await once(shop, renderShop));
      reply.code(404);
      return send(request, reply, await render(pagesCopy.missingShop, { at: "missing-shop" }));
    },
    async plain(request: PageRequest, reply: FastifyReply, view: unknown) {
      return send(request, reply, await render(pagesCopy.order, view));
    },
  };
}

type Widget = { readonly payment: WidgetPayment; readonly returnUrl: string };

function createWidgetPages(deps: PagesDeps) {
  const { site } = deps;
  const inlines = { scripts: [], styles: [site.widgetCss] };
  return {
    async widget(request: PageRequest, reply: FastifyReply, { payment, returnUrl }: Widget) {
      const html = widgetHtml(site, payment, returnUrl);
      const bodies = await encode(Buffer.from(html), LIVE_QUALITY);
      const policy = widgetPolicy(frameOf(deps), inlines, payment.scriptUrl);
      return send(request, reply, { bodies, policy });
    },
    async widgetless(request: PageRequest, reply: FastifyReply) {
      const bodies = await encode(Buffer.from(widgetlessHtml(site)), LIVE_QUALITY);
      return send(request, reply, { bodies, policy: pagePolicy(frameOf(deps), inlines) });
    },
  };
}

/**
 * The sellers' page, with what it must know of the instance. It carries home's styles and picture,
 * and changes with a release or a setting only: a phone that has it is told so.
 */
function createShell(deps: PagesDeps) {
  const { site } = deps;
  const { shellScripts: scripts, shellStyles: styles } = site;
  const policy = pagePolicy(frameOf(deps), { scripts, styles });
  const origins = escapeAttribute(deps.webOrigins.join(" "));
  let last: { readonly instance: string; readonly shell: Promise<Shell> } | null = null;
  const draw = async (instance: string): Promise<Shell> => {
    const html = site.shell.replace(
      "<head>",
      `<head><meta name="sesame-web-origins" content="${origins}">` +
        `<meta name="sesame-instance" content="${escapeAttribute(instance)}">`,
    );
    const hash = createHash("sha256").update(policy).update(html).digest("base64url");
    return { bodies: await encode(Buffer.from(html)), policy, tag: `W/"${hash.slice(0, 22)}"` };
  };
  return async (request: PageRequest, reply: FastifyReply) => {
    const instance = JSON.stringify(await deps.instance());
    if (last?.instance !== instance) last = { instance, shell: draw(instance) };
    const shell = await last.shell;
    // The service worker keeps what says it, and nothing else.
    reply.header("x-sesame-page", "shell").header("etag", shell.tag);
    if (request.headers["if-none-match"] === shell.tag) reply.code(304);
    return send(request, reply, shell);
  };
}

type Shell = Document & { readonly tag: string };

function send(request: PageRequest, reply: FastifyReply, document: Document): FastifyReply {
  const encoding = bestEncoding(request.headers["accept-encoding"]);
  reply
    .header("content-security-policy", document.policy)
    .header("cache-control", "no-cache")
    .header("vary", "accept-encoding");
  if (reply.statusCode === 304) return reply.send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.type("text/html; charset=utf-8").send(document.bodies[encoding]);
}
