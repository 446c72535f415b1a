import { typeset } from "@sesame/contract";
import { CLAIM_SELLER_MS, CLAIM_WITHIN_MS } from "@sesame/contract/claims";
import { telegramAddress, whatsappAddress } from "@sesame/contract/support";
import { type BasisPoints, DAY_MS, HOUR_MS } from "@sesame/kernel";
import type { FastifyReply } from "fastify";
import { pagePolicy } from "../../http/content-security-policy.ts";
import type { HttpServer } from "../../http/server.ts";
import { escapeAttribute, escapeText } from "../../pages/buyer-html.ts";
import { LEGAL_CSS } from "./legal-css.ts";
import {
  type LegalFigures,
  type LegalPage,
  legalCopy as copy,
  privacyPage,
  sayPercent,
  termsPage,
} from "./legal.fr.ts";
import type { SupportDeps } from "./needs.ts";

/** Anybody's, in any browser: no script, no session (decision 101). */
const PAGE = { config: { access: "public" }, schema: { hide: true } } as const;

export function registerLegalPages(app: HttpServer, deps: SupportDeps): void {
  const policy = pagePolicy(deps, { scripts: [], styles: [LEGAL_CSS] });
  const show = async (reply: FastifyReply, page: LegalPage) =>
    reply
      .header("content-security-policy", policy)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(legalHtml(page, await linksOf(deps)));
  app.get("/confidentialite", PAGE, (_, reply) => show(reply, privacyPage()));
  app.get("/conditions", PAGE, async (_, reply) => show(reply, termsPage(await figuresOf(deps))));
}

async function figuresOf({ settings }: SupportDeps): Promise<LegalFigures> {
  const { feeRates } = await settings.current();
  const percent = (rate: BasisPoints) => sayPercent(Number(rate) / 100);
  return {
    freeFee: percent(feeRates.free),
    premiumFee: percent(feeRates.premium),
    claimDays: CLAIM_WITHIN_MS / DAY_MS,
    sellerHours: CLAIM_SELLER_MS / HOUR_MS,
  };
}

type Link = { readonly href: string; readonly text: string };

async function linksOf({ contacts }: SupportDeps): Promise<Link[]> {
  const { supportTelegram: telegram, supportWhatsapp: whatsapp } = await contacts();
  return [
    ...(telegram ? [{ href: telegramAddress(telegram), text: copy.telegram }] : []),
    ...(whatsapp ? [{ href: whatsappAddress(whatsapp), text: copy.whatsapp }] : []),
  ];
}

const PAGES: readonly Link[] = [
  { href: "/confidentialite", text: copy.privacy },
  { href: "/conditions", text: copy.terms },
];

function legalHtml(page: LegalPage, contacts: readonly Link[]): string {
  const contact =
    contacts.length === 0
      ? ""
      : `<section><h2>${escapeText(typeset(copy.contact))}</h2>${linksHtml(contacts)}</section>`;
  const chapters = page.chapters.map(({ title, items }) => {
    const rows = items.map((item) => `<li>${escapeText(typeset(item))}</li>`).join("");
    return `<section><h2>${escapeText(title)}</h2><ul>${rows}</ul></section>`;
  });
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(`${page.title} · ${copy.home}`)}</title>
<meta name="description" content="${escapeAttribute(page.intro)}"><style>${LEGAL_CSS}</style></head>
<body><header><p>${escapeText(copy.home)}</p><h1>${escapeText(page.title)}</h1>
<p>${escapeText(page.intro)}</p></header><main>${chapters.join("\n")}${contact}</main>
<footer><nav aria-label="${escapeAttribute(copy.pages)}">${linksHtml(PAGES)}</nav></footer>
</body></html>`;
}

function linksHtml(links: readonly Link[]): string {
  const items = links.map(
    ({ href, text }) => `<li><a href="${escapeAttribute(href)}">${escapeText(text)}</a></li>`,
  );
  return `<ul class="links">${items.join("")}</ul>`;
}
