import {
  DELIVERIES_DAYS,
  EVENT_NAMES,
  EVENT_TYPES,
  FAILING_DAYS_MAX,
  KEY_SCOPES,
  SCOPE_NAMES,
} from "@sesame/contract/developers";
import { type Html, html } from "../pages/buyer-html.ts";

const named = (names: readonly (readonly [code: string, text: string])[]): Html =>
  html`<ul>${names.map(([code, text]) => html`<li><code>${code}</code> ${text}</li>`)}</ul>`;

/** How a developer begins: read before the calls. */
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
${named(KEY_SCOPES.map((scope) => [scope, SCOPE_NAMES[scope]] as const))}
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
${named(EVENT_TYPES.map((type) => [type, EVENT_NAMES[type]] as const))}
<p>Sans réponse 2xx, nous essayons dix fois en tout, sur plus de trois jours : de nouveau après
5 secondes, 5 et 30 minutes, puis 2, 5, 10, 14, 20 et 24 heures.
Une redirection n'est pas suivie. Après 410 l'adresse est mise en pause aussitôt ; après
${String(FAILING_DAYS_MAX)} jours d'échecs aussi, et le bot vous prévient.
Les envois restent visibles ${String(DELIVERIES_DAYS)} jours et peuvent être renvoyés à la main.</p>
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
