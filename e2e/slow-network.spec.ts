import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { findings } from "./axe.ts";
import { buy, launchOf, setFixture } from "./fixture.ts";
import { settled } from "./settled.ts";
import {
  joinGroup,
  miniApp,
  openLink,
  openPhones,
  openSellerApp,
  openTab,
  payByOrangeMoney,
  refresh,
} from "./steps.ts";

test.describe("on a slow network", () => {
  test("a tap before the page is alive counts, to the purchase", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { buyer } = await openPhones(page, fixture.emulators);
    const slow = buyer.getByRole("button", { name: "Réseau lent" });
    await slow.click();
    await expect(slow).toHaveAttribute("aria-pressed", "true");
    try {
      await openLink(buyer, fixture.link);
      await payByOrangeMoney(buyer);
      await joinGroup(buyer);
    } finally {
      await slow.click();
      await expect(slow).toHaveAttribute("aria-pressed", "false");
    }
  });

  test("the seller sees at once what his phone has, then the truth", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { seller } = await openPhones(page, fixture.emulators);
    await openSellerApp(seller);
    const app = miniApp(seller);
    await expect(app.getByText("Aucune transaction")).toBeVisible();
    const slow = seller.getByRole("button", { name: "Réseau lent" });
    await slow.click();
    await expect(slow).toHaveAttribute("aria-pressed", "true");
    try {
      await refresh(app);
      await expect(app.getByText("Aucune transaction")).toBeVisible();
      await openTab(app, "Groupes");
      await expect(app.getByText(fixture.group)).toBeVisible();
    } finally {
      await slow.click();
    }
  });

  test("home is there, and true, before the application; taps count", async ({ page, product }) => {
    const fixture = await setFixture(product);
    await buy(product, fixture);
    const url = await launchOf(product, { personId: fixture.seller.person.id, bot: "seller" });
    const said: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") said.push(message.text());
    });
    const release = await holdScripts(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(url, { waitUntil: "commit" });
    const balance = page.getByRole("region", { name: "Solde disponible" });
    await expect(balance).toContainText(/4.100 FCFA/);
    await expect(page.locator("#root")).toBeHidden();
    const places = () =>
      Promise.all([balance, tabs(page), page.getByRole("link", { name: "Support" })].map(boxOf));
    await settled(page);
    const before = await places();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "Statistiques" }).click();
    expect(new URL(page.url()).pathname).toBe("/");
    release();
    await expect(page).toHaveURL(/\/Statistics$/);
    await expect(page.locator("#picture")).toHaveCount(0);
    await tabs(page).getByRole("link", { name: "Accueil" }).click();
    await expect(balance).toContainText(/4.100 FCFA/);
    await expect.poll(places, "nothing moved").toEqual(before);
    expect(said).toEqual([]);
  });
});

const tabs = (page: Page) => page.getByRole("navigation", { name: "Navigation principale" });
const boxOf = (place: Locator) => place.boundingBox();

/** No script file comes before it is let through. */
async function holdScripts(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}
