import type { OpenAPIV3_1 } from "openapi-types";
import { pagePolicy } from "../http/content-security-policy.ts";
import { sendOnce } from "../http/compress.ts";
import type { HttpServer } from "../http/server.ts";
import { Html, html } from "../pages/html.ts";
import { DEVELOPERS_CHAPTER } from "./openapi.fr.ts";
import * as contract from "@sesame/contract/developers";

/** The parts of a JSON schema that the page reads; others are ignored. */
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

/** Light and dark are the browser's own colours; greys are transparent. */
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

/** French words for the terms of the description. */
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

/** /docs: the description of every call, for people. Rendered once, from /api/openapi.json. */
export function registerDocs(http: HttpServer, options: Parameters<typeof pagePolicy>[0]): void {
  const policy = pagePolicy(options, { scripts: [], styles: [CSS] });
  const page = () => docsHtml(http.swagger() as OpenAPIV3_1.Document);
  const send = sendOnce(page, "text/html; charset=utf-8");
  http.get("/docs", { config: { access: "public" }, schema: { hide: true } }, (request, reply) =>
    send(request, reply.header("content-security-policy", policy)),
  );
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

/** The fields of a schema's object, also inside lists and nullable types. */
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
  // Bounds of JSON numbers are not ours.
  const bounds = Number(maximum) < 2 ** 53 - 1 ? `, de ${minimum ?? 0} à ${maximum}` : "";
  return `${types.join(" ou ") || "au choix"}${form}${length}${bounds}`;
}

const named = (names: readonly (readonly [code: string, text: string])[]): Html =>
  html`<ul>${names.map(([code, text]) => html`<li><code>${code}</code> ${text}</li>`)}</ul>`;

/** The introduction for developers, before the calls. */
export const developersGuide = (publicUrl: string): Html => html`
<p>Vos propres programmes lisent votre boutique et sont prévenus de ce qui s'y passe.
L'API développeur fait partie du plan Premium.</p>
<h3>S'identifier</h3>
<p>Créez une clé dans l'application : Réglages, puis API développeur. Elle n'est montrée qu'une fois.
Gardez-la sur votre serveur, jamais dans une page ou une application.
Elle commence toujours par sk_sesame_ et finit par une somme de contrôle (CRC-32 de ce qui précède,
en base 36) : une fuite se reconnaît.</p>
<pre tabindex="0"><code>curl -H "Authorization: Bearer sk_sesame_…" \\
  "${publicUrl}/api/v1/orders?limit=50"</code></pre>
<p>Chaque clé a des droits, et rien de plus :</p>
${named(contract.KEY_SCOPES.map((scope) => [scope, contract.SCOPE_NAMES[scope]] as const))}
<p>Si le plan Premium prend fin, vos clés se reposent (403) et marchent de nouveau à son retour.
Une clé révoquée ne marche plus jamais (401).</p>
<h3>Lire par pages</h3>
<p>Les listes vont du plus récent au plus ancien. Chaque réponse porte data et next_cursor :
redemandez avec ?cursor= suivi de next_cursor, jusqu'à ce qu'il soit null.
limit va de 1 à 100. Rien n'est sauté ni répété si des lignes arrivent entre deux pages.</p>
<p>Les montants sont des entiers en francs CFA, les instants en UTC (ISO 8601), les identifiants du
texte. Des champs peuvent s'ajouter ; aucun n'est renommé ni retiré.</p>
<h3>Erreurs et limites</h3>
<p>Un refus a un code stable et une phrase : { success: false, code, message }.</p>
${named([
  ["400", "demande mal formée"],
  ["401", "clé absente, inconnue ou révoquée"],
  ["403", "droit manquant, ou plan Premium terminé"],
  ["404", "absent, ou à quelqu'un d'autre"],
  ["429", "plus de 240 demandes par minute pour une clé et un appel : attendez Retry-After"],
  ["503", "momentanément indisponible : redemandez plus tard"],
])}
<h3>Recevoir des webhooks</h3>
<p>Ajoutez l'adresse https de votre serveur dans l'application. Nous y envoyons un POST en JSON :
{ type, timestamp, data }, où data est l'objet que l'API répond.
Répondez 2xx en moins de 10 secondes, puis travaillez.
Sans Premium rien n'est noté, et rien de ce temps n'est envoyé plus tard : l'API l'a.
Ce qui attendait déjà part encore.</p>
${named(contract.EVENT_TYPES.map((type) => [type, contract.EVENT_NAMES[type]] as const))}
<p>Sans réponse 2xx, nous essayons dix fois en tout, sur plus de trois jours : de nouveau après
5 secondes, 5 et 30 minutes, puis 2, 5, 10, 14, 20 et 24 heures.
Une redirection n'est pas suivie. Après 410 l'adresse est mise en pause aussitôt ; après
${String(contract.FAILING_DAYS_MAX)} jours d'échecs aussi, et le bot vous prévient.
Les envois restent visibles ${String(contract.DELIVERIES_DAYS)} jours et peuvent être renvoyés à la main.</p>
<p>Un même événement peut arriver deux fois, et deux événements dans un autre ordre : retenez
webhook-id, qui ne change jamais d'un essai à l'autre.</p>
<h3>Vérifier une signature</h3>
<p>Nous suivons les règles Standard Webhooks : une bibliothèque existe pour la plupart des langages.
Sans elle : la clé est ce qui suit whsec_, décodé de base64. Signez les octets webhook-id, point,
webhook-timestamp, point, corps tel qu'il est arrivé, par HMAC-SHA256, et comparez en temps constant
à chaque signature v1 de webhook-signature (il y en a deux pendant un changement de secret).
Refusez un webhook-timestamp éloigné de plus de 5 minutes.</p>
<pre tabindex="0"><code>${VERIFY}</code></pre>`;

const VERIFY = `import { createHmac, timingSafeEqual } from "node:crypto";

function isGenuine(headers, body, secret) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (!id || !timestamp || !signatures) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key)
    .update(id + "." + timestamp + "." + body).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
