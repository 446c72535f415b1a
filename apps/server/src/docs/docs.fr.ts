import type { OpenAPIV3_1 } from "openapi-types";
import { pagePolicy } from "../http/content-security-policy.ts";
import { type MadeOnce, makeOnce } from "../http/made-once.ts";
import type { HttpServer } from "../http/server.ts";
import { Html, html } from "../pages/buyer-html.ts";
import { developersGuide } from "./developers-guide.fr.ts";
import { DEVELOPERS_CHAPTER } from "./openapi.fr.ts";

/** What the page reads of a JSON schema; whatever else it says is left out. */
export type Schema = Omit<OpenAPIV3_1.BaseSchemaObject, "anyOf" | "properties"> & {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};
export type Parameter = Omit<OpenAPIV3_1.ParameterObject, "schema"> & { readonly schema: Schema };
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Call = Pick<OpenAPIV3_1.OperationObject, "operationId" | "security" | "summary" | "tags"> & {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
};

/** Light and dark are the browser's own colours; greys let them through. */
const CSS = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{max-width:72rem;margin:0 auto;padding:1rem;background:Canvas;overflow-wrap:anywhere;
font:1rem/1.5 system-ui,sans-serif}h1{font-size:1.5rem}h3 a{color:inherit;text-decoration:none}
h2{margin-top:2rem;border-bottom:1px solid #8886;font-size:1.25rem}section>h3{margin-top:1.5rem}
h3,h4,article p{margin:.25rem 0;font-size:1rem}ul{margin:.25rem 0;padding-left:1.25rem}
nav ul{display:flex;flex-wrap:wrap;gap:0 1rem;padding:0;list-style:none}
nav a{display:block;padding:.625rem 0}pre,article{border-radius:.75rem;padding:.75rem 1rem}
article{border:1px solid #8886;margin:.75rem 0}details{border-top:1px solid #8886}
summary{cursor:pointer;padding:.75rem 0;font-weight:600}.quiet{opacity:.75}
h4,article ul,article .quiet,section>ul,summary{font-size:.875rem}code,pre{background:#8882}
code{font:.9em ui-monospace,monospace;padding:.05rem .25rem}pre{overflow-x:auto}
pre code{padding:0;background:none;white-space:pre;overflow-wrap:normal}
@media (min-width:60rem){body{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:0 2rem}
header{grid-column:1/3}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto}
nav a{padding:.25rem 0}nav ul{display:block}}`;

/** How the description's own words are said. */
const WORDS: Readonly<Record<string, string>> = {
  developerKey: "clé (Authorization: Bearer sk_sesame_…)",
  token: "jeton (Authorization: Bearer …)",
  initData: "données signées de Telegram (X-Telegram-Init-Data)",
  path: "chemin : ",
  query: "requête : ",
  header: "en-tête : ",
  string: "texte",
  integer: "entier",
  number: "nombre",
  boolean: "vrai ou faux",
  null: "vide",
  object: "objet",
};

/** /docs: the description of every call, for people to read. Made once, from /api/openapi.json. */
export function registerDocs(http: HttpServer, options: Parameters<typeof pagePolicy>[0]): void {
  const policy = pagePolicy(options, { scripts: [], styles: [CSS] });
  let page: MadeOnce | null = null;
  http.get("/docs", { config: { access: "public" }, schema: { hide: true } }, (request, reply) => {
    page ??= makeOnce(docsHtml(http.swagger() as OpenAPIV3_1.Document), "text/html; charset=utf-8");
    return page.send(request, reply.header("content-security-policy", policy));
  });
}

/** The whole page: no script, one inline style, every text escaped. */
export function docsHtml({ info, tags = [], paths, ...rest }: OpenAPIV3_1.Document): string {
  const calls = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Call>).map(
      ([method, call]) => [call.tags?.[0], callHtml(method.toUpperCase(), path, call)] as const,
    ),
  );
  const guide = developersGuide(rest.servers?.[0]?.url ?? "");
  const refusal = rest.components?.schemas?.["Refusal"] ?? {};
  const links = [...tags, { name: "Refus" }].map(
    ({ name }) => html`<li><a href="#${idOf(name)}">${name}</a></li>`,
  );
  return html`<!doctype html>
<html lang="fr"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} : les appels</title><style>${new Html(CSS)}</style></head>
<body><header><h1>${info.title} : les appels</h1><p>${info.description ?? ""}</p>
<p>Cette page est faite de la description OpenAPI de cette instance :
<a href="/api/openapi.json">/api/openapi.json</a></p></header>
<nav aria-label="Chapitres"><ul>${links}</ul></nav><main>${tags.map(
    ({ name }) => html`<section id="${idOf(name)}"><h2>${name}</h2>
${name === DEVELOPERS_CHAPTER ? guide : ""}
${calls.flatMap(([chapter, article]) => (chapter === name ? article : []))}</section>`,
  )}<section id="${idOf("Refus")}"><h2>Refus</h2>
<p>Un refus a toujours cette forme, avec une phrase à montrer telle quelle :</p>
${innerHtml(refusal as Schema)}</section></main></body></html>`.text;
}

const idOf = (chapter: string) => chapter.normalize("NFD").replaceAll(/\W+/g, "").toLowerCase();

function callHtml(method: string, path: string, call: Call): Html {
  const { operationId: id = "", summary = "", security, parameters, requestBody: body } = call;
  const [proof = ""] = Object.keys(security?.[0] ?? {});
  const answers = Object.entries(call.responses).map(
    ([status, { description, content }]) => html`<li><code>${status}</code> ${description}
${Number(status) < 400 ? contentHtml(content) : ""}</li>`,
  );
  return html`<article id="${id}"><h3><a href="#${id}">${method} <code>${path}</code></a></h3>
<p>${summary.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part))}</p>
<p class="quiet">Qui appelle : ${WORDS[proof] ?? "sans preuve"}</p>
${parameters ? html`<h4>Paramètres</h4>${fieldsHtml(parameters)}` : ""}
${body ? html`<details><summary>Corps</summary>${contentHtml(body.content)}</details>` : ""}
<details><summary>Réponses</summary><ul>${answers}</ul></details></article>`;
}

const contentHtml = (content: Content = {}): Html[] =>
  Object.entries(content).map(
    ([type, { schema }]) =>
      html`<p class="quiet">${type}</p>${innerHtml(schema) ?? html`<p>${sayType(schema)}</p>`}`,
  );

function fieldsHtml(fields: readonly Parameter[]): Html {
  const items = fields.map(({ name, in: place, schema, required, ...said }) => {
    const { description = schema.description ?? "" } = said;
    const type = `${WORDS[place] ?? ""}${sayType(schema)}${required ? "" : ", facultatif"}`;
    return html`<li><code>${name}</code> ${type}${description && `. ${description}`}
${innerHtml(schema)}</li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** The fields of the object that a schema is, or holds: through lists and "or nothing". */
function innerHtml({ properties, required, items, anyOf = [] }: Schema): Html | undefined {
  if (!properties) return [items ?? [], anyOf].flat().map(innerHtml).find(Boolean);
  const fields = Object.entries(properties).map(([name, schema]) => {
    return { name, in: "", schema, required: required?.includes(name) ?? false };
  });
  return fieldsHtml(fields);
}

/** "texte, 64 caractères au plus", "liste de : objet", "entier ou vide". */
function sayType({ type = [], format, minimum, maximum, ...schema }: Schema): string {
  const values = (schema.enum ?? [schema.const]).map((each) => JSON.stringify(each) ?? []).flat();
  if (values.length > 0) return `${values[1] ? "parmi" : "exactement"} ${values.join(", ")}`;
  if (schema.anyOf) return [...new Set(schema.anyOf.map(sayType))].join(" ou ");
  if (schema.items) return `liste de : ${sayType(schema.items)}`;
  if (format === "binary") return "fichier";
  const types = [type].flat().map((each) => WORDS[each] ?? each);
  const form = schema.pattern ? `, de la forme ${schema.pattern}` : "";
  const length = schema.maxLength ? `, ${schema.maxLength} caractères au plus` : "";
  // Bounds of what JSON can carry are no rule of ours.
  const bounds = Number(maximum) < 2 ** 53 - 1 ? `, de ${minimum ?? 0} à ${maximum}` : "";
  return `${types.join(" ou ") || "au choix"}${form}${length}${bounds}`;
}
