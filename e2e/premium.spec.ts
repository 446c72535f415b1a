import { expect, test } from "./fixtures.ts";
import { control, readBooks, saidTo } from "./outside.ts";
import { buy, linkGroup, setFixture, signIn, until, userOf } from "./fixture.ts";
import {
  backToTelegram,
  browserOf,
  fillPayment,
  finishPayment,
  openPhones,
  openSellerApp,
  openTab,
  reopen,
} from "./steps.ts";

const DAY_MS = 86_400_000;

test("premium is bought twice, and ends after its grace", async ({ openApp, page, product }) => {
  test.setTimeout(450_000);
  const fixture = await setFixture(product);
  const { seller } = fixture;
  await buy(product, fixture);
  for (const title of ["Deuxième", "Troisième", "Quatrième"]) {
    await linkGroup(product, seller, { title: `${title} ${fixture.group}` });
  }
  const phones = await openPhones(page, fixture.emulators);
  const app = await openSellerApp(phones.seller);

  await test.step("by Moneroo, on its page outside", async () => {
    await openTab(app, "Réglages");
    await app.getByRole("link", { name: /^Plan / }).click();
    await expect(app.getByRole("rowheader", { name: "Frais par transaction" })).toBeVisible();
    await app.getByRole("button", { name: "Choisir Premium" }).first().click();
    await app.getByRole("button", { name: /^Payer 5.000/ }).click();
    await expect(app.getByText("Veuillez sélectionner une méthode de paiement")).toBeVisible();
    await app.getByRole("radio", { name: /Moneroo/ }).check();
    await app.getByRole("button", { name: /^Payer 5.000/ }).click();
    const outside = browserOf(phones.seller);
    await fillPayment(outside);
    await finishPayment(phones.seller, outside);
    await expect(app.getByRole("heading", { name: "Votre plan Premium est actif" })).toBeVisible();
    await app.getByRole("link", { name: "Aller à mon espace" }).click();
  });

  await test.step("the balance is on the new plan's account, whole", async () => {
    await expect(app.getByText("Plan Premium")).toBeVisible();
    await expect(app.getByText(/^4.100 FCFA$/)).toBeVisible();
    const { balanceGratuit, balancePayant } = await userOf(product, seller);
    expect([balanceGratuit, balancePayant]).toEqual([0, 4_100]);
    await expect.poll(() => saidTo(fixture.emulators, seller.person)).toMatch(/Premium/);
  });

  await test.step("renewed by another provider, its time is added", async () => {
    await openTab(app, "Réglages");
    await app.getByRole("link", { name: /^Plan / }).click();
    await app.getByRole("link", { name: "Renouveler", exact: true }).click();
    await app.getByRole("radio", { name: /PayDunya/ }).check();
    await app.getByRole("button", { name: /^Payer 5.000/ }).click();
    const outside = browserOf(phones.seller);
    await outside.getByRole("textbox", { name: "Numéro de téléphone" }).fill("0701020304");
    await outside.getByRole("button", { name: /^Payer / }).click();
    await expect(outside.getByRole("heading", { name: "Paiement reçu" })).toBeVisible();
    await backToTelegram(phones.seller);
    await expect(app.getByRole("heading", { name: "Votre plan Premium est actif" })).toBeVisible();
    await openTab(app, "Réglages");
    await app.getByRole("link", { name: /^Plan / }).click();
    await expect(app.getByText("60 jours restants")).toBeVisible();
    await expect(app.getByRole("link", { name: /^Plan Premium, renouvellement/ })).toBeVisible();
  });

  await page.close();
  const phone = await openApp({ person: seller.person, path: "/IndexEspace" });
  await test.step("past its end premium goes on for its days of grace, and warns", async () => {
    await control(fixture.emulators, "advanceClock", { ms: 61 * DAY_MS });
    await reopen(phone, product, { person: seller.person, path: "/IndexEspace" });
    await expect(phone.getByText(/^Votre plan Premium est terminé/)).toBeVisible();
    await phone.getByRole("link", { name: "Renouveler" }).click();
    await expect(phone.getByRole("radio", { name: /Moneroo/ })).toBeVisible();
  });

  await test.step("then the free plan comes back: balance moved, one group out of quota", async () => {
    await control(fixture.emulators, "advanceClock", { ms: 8 * DAY_MS });
    const now = await signIn(product, seller.person);
    const free = async () => (await userOf(product, now)).type_plan === "gratuit" || undefined;
    await until(free, "the free plan did not come back");
    await reopen(phone, product, { person: seller.person, path: "/IndexEspace" });
    await expect(phone.getByText("Plan Gratuit")).toBeVisible();
    await expect(phone.getByText(/^4.100 FCFA$/)).toBeVisible();
    await phone.getByRole("link", { name: "Groupes" }).last().click();
    await expect(phone.getByText("Hors quota", { exact: true })).toHaveCount(1);
  });

  await test.step("the seller chooses which three sell", async () => {
    await phone.getByRole("button", { name: "Choisir mes 3 groupes" }).click();
    const sheet = phone.getByRole("dialog", { name: "Les groupes qui vendent" });
    await sheet.getByRole("switch", { name: fixture.group, exact: true }).uncheck();
    await sheet.getByRole("switch", { name: /^Quatrième/ }).check();
    await sheet.getByRole("button", { name: "Enregistrer" }).click();
    await expect(sheet).toHaveCount(0);
    const out = phone.getByRole("listitem").filter({ hasText: "Hors quota" });
    await expect(out).toHaveCount(1);
    await expect(out).toContainText(fixture.group);
  });
  expect((await readBooks(product.databaseUrl)).sum).toBe(0);
});
