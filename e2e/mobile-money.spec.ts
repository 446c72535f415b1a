import { expect, test } from "./fixtures.ts";
import { readEmulators } from "./outside.ts";
import { castPhones, emulatorsOf } from "./fixture.ts";
import {
  closeMobileMoney,
  openControlPanel,
  openMobileMoney,
  openPhones,
  operatorMessages,
  sendMobileMoney,
} from "./steps.ts";

test.describe("mobile money", () => {
  test("sent by hand reaches both phones under one reference", async ({ page, product }) => {
    const emulators = emulatorsOf(product);
    const cast = await castPhones(emulators);
    const { wallets } = await readEmulators(emulators);
    const number = wallets.find(({ personId }) => personId === cast.seller.id)?.phone ?? "";
    const { seller, stranger: agent } = await openPhones(page, emulators);
    // It passes over the phone while the money is still being sent.
    const [reference] = await Promise.all([
      sendMobileMoney(agent, { number, amount: 20_000 }),
      expect(seller.getByRole("button", { name: /20.000.F.CFA reçus de/ })).toBeVisible(),
    ]);
    expect(reference).toMatch(/^PP\d{6}\.\d{4}\.[A-Z]\d{5}$/);
    await expect(
      seller.getByRole("button", { name: "Mobile Money, 1 message non lu" }),
    ).toBeVisible();
    await openMobileMoney(seller);
    await expect(operatorMessages(seller)).toContainText(/Vous avez reçu 20.000.FCFA de/);
    await expect(operatorMessages(seller)).toContainText(reference);
    await closeMobileMoney(seller);
    await expect(seller.getByRole("button", { name: "Mobile Money", exact: true })).toBeVisible();
    await openMobileMoney(agent);
    await expect(operatorMessages(agent)).toContainText(/Vous avez envoyé 20.000.FCFA à/);
  });

  test("sent to a further number is read on the phone that takes it", async ({ page, product }) => {
    const emulators = emulatorsOf(product);
    await castPhones(emulators);
    const { seller, stranger: agent } = await openPhones(page, emulators);
    const number = `+2217${String(Date.now() % 100_000_000).padStart(8, "0")}`;
    await sendMobileMoney(agent, { number, amount: 500, network: "wave-senegal" });
    const money = await openMobileMoney(seller);
    await expect(operatorMessages(seller)).toContainText("arrivent ici");
    await money.getByRole("button", { name: "Mes numéros" }).click();
    await money.getByRole("combobox", { name: "Réseau" }).selectOption("wave-senegal");
    await money.getByRole("textbox", { name: "Numéro" }).fill(number);
    await money.getByRole("button", { name: "Ajouter", exact: true }).click();
    await expect(money.getByText("500 F CFA")).toBeVisible();
    await money.getByRole("button", { name: "Fermer" }).click();
    await expect(operatorMessages(seller)).toContainText(/Vous avez reçu 500.FCFA/);
  });

  test("is given by the panel, and never sent beyond what there is", async ({ page, product }) => {
    const emulators = emulatorsOf(product);
    const cast = await castPhones(emulators);
    const { buyer } = await openPhones(page, emulators);
    const { wallets } = await readEmulators(emulators);
    const { id, firstName: name } = cast.buyer;
    const own = wallets.find(({ personId }) => personId === id);
    expect(own?.balance).toBe(0);
    const panel = await openControlPanel(page);
    await panel.getByRole("button", { name: `Donner 500 000 F CFA à ${name}` }).click();
    await panel.getByRole("button", { name: "Fermer le panneau" }).click();
    const money = await openMobileMoney(buyer);
    await expect(money.getByText(/500.000.F.CFA/)).toBeVisible();
    await money.getByRole("button", { name: "Envoyer de l'argent" }).click();
    await money.getByRole("textbox", { name: "Numéro du destinataire" }).fill("0799999999");
    await money.getByRole("textbox", { name: "Montant" }).fill("500001");
    await expect(money.getByText("Solde insuffisant.")).toBeVisible();
    await expect(money.getByRole("button", { name: /^Envoyer 500.001/ })).toBeDisabled();
  });
});
