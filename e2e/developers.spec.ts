import { expect, test } from "./fixtures.ts";
import { buyPremium, sell, setFixture } from "./fixture.ts";
import { reopen } from "./steps.ts";

test("a seller's program reads his sales, and hears of the next", async ({ openApp, product }) => {
  const fixture = await setFixture(product, { price: 5_000 });
  const { seller, emulators } = fixture;
  const { person } = seller;
  const phone = await openApp({ person, path: "/PaymentsSheetsIndex" });

  await test.step("on the free plan the gate opens, and the page says what it offers", async () => {
    await phone.getByRole("button", { name: /^API développeur/ }).click();
    const gate = phone.getByRole("dialog", { name: "Fonctionnalité Premium" });
    await expect(gate.getByText(/API développeur fait partie/)).toBeVisible();
    await reopen(phone, product, { person, path: "/Developpeurs" });
    await expect(phone.getByText("Vos outils, reliés à votre boutique")).toBeVisible();
  });

  await buyPremium(product, { emulators, seller });
  await sell(product, fixture);
  let key = "";

  await test.step("a key is created, shown once, and reads the sales", async () => {
    await reopen(phone, product, { person, path: "/Developpeurs" });
    await phone.getByRole("button", { name: "Créer une clé" }).click();
    const sheet = phone.getByRole("dialog", { name: "Créer une clé" });
    await sheet.getByLabel(/^Nom/).fill("Mon site");
    await sheet.getByRole("button", { name: "Créer une clé" }).click();
    key = await phone.getByText(/^sk_sesame_[A-Za-z0-9]{43}$/).innerText();
    const headers = { authorization: `Bearer ${key}` };
    const orders = await fetch(`${product.appUrl}/api/v1/orders`, { headers });
    expect(await orders.json()).toMatchObject({ data: [{ amount: 5_000, status: "paid" }] });
    await phone.getByRole("button", { name: "C'est copié" }).click();
    await expect(phone.getByText(key)).toHaveCount(0);
    await expect(phone.getByText(`sk_sesame_…${key.slice(-4)}`)).toBeVisible();
  });

  await test.step("an address receives a test, and the next sale, each signed", async () => {
    await phone.getByRole("button", { name: "Ajouter une adresse" }).click();
    const sheet = phone.getByRole("dialog", { name: "Ajouter une adresse" });
    await sheet.getByLabel(/^Adresse de votre serveur/).fill("https://192.168.1.10/");
    await sheet.getByRole("button", { name: "Ajouter une adresse" }).click();
    await expect(sheet.getByText(/pas joignable depuis Internet/)).toBeVisible();
    await sheet
      .getByLabel(/^Adresse de votre serveur/)
      .fill(`${emulators}/developer/hooks/boutique`);
    await sheet.getByRole("button", { name: "Ajouter une adresse" }).click();
    const secret = await phone.getByText(/^whsec_/).innerText();
    const body = new URLSearchParams({ secret });
    await fetch(`${emulators}/developer/boutique/secret`, { method: "POST", body });
    await phone.getByRole("button", { name: "C'est copié" }).click();
    await phone.getByRole("button", { name: /developer\/hooks\/boutique/ }).click();
    await phone.getByRole("button", { name: "Envoyer un test" }).click();
    await sell(product, fixture);
    const sale = phone.getByRole("button", { name: /^Commande payée.*Reçu/ });
    await expect(sale).toBeVisible({ timeout: 60_000 });
    await expect(phone.getByRole("button", { name: /^Test.*Reçu/ })).toBeVisible();
    await sale.click();
    const sent = phone.getByRole("dialog", { name: "order.paid" });
    await expect(sent.getByText(/"amount": 5000/)).toBeVisible();
    await sent.getByRole("button", { name: "Renvoyer" }).click();
    await expect(phone.getByText("Événement renvoyé.")).toBeVisible();
    const received = await (await fetch(`${emulators}/developer/boutique`)).text();
    expect(received.match(/signature juste/g)?.length).toBeGreaterThanOrEqual(2);
    expect(received).not.toContain("signature fausse");
  });

  await test.step("a revoked key reads nothing", async () => {
    await reopen(phone, product, { person, path: "/Developpeurs" });
    await phone.getByRole("button", { name: /^Mon site/ }).click();
    await phone.getByRole("button", { name: "Révoquer la clé" }).click();
    const sure = phone.getByRole("dialog", { name: /^Révoquer « Mon site »/ });
    await sure.getByRole("button", { name: "Révoquer la clé" }).click();
    await expect(phone.getByText("Aucune clé")).toBeVisible();
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${product.appUrl}/api/v1/orders`, { headers })).status).toBe(401);
  });
});
