import type { Site } from "./site.ts";

export type BuyerHead = {
  readonly title: string;
  readonly description: string;
  /** Absolute address of a picture for link previews. */
  readonly imageUrl: string | null;
  readonly webOrigins: readonly string[];
};

/** The whole document: styles inside, no JavaScript fetched before the largest paint. */
export function buyerHtml(site: Site, head: BuyerHead, page: unknown): string {
  const { before, after } = buyerParts(site, head, page);
  return before + escapeJson(page) + after;
}

/** What stands before and after the page's JSON. */
export function buyerParts(
  site: Site,
  head: BuyerHead,
  page: unknown,
): { readonly before: string; readonly after: string } {
  const entry = [site.buyerEntry, ...site.buyerPreload].join(" ");
  const image = head.imageUrl
    ? `<meta property="og:image" content="${escapeAttribute(head.imageUrl)}">`
    : "";
  const before = `<!doctype html>
<html lang="fr" data-entry="${entry}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<meta name="sesame-web-origins" content="${escapeAttribute(head.webOrigins.join(" "))}">
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

/** A piece of a page, safe as it stands. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | Html | undefined;

/** Escapes each value of a template that is no piece itself. */
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
