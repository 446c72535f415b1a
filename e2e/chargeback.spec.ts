import type { FrameLocator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { act, control, peopleInside, readBooks, saidTo } from "./outside.ts";
import { call, FATOU, IBRAHIM, openedPayment, sell, setFixture, userOf } from "./fixture.ts";
import {
  allowWriting,
  joinGroup,
  miniApp,
  openControlPanel,
  openBackOfficeByBot,
  openLink,
  openPhones,
  openSellerApp,
  openTab,
  payBy,
  sheet,
} from "./steps.ts";

const TITLE = "Paiement rendu par le prestataire";

/** Of the alerts on the screen, the one that leads to this order. */
const alertOf = (staff: Page | FrameLocator, id: string) =>
  staff
    .getByRole("article")
    .filter({ hasText: TITLE })
    .filter({ has: staff.getByRole("link", { name: `Commande n° ${id}`, exact: true }) });

test("a payment a bank takes back, on three phones", async ({ openBackOffice, page, product }) => {
  test.setTimeout(450_000);
  const fixture = await setFixture(product);
  const { emulators, cast } = fixture;
  await act(emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
  const before = await readBooks(product.databaseUrl);
  const { seller, buyer, stranger: agent } = await openPhones(page, emulators);
  const shop = await openSellerApp(seller);
  await openTab(shop, "Accueil");

  await openLink(buyer, fixture.link);
  await miniApp(buyer).getByRole("button", { name: "Acheter ce produit" }).click();
  await payBy(buyer, "FedaPay's own page");
  await allowWriting(buyer);
  await joinGroup(buyer);
  const bought = miniApp(buyer);
  const id = /n° (\d+)/.exec((await bought.getByText(/n° \d+/).textContent()) ?? "")?.[1] ?? "";
  await expect(shop.getByText(/4.100.FCFA/).first()).toBeVisible();

  const staff = await openBackOfficeByBot(agent);
  await staff.getByRole("link", { name: /^Alertes/ }).click();
  const alert = alertOf(staff, id);

  await test.step("the bank takes it back: the operator's screen says so by itself", async () => {
    const panel = await openControlPanel(page);
    const provider = panel.getByRole("combobox", { name: "Prestataire d'encaissement" });
    await provider.selectOption("fedapay");
    const takeBack = panel.getByRole("button", { name: /^Reprendre le paiement/ });
    await takeBack.first().click();
    await expect(alert).toBeVisible();
    await panel.getByRole("button", { name: "Fermer" }).click();
    expect((await userOf(product, fixture.seller)).soldeDisponible).toBe(4_100);
  });

  await test.step("which leads to the order; nothing is sent for its refund", async () => {
    await alert.getByRole("link", { name: `Commande n° ${id}` }).click();
    await expect(staff.getByText(/^Le prestataire dit avoir repris ce paiement/)).toBeVisible();
    await staff.getByRole("button", { name: "Rembourser (opérateur)" }).click();
    const asked = sheet(staff);
    await expect(asked.getByText(/rien n'est envoyé à l'acheteur/)).toBeVisible();
    await asked.getByLabel(/^Raison/).fill("Carte contestée à la banque");
    await asked.getByRole("button", { name: "Rembourser (opérateur)" }).click();
    const card = staff.getByRole("article").filter({ hasText: cast.buyer.firstName });
    await expect(card.getByText("Remboursé", { exact: true })).toBeVisible();
    await expect(card.getByText("Déjà rendu par le prestataire")).toBeVisible();
    await card.getByRole("button", { name: "Noter les frais retenus" }).click();
    await asked.getByLabel(/^Frais en FCFA/).fill("2 500");
    await asked.getByRole("button", { name: "Noter les frais" }).click();
    await expect(card.getByText("Frais retenus", { exact: true })).toBeVisible();
    await expect(card.getByRole("button")).toHaveCount(0);
    await expect(staff.getByText("Frais des paiements repris")).toBeVisible();
    await expect(staff.getByText(/^Le prestataire dit avoir repris/)).toHaveCount(0);
  });

  await test.step("the alert has ended, and no agent is offered to pay", async () => {
    await staff.getByRole("link", { name: /^Alertes/ }).click();
    await staff.getByText("Closes", { exact: true }).click();
    await expect(alert).toBeVisible();
    await expect(alert.getByRole("button")).toHaveCount(0);
    const other = await openBackOffice({ person: IBRAHIM, path: "/bureau/remboursements" });
    const refund = other.getByRole("article").filter({ hasText: cast.buyer.firstName });
    await other.getByText("Terminés", { exact: true }).click();
    await expect(refund).toBeVisible();
    await expect(refund.getByRole("button")).toHaveCount(0);
  });

  await test.step("the buyer is out, is notified, and is asked for no number", async () => {
    await expect
      .poll(() => peopleInside(emulators, fixture.group))
      .toEqual([cast.seller.firstName]);
    await expect
      .poll(() => saidTo(emulators, cast.buyer))
      .toContain("vous a déjà été rendu par FedaPay");
    await expect(bought.getByRole("heading", { name: "Paiement remboursé" })).toBeVisible({
      timeout: 90_000,
    });
    await expect(bought.getByRole("heading", { name: /^Où vous rembourser/ })).toHaveCount(0);
  });

  await test.step("the seller's balance and his sale say it", async () => {
    await expect(shop.getByText(/^0.FCFA/).first()).toBeVisible();
    await shop.getByRole("link", { name: "Voir tout" }).click();
    await shop.getByRole("button", { name: new RegExp(cast.buyer.firstName) }).click();
    await expect(shop.getByText("Déjà rendu par le prestataire")).toBeVisible();
    // What the bank kept for it.
    const booked = { seller: 0, fees: 0, provider: 2_500, sum: 0 };
    expect(await readBooks(product.databaseUrl, before)).toEqual(booked);
  });
});

test("a chargeback given up is a sale", { tag: "@drawn" }, async ({ openBackOffice, product }) => {
  test.setTimeout(300_000);
  const fixture = await setFixture(product);
  const { emulators } = fixture;
  const { id, token } = await sell(product, fixture, "fedapay");
  const paymentId = await openedPayment(emulators, "fedapay", id);
  const payment = { provider: "fedapay", paymentId, announced: true } as const;
  const bankSays = (status: string | null) =>
    control(emulators, "alterCollected", { ...payment, status });
  await act(emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
  const staff = await openBackOffice({ path: "/bureau/alertes" });
  const view = (name: RegExp) => staff.getByText(name).click();
  const difference = staff
    .getByRole("article")
    .filter({ has: staff.getByRole("link", { name: `Commande n° ${id}`, exact: true }) });
  const differs = staff
    .getByRole("article")
    .filter({ hasText: "Écart de rapprochement" })
    .filter({ hasText: `Numéro ${paymentId}` });
  await bankSays("refunded");
  await expect(alertOf(staff, id)).toBeVisible();

  await test.step("compared, it differs", async () => {
    await view(/^Écarts/);
    await staff.getByRole("button", { name: "Comparer maintenant" }).click();
    await expect(difference.getByText("État différent")).toBeVisible();
    await view(/^Ouvertes/);
    await expect(differs).toBeVisible();
  });

  await test.step("paid again, its alert ends; the difference, once it was compared", async () => {
    await bankSays(null);
    await expect(alertOf(staff, id)).toHaveCount(0);
    await view(/^Écarts/);
    await expect(difference).toBeVisible();
    await staff.getByRole("button", { name: "Comparer maintenant" }).click();
    await expect(difference).toHaveCount(0);
    await view(/^Ouvertes/);
    await expect(differs).toHaveCount(0);
  });

  await test.step("nothing was taken from anybody, and the bank may try again", async () => {
    await staff.goto(new URL(`/bureau/commandes/${id}`, staff.url()).href);
    await expect(staff.getByRole("button", { name: "Rembourser (opérateur)" })).toBeVisible();
    await expect(staff.getByText(/^Le prestataire dit avoir repris/)).toHaveCount(0);
    expect((await userOf(product, fixture.seller)).soldeDisponible).toBe(4_100);
    const order = await call(product, "GET /api/orders/:id", { token, params: { id } });
    expect(order).toMatchObject({ status: "paid", refund: null });
    await bankSays("refunded");
    await expect(staff.getByText(/^Le prestataire dit avoir repris/)).toBeVisible();
    await bankSays(null);
    await expect(staff.getByText(/^Le prestataire dit avoir repris/)).toHaveCount(0);
  });
});
