import type { FrameLocator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { buyAndJoin, setFixture } from "./fixture.ts";
import { nativeBar, openPhones, openSellerApp, openTab, refresh } from "./steps.ts";

test.describe("the seller's pages", () => {
  test("keep the rules of back, tabs and refresh", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { seller } = await openPhones(page, fixture.emulators);
    const app = await openSellerApp(seller);
    const back = nativeBar(seller).getByRole("button", { name: "Retour", exact: true });
    const heading = (name: string) => app.getByRole("heading", { name, level: 1 });

    await test.step("the five tabs, each current on its page, none with a way back", async () => {
      for (const [tab, title] of [
        ["Produits", "Produits"],
        ["Groupes", "Groupes"],
        ["Stats", "Statistiques"],
        ["Réglages", "Réglages"],
      ] as const) {
        await openTab(app, tab);
        await expect(heading(title)).toBeVisible();
        await expect(currentTab(app)).toHaveText(tab);
        await expect(back).toBeHidden();
      }
    });

    await test.step("a child leads back to its list, whatever came before", async () => {
      await openTab(app, "Groupes");
      await app.getByRole("link", { name: new RegExp(fixture.group) }).click();
      await app.getByText(fixture.product.title).click();
      await expect(currentTab(app)).toHaveText("Produits");
      await back.click();
      await expect(heading("Produits")).toBeVisible();
      await openTab(app, "Groupes");
      await app.getByRole("button", { name: "Ajouter un groupe ou un canal" }).last().click();
      await expect(heading("Relier le bot")).toBeVisible();
      await back.click();
      await expect(heading("Groupes")).toBeVisible();
    });

    await test.step("settings' pages lead back where the person was", async () => {
      await openTab(app, "Réglages");
      await app.getByText("Plan", { exact: true }).click();
      await expect(currentTab(app)).toHaveText("Réglages");
      await back.click();
      await expect(heading("Réglages")).toBeVisible();
    });

    await test.step("a refresh stays on the page", async () => {
      await openTab(app, "Produits");
      await app.getByText(fixture.product.title).click();
      await expect(app.getByRole("heading", { name: fixture.product.title })).toBeVisible();
      await refresh(app);
      await expect(app.getByRole("heading", { name: fixture.product.title })).toBeVisible();
      // The phone keeps its button while the page begins anew: a tap that comes too early is lost.
      await expect(async () => {
        if (await back.isVisible()) await back.click({ timeout: 15_000 });
        await expect(heading("Produits")).toBeVisible({ timeout: 15_000 });
      }).toPass();
    });
  });

  test("edit, switch and archive a product; its members keep it", async ({ page, product }) => {
    const fixture = await setFixture(product);
    await buyAndJoin(product, fixture);
    const { seller } = await openPhones(page, fixture.emulators);
    const app = await openSellerApp(seller);
    const renamed = `${fixture.product.title}, édition 2`;

    await test.step("edit", async () => {
      await openTab(app, "Produits");
      await app.getByText(fixture.product.title).click();
      await app.getByRole("link", { name: "Modifier" }).click();
      await expect(app.getByLabel(/Titre/)).toHaveValue(fixture.product.title);
      await app.getByLabel(/Titre/).fill("");
      await expect(app.getByRole("button", { name: "Enregistrer" })).toBeDisabled();
      await app.getByLabel(/Titre/).fill(renamed);
      await app.getByLabel(/Prix/).fill("7500");
      await expect(app.getByText(/Vous recevez 6.150.FCFA par vente/)).toBeVisible();
      await app.getByRole("button", { name: "Enregistrer" }).click();
      await expect(app.getByText(/mis à jour/)).toBeVisible();
      await app.getByRole("dialog").getByRole("button", { name: "Voir mes produits" }).click();
      await expect(app.getByText(renamed)).toBeVisible();
      await expect(app.getByText(/7.500.FCFA/)).toBeVisible();
    });

    await test.step("the phone's own button closes the good news as its button does", async () => {
      await app.getByText(renamed).click();
      await app.getByRole("link", { name: "Modifier" }).click();
      await app.getByLabel(/Prix/).fill("8000");
      await app.getByRole("button", { name: "Enregistrer" }).click();
      await expect(app.getByText(/mis à jour/)).toBeVisible();
      await nativeBar(seller).getByRole("button", { name: "Retour", exact: true }).click();
      await expect(app.getByText(renamed)).toBeVisible();
      await expect(app.getByText(/8.000.FCFA/)).toBeVisible();
    });

    await test.step("switch off: the buyer's page says it at once", async () => {
      await app.getByText(renamed).click();
      const sale = app.getByRole("switch");
      await sale.click();
      await expect(app.getByText("Inactif")).toBeVisible();
      const visit = await page.context().newPage();
      await visit.goto(`${fixture.app}/?tgWebAppStartParam=${fixture.product.reference}`);
      await expect(visit.getByRole("heading", { name: renamed })).toBeVisible();
      await expect(visit.getByText("n'est pas en vente pour le moment")).toBeVisible();
      await visit.close();
      await sale.click();
      await expect(app.getByText("Actif", { exact: true })).toBeVisible();
    });

    await test.step("archive: the question names the members who stay", async () => {
      await app.getByRole("button", { name: "Supprimer" }).click();
      const question = app.getByRole("dialog");
      await expect(question.getByText(/1 membre/)).toBeVisible();
      await question.getByRole("button", { name: "Annuler" }).click();
      await app.getByRole("button", { name: "Supprimer" }).click();
      await question.getByRole("button").first().click();
      await expect(app.getByText("Aucun produit", { exact: true })).toBeVisible();
      await openTab(app, "Accueil");
      await expect(app.getByText(/4.100.FCFA/).first()).toBeVisible();
    });
  });
});

function currentTab(app: FrameLocator) {
  return app
    .getByRole("navigation", { name: "Navigation principale" })
    .locator('[aria-current="page"]');
}
