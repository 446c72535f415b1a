import { expect, test } from "./fixtures.ts";
import { castPhones, enrolSeller, linkGroup, emulatorsOf } from "./fixture.ts";
import { openPhones, openSellerApp, refresh } from "./steps.ts";

test("a newcomer answers Soni by keyboard; his form is begun", async ({ page, product }) => {
  const emulators = emulatorsOf(product);
  const cast = await castPhones(emulators);
  const newcomer = await enrolSeller(product, cast.seller);
  const group = `Cercle de ${cast.seller.firstName}`;
  await linkGroup(product, newcomer, { title: group });
  const { seller } = await openPhones(page, emulators);
  const app = await openSellerApp(seller);
  await app.getByRole("link", { name: /Créez votre premier produit/ }).click();
  await app.getByRole("button", { name: "Commencer" }).press("Enter");
  const name = app.getByRole("textbox", { name: "Nom de votre offre" });
  await expect(name).toBeFocused();
  await name.press("Enter");
  await expect(name).toBeVisible();
  await name.fill("Atelier couture");
  await name.press("Enter");
  await expect(app.getByRole("button", { name: "Animer une communauté" })).toBeFocused();
  await app.getByRole("button", { name: "Vendre une formation" }).press("Enter");
  await app.getByRole("button", { name: "2", exact: true }).press("Enter");
  await expect(app.getByText(/une durée de 7 jours/)).toBeVisible();

  await test.step("the answers are kept on the server", async () => {
    await refresh(app);
    await expect(app.getByText(/une durée de 7 jours/)).toBeVisible();
  });

  await test.step("and the form is begun with them", async () => {
    await app.getByRole("button", { name: "Ouvrir mon produit" }).click();
    await app.getByRole("dialog").getByText(group).click();
    await expect(app.getByLabel(/^Titre/)).toHaveValue("Atelier couture");
    await expect(app.getByLabel("7 jours")).toBeChecked();
    await expect(app.getByLabel("Catégorie")).toHaveValue("formation");
    await expect(app.getByRole("button", { name: "Publier" })).toBeDisabled();
  });
});
