import type { WidgetPayment } from "../features/checkout/index.ts";
import { escapeAttribute, escapeJson, escapeText } from "./buyer-html.ts";
import { pagesCopy } from "./messages.fr.ts";
import type { Site } from "./site.ts";

const copy = pagesCopy.widget;

type Shown = { readonly title: string; readonly body: string; readonly written: string };

/** The whole document of a payment; `returnUrl` shows the order's status. */
export function widgetHtml(site: Site, payment: WidgetPayment, returnUrl: string): string {
  const { hostedUrl, open: _open, ...written } = payment;
  const name = copy.names[payment.kind];
  const hosted =
    hostedUrl && /^https?:/.test(hostedUrl)
      ? `<a class="other" href="${escapeAttribute(hostedUrl)}">${escapeText(copy.hosted(name))}</a>`
      : "";
  return documentOf(site, {
    title: copy.tab,
    body: `<div class="card"><p class="by">${escapeText(copy.by(name))}</p>
<h1>${escapeText(payment.title)}</h1>
<p class="amount">${escapeText(copy.francs(payment.amount))}</p>
<p class="said" role="status" data-said=""></p>
<button type="button" data-pay="" disabled>${escapeText(copy.pay)}</button>${hosted}
<a class="other" href="${escapeAttribute(returnUrl)}">${escapeText(copy.status)}</a></div>
<p class="note">${escapeText(copy.note)}</p>`,
    written: `<script type="application/json" id="sesame-payment">${escapeJson(written)}</script>`,
  });
}

/** What stands at the address without its secret: its script goes back to where the payment is. */
export function widgetlessHtml(site: Site): string {
  return documentOf(site, {
    title: copy.tab,
    body: `<div class="card"><h1>${escapeText(copy.goneTitle)}</h1>
<p class="by">${escapeText(copy.goneText)}</p>
<a class="other" href="/mes-acces">${escapeText(copy.goneBack)}</a></div>`,
    written: "",
  });
}

function documentOf(site: Site, { title, body, written }: Shown): string {
  const preload = site.widgetPreload
    .map((href) => `<link rel="modulepreload" href="${escapeAttribute(href)}">`)
    .join("");
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${escapeText(title)}</title><style>${site.widgetCss}</style>${preload}
<script type="module" src="${escapeAttribute(site.widgetEntry)}"></script></head>
<body><main>${body}</main>${written}</body></html>`;
}
