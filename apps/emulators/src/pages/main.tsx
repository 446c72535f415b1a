/**
 * The front page of the demonstration. How a browser journey drives it (roles and French names):
 *
 * - A phone: `getByRole("region", { name: "Téléphone du vendeur" })`, "… de l'acheteur", "… de
 *   l'agent"; all below is looked for inside it. A name may be part of another ("Sésame" of
 *   "Sésame Vendeur"): use `exact: true`, or a pattern such as /^Sésame Vendeur/ in the list, where
 *   the time, the last message and "2 non lus" follow. What lies behind a mini app or the browser has no role meanwhile.
 * - Open a chat: button with the chat's name ("Sésame Vendeur") in the list "Liste des
 *   discussions". Go back: button "Retour". Begin with a bot: button "DÉMARRER".
 * - Read messages: `getByRole("log", { name: "Messages de <chat>" })`. Inline buttons are buttons
 *   with their text. Write: textbox "Message", button "Envoyer".
 * - Open any link: textbox "Rechercher ou coller un lien" of the list, button "Ouvrir le lien".
 * - Create: button "Nouvelle discussion", then "Nouveau supergroupe" | "Nouveau canal" | "Nouveau
 *   groupe"; textbox "Nom"; button "Créer". The group's page: button "Informations sur <nom>".
 * - Add the bot by its link: dialog "Choisir un groupe" → button with the group's name (or "Créer
 *   un groupe") → switches of the rights → button "Ajouter comme administrateur". Later: on the
 *   group's page button "Droits de <bot>" → switches → "Enregistrer".
 * - Invite link: dialog with the chat's title; role "status" says where it stands; button
 *   "Demander à rejoindre", "Annuler la demande", "Ouvrir la discussion".
 * - Mini app: a bot's menu or web_app button opens `frameLocator('iframe[title="Mini app"]')`;
 *   "Fermer" | "Retour" (native back) and "Plus" above; the native button below by its text;
 *   put aside, it waits as button "Rouvrir <bot>".
 * - Share sheet: dialog "Envoyer à…", button with a person's or chat's name.
 * - External browser: `frameLocator('iframe[title="Navigateur"]')`; button "Revenir à Telegram".
 * - Hosted payment page: radio of the operator, textbox "Numéro de téléphone", buttons "Payer
 *   <montant>", "Refuser (échec)", "Annuler le paiement", "Laisser en attente".
 *   FedaPay's and PayDunya's are the same; Crypto Pay's has a radio for each coin, "Payer <price>"
 *   and "Laisser en attente". FedaPay's widget: dialog "Paiement FedaPay" with the same page in
 *   `frameLocator('iframe[title="Paiement FedaPay"]')`, button "Fermer le paiement".
 * - Another person on a phone: combobox "Changer de personne : <nom>".
 * - Control panel: button "Panneau de contrôle" opens complementary "Panneau de contrôle"; buttons
 *   "+1 min", "+1 h", "+1 j", "+30 j"; comboboxes and checkboxes by their labels. A jump of the
 *   clock reloads the open mini apps with fresh init data. "Réseau lent" stands above each phone.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./base.css";
import { FrontPage } from "./front/front-page.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");

createRoot(root).render(
  <StrictMode>
    <FrontPage />
  </StrictMode>,
);
