import { expect, type FrameLocator, type Locator, type Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { type Actor, launchOf } from "./fixture.ts";

/** What people do on the three phones, as often as the journeys need it. */

export type Phones = {
  readonly seller: Locator;
  readonly buyer: Locator;
  readonly stranger: Locator;
};

/** The demonstration's front page, whole. */
export async function openPhones(page: Page, emulatorUrl: string): Promise<Phones> {
  await page.goto(emulatorUrl);
  const named = (name: string) => page.getByRole("region", { name });
  return {
    seller: named("Téléphone du vendeur"),
    buyer: named("Téléphone de l'acheteur"),
    stranger: named("Téléphone de l'agent"),
  };
}

/** The sheet or the question over a screen. */
export function sheet(screen: Page | FrameLocator): Locator {
  return screen.getByRole("dialog");
}

export function miniApp(owner: Locator): FrameLocator {
  return owner.frameLocator('iframe[title="Mini app"]');
}

/** The phone's own browser, outside Telegram. */
export function browserOf(owner: Locator): FrameLocator {
  return owner.frameLocator('iframe[title="Navigateur"]');
}

/** The client's own bar and buttons around a mini app. */
export function nativeBar(owner: Locator): Locator {
  return owner.getByRole("region", { name: /^Mini app/ });
}

/** A row of the list of chats; the same words may stand on a notification above it. */
export async function openChat(owner: Locator, name: RegExp): Promise<void> {
  const chats = owner.getByRole("list", { name: "Liste des discussions" });
  await chats.getByRole("button", { name }).click();
}

/** From the list of chats: the sellers' bot, its first message, its button. */
export async function openSellerApp(owner: Locator): Promise<FrameLocator> {
  await openChat(owner, /^Sésame Vendeur/);
  await owner.getByRole("button", { name: "DÉMARRER" }).click();
  return openByButton(owner, "Ouvrir Sésame");
}

/** In the agent's phone: the bot is asked for the back office. */
export async function openBackOfficeByBot(agent: Locator): Promise<FrameLocator> {
  await openChat(agent, /^Sésame Vendeur/);
  const begin = agent.getByRole("button", { name: "DÉMARRER" });
  const message = agent.getByRole("textbox", { name: "Message" });
  await begin.or(message).first().waitFor();
  if (await begin.isVisible()) await begin.click();
  await message.fill("/bureau");
  await agent.getByRole("button", { name: "Envoyer" }).click();
  return openByButton(agent, "Ouvrir le bureau");
}

/** The newest button of that name in a bot's chat, which opens the bot's app. */
async function openByButton(owner: Locator, name: string): Promise<FrameLocator> {
  const app = owner.locator('iframe[title="Mini app"]');
  // Messages that arrive move the button from under the finger: one taps again.
  await expect(async () => {
    const button = owner.getByRole("button", { name }).last();
    if (!(await app.isVisible())) await button.click({ timeout: 15_000 });
    await app.waitFor({ timeout: 15_000 });
  }).toPass();
  return miniApp(owner);
}

export type AppAt = { readonly person: Actor; readonly path: string };

/** The sellers' app as a page of its own, opened from Telegram: with a fresh proof, at an address. */
export async function reopen(page: Page, product: StartedProduct, at: AppAt): Promise<void> {
  const takes = { personId: at.person.id, bot: "seller", path: at.path } as const;
  const url = await launchOf(product, takes);
  await page.goto("about:blank");
  await page.goto(url);
}

/** The form of a withdrawal, with one number for both. */
export async function fillRequest(app: Page | FrameLocator, phone: string, amount: number) {
  await app.getByLabel(/^Montant/).fill(String(amount));
  await app.getByLabel(/^Numéro WhatsApp/).fill(phone);
  await app.getByLabel(/^Numéro de transfert/).fill(phone);
}

/** Loads the app anew; when this ends nothing is left of what stood there. */
export async function refresh(app: FrameLocator): Promise<void> {
  await app.locator("html").evaluate((html) => {
    html.dataset["before"] = "";
    location.reload();
  });
  await expect(app.locator("html:not([data-before])")).toBeAttached();
}

export async function openTab(app: FrameLocator, name: string): Promise<void> {
  const tabs = app.getByRole("navigation", { name: "Navigation principale" });
  await tabs.getByRole("link", { name }).click();
}

/** Pastes a link in the phone's list of chats, as a person who received it would tap it. */
export async function openLink(owner: Locator, link: string): Promise<void> {
  await owner.getByRole("textbox", { name: "Rechercher ou coller un lien" }).fill(link);
  await owner.getByRole("button", { name: "Ouvrir le lien" }).click();
}

/** From the product's page to Moneroo's, in the phone's browser. */
export async function goToPayment(owner: Locator): Promise<FrameLocator> {
  const app = miniApp(owner);
  await app.getByRole("button", { name: "Acheter ce produit" }).click();
  return payOnSheet(owner);
}

/** On the sheet where a way to pay is chosen: Moneroo's, to its page. */
export async function payOnSheet(owner: Locator): Promise<FrameLocator> {
  await choosePayment(miniApp(owner), /Moneroo/);
  const browser = browserOf(owner);
  await fillPayment(browser);
  return browser;
}

/** Chooses a way on the sheet, and goes on with it. */
export async function choosePayment(app: FrameLocator, provider: RegExp): Promise<void> {
  const sheet = app.getByRole("dialog");
  const choice = sheet.getByRole("radio", { name: provider });
  await sheet.getByRole("radio").first().waitFor();
  if (!(await choice.isVisible())) await sheet.getByText("Payer par un autre prestataire").click();
  await choice.check();
  await sheet.getByRole("button", { name: /^Payer / }).click();
}

export async function fillPayment(browser: FrameLocator): Promise<void> {
  await browser.getByRole("radio", { name: /Orange Money/ }).check({ force: true });
  await browser.getByRole("textbox", { name: "Numéro de téléphone" }).fill("0701020304");
}

type Way = {
  readonly name: string;
  /** On the sheet. */
  readonly row: RegExp;
  pay(owner: Locator): Promise<void>;
};

/** Our page of a payment made in a widget; the widget stands over it. */
async function openWidget(owner: Locator, frame: string): Promise<FrameLocator> {
  const browser = browserOf(owner);
  await browser.getByRole("button", { name: "Payer", exact: true }).click();
  return browser.frameLocator(`iframe[title="${frame}"]`);
}

/** The provider's own page, or what its widget shows: the same form, its first method. */
async function payOnForm(owner: Locator, form: FrameLocator): Promise<void> {
  await form.getByRole("textbox", { name: "Numéro de téléphone" }).fill("0701020304");
  await form.getByRole("button", { name: /^Payer / }).click();
  await expect(browserOf(owner).getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
  await owner.getByRole("button", { name: "Revenir à Telegram" }).click();
}

/** A payment at each provider, as its customer makes it: from the sheet to the provider's yes. */
export const WAYS: readonly Way[] = [
  {
    name: "FedaPay's widget",
    row: /FedaPay/,
    pay: async (owner) => payOnForm(owner, await openWidget(owner, "Paiement FedaPay")),
  },
  {
    name: "FedaPay's own page",
    row: /FedaPay/,
    async pay(owner) {
      await browserOf(owner).getByRole("link", { name: "Payer sur la page de FedaPay" }).click();
      await payOnForm(owner, browserOf(owner));
    },
  },
  {
    name: "KkiaPay's widget",
    row: /KkiaPay/,
    pay: async (owner) => payOnForm(owner, await openWidget(owner, "Paiement KkiaPay")),
  },
  { name: "PayDunya's page", row: /PayDunya/, pay: (owner) => payOnForm(owner, browserOf(owner)) },
  {
    name: "Crypto Pay's invoice",
    row: /Crypto/,
    async pay(owner) {
      await browserOf(owner)
        .getByRole("button", { name: /^Payer / })
        .click();
      await owner.getByRole("button", { name: "Revenir à Telegram" }).click();
    },
  },
  {
    name: "Telegram Stars",
    row: /Stars/,
    pay: (owner) => owner.getByRole("button", { name: /^Payer ⭐/ }).click(),
  },
];

/** On the sheet of ways: this one, to its end. */
export async function payBy(owner: Locator, name: string): Promise<void> {
  const way = WAYS.find((one) => one.name === name);
  if (!way) throw new Error(`no way is called ${name}`);
  await choosePayment(miniApp(owner), way.row);
  await way.pay(owner);
}

/** Pays, sees the true status in the browser, and goes back to Telegram. */
export async function payByOrangeMoney(owner: Locator): Promise<void> {
  await finishPayment(owner, await goToPayment(owner));
}

export async function finishPayment(owner: Locator, browser: FrameLocator): Promise<void> {
  await browser.getByRole("button", { name: /^Payer/ }).click();
  await expect(browser.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
  await backToTelegram(owner);
}

export async function backToTelegram(owner: Locator): Promise<void> {
  const back = owner.getByRole("button", { name: "Revenir à Telegram" });
  // A notification may slide down under the finger: one taps again.
  await expect(async () => {
    if (await back.isVisible()) await back.click();
    await expect(back).toBeHidden();
  }).toPass();
}

/** Telegram's own way back, in the app's bar. */
export function backIn(owner: Locator): Locator {
  return nativeBar(owner).getByRole("button", { name: "Retour", exact: true });
}

/** The bot may write: asked on the status page, answered in Telegram's own question. */
export async function allowWriting(owner: Locator): Promise<void> {
  await miniApp(owner).getByRole("button", { name: "Autoriser" }).click();
  await owner.getByRole("alertdialog").getByRole("button", { name: "Autoriser" }).click();
}

/** From the status page into the group, and back to the status page. */
export async function joinGroup(owner: Locator): Promise<void> {
  await miniApp(owner).getByRole("button", { name: "Rejoindre le groupe" }).click();
  await owner.getByRole("button", { name: "Demander à rejoindre" }).click();
  await expect(owner.getByText("Vous êtes membre.")).toBeVisible();
  await owner.getByRole("dialog").getByRole("button", { name: "Fermer" }).click();
  await expect(
    miniApp(owner).getByRole("heading", { name: "Vous êtes dans le groupe" }),
  ).toBeVisible();
}

/**
 * In Telegram's own dialogue, opened by an add link: makes a group or channel, adds the bot with
 * the rights it asks for, and comes back to the app.
 */
export async function addBotToNewChat(
  owner: Locator,
  { kind, title }: { kind: "groupe" | "canal"; title: string },
): Promise<void> {
  await owner.getByRole("button", { name: `Créer un ${kind}` }).click();
  await owner.getByRole("textbox", { name: "Nom", exact: true }).fill(title);
  await owner.getByRole("button", { name: "Créer", exact: true }).click();
  await owner.getByRole("button", { name: new RegExp(title) }).click();
  await owner.getByRole("button", { name: "Ajouter comme administrateur" }).click();
  await backToApp(owner);
}

/** A mini app that was put aside waits at the bottom of the phone. */
export async function backToApp(owner: Locator): Promise<void> {
  await owner.getByRole("button", { name: /Rouvrir/ }).click();
}

export async function minimise(owner: Locator): Promise<void> {
  await owner.getByRole("button", { name: "Plus", exact: true }).click();
  await owner.getByRole("menuitem", { name: "Réduire" }).click();
}

export async function openControlPanel(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Panneau de contrôle" }).click();
  return page.getByRole("complementary", { name: "Panneau de contrôle" });
}

/** The operators' app beside Telegram: its messages, and money sent by hand. */
export async function openMobileMoney(owner: Locator): Promise<Locator> {
  await owner.getByRole("button", { name: /^Mobile Money/ }).click();
  return owner.getByRole("region", { name: "Mobile Money" });
}

export async function closeMobileMoney(owner: Locator): Promise<void> {
  const money = owner.getByRole("region", { name: "Mobile Money" });
  await money.getByRole("button", { name: "Revenir à Telegram" }).click();
}

/** Pays by hand, as an agent does; `number` with its country's code. Answers the reference. */
export async function sendMobileMoney(
  owner: Locator,
  { number, amount, network }: { number: string; amount: number; network?: string },
): Promise<string> {
  const money = await openMobileMoney(owner);
  await money.getByRole("button", { name: "Envoyer de l'argent" }).click();
  await money.getByRole("textbox", { name: "Numéro du destinataire" }).fill(number);
  if (network !== undefined) {
    await money.getByRole("combobox", { name: "Réseau du destinataire" }).selectOption(network);
  }
  await money.getByRole("textbox", { name: "Montant" }).fill(String(amount));
  const references = operatorMessages(owner).getByRole("button");
  const before = await references.count();
  await money.getByRole("button", { name: /^Envoyer \d/ }).click();
  await expect(references).toHaveCount(before + 1);
  const reference = (await references.last().textContent()) ?? "";
  await closeMobileMoney(owner);
  return reference;
}

/** What the operators wrote to this phone. */
export function operatorMessages(owner: Locator): Locator {
  return owner.getByRole("log", { name: "Messages des opérateurs" });
}
