import { expect, test } from "./fixtures.ts";
import { setFixture } from "./fixture.ts";
import {
  addBotToNewChat,
  backToApp,
  minimise,
  openChat,
  openPhones,
  openSellerApp,
  openTab,
} from "./steps.ts";

test.describe("groups and channels", () => {
  test("a channel is linked by its link; a lost right is named", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const channel = `Canal de ${fixture.cast.seller.firstName}`;
    const { seller } = await openPhones(page, fixture.emulators);
    const app = await openSellerApp(seller);
    await openTab(app, "Groupes");
    await app.getByRole("button", { name: "Ajouter un groupe ou un canal" }).last().click();
    await app.getByRole("button", { name: "Canal", exact: true }).click();
    await addBotToNewChat(seller, { kind: "canal", title: channel });
    const row = app.getByRole("listitem").filter({ hasText: channel });
    await expect(row.getByText("Connecté")).toBeVisible();

    await test.step("the owner takes a right away in Telegram", async () => {
      await minimise(seller);
      await seller.getByRole("button", { name: "Retour", exact: true }).click();
      await openChat(seller, new RegExp(`^${channel}`));
      await seller.getByRole("button", { name: `Informations sur ${channel}` }).click();
      await seller.getByRole("button", { name: "Droits de Sésame Vendeur" }).click();
      await seller.getByRole("switch", { name: "Inviter par un lien" }).click();
      await seller.getByRole("button", { name: "Enregistrer" }).click();
      await backToApp(seller);
      await expect(row.getByText("Droits manquants")).toBeVisible();
      await expect(row.getByText(/Il manque au bot : .*[Ii]nviter/)).toBeVisible();
    });

    await test.step("and gives it back", async () => {
      await minimise(seller);
      await seller.getByRole("button", { name: "Droits de Sésame Vendeur" }).click();
      await seller.getByRole("switch", { name: "Inviter par un lien" }).click();
      await seller.getByRole("button", { name: "Enregistrer" }).click();
      await backToApp(seller);
      await expect(row.getByText("Connecté")).toBeVisible();
    });

    await test.step("and takes the bot out", async () => {
      await minimise(seller);
      await seller.getByRole("button", { name: "Droits de Sésame Vendeur" }).click();
      await seller.getByRole("button", { name: "Retirer le bot" }).click();
      await backToApp(seller);
      await expect(row.getByText("Déconnecté")).toBeVisible();
    });
  });

  test("a basic group is refused in the chat, with the reason", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { seller } = await openPhones(page, fixture.emulators);
    const title = `Famille de ${fixture.cast.seller.firstName}`;
    await seller.getByRole("button", { name: "Nouvelle discussion" }).click();
    await seller.getByRole("button", { name: "Nouveau groupe", exact: true }).click();
    await seller.getByRole("textbox", { name: "Nom", exact: true }).fill(title);
    await seller.getByRole("button", { name: "Créer", exact: true }).click();
    await seller.getByRole("button", { name: `Informations sur ${title}` }).click();
    await seller.getByRole("button", { name: "Ajouter le bot Sésame Vendeur" }).click();
    await seller.getByRole("button", { name: "Retour", exact: true }).click();
    await expect(
      seller.getByRole("log", { name: `Messages de ${title}` }).getByText(/groupe simple/),
    ).toBeVisible();
  });
});
