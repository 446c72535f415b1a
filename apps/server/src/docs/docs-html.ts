import type { OpenAPIV3_1 } from "openapi-types";
import { escapeAttribute, escapeText } from "../pages/buyer-html.ts";
import { docsCopy } from "./copy.fr.ts";
import { type Call, callsOf, type Parameter, type Schema } from "./description.ts";
import { DEVELOPERS_CHAPTER } from "./openapi.fr.ts";
import { developersGuide, type GuidePart } from "./developers-guide.fr.ts";
import { DOCS_CSS } from "./docs-css.ts";
import { sayType, schemaHtml } from "./schema-html.ts";
import { unreachable } from "@sesame/kernel";

/** What is read before the calls of a chapter. */
function guideHtml(parts: readonly GuidePart[]): string {
  return parts.map(partHtml).join("\n");
}

function partHtml(part: GuidePart): string {
  switch (part.kind) {
    case "title":
      return `<h3 class="part">${escapeText(part.text)}</h3>`;
    case "text":
      return `<p>${escapeText(part.text)}</p>`;
    case "code":
      return `<pre tabindex="0"><code>${escapeText(part.text)}</code></pre>`;
    case "list": {
      const items = part.items.map(
        ([code, text]) => `<li><code>${escapeText(code)}</code> ${escapeText(text)}</li>`,
      );
      return `<ul class="fields">${items.join("")}</ul>`;
    }
    default:
      return unreachable(part);
  }
}

/** The whole page: no script, one inline style, every text escaped. */
export function docsHtml(document: OpenAPIV3_1.Document): string {
  const calls = callsOf(document);
  const tags = (document.tags ?? []).map(({ name }) => name);
  const { title, description = "" } = document.info;
  const refusal = (document.components?.schemas?.["Refusal"] ?? {}) as Schema;
  return `<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(docsCopy.title(title))}</title><style>${DOCS_CSS}</style></head>
<body><header><h1>${escapeText(docsCopy.title(title))}</h1>
<p>${escapeText(description)}</p>
<p>${escapeText(docsCopy.intro)} <a href="/api/openapi.json">/api/openapi.json</a></p></header>
<nav aria-label="${escapeAttribute(docsCopy.contents)}"><ul>${tags.map(linkHtml).join("")}</ul></nav>
<main>${tags.map((tag) => chapterHtml(tag, { calls, document })).join("\n")}
<section><h2>${escapeText(docsCopy.refusals)}</h2>
<p>${escapeText(docsCopy.refusalShape)}</p>${schemaHtml(refusal)}</section></main></body></html>`;
}

function anchorOf(tag: string): string {
  return tag
    .normalize("NFD")
    .replaceAll(/[^A-Za-z]+/g, "")
    .toLowerCase();
}

function linkHtml(tag: string): string {
  return `<li><a href="#${anchorOf(tag)}">${escapeText(tag)}</a></li>`;
}

type Told = { readonly calls: readonly Call[]; readonly document: OpenAPIV3_1.Document };

function chapterHtml(tag: string, { calls, document }: Told): string {
  const own = calls.filter((call) => call.tag === tag);
  const [server] = document.servers ?? [];
  const guide = tag === DEVELOPERS_CHAPTER ? guideHtml(developersGuide(server?.url ?? "")) : "";
  return `<section id="${anchorOf(tag)}"><h2>${escapeText(tag)}</h2>${guide}
${own.map(callHtml).join("\n")}</section>`;
}

function callHtml(call: Call): string {
  const { method, path, summary, proof } = call;
  const heading = `<span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeText(path)}</code>`;
  return `<article id="${escapeAttribute(call.id)}"><h3>${heading}</h3>
<p>${escapeText(summary)}</p>
<p class="proof">${escapeText(`${docsCopy.proof} : ${docsCopy.proofs[proof]}`)}</p>
${parametersHtml(call.parameters)}${bodiesHtml(call)}${answersHtml(call)}</article>`;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const items = parameters.map(({ name, in: place, required, schema }) => {
    const must = required ? `, ${docsCopy.required}` : "";
    const said = `${docsCopy.places[place]}${must} : ${sayType(schema ?? {})}`;
    return `<li><code>${escapeText(name)}</code> ${escapeText(said)}</li>`;
  });
  return `<h4>${escapeText(docsCopy.parameters)}</h4><ul class="fields">${items.join("")}</ul>`;
}

function bodiesHtml({ bodies }: Call): string {
  return Object.entries(bodies)
    .map(
      ([type, { schema }]) =>
        `<details><summary>${escapeText(`${docsCopy.body} : ${type}`)}</summary>` +
        `${schemaHtml(schema ?? {})}</details>`,
    )
    .join("");
}

/** Answers with a shape of their own are unfolded; refusals share theirs, told once above. */
function answersHtml({ answers }: Call): string {
  const own = answers.filter(({ status }) => Number(status) < 400);
  const refused = answers.filter(({ status }) => Number(status) >= 400);
  const shapes = own.map(({ status, description, content }) => {
    const [type, media] = Object.entries(content)[0] ?? [];
    const title = `${docsCopy.answer} ${status}${type ? ` : ${type}` : ""}`;
    const inner = media?.schema ? schemaHtml(media.schema) : `<p>${escapeText(description)}</p>`;
    return `<details><summary>${escapeText(title)}</summary>${inner}</details>`;
  });
  const list = refused.map(
    ({ status, description }) => `<li><code>${status}</code> ${escapeText(description)}</li>`,
  );
  return `${shapes.join("")}<details><summary>${escapeText(docsCopy.refusals)}</summary>
<ul class="fields">${list.join("")}</ul></details>`;
}
