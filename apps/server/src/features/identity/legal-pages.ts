import { typeset } from "@sesame/contract";
import * as cases from "@sesame/contract/cases";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import type { FastifyReply } from "fastify";
import type { App } from "../../app.ts";
import { readContacts } from "../../settings.ts";
import { pagePolicy } from "../../http/content-security-policy.ts";
import type { HttpServer } from "../../http/server.ts";
import { html, Html } from "../../pages/html.ts";
import {
  type LegalFigures,
  type LegalPage,
  legalCopy as copy,
  privacyPage,
  sayPercent,
  termsPage,
} from "./messages.fr.ts";
import { feeOf, type Plan } from "@sesame/contract/plans";

/** The style of a page without a script: the colours of the app outside Telegram. */
const LEGAL_CSS = `:root{color-scheme:light dark;--text:#12211d;--bg:#faf6ee;--card:#fff;
--quiet:#55625d;--link:#0a6b58}
@media (prefers-color-scheme:dark){:root{--text:#f3f1ea;--bg:#0c1614;--card:#14211e;--quiet:#9db0a9;
--link:#45c3a6}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:42rem;padding:1.25rem 1rem 2rem;font:1rem/1.55 system-ui,sans-serif;
color:var(--text);background:var(--bg);overflow-wrap:anywhere}
header p{margin:0;color:var(--quiet)}
h1{font-size:1.75rem;line-height:1.2;margin:.25rem 0 .5rem}
section{background:var(--card);border-radius:.875rem;padding:.875rem 1rem;margin:1rem 0}
h2{font-size:1.0625rem;margin:0 0 .5rem}
ul{margin:0;padding-left:1.125rem}
li+li{margin-top:.5rem}
a{color:var(--link)}
.links{list-style:none;padding:0}
.links li+li{margin-top:0}
.links a{display:inline-flex;align-items:center;min-height:2.75rem}
footer .links{display:flex;flex-wrap:wrap;gap:0 1.25rem}
`;

/** For anybody, in any browser: no script, no session (decision 101). */
const PAGE = { config: { access: "public" }, schema: { hide: true } } as const;

export function registerLegalPages(app: App, http: HttpServer): void {
  const policy = pagePolicy(app.config, { scripts: [], styles: [LEGAL_CSS] });
  const show = async (reply: FastifyReply, page: LegalPage) =>
    reply
      .header("content-security-policy", policy)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(legalHtml(page, await linksOf(app)));
  http.get("/confidentialite", PAGE, (_, reply) => show(reply, privacyPage()));
  http.get("/conditions", PAGE, async (_, reply) => show(reply, termsPage(await figuresOf(app))));
}

async function figuresOf(app: App): Promise<LegalFigures> {
  const settings = await app.settings.current();
  const fee = (plan: Plan) => sayPercent(feeOf({ plan }, settings) / 100);
  return {
    freeFee: fee("free"),
    premiumFee: fee("premium"),
    complaintDays: cases.COMPLAINT_WITHIN_MS / DAY_MS,
    sellerHours: cases.COMPLAINT_SELLER_MS / HOUR_MS,
  };
}

type Link = { readonly href: string; readonly text: string };

async function linksOf(app: App): Promise<Link[]> {
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = await readContacts(app);
  return [
    ...(telegram ? [{ href: cases.telegramAddress(telegram), text: copy.telegram }] : []),
    ...(whatsapp ? [{ href: cases.whatsappAddress(whatsapp), text: copy.whatsapp }] : []),
  ];
}

const PAGES: readonly Link[] = [
  { href: "/confidentialite", text: copy.privacy },
  { href: "/conditions", text: copy.terms },
];

function legalHtml(page: LegalPage, contacts: readonly Link[]): string {
  const contact = html`<section><h2>${typeset(copy.contact)}</h2>${linksHtml(contacts)}</section>`;
  const chapters = Object.entries(page.chapters).map(([title, items]) => {
    const rows = items.map((item) => html`<li>${typeset(item)}</li>`);
    return html`<section><h2>${title}</h2><ul>${rows}</ul></section>`;
  });
  return html`<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${copy.home}</title>
<meta name="description" content="${page.intro}"><style>${new Html(LEGAL_CSS)}</style></head>
<body><header><p>${copy.home}</p><h1>${page.title}</h1>
<p>${page.intro}</p></header><main>${chapters}${contacts.length === 0 ? "" : contact}</main>
<footer><nav aria-label="${copy.pages}">${linksHtml(PAGES)}</nav></footer>
</body></html>`.text;
}

function linksHtml(links: readonly Link[]): Html {
  const items = links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`);
  return html`<ul class="links">${items}</ul>`;
}
