import { expect, test } from "./fixtures.ts";
import { peopleInside } from "./outside.ts";
import { buyAndJoin, setScene } from "./scene.ts";
import {
  choosePayment,
  miniApp,
  openControlPanel,
  openLink,
  openPhones,
  openSellerApp,
  openTab,
} from "./steps.ts";

test.describe("the clock", () => {
  test("jumps a month while both apps are open: nobody is lost", async ({ page, product }) => {
    const scene = await setScene(product);
    await buyAndJoin(product, scene);
    const { seller, buyer } = await openPhones(page, scene.emulators);
    const shop = await openSellerApp(seller);
    await expect(shop.getByText(/4.100.FCFA/).first()).toBeVisible();
    await openLink(buyer, scene.link);
    const app = miniApp(buyer);
    await expect(app.getByRole("button", { name: "Acheter ce produit" })).toBeVisible();

    const panel = await openControlPanel(page);
    await panel.getByRole("button", { name: "+30 j" }).click();
    await panel.getByRole("button", { name: "+1 j" }).click();
    await expect
      .poll(() => peopleInside(scene.emulators, scene.group), { timeout: 90_000 })
      .toEqual([scene.cast.seller.firstName]);
    await panel.getByRole("button", { name: "Fermer le panneau" }).click();

    await test.step("the seller's app signs in again and goes on", async () => {
      await openTab(shop, "Produits");
      await expect(shop.getByText(scene.product.title)).toBeVisible();
      // The phone opens the app anew at each jump, maybe just now: one taps again.
      await expect(async () => {
        await openTab(shop, "Groupes");
        await shop.getByRole("button", { name: "Actualiser" }).click({ timeout: 15_000 });
      }).toPass();
      await expect(shop.getByText("Connecté")).toBeVisible();
      await expect(shop.getByText(/hors ligne/)).toHaveCount(0);
    });

    await test.step("the buyer's app buys again", async () => {
      await app.getByRole("button", { name: "Acheter ce produit" }).click();
      await choosePayment(app, /Moneroo/);
      await expect(app.getByRole("heading", { name: "Paiement en attente" })).toBeVisible();
    });
  });
});
