import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { peopleInside } from "./outside.ts";
import { Rooms } from "./rooms.ts";
import { setFixture } from "./fixture.ts";
import { settled } from "./settled.ts";
import { browserOf, miniApp, openPhones } from "./steps.ts";

test("the purchase is made by keyboard alone", async ({ page, product }) => {
  const fixture = await setFixture(product);
  const { buyer } = await openPhones(page, fixture.emulators);
  const app = miniApp(buyer);
  const browser = browserOf(buyer);

  const search = buyer.getByRole("textbox", { name: "Rechercher ou coller un lien" });
  await tabTo(page, search);
  await page.keyboard.type(fixture.link);
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
      await expect(app.getByRole("dialog")).toBeVisible({ timeout: 6_000 });
    }).toPass({ timeout: 90_000 });
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
    .poll(() => peopleInside(fixture.emulators, fixture.group))
    .toContain(fixture.cast.buyer.firstName);
});

test("the seller's lists, menus and sheets work by keyboard alone", async ({ page, product }) => {
  const fixture = await setFixture(product);
  await page.setViewportSize({ width: 360, height: 640 });
  const rooms = new Rooms(product);
  const open = (path: string, text: string) =>
    rooms.seller(fixture.seller.person, [path, path, text])[0]?.open(page, "light");
  await open("/ProductsList", fixture.product.title);

  await test.step("the list becomes a grid, and the filters open", async () => {
    const grid = page.getByRole("button", { name: "Affichage en grille" });
    await pressOn(page, grid);
    await expect(grid).toHaveAttribute("aria-pressed", "true");
    await pressOn(page, page.getByRole("button", { name: "Filtres" }));
    await tabTo(page, page.getByRole("combobox").first());
  });

  await test.step("a sheet keeps the focus, and Escape gives it back", async () => {
    const actions = page.getByRole("button", { name: /^Actions/ });
    await pressOn(page, actions);
    const sheet = page.getByRole("dialog");
    await expect(sheet).toBeVisible();
    for (let stops = 0; stops < 8; stops += 1) {
      await page.keyboard.press("Tab");
      // The browser's own bars are between the last and the first.
      expect(await page.evaluate(focusIsOutside), "the focus left the sheet").toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);
    await expect(actions).toBeFocused();
  });

  await test.step("the arrows choose a filter", async () => {
    await open("/transactions/history", "Aucune transaction");
    await tabTo(page, page.getByRole("radio").first());
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("radio").nth(1)).toBeChecked();
  });

  await test.step("each stop is seen, and none under the tab bar", async () => {
    for (const [path, text] of [
      ["/IndexEspace", "Aucune transaction"],
      ["/PaymentsSheetsIndex", "Profil"],
      [`/ProductCard/${fixture.product.id}`, "Copier le lien"],
    ] as const) {
      await open(path, text);
      await settled(page);
      expect(await unseenStops(page), path).toEqual([]);
    }
  });
});

function focusIsOutside(): boolean {
  const { activeElement, body } = document;
  return activeElement !== body && activeElement?.closest("dialog") === null;
}

/** WCAG 2.2, 2.4.7 and 2.4.11: stops of the Tab key that have no outline, or that the bar hides. */
async function unseenStops(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const { activeElement: at, body } = document;
      if (!at || at === body) return null;
      // A field that only a screen reader announces is drawn by the label around it.
      const drawn = at.closest("label") ?? at;
      const { outlineStyle } = getComputedStyle(drawn);
      const ring = outlineStyle !== "none" || getComputedStyle(at).outlineStyle !== "none";
      const box = drawn.parentElement;
      const boxed = box?.matches(":focus-within") && getComputedStyle(box).boxShadow !== "none";
      const { bottom, top, left, width } = drawn.getBoundingClientRect();
      const above = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
      const covered = above !== null && above.closest("nav") !== drawn.closest("nav");
      const name = (at.textContent || at.getAttribute("aria-label") || at.outerHTML).slice(0, 50);
      return { name, fault: !ring && !boxed ? "no outline" : covered ? "covered" : null };
    });
    if (stop === null) return unseen;
    if (stop.fault !== null) unseen.push(`${stop.name}: ${stop.fault}`);
  }
  throw new Error("the Tab key does not come to the end");
}

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
