import type { Site } from "./site.ts";
import type { WidgetPayment } from "../features/checkout/index.ts";
import { pagesCopy } from "./messages.fr.ts";

export type BuyerHead = {
  readonly title: string;
  readonly description: string;
  /** The absolute address of a picture for link previews. */
  readonly imageUrl?: string | null;
};

/** `webOrigins`: the origins of Telegram's pages that frame the app. */
export type BuyerSite = Site & { readonly webOrigins: readonly string[] };

/** The whole document: styles inside, no JavaScript fetched before the largest paint. */
export function buyerHtml(site: BuyerSite, head: BuyerHead, page: unknown): string {
  const { before, after } = buyerParts(site, head, page);
  return before + escapeJson(page) + after;
}

/** The document before and after the page's JSON. */
export function buyerParts(site: BuyerSite, head: BuyerHead, page: unknown) {
  const entry = [site.buyerEntry, ...site.buyerPreload].join(" ");
  const image = head.imageUrl
    ? `<meta property="og:image" content="${escapeAttribute(head.imageUrl)}">`
    : "";
  const before = `<!doctype html>
<html lang="fr" data-entry="${entry}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<meta name="sesame-web-origins" content="${escapeAttribute(site.webOrigins.join(" "))}">
<title>${escapeText(head.title)}</title>
<meta name="description" content="${escapeAttribute(head.description)}">
<meta property="og:title" content="${escapeAttribute(head.title)}">
<meta property="og:description" content="${escapeAttribute(head.description)}">${image}
<script>${site.bootScript}</script><style>${site.buyerCss}</style></head>
<body><div id="root">${site.renderBuyerPage(page)}</div>
<script type="application/json" id="sesame-page">`;
  return { before, after: "</script></body></html>" };
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

/** A piece of a page that is already escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | Html | undefined;

/** Escapes each value of a template, except pieces. */
export function html(parts: TemplateStringsArray, ...values: (Piece | Piece[])[]): Html {
  const safe = values.map((value) =>
    [value]
      .flat()
      .map((each) => (each instanceof Html ? each.text : escapeAttribute(each ?? "")))
      .join(""),
  );
  return new Html(String.raw({ raw: parts }, ...safe));
}

/** JSON that cannot end its script element, whatever people typed. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const copy = pagesCopy.widget;

/** The whole document of a payment; `returnUrl` shows the order's status. */
export function widgetHtml(site: Site, payment: WidgetPayment, returnUrl: string): string {
  const { hostedUrl, open: _open, ...written } = payment;
  const name = copy.names[payment.kind];
  const hosted =
    hostedUrl && /^https?:/.test(hostedUrl)
      ? `<a class="other" href="${escapeAttribute(hostedUrl)}">${escapeText(copy.hosted(name))}</a>`
      : "";
  return documentOf(
    site,
    `<div class="card"><p class="by">${escapeText(copy.by(name))}</p>
<h1>${escapeText(payment.title)}</h1>
<p class="amount">${escapeText(copy.francs(payment.amount))}</p>
<p class="said" role="status" data-said=""></p>
<button type="button" data-pay="" disabled>${escapeText(copy.pay)}</button>${hosted}
<a class="other" href="${escapeAttribute(returnUrl)}">${escapeText(copy.status)}</a></div>
<p class="note">${escapeText(copy.note)}</p>`,
    `<script type="application/json" id="sesame-payment">${escapeJson(written)}</script>`,
  );
}

/** The page at the address without its secret: its script returns to the payment. */
export function widgetlessHtml(site: Site): string {
  return documentOf(
    site,
    `<div class="card"><h1>${escapeText(copy.goneTitle)}</h1>
<p class="by">${escapeText(copy.goneText)}</p>
<a class="other" href="/mes-acces">${escapeText(copy.goneBack)}</a></div>`,
  );
}

function documentOf(site: Site, body: string, written = ""): string {
  const preload = site.widgetPreload
    .map((href) => `<link rel="modulepreload" href="${escapeAttribute(href)}">`)
    .join("");
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${escapeText(copy.tab)}</title><style>${site.widgetCss}</style>${preload}
<script type="module" src="${escapeAttribute(site.widgetEntry)}"></script></head>
<body><main>${body}</main>${written}</body></html>`;
}
