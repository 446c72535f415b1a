import type { FrameLocator, Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { openInviteLinks, peopleInside, readBooks, saidTo } from "./outside.ts";
import { photograph } from "./photograph.ts";

const GROUP = "Club Trading Abidjan";
const TITLE = "Signaux trading : le club privé";

test.describe("one sale, on three phones", () => {
  test("the seller is paid, the buyer alone gets in, and leaves when the time is over", async ({
    page,
    product,
  }) => {
    const world = product.worldUrl ?? "";
    await page.goto(world);
    const seller = phone(page, "Téléphone du vendeur");
    const buyer = phone(page, "Téléphone de l'acheteur");
    const stranger = phone(page, "Téléphone de l'agent");

    await test.step("the seller opens the app and starts on the free plan", async () => {
      await seller
        .getByRole("button", { name: /Sésame Vendeur/ })
        .first()
        .click();
      await seller.getByRole("button", { name: "DÉMARRER" }).click();
      await seller.getByRole("button", { name: "Ouvrir Sésame" }).click();
      const app = miniApp(seller);
      await app.getByRole("button", { name: "Passer" }).click();
      await app.getByRole("button", { name: "Choisir Gratuit" }).first().click();
      await app.getByRole("button", { name: "Tester ce plan" }).click();
      await expect(app.getByText("Aucune transaction")).toBeVisible();
    });

    await test.step("the seller links a group", async () => {
      const app = miniApp(seller);
      await openTab(app, "Groupes");
      await app.getByText("Ajouter un groupe ou un canal").click();
      await app.getByText("Groupe", { exact: true }).click();
      await seller.getByRole("button", { name: "Créer un groupe" }).click();
      await seller.getByRole("textbox", { name: "Nom" }).fill(GROUP);
      await seller.getByRole("button", { name: "Créer", exact: true }).click();
      await seller.getByRole("button", { name: new RegExp(GROUP) }).click();
      await seller.getByRole("button", { name: "Ajouter comme administrateur" }).click();
      await seller.getByRole("button", { name: /Rouvrir/ }).click();
      await expect(app.getByText("Connecté")).toBeVisible();
    });

    const link = await test.step("the seller publishes a product and takes its link", async () => {
      const app = miniApp(seller);
      await openTab(app, "Produits");
      await seller.getByRole("button", { name: "AJOUTER UN PRODUIT" }).click();
      await app.getByRole("button", { name: new RegExp(GROUP) }).click();
      await app.getByLabel(/Titre/).fill(TITLE);
      await app.getByLabel(/Prix/).fill("5000");
      await app.getByText("30 jours").click();
      await app
        .locator("input[type=file]")
        .setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: await photograph() });
      await app.getByRole("button", { name: "Publier" }).click();
      await expect(app.getByText("Produit publié avec succès!")).toBeVisible();
      await app.getByText("Voir et partager").click();
      await expect(app.getByText("Actif")).toBeVisible();
      const html = await app.locator("body").innerHTML();
      const found = /https:\/\/t\.me\/\w+\?startapp=[\w-]+/.exec(html)?.[0];
      expect(found).toBeTruthy();
      return found ?? "";
    });

    await test.step("the buyer pays on the provider's page", async () => {
      await openLink(buyer, link);
      const app = miniApp(buyer);
      await app.getByRole("button", { name: "Acheter ce produit" }).click();
      await app.getByRole("button", { name: /^Payer 5.000/ }).click();
      const browser = buyer.frameLocator('iframe[title="Navigateur"]');
      await browser.getByRole("radio", { name: /Orange Money/ }).check({ force: true });
      await browser.getByRole("textbox", { name: "Numéro de téléphone" }).fill("0701020304");
      await browser.getByRole("button", { name: /^Payer/ }).click();
      await expect(browser.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
      await expect(browser.getByText("t.me/+")).toHaveCount(0);
      await buyer.getByRole("button", { name: "Revenir à Telegram" }).click();
      await app.getByRole("button", { name: "Autoriser" }).click();
      await buyer.getByRole("alertdialog").getByRole("button", { name: "Autoriser" }).click();
      await app.getByRole("button", { name: "Rejoindre le groupe" }).click();
    });

    await test.step("a second person with the same link is refused, and told why", async () => {
      const [invite] = await openInviteLinks(world, GROUP);
      await openLink(stranger, invite ?? "");
      await stranger.getByRole("button", { name: "Demander à rejoindre" }).click();
      await expect
        .poll(() => saidTo(world, "Fatou"), { timeout: 15_000 })
        .toMatch(/réservé|payé|acheté/i);
      expect(await peopleInside(world, GROUP)).toEqual(["Awa"]);
    });

    await test.step("the buyer asks to join and is let in; the link then serves nobody", async () => {
      await buyer.getByRole("button", { name: "Demander à rejoindre" }).click();
      await expect(buyer.getByText("Vous êtes membre.")).toBeVisible();
      await buyer.getByRole("dialog").getByRole("button", { name: "Fermer" }).click();
      await expect(
        miniApp(buyer).getByRole("heading", { name: "Vous êtes dans le groupe" }),
      ).toBeVisible();
      await expect.poll(() => openInviteLinks(world, GROUP)).toEqual([]);
      expect(await peopleInside(world, GROUP)).toEqual(["Awa", "Moussa"]);
    });

    await test.step("the francs are right at each end", async () => {
      const app = miniApp(seller);
      await openTab(app, "Accueil");
      await expect(app.getByText(/4.100.FCFA/).first()).toBeVisible();
      await expect(app.getByText(TITLE).first()).toBeVisible();
      const books = await readBooks(product.databaseUrl);
      expect(books).toEqual({ seller: 4_100, fees: 900, provider: -5_000, sum: 0 });
    });

    await test.step("thirty days later the buyer is out, and told", async () => {
      await page.getByRole("button", { name: "Panneau de contrôle" }).click();
      const panel = page.getByRole("complementary", { name: "Panneau de contrôle" });
      await panel.getByRole("button", { name: "+30 j" }).click();
      await expect.poll(() => peopleInside(world, GROUP), { timeout: 30_000 }).toEqual(["Awa"]);
      await expect.poll(() => saidTo(world, "Moussa")).toMatch(/Club Trading Abidjan a pris fin/i);
    });
  });
});

function phone(page: Page, name: string): Locator {
  return page.getByRole("region", { name });
}

function miniApp(owner: Locator): FrameLocator {
  return owner.frameLocator('iframe[title="Mini app"]');
}

async function openTab(app: FrameLocator, name: string): Promise<void> {
  const tabs = app.getByRole("navigation", { name: "Navigation principale" });
  await tabs.getByRole("link", { name }).click();
}

async function openLink(owner: Locator, link: string): Promise<void> {
  await owner.getByRole("textbox", { name: "Rechercher ou coller un lien" }).fill(link);
  await owner.getByRole("button", { name: "Ouvrir le lien" }).click();
}
