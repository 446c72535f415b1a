import { expect, test } from "./fixtures.ts";
import { readBooks } from "./outside.ts";
import { call, castPhones, enrolSeller, launchOf, emulatorsOf } from "./fixture.ts";
import { backToTelegram, miniApp, openLink, openPhones, payOnSheet } from "./steps.ts";

test("a seller makes a don, and a donor gives what he chooses", async ({ page, product }) => {
  const cast = await castPhones(emulatorsOf(product));
  const seller = await enrolSeller(product, cast.seller);
  const before = await readBooks(product.databaseUrl);

  await test.step("from an empty shelf to a don with a link", async () => {
    const room = { personId: cast.seller.id, bot: "seller", path: "/Donation" } as const;
    await page.goto(await launchOf(product, room));
    await page.getByRole("button", { name: "Créer un don" }).click();
    await page.getByRole("textbox", { name: "Titre" }).fill("Un café pour l'équipe");
    await page.getByRole("textbox", { name: "Message" }).fill("Merci de nous soutenir.");
    await page.getByRole("textbox", { name: "Montant minimum" }).fill("200");
    await page.getByRole("button", { name: "Publier le don" }).click();
    await expect(page.getByRole("dialog", { name: /^Don publié avec succès\s!$/ })).toBeVisible();
    await page.getByRole("button", { name: "Voir et partager" }).click();
    await expect(page.getByText(/Montant libre, dès 200/)).toBeVisible();
  });

  const [don] = await call(product, "GET /api/products", { token: seller.token });
  const { buyer } = await openPhones(page, emulatorsOf(product));
  const app = miniApp(buyer);

  await test.step("too little is refused, an amount of one's own is taken and paid", async () => {
    await openLink(buyer, don?.share_link ?? "");
    await app.getByRole("button", { name: "Faire un don" }).click();
    const sheet = app.getByRole("dialog", { name: "Choisissez un montant" });
    await expect(sheet.getByRole("radio")).toHaveCount(3);
    await sheet.getByRole("textbox", { name: "Autre montant" }).fill("150");
    await sheet.getByRole("button", { name: /^Donner/ }).click();
    await expect(sheet.getByRole("alert")).toContainText("minimum");
    await sheet.getByRole("textbox", { name: "Autre montant" }).fill("1750");
    await sheet.getByRole("button", { name: /^Donner/ }).click();
    const browser = await payOnSheet(buyer);
    await browser.getByRole("button", { name: /^Payer/ }).click();
    await expect(browser.getByRole("heading", { name: /^Merci pour votre don/ })).toBeVisible();
    await backToTelegram(buyer);
    await expect(app.getByRole("heading", { name: /^Merci pour votre don/ })).toBeVisible();
    await expect(app.getByRole("button", { name: "Rejoindre le groupe" })).toHaveCount(0);
  });

  const booked = { provider: -1_750, sum: 0 };
  expect(await readBooks(product.databaseUrl, before)).toMatchObject(booked);
});
