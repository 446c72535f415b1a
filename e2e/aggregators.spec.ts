import type { MerchantView } from "../apps/emulators/src/wire.ts";
import { expect, test } from "./fixtures.ts";
import { control } from "./outside.ts";
import { buyPremium, payOrder, sell, setFixture, userOf } from "./fixture.ts";
import { reopen } from "./steps.ts";

test("own keys are saved masked, tried, and collect elsewhere", async ({ openApp, product }) => {
  const fixture = await setFixture(product, { price: 5_000 });
  const { seller, emulators } = fixture;
  const { person } = seller;
  const phone = await openApp({ person, path: "/PaymentsSheetsIndex" });

  await test.step("on the free plan the gate opens on the plans", async () => {
    await phone.getByRole("button", { name: /^Ajouter une méthode/ }).click();
    const gate = phone.getByRole("dialog", { name: "Fonctionnalité Premium" });
    await gate.getByRole("button", { name: "Voir les plans" }).click();
    await expect(phone.getByRole("heading", { name: "Choisissez votre plan" })).toBeVisible();
  });

  await test.step("the built-in methods are switched by anybody", async () => {
    await reopen(phone, product, { person, path: "/ActivationMethode" });
    const kkiapay = phone.getByRole("switch", { name: "Activer KkiaPay" });
    await expect(phone.getByRole("switch", { name: "Activer FedaPay" })).toBeChecked();
    await expect(kkiapay).not.toBeChecked();
    await kkiapay.click();
    await expect(kkiapay).toBeChecked();
  });

  await buyPremium(product, { emulators, seller });
  const merchant: MerchantView = await control(emulators, "openMerchant", { provider: "fedapay" });
  const secret = merchant.keys["secretKey"] ?? "";

  await test.step("keys the provider refuses are not saved", async () => {
    const path = "/AjouterMethode?nom=fedapay&key=sk_live_from_an_old_link";
    await reopen(phone, product, { person, path });
    const sheet = phone.getByRole("dialog", { name: "Configurer FedaPay" });
    await sheet.getByLabel(/^Clé secrète/).fill("sk_live_nobody_knows_these_1234");
    await sheet.getByRole("button", { name: "Enregistrer" }).click();
    await expect(sheet.getByRole("alert")).toContainText("Configuration incomplète pour FedaPay");
    expect(phone.url()).not.toContain("sk_live");
    await sheet.getByLabel(/^Clé secrète/).fill(secret);
    await sheet.getByRole("button", { name: "Enregistrer" }).click();
    await expect(phone.getByRole("dialog", { name: "Parfait !" })).toBeVisible();
  });

  await test.step("they are shown masked, and tried by a payment of 100 francs", async () => {
    await reopen(phone, product, { person, path: "/ModifierKey" });
    await expect(phone.getByText(new RegExp(`…${secret.slice(-4)}$`))).toBeVisible();
    expect(await phone.content()).not.toContain(secret);
    await phone.getByRole("button", { name: "Essayer avec 100 FCFA" }).click();
    await expect(phone.getByRole("heading", { name: "Paiement en attente" })).toBeVisible();
    const order = new URL(phone.url()).searchParams.get("paymentId") ?? "";
    await payUntold(emulators, "fedapay", order);
    await expect(phone.getByRole("heading", { name: "Essai réussi" })).toBeVisible();
  });

  await test.step("a sale by them is the seller's own: never in his balance", async () => {
    await sell(product, fixture, "fedapay", payUntold);
    await reopen(phone, product, { person, path: "/transactions/history" });
    await phone.getByRole("button", { name: new RegExp(fixture.cast.buyer.firstName) }).click();
    const sheet = phone.getByRole("dialog");
    await expect(sheet.getByText(/ne passe pas par votre solde/)).toBeVisible();
    await expect(sheet.getByText("Encaissé directement", { exact: true })).toBeVisible();
    const { soldeDisponible, balancePayant } = await userOf(product, seller);
    expect([soldeDisponible, balancePayant]).toEqual([0, 0]);
  });
});

/** No webhook reports what a seller's own keys collect: Sésame asks, once ten seconds have passed. */
async function payUntold(...what: Parameters<typeof payOrder>): Promise<void> {
  await payOrder(...what);
  await control(what[0], "advanceClock", { ms: 11_000 });
}
