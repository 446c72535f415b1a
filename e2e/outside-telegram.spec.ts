import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import {
  buy,
  castPhones,
  enrolSeller,
  launchOf,
  paymentOf,
  setFixture,
  emulatorsOf,
} from "./fixture.ts";

const headed = (page: Page, name: string) =>
  expect(page.getByRole("heading", { name })).toBeVisible();

test.describe("outside Telegram", () => {
  test("the product's page shows the product and opens Telegram", async ({ page, product }) => {
    const fixture = await setFixture(product);
    await page.goto(`${fixture.app}/?tgWebAppStartParam=${fixture.product.reference}`);
    await headed(page, fixture.product.title);
    await expect(page.getByText(/5.000.FCFA/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Ouvrir dans Telegram" })).toHaveAttribute(
      "href",
      fixture.link,
    );
    await expect(page.getByRole("button", { name: "Acheter ce produit" })).toBeHidden();
    // The specification's own addresses lead to the same page (decision 36).
    const { userId } = fixture.seller;
    for (const path of ["achats", "paiement", "checkout", "payment-success", "payment-error"]) {
      await page.goto(`${fixture.app}/${path}?idVendeur=${userId}&idProduit=${fixture.product.id}`);
      await headed(page, fixture.product.title);
    }
  });

  test("an unknown product says so", async ({ page, product }) => {
    const answer = await page.goto(`${product.appUrl}/?tgWebAppStartParam=nothing123`);
    expect(answer?.status()).toBe(404);
    await headed(page, "Produit introuvable");
  });

  test("the seller's area names the bot and lets nothing in", async ({ page, product }) => {
    for (const path of ["/", "/IndexEspace", "/ProductsList"]) {
      await page.goto(product.appUrl + path);
      await headed(page, "Ouvrez Sésame dans Telegram");
    }
    await expect(page.getByText(/Recherchez @\w+ dans Telegram/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Rafraîchir la page" })).toBeVisible();

    await test.step("clearing local data asks first, and closes the session", async () => {
      const { seller: person } = await castPhones(emulatorsOf(product));
      const { token, userId } = await enrolSeller(product, person);
      const ask = () =>
        page.request.get(`${product.appUrl}/api/users/${userId}`, {
          headers: { authorization: `Bearer ${token}` },
        });
      expect((await ask()).status()).toBe(200);
      await page.evaluate((kept) => {
        localStorage.setItem("of.another.site", "kept");
        localStorage.setItem("api_token", kept);
      }, token);
      await page.getByRole("button", { name: "Effacer les données locales" }).click();
      await page.getByRole("button", { name: "Effacer et recommencer" }).click();
      await headed(page, "Ouvrez Sésame dans Telegram");
      // The page begins anew meanwhile: what is asked of it then is asked again.
      const kept = () =>
        page.evaluate(() =>
          ["of.another.site", "api_token"].map((key) => localStorage.getItem(key)),
        );
      await expect.poll(() => kept().catch(() => null)).toEqual(["kept", null]);
      await expect.poll(async () => (await ask()).status()).toBe(401);
    });
  });

  test("the return page shows the true status and never the link", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { id, inviteLink } = await buy(product, fixture);
    const { returnUrl } = await paymentOf(fixture);
    // What the address says is only a report: the order itself says that it is paid.
    const [address = ""] = (returnUrl ?? "").split("?");
    await page.goto(`${address}?paymentStatus=failed&transaction_id=forged`);
    await headed(page, "Paiement reçu");
    await expect(page).toHaveURL(address);
    await expect(page.getByText(`n° ${id}`)).toBeVisible();
    await expect(page.getByRole("button", { name: "Retourner dans Telegram" })).toBeVisible();
    const html = await page.content();
    expect(html).not.toContain(inviteLink);
    expect(html).not.toContain("t.me/+");
  });

  test("an order is followed by its buyer alone", async ({ page, product }) => {
    const fixture = await setFixture(product);
    const { id, inviteLink } = await buy(product, fixture);
    for (const path of [
      `/commande/${id}`,
      `/payment-success?order=${id}`,
      `/PaymentStatus?paymentId=${id}`,
      "/mes-acces",
    ]) {
      await page.goto(fixture.app + path);
      await headed(page, "Ouvrez cette page dans Telegram");
      expect(await page.content()).not.toContain(inviteLink);
    }
    const stranger = {
      personId: fixture.cast.agent.id,
      bot: "buyer",
      path: `/commande/${id}`,
    } as const;
    await page.goto(await launchOf(product, stranger));
    await headed(page, "Commande introuvable");
    // The buyer finds it by the provider's name for his payment, and no key stays in the address.
    const { id: paymentId } = await paymentOf(fixture);
    const own = `/MonerooPaymentStatus?payment_id=${paymentId}&key=sk_live_planted`;
    const buyer = { personId: fixture.cast.buyer.id, bot: "buyer", path: own } as const;
    await page.goto("about:blank");
    await page.goto(await launchOf(product, buyer));
    await expect(page.getByRole("button", { name: "Rejoindre le groupe" })).toBeVisible();
    expect(page.url()).not.toContain("sk_live_planted");
  });
});
