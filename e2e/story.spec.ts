import { expect, test } from "./fixtures.ts";
import { openInviteLinks, peopleInside, readBooks, saidTo } from "./outside.ts";
import { castPhones, emulatorsOf, photograph, until } from "./fixture.ts";
import {
  addBotToNewChat,
  allowWriting,
  choosePayment,
  joinGroup,
  miniApp,
  openControlPanel,
  openLink,
  openPhones,
  openSellerApp,
  openTab,
  payByOrangeMoney,
} from "./steps.ts";

const GROUP = "Club Trading Abidjan";
const TITLE = "Signaux trading : le club privé";

test("one sale, on three phones, until the access is over", async ({ page, product }) => {
  const emulators = emulatorsOf(product);
  const cast = await castPhones(emulators);
  const before = await readBooks(product.databaseUrl);
  const { seller, buyer, stranger } = await openPhones(page, emulators);

  await test.step("the seller opens the app and starts on the free plan", async () => {
    const app = await openSellerApp(seller);
    await app.getByRole("button", { name: "Passer" }).click();
    await app.getByRole("button", { name: "Choisir Gratuit" }).first().click();
    await app.getByRole("button", { name: "Tester ce plan" }).click();
    await expect(app.getByText("Aucune transaction")).toBeVisible();
  });

  await test.step("the seller links a group", async () => {
    const app = miniApp(seller);
    await openTab(app, "Groupes");
    await app.getByText("Ajouter un groupe ou un canal").click();
    await app.getByRole("button", { name: "Groupe", exact: true }).click();
    await addBotToNewChat(seller, { kind: "groupe", title: GROUP });
    await expect(app.getByText("Connecté")).toBeVisible();
  });

  const link = await test.step("the seller publishes a product and takes its link", async () => {
    const app = miniApp(seller);
    await openTab(app, "Produits");
    await seller.getByRole("button", { name: "AJOUTER UN PRODUIT" }).click();
    await app.getByRole("button", { name: new RegExp(GROUP) }).click();
    // The picture first: what is typed while it is being prepared must stay.
    await app
      .locator("input[type=file]")
      .setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: await photograph() });
    await app.getByLabel(/Titre/).fill(TITLE);
    await app.getByLabel(/Prix/).fill("5000");
    await app.getByText("30 jours").click();
    await app.getByRole("button", { name: "Publier" }).click();
    await expect(app.getByText("Produit publié avec succès!")).toBeVisible();
    await app.getByText("Voir et partager").click();
    await expect(app.getByText("Actif")).toBeVisible();
    const shown = async () =>
      /https:\/\/t\.me\/\w+\?startapp=[\w-]+/.exec(await app.locator("body").innerHTML())?.[0];
    return until(shown, "the product shows no link");
  });

  await test.step("the buyer pays on the provider's page", async () => {
    await openLink(buyer, link);
    await payByOrangeMoney(buyer);
    await allowWriting(buyer);
    await expect(miniApp(buyer).getByText("Votre place est ouverte.")).toBeVisible();
  });

  await test.step("a second person with the same link is refused, and reads why", async () => {
    const [invite] = await openInviteLinks(emulators, GROUP);
    await openLink(stranger, invite ?? "");
    await stranger.getByRole("button", { name: "Demander à rejoindre" }).click();
    await expect.poll(() => saidTo(emulators, cast.agent)).toMatch(/réservé|payé|acheté/i);
    expect(await peopleInside(emulators, GROUP)).toEqual([cast.seller.firstName]);
  });

  await test.step("the buyer asks to join and is let in; the link then serves nobody", async () => {
    await joinGroup(buyer);
    await expect.poll(() => openInviteLinks(emulators, GROUP)).toEqual([]);
    const inside = await peopleInside(emulators, GROUP);
    expect(inside).toEqual([cast.seller.firstName, cast.buyer.firstName]);
  });

  await test.step("the francs are right at each end", async () => {
    const app = miniApp(seller);
    await openTab(app, "Accueil");
    await expect(app.getByText(/4.100.FCFA/).first()).toBeVisible();
    await expect(app.getByText(TITLE).first()).toBeVisible();
    const booked = { seller: 4_100, fees: 900, provider: -5_000, sum: 0 };
    expect(await readBooks(product.databaseUrl, before)).toEqual(booked);
  });

  await test.step("thirty days later the buyer is out, and notified", async () => {
    const panel = await openControlPanel(page);
    await panel.getByRole("button", { name: "+30 j" }).click();
    await expect
      .poll(() => peopleInside(emulators, GROUP), { timeout: 90_000 })
      .toEqual([cast.seller.firstName]);
    await expect
      .poll(() => saidTo(emulators, cast.buyer))
      .toMatch(/Club Trading Abidjan a pris fin/i);
    await panel.getByRole("button", { name: "+1 j" }).click();
    await panel.getByRole("button", { name: "Fermer le panneau" }).click();
  });

  await test.step("the seller's app, open all the while, signs in again and goes on", async () => {
    const app = miniApp(seller);
    await openTab(app, "Produits");
    await expect(app.getByText(TITLE)).toBeVisible();
    // The phone opens the app anew at each jump, maybe just now: one taps again.
    await expect(async () => {
      await openTab(app, "Groupes");
      await app.getByRole("button", { name: "Actualiser" }).click({ timeout: 15_000 });
    }).toPass();
    await expect(app.getByText("Connecté")).toBeVisible();
    await expect(app.getByText(/hors ligne/)).toHaveCount(0);
  });

  await test.step("and in the buyer's one buys again", async () => {
    const app = miniApp(buyer);
    const product = app.getByRole("button", { name: "Acheter ce produit" });
    const again = app.getByRole("button", { name: "Prolonger mon accès" });
    await expect(async () => {
      if (await again.isVisible()) await again.click();
      await expect(product).toBeVisible({ timeout: 15_000 });
    }).toPass();
    await product.click();
    await choosePayment(app, /Moneroo/);
    await expect(app.getByRole("heading", { name: "Paiement en attente" })).toBeVisible();
  });
});
