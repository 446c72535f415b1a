import type { Fcfa } from "@sesame/kernel";
import { sayFcfa } from "../../bot/format.fr.ts";
import { type Html, html } from "../../bot/html.ts";

const quote = (reason: string): Html => html`<i>${{ text: reason }}</i>`;
const review = (day: string): Html =>
  html`La décision sera réexaminée le ${{ text: day }}. Pour y répondre, écrivez au support.`;

export const sellerSuspended = (reason: string, reviewDay: string): Html =>
  html`⛔️ Vos ventes sont suspendues par la plateforme.
Motif : ${quote(reason)}
Les accès déjà vendus continuent ; rien de nouveau ne peut être acheté ni retiré.
${review(reviewDay)}`;

export const sellerResumed = (): Html =>
  html`✅ La suspension de vos ventes est levée : vos produits sont de nouveau en vente.`;

export const productSuspended = (title: string, reason: string, reviewDay: string): Html =>
  html`⛔️ Votre produit <b>${{ text: title }}</b> est suspendu par la plateforme.
Motif : ${quote(reason)}
Les accès déjà vendus continuent.
${review(reviewDay)}`;

export const productResumed = (title: string): Html =>
  html`✅ La suspension de votre produit <b>${{ text: title }}</b> est levée.`;

export const payoutsFrozen = (reason: string, reviewDay: string): Html =>
  html`🛑 Vos retraits sont gelés par la plateforme.
Motif : ${quote(reason)}
Vos ventes continuent et votre solde reste le vôtre.
${review(reviewDay)}`;

export const payoutsUnfrozen = (): Html =>
  html`✅ Vos retraits sont dégelés : vous pouvez de nouveau en demander.`;

export const accountReopened = (): Html =>
  html`✅ Votre compte vendeur est rouvert. Vos anciens produits sont archivés.`;

export const writtenOff = (amount: Fcfa): Html =>
  html`✅ La plateforme renonce à <b>${{ text: sayFcfa(amount) }}</b> que vous lui deviez : vos ventes ne servent plus à les rendre.`;

export const BUTTONS = { home: "Ouvrir Sésame" };
