import { expect, test } from "./fixtures.ts";
import { control, peopleInside, readBooks } from "./outside.ts";
import { call, enrolAgent, paymentOf, refund, setFixture, settle } from "./fixture.ts";
import {
  backIn,
  backToTelegram,
  browserOf,
  choosePayment,
  joinGroup,
  miniApp,
  nativeBar,
  openLink,
  openPhones,
  payBy,
  payByOrangeMoney,
  payOnSheet,
  WAYS,
} from "./steps.ts";

/** The page's questions about an order, at whichever address its phone has the app. */
const ORDERS = "**/api/orders/**";

test("each provider is paid, and gives or prolongs the access", async ({ page, product }) => {
  test.setTimeout(720_000);
  const fixture = await setFixture(product);
  const { token, userId } = fixture.seller;
  await call(product, "PUT /api/user-aggregators/:userId/:key", {
    token,
    params: { userId, key: "kkiapay" },
    body: { isActive: true },
  });
  const before = await readBooks(product.databaseUrl);
  const { buyer } = await openPhones(page, fixture.emulators);
  const app = miniApp(buyer);
  await openLink(buyer, fixture.link);
  for (const [nth, way] of WAYS.entries()) {
    await test.step(way.name, async () => {
      if (nth === 1) await backIn(buyer).click();
      await app.getByRole("button", { name: "Acheter ce produit" }).click();
      await payBy(buyer, way.name);
      if (nth === 0) {
        await joinGroup(buyer);
      } else {
        await expect(app.getByRole("heading", { name: "Accès prolongé" })).toBeVisible();
        await backIn(buyer).click();
      }
    });
  }
  expect(await peopleInside(fixture.emulators, fixture.group)).toContain(
    fixture.cast.buyer.firstName,
  );
  const sold = WAYS.length * fixture.product.price;
  // KkiaPay keeps 1,9 % of what it collects.
  const booked = { provider: -sold + 95, sum: 0 };
  expect(await readBooks(product.databaseUrl, before)).toMatchObject(booked);
});

test("an order goes on by another provider", { tag: "@drawn" }, async ({ page, product }) => {
  test.setTimeout(450_000);
  const fixture = await setFixture(product);
  const { buyer } = await openPhones(page, fixture.emulators);
  const app = miniApp(buyer);
  const pending = app.getByRole("heading", { name: "Paiement en attente" });
  await openLink(buyer, fixture.link);

  await test.step("a provider that is away leaves the order to another", async () => {
    const away = { provider: "paydunya", call: "create", kind: "500" } as const;
    await control(fixture.emulators, "setPaymentFault", away);
    await app.getByRole("button", { name: "Acheter ce produit" }).click();
    await choosePayment(app, /PayDunya/);
    await expect(app.getByRole("alert")).toContainText("Votre commande est gardée");
  });

  await test.step("left pending there, the network lost and back", async () => {
    const browser = await payOnSheet(buyer);
    await browser.getByRole("button", { name: "Laisser en attente" }).click();
    await expect(
      browserOf(buyer).getByRole("heading", { name: "Paiement en attente" }),
    ).toBeVisible();
    await backToTelegram(buyer);
    await expect(pending).toBeVisible();
    await page.route(ORDERS, (route) => route.abort());
    await app.getByText("Le réseau est lent. Nous continuons à vérifier.").waitFor();
    await expect(pending).toBeVisible();
    await page.unroute(ORDERS);
    await expect(app.getByText("Le réseau est lent.")).toHaveCount(0);
  });

  await test.step("found again after the app was closed, and paid another way", async () => {
    await nativeBar(buyer).getByRole("button", { name: "Plus", exact: true }).click();
    await buyer.getByRole("menuitem", { name: "Fermer" }).click();
    await openLink(buyer, fixture.link);
    await app.getByRole("button", { name: "Suivre ma commande" }).click();
    await expect(pending).toBeVisible();
    await app.getByRole("button", { name: "Changer de moyen de paiement" }).click();
    await payBy(buyer, "PayDunya's page");
    await joinGroup(buyer);
  });

  await test.step("paid at the first too, it is said, and that money goes back", async () => {
    await settle(fixture.emulators, "moneroo", (await paymentOf(fixture)).id);
    // A settled order is asked about rarely; at once when the phone's network comes back.
    await expect(async () => {
      await app.locator("body").evaluate(() => window.dispatchEvent(new Event("online")));
      await expect(app.getByRole("heading", { name: /payé deux fois/ })).toBeVisible({
        timeout: 6_000,
      });
    }).toPass({ timeout: 90_000 });
    await expect(app.getByRole("heading", { name: "Vous êtes dans le groupe" })).toBeVisible();
    expect((await readBooks(product.databaseUrl)).sum).toBe(0);
  });
});

test("who paid for nothing sees his money back", { tag: "@drawn" }, async ({ page, product }) => {
  test.setTimeout(360_000);
  const fixture = await setFixture(product);
  const { buyer } = await openPhones(page, fixture.emulators);
  const app = miniApp(buyer);
  await openLink(buyer, fixture.link);
  await payByOrangeMoney(buyer);
  await app.getByRole("button", { name: "Rejoindre le groupe" }).waitFor();
  const id = /n° (\d+)/.exec((await app.getByText(/n° \d+/).textContent()) ?? "")?.[1] ?? "";

  await test.step("from the list of accesses too", async () => {
    await app.getByRole("button", { name: "Mes accès" }).click();
    await app.getByRole("button", { name: /^Un problème/ }).click();
    await expect(app.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
  });

  await test.step("two taps", async () => {
    await app.getByRole("button", { name: /^Un problème avec cet achat/ }).click();
    await app.getByRole("button", { name: "Envoyer la réclamation" }).click();
    await expect(app.getByRole("heading", { name: /Votre réclamation/ })).toContainText(
      "Chez le vendeur",
    );
    await expect(app.getByText("J'ai payé, mais je n'ai pas accès au groupe")).toBeVisible();
  });

  await test.step("the seller gives the money back, and the buyer says where", async () => {
    await refund(product, fixture, id, "Le groupe ferme");
    await expect(app.getByRole("heading", { name: /^Où vous rembourser/ })).toBeVisible();
    await app.getByRole("combobox", { name: "Opérateur" }).selectOption("orange-money-ci");
    await app.getByRole("textbox", { name: "Numéro" }).fill("07 01 02 03 04");
    await app.getByRole("button", { name: "Envoyer ce numéro" }).click();
    await expect(
      app.getByText("Vérifiez : l'argent ira à Orange Money CI, 07 01 02 03 04."),
    ).toBeVisible();
    await app.getByRole("button", { name: "C'est le bon numéro" }).click();
    await expect(app.getByRole("heading", { name: "Remboursement en cours" })).toBeVisible();
  });

  await test.step("an agent sends it, and the record says so", async () => {
    const token = await enrolAgent(product);
    const list = await call(product, "GET /api/desk/refunds", { token, query: { view: "open" } });
    const own = list.refunds.find(({ order_id }) => order_id === id);
    await call(product, "POST /api/desk/refunds/:id/paid", {
      token,
      params: { id: own?.id ?? "" },
      body: { reference: `MP${Date.now()}` },
    });
    await expect(app.getByRole("heading", { name: "Paiement remboursé" })).toBeVisible({
      timeout: 90_000,
    });
    await expect(app.getByText("Argent rendu")).toBeVisible();
    expect((await readBooks(product.databaseUrl)).sum).toBe(0);
  });
});
