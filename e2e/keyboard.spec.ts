import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { peopleInside } from "./outside.ts";
import { setScene } from "./scene.ts";
import { browserOf, miniApp, openPhones } from "./steps.ts";

test("the purchase is made by keyboard alone", async ({ page, product }) => {
  const scene = await setScene(product);
  const { buyer } = await openPhones(page, scene.world);
  const app = miniApp(buyer);
  const browser = browserOf(buyer);

  const search = buyer.getByRole("textbox", { name: "Rechercher ou coller un lien" });
  await tabTo(page, search);
  await page.keyboard.type(scene.link);
  await page.keyboard.press("Enter");

  await pressOn(page, app.getByRole("button", { name: "Acheter ce produit" }));
  await expect(app.getByRole("dialog")).toBeVisible();

  await test.step("Escape closes the sheet and gives the focus back", async () => {
    await page.keyboard.press("Escape");
    await expect(app.getByRole("dialog")).toHaveCount(0);
    const buy = app.getByRole("button", { name: "Acheter ce produit" });
    await expect(buy).toBeFocused();
    // The frame may take the keyboard back a moment after its button has the focus.
    await expect(async () => {
      if ((await app.getByRole("dialog").count()) === 0) await pressOn(page, buy);
      await expect(app.getByRole("dialog")).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  });

  // One stop for all the ways: the arrows go from one to the next.
  await tabTo(page, app.getByRole("radio").first());
  await page.keyboard.press("Space");
  await expect(app.getByRole("radio", { name: /Moneroo/ })).toBeChecked();
  await pressOn(page, app.getByRole("button", { name: /^Payer / }));
  await tabTo(page, browser.getByRole("textbox", { name: "Numéro de téléphone" }));
  await page.keyboard.type("0701020304");
  await page.keyboard.press("Enter");
  await expect(browser.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();

  await pressOn(page, buyer.getByRole("button", { name: "Revenir à Telegram" }));
  await pressOn(page, app.getByRole("button", { name: "Rejoindre le groupe" }));
  await pressOn(page, buyer.getByRole("button", { name: "Demander à rejoindre" }));
  await expect
    .poll(() => peopleInside(scene.world, scene.group))
    .toContain(scene.cast.buyer.firstName);
});

/** More stops than any screen has. */
const STOPS_MAX = 120;

/** Walks with the Tab key until the focus stands on it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not reach ${target}`);
}

async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** In its own document, and that document the one which has the keyboard. */
function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement && document.hasFocus());
}
