import { expect, type FrameLocator, type Locator } from "@playwright/test";
import { browserOf, choosePayment, miniApp } from "./steps.ts";

/** A payment at each provider, as its customer makes it: from the sheet to the provider's yes. */

export type Way = {
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
async function payOnForm(form: FrameLocator): Promise<void> {
  await form.getByRole("textbox", { name: "Numéro de téléphone" }).fill("0701020304");
  await form.getByRole("button", { name: /^Payer / }).click();
}

async function seePaidOutside(owner: Locator): Promise<void> {
  const browser = browserOf(owner);
  await expect(browser.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
  await owner.getByRole("button", { name: "Revenir à Telegram" }).click();
}

export const WAYS: readonly Way[] = [
  {
    name: "FedaPay's widget",
    row: /FedaPay/,
    async pay(owner) {
      await payOnForm(await openWidget(owner, "Paiement FedaPay"));
      await seePaidOutside(owner);
    },
  },
  {
    name: "FedaPay's own page",
    row: /FedaPay/,
    async pay(owner) {
      await browserOf(owner).getByRole("link", { name: "Payer sur la page de FedaPay" }).click();
      await payOnForm(browserOf(owner));
      await seePaidOutside(owner);
    },
  },
  {
    name: "KkiaPay's widget",
    row: /KkiaPay/,
    async pay(owner) {
      await payOnForm(await openWidget(owner, "Paiement KkiaPay"));
      await seePaidOutside(owner);
    },
  },
  {
    name: "PayDunya's page",
    row: /PayDunya/,
    async pay(owner) {
      await payOnForm(browserOf(owner));
      await seePaidOutside(owner);
    },
  },
  {
    name: "Crypto Pay's invoice",
    row: /Crypto/,
    async pay(owner) {
      const browser = browserOf(owner);
      await browser.getByRole("button", { name: /^Payer / }).click();
      await owner.getByRole("button", { name: "Revenir à Telegram" }).click();
    },
  },
  {
    name: "Telegram Stars",
    row: /Stars/,
    async pay(owner) {
      await owner.getByRole("button", { name: /^Payer ⭐/ }).click();
    },
  },
];

export function wayBy(name: string): Way {
  const way = WAYS.find((one) => one.name === name);
  if (!way) throw new Error(`no way is called ${name}`);
  return way;
}

/** From the product's page: this way is chosen, and paid. */
export async function buyBy(owner: Locator, way: Way): Promise<void> {
  const app = miniApp(owner);
  await app.getByRole("button", { name: "Acheter ce produit" }).click();
  await choosePayment(app, way.row);
  await way.pay(owner);
}
