import { FAILING_DAYS_MAX } from "@sesame/contract/developers";
import { bold, type Html, html } from "../../bot/message.ts";

export const keyCreated = (name: string): Html =>
  html`🔑 La clé d'API ${bold(name)} vient d'être créée : un programme qui la connaît peut lire votre boutique.
Si ce n'est pas vous, révoquez-la dans l'application et écrivez au support.`;

export const endpointFailing = (url: string): Html =>
  html`⚠️ ${bold(url)} ne répond plus depuis ${{ text: String(FAILING_DAYS_MAX) }} jours : nous ne lui envoyons plus rien. Vos ventes et vos accès ne sont pas touchés.
Réparez-la, puis réactivez-la dans l'application : les envois manqués peuvent être renvoyés.`;

export const endpointGone = (url: string): Html =>
  html`⚠️ ${bold(url)} a répondu qu'elle n'existe plus (410) : nous ne lui envoyons plus rien. Vos ventes et vos accès ne sont pas touchés.`;

export const BUTTONS = { page: "API développeur" } as const;
