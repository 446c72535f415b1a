import { expect, test } from "./fixtures.ts";
import { findings } from "./axe.ts";
import { readEmulators } from "./outside.ts";
import { buyAndJoin, buyPremium, setFixture } from "./fixture.ts";
import { reopen } from "./steps.ts";

const DAY_MS = 86_400_000;

test("a seller reads his figures and when an access ends", async ({ openApp, product }) => {
  const fixture = await setFixture(product);
  await buyAndJoin(product, fixture);
  const { person } = fixture.seller;
  const { now } = await readEmulators(fixture.emulators);
  const phone = await openApp({ person, path: "/IndexEspace" });

  await test.step("the card at home draws the week", async () => {
    await expect(
      phone.getByRole("img", { name: /Revenu net des 7 derniers jours : 4.100.FCFA/ }),
    ).toBeVisible();
  });

  await test.step("the figures are those of the sale", async () => {
    await phone.getByRole("link", { name: "Statistiques" }).click();
    await expect(phone.getByText("1 nouvelle, 0 renouvellement")).toBeVisible();
    await expect(phone.getByText(/4.100.FCFA/).first()).toBeVisible();
    await expect(phone.getByText("900 FCFA de frais")).toBeVisible();
    await expect(phone.getByText(/100.% du revenu net · 1 vente/)).toBeVisible();
    await phone.getByText("Année", { exact: true }).click();
    const bars = phone.getByRole("slider", { name: "Revenu net par mois" });
    await expect(bars).toHaveValue("11");
    await bars.press("ArrowLeft");
    await expect(bars).toHaveValue("10");
    await bars.click({ position: { x: 4, y: 40 } });
    await expect(bars).toHaveValue("0");
    await phone.getByRole("button", { name: "Découvrir avec Premium" }).click();
    await expect(phone.getByText("Fonctionnalité Premium")).toBeVisible();
    await phone.getByRole("button", { name: "Plus tard" }).click();
  });

  await test.step("the calendar has the day the access ends", async () => {
    await reopen(phone, product, { person, path: "/Calendrier" });
    const end = new Date(Date.parse(now) + 30 * DAY_MS);
    const name = new Intl.DateTimeFormat("fr-FR", {
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone: "Africa/Abidjan",
    }).format(end);
    const day = phone.getByRole("button", { name: new RegExp(` ${name}, 1 expiration$`) });
    await expect(phone.getByRole("grid")).toBeVisible();
    const start = new Date(now);
    const years = end.getUTCFullYear() - start.getUTCFullYear();
    const months = 12 * years + end.getUTCMonth() - start.getUTCMonth();
    for (let turn = 0; turn < months; turn += 1) {
      await phone.getByRole("button", { name: "Mois suivant" }).click();
    }
    await day.click();
    await expect(phone.getByText(fixture.cast.buyer.firstName)).toBeVisible();
    await expect(phone.getByText("Accès à échéance")).toBeVisible();
    expect(await findings(phone)).toEqual([]);
  });

  await test.step("premium sees what comes back each month", async () => {
    await buyPremium(product, fixture);
    await reopen(phone, product, { person, path: "/Statistics" });
    await expect(phone.getByText("Revenu mensuel récurrent")).toBeVisible();
    await expect(phone.getByText(/^1 accès payé au-delà d'aujourd'hui/)).toBeVisible();
    await expect(phone.getByRole("button", { name: "Exporter en CSV" })).toBeVisible();
    expect(await findings(phone)).toEqual([]);
  });
});
