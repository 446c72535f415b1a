import { expect, test } from "./fixtures.ts";
import { peopleInside } from "./outside.ts";
import { paymentOf, setFixture, settle } from "./fixture.ts";
import {
  backToTelegram,
  browserOf,
  fillPayment,
  finishPayment,
  goToPayment,
  joinGroup,
  miniApp,
  openLink,
  openPhones,
  openSellerApp,
  payOnSheet,
  refresh,
} from "./steps.ts";

test.describe("a payment", () => {
  test("refused, then made again, lets the buyer in", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { buyer, seller } = await openPhones(page, fixture.emulators);
    const app = miniApp(buyer);
    const shop = await openSellerApp(seller);
    await expect(shop.getByText("Aucune transaction")).toBeVisible();
    await openLink(buyer, fixture.link);

    const browser = await goToPayment(buyer);
    // On the seller's open page, by itself.
    const sale = shop.getByRole("listitem").filter({ hasText: fixture.cast.buyer.firstName });
    await expect(sale.getByText("En attente")).toBeVisible();
    await browser.getByRole("button", { name: "Refuser (échec)" }).click();
    await expect(browser.getByRole("heading", { name: "Paiement refusé" })).toBeVisible();
    await expect(sale.getByText("Échec")).toBeVisible();
    await backToTelegram(buyer);
    await expect(app.getByRole("heading", { name: "Paiement non effectué" })).toBeVisible();

    await app.getByRole("button", { name: "Payer à nouveau" }).click();
    await finishPayment(buyer, await payOnSheet(buyer));
    await joinGroup(buyer);
    expect(await peopleInside(fixture.emulators, fixture.group)).toContain(
      fixture.cast.buyer.firstName,
    );
  });

  test("refused, then accepted by the operator, still counts", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { buyer } = await openPhones(page, fixture.emulators);
    const app = miniApp(buyer);
    await openLink(buyer, fixture.link);

    const browser = await goToPayment(buyer);
    await browser.getByRole("button", { name: "Refuser (échec)" }).click();
    // The page in Telegram follows while the browser still covers it.
    await expect(app.getByText("Paiement non effectué")).toBeVisible();
    await browser.getByRole("button", { name: "Réessayer" }).click();
    await fillPayment(browser);
    await finishPayment(buyer, browser);
    await joinGroup(buyer);
  });

  test("put off says so, and the page changes when it is made", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { buyer } = await openPhones(page, fixture.emulators);
    await openLink(buyer, fixture.link);
    const browser = await goToPayment(buyer);
    await browser.getByRole("button", { name: "Laisser en attente" }).click();
    await expect(
      browserOf(buyer).getByRole("heading", { name: "Paiement en attente" }),
    ).toBeVisible();
    await backToTelegram(buyer);
    const app = miniApp(buyer);
    await expect(app.getByRole("heading", { name: "Paiement en attente" })).toBeVisible();
    await refresh(app);
    await expect(app.getByRole("heading", { name: "Paiement en attente" })).toBeVisible();

    await settle(fixture.emulators, "moneroo", (await paymentOf(fixture)).id);
    await expect(app.getByRole("button", { name: "Rejoindre le groupe" })).toBeVisible();
    // Drawn by the styles alone: a leaf that is turned on its hinge.
    const door = app.locator('[data-tone="open"] > [aria-hidden]');
    const leaf = await door.evaluate((element) => getComputedStyle(element, "::after").transform);
    expect(leaf, "the door is open").toMatch(/^matrix3d/);
  });
});
