import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { launchOf, type Fixture, setFixture } from "./fixture.ts";

/** The seller's app on his phone, as its own page, once all it needs without a network is there. */
async function openWithWorker(page: Page, start: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(start);
  await expect(page.getByText("Solde disponible")).toBeVisible();
  await page.waitForFunction(
    () => navigator.serviceWorker.controller && localStorage.getItem("auth_response"),
  );
}

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Navigation principale" }).getByRole("link", { name });

test.describe("without a network", () => {
  let fixture: Fixture;
  let start: string;

  test.beforeEach(async ({ page, product }) => {
    fixture = await setFixture(product);
    const { id } = fixture.seller.person;
    start = await launchOf(product, { personId: id, bot: "seller" });
    await openWithWorker(page, start);
  });

  test("the app opens with its last data, dated, and asks no money", async ({ page, context }) => {
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText("Solde disponible")).toBeVisible();
    await expect(page.getByText(/^hors ligne, données du/)).toBeVisible();
    await tab(page, "Produits").click();
    await expect(page.getByText(fixture.product.title)).toBeVisible();
    await expect(page.getByText(/^hors ligne, données du/)).toBeVisible();
    await tab(page, "Accueil").click();
    await page.getByRole("link", { name: "Retrait", exact: true }).click();
    await expect(page.getByText(/^Hors ligne : les retraits/).first()).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(/^hors ligne, données du/)).toBeHidden();
    await expect(page.getByLabel(/Montant/)).toBeVisible();
  });

  test("a change waits for the network and goes on by itself", async ({ page, context }) => {
    await tab(page, "Produits").click();
    await page.getByText(fixture.product.title).click();
    const onSale = page.getByRole("switch").first();
    await expect(onSale).toBeChecked();
    await context.setOffline(true);
    await onSale.click();
    await expect(page.getByText(/En attente du réseau/)).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText(/En attente du réseau/)).toBeHidden();
    await expect(onSale).not.toBeChecked();
    await expect.poll(() => statusOf(page, fixture)).toBe("inactive");
  });

  test("a screen not on the phone says so, and the tabs stay", async ({ page, context }) => {
    await context.setOffline(true);
    await page.goto(`${new URL(start).origin}/profile`);
    await expect(page.getByText("Cette page n'est pas encore sur votre téléphone")).toBeVisible();
    await tab(page, "Accueil").click();
    await expect(page.getByText("Solde disponible")).toBeVisible();
    await tab(page, "Réglages").click();
    await page.getByRole("link", { name: /Profil$/ }).click();
    await context.setOffline(false);
    await expect(page.getByLabel("Nom affiché aux acheteurs")).toBeVisible();
  });

  test("a product half described is there after a crash", async ({ page, context }) => {
    await page.goto(`${new URL(start).origin}/ajouterProduit/${fixture.product.group_id}`);
    await page.getByLabel("Titre").fill("Ebook");
    const again = await context.newPage();
    await page.close();
    await openWithWorker(again, start);
    await again.goto(`${new URL(start).origin}/ajouterProduit/${fixture.product.group_id}`);
    await expect(again.getByLabel("Titre")).toHaveValue("Ebook");
  });
});

async function statusOf(page: Page, fixture: Fixture): Promise<unknown> {
  const answer = await page.request.get(
    `${fixture.app}/api/products/seller/${fixture.seller.userId}`,
    {
      headers: { authorization: `Bearer ${fixture.seller.token}` },
    },
  );
  const [first] = (await answer.json()) as { status: string }[];
  return first?.status;
}
