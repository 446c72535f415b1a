import { expect, test } from "./fixtures.ts";
import { buy, holdNumber, launchOf, setFixture } from "./fixture.ts";
import { fillRequest } from "./steps.ts";

// How forms and acts end when something is amiss. Files and calls are held back in the page itself.
test.use({ serviceWorkers: "block", viewport: { width: 360, height: 740 } });

test("a form says why it is not sent; a deletion is undone", async ({ page, context, product }) => {
  const fixture = await setFixture(product);
  const { person } = fixture.seller;
  const { id, title } = fixture.product;
  const start = await launchOf(product, { personId: person.id, bot: "seller" });
  const { origin } = new URL(start);
  await page.goto(start);
  await expect(page.getByText("Solde disponible")).toBeVisible();
  const question = page.getByRole("dialog");

  await test.step("under the grey button: what is missing, or what is wrong", async () => {
    await page.goto(`${origin}/ModifierProduit/${id}`);
    const send = page.getByRole("button", { name: "Enregistrer" });
    await expect(page.getByLabel(/^Titre/)).toHaveValue(title);
    for (const [field, value, said] of [
      [/^Titre/, "", "Il manque : titre"],
      [/^Titre/, title, null],
      [/^Prix/, "50", /^Prix : De 100 à/],
      [/^Prix/, "12.5", /^Prix : De 100 à/],
      [/^Prix/, "7500", null],
      [/^Description/, "a".repeat(501), "Description : 500 caractères au plus"],
      [/^Description/, "Analyses du matin.", null],
    ] as const) {
      await page.getByLabel(field).fill(value);
      if (said === null) await expect(send).toBeEnabled();
      else await expect(send.locator("+ p")).toHaveText(said);
      if (value === "50") await expect(page.getByText(/^De 100 à/)).toBeVisible();
      if (value !== "12.5") continue;
      await expect(page.getByLabel(field)).toHaveValue(value);
      await expect(page.getByText("Prix : un nombre entier, sans point ni virgule")).toBeVisible();
    }
    const picture = page.getByRole("img", { name: "Aperçu de l'image" });
    await expect(picture).toBeVisible();
    await page.getByLabel("Image", { exact: true }).setInputFiles({
      name: "photo.png",
      mimeType: "image/png",
      buffer: Buffer.from("no picture"),
    });
    await expect(page.getByText(/^Problème avec l'aperçu/)).toBeVisible();
    await expect(picture).toHaveCount(0);
  });

  await test.step("offline, « Annuler » keeps the product; confirmed, it goes with the network", async () => {
    await page.goto(`${origin}/ProductCard/${id}`);
    for (const isMeant of [false, true]) {
      await page.getByRole("button", { name: "Supprimer" }).click();
      await expect(question.getByText("Aucun membre n'a d'accès en cours.")).toBeVisible();
      await context.setOffline(true);
      await question.getByRole("button", { name: "Supprimer" }).click();
      await expect(
        question.getByText(/^En attente du réseau. «\sAnnuler\s» la retire/),
      ).toBeVisible();
      if (!isMeant) await question.getByRole("button", { name: "Annuler" }).click();
      await context.setOffline(false);
      await expect(question).toBeHidden();
      if (!isMeant) await expect(page.getByText(/^hors ligne/)).toBeHidden();
    }
    await expect(page.getByText("Produit supprimé")).toBeVisible();
    await expect(page.getByText("Aucun produit", { exact: true })).toBeVisible();
  });
});

test("a false success and a missing file are shown as errors", async ({ page, product }) => {
  const fixture = await setFixture(product);
  await buy(product, fixture);
  const phone = await holdNumber(fixture);
  const { person } = fixture.seller;
  const start = await launchOf(product, { personId: person.id, bot: "seller" });
  const { origin } = new URL(start);
  await page.goto(start);
  await expect(page.getByText(/4.100.FCFA/).first()).toBeVisible();

  await test.step("a support request names a sale by its buyer", async () => {
    await page.goto(`${origin}/CustomerSupport`);
    await page.getByRole("button", { name: "Écrire au support" }).click();
    const sale = page
      .getByLabel(/^Concerne/)
      .getByRole("option")
      .nth(1);
    await expect(sale).toHaveText(new RegExp(`^${fixture.cast.buyer.firstName} · `));
  });

  await test.step("a withdrawal answered « success: false » says that it failed", async () => {
    await page.goto(`${origin}/retrait`);
    await fillRequest(page, phone, 1_000);
    const demande = "**/api/users/retrait/demande";
    await page.route(demande, (route) => route.fulfill({ json: { success: false } }));
    const confirm = async () => {
      await page.getByRole("button", { name: "Continuer" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Confirmer" }).click();
    };
    await confirm();
    await expect(page.getByText("Erreur lors de la demande de retrait")).toBeVisible();
    await page.unroute(demande);
    await confirm();
    await page.getByRole("link", { name: "Voir l'historique" }).click();
    await expect(page.getByRole("heading", { name: "Mes retraits" })).toBeVisible();
  });

  await test.step("a screen whose file is gone says so, beside the tabs, and comes back", async () => {
    const files = /\/assets\/statistics-[^/]*\.js/;
    await page.route(files, (route) => route.abort());
    const tabs = page.getByRole("navigation", { name: "Navigation principale" });
    await tabs.getByRole("link", { name: "Stats" }).click();
    await expect(page.getByRole("alert").getByText("Une erreur est survenue")).toBeVisible();
    await tabs.getByRole("link", { name: "Accueil" }).click();
    await expect(page.getByText("Solde disponible")).toBeVisible();
    await page.unroute(files);
    await tabs.getByRole("link", { name: "Stats" }).click();
    await page.getByRole("button", { name: "Recharger" }).click();
    await expect(page.getByRole("heading", { name: "Statistiques", level: 1 })).toBeVisible();
  });
});
