import { expect, test } from "./fixtures.ts";
import { publish, setFixture } from "./fixture.ts";
import { miniApp, nativeBar, openLink, openPhones, openSellerApp, openTab } from "./steps.ts";

test("a shop's link, copied by its seller, shows all he sells", async ({ page, product }) => {
  const fixture = await setFixture(product);
  const group = { id: fixture.product.group_id ?? "", name: fixture.group };
  const second = `Ateliers de ${fixture.seller.person.firstName}`;
  await publish(product, fixture.seller, group, { title: second, price: 12_000 });
  const { seller, buyer } = await openPhones(page, fixture.emulators);
  const app = await openSellerApp(seller);
  const address = `${fixture.app}/boutique/${fixture.seller.userId}`;

  await test.step("the seller copies his shop's link", async () => {
    await openTab(app, "Produits");
    await app.getByRole("button", { name: "Ma boutique" }).click();
    const link = app.getByRole("textbox", { name: "Lien de la boutique", exact: true });
    await expect(link).toHaveValue(address);
    await app.getByRole("button", { name: "Copier le lien" }).first().click();
    await expect(app.getByText("Lien copié avec succès!")).toBeVisible();
  });

  await test.step("after ten pixels a page's header stands behind a hairline", async () => {
    await openTab(app, "Réglages");
    await expect(app.getByRole("heading", { name: "Réglages" })).toBeVisible();
    const frame = page.frames().find((each) => each.url().includes("/PaymentsSheetsIndex"));
    for (const [pixels, opacity] of [
      [0, "0"],
      [10, "1"],
    ] as const) {
      await frame?.evaluate((top) => window.scrollTo(0, top), pixels);
      const line = () =>
        frame?.evaluate(() => {
          const header = document.querySelector("main header");
          return header && getComputedStyle(header, "::before").opacity;
        });
      await expect.poll(line).toBe(opacity);
    }
  });

  await test.step("a plain browser shows it without a script, and opens a product", async () => {
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const visit = await context?.newPage();
    if (!context || !visit) throw new Error("no browser");
    await visit.goto(address);
    await expect(visit.getByRole("heading", { level: 1 })).toHaveText(
      fixture.seller.person.firstName,
    );
    await expect(visit.getByRole("listitem")).toHaveCount(2);
    await visit.getByRole("link", { name: new RegExp(second) }).click();
    await expect(visit.getByRole("heading", { name: second })).toBeVisible();
    // From a product one goes back to the shop.
    await visit.getByRole("link", { name: /^Vendu par/ }).click();
    await expect(visit).toHaveURL(address);
    const gone = await visit.goto(`${fixture.app}/boutique/999999`);
    expect(gone?.status()).toBe(404);
    await expect(visit.getByRole("heading", { name: "Boutique introuvable" })).toBeVisible();
    await context.close();
  });

  await test.step("inside Telegram a product opens in place, and leads back", async () => {
    const bot = /t\.me\/(\w+)/.exec(fixture.link)?.[1];
    await openLink(buyer, `https://t.me/${bot}?startapp=boutique_${fixture.seller.userId}`);
    const shop = miniApp(buyer);
    await shop.getByRole("link", { name: new RegExp(second) }).click();
    await expect(shop.getByRole("button", { name: "Acheter ce produit" })).toBeVisible();
    await nativeBar(buyer).getByRole("button", { name: "Retour", exact: true }).click();
    await expect(shop.getByRole("listitem")).toHaveCount(2);
  });
});
