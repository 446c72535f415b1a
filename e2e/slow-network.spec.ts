import { expect, test } from "./fixtures.ts";
import { setScene } from "./scene.ts";
import {
  joinGroup,
  miniApp,
  openLink,
  openPhones,
  openSellerApp,
  openTab,
  payByOrangeMoney,
} from "./steps.ts";

test.describe("on a slow network", () => {
  test("a tap before the page is alive counts, and the purchase goes through", async ({
    page,
    product,
  }) => {
    const scene = await setScene(product);
    const { buyer } = await openPhones(page, scene.world);
    const slow = buyer.getByRole("button", { name: "Réseau lent" });
    await slow.click();
    await expect(slow).toHaveAttribute("aria-pressed", "true");
    try {
      await openLink(buyer, scene.link);
      await payByOrangeMoney(buyer);
      await joinGroup(buyer);
    } finally {
      await slow.click();
      await expect(slow).toHaveAttribute("aria-pressed", "false");
    }
  });

  test("the seller sees what his phone knows at once, then the truth", async ({
    page,
    product,
  }) => {
    const scene = await setScene(product);
    const { seller } = await openPhones(page, scene.world);
    await openSellerApp(seller);
    const app = miniApp(seller);
    await expect(app.getByText("Aucune transaction")).toBeVisible();
    const slow = seller.getByRole("button", { name: "Réseau lent" });
    await slow.click();
    try {
      const frame = page.frames().find((each) => each.url().includes("tgWebAppData"));
      await frame?.evaluate(() => location.reload());
      await expect(app.getByText("Aucune transaction")).toBeVisible();
      await openTab(app, "Groupes");
      await expect(app.getByText(scene.group)).toBeVisible();
    } finally {
      await slow.click();
    }
  });
});
