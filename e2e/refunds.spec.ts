import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { act, readBooks } from "./outside.ts";
import {
  call,
  complain,
  FATOU,
  recast,
  type Fixture,
  sell,
  setFixture,
  type Sold,
  until,
  userOf,
} from "./fixture.ts";
import { reopen, sheet } from "./steps.ts";

const NUMBER = "0701020304";

test("a complaint ends by refund or by decision", async ({ openApp, openBackOffice, product }) => {
  test.setTimeout(450_000);
  const fixture = await setFixture(product);
  const { seller, emulators } = fixture;
  const { person } = seller;
  const first = await sell(product, fixture);
  const other = await recast(fixture);
  const second = await sell(product, other);
  const read = ({ id, token }: Sold) =>
    call(product, "GET /api/orders/:id", { token, params: { id } });
  const motif = "no-access";
  for (const sold of [first, second]) {
    await complain(product, sold, { motif, message: "Le lien ne s'ouvre pas." });
  }
  const phone = await openApp({ person, path: "/IndexEspace" });

  await test.step("the seller is notified, answers, and gives the money back", async () => {
    await expect(phone.getByText("2 réclamations attendent votre réponse.")).toBeVisible();
    await phone.getByRole("link", { name: "Répondre" }).click();
    await openComplaint(phone, fixture);
    await expect(phone.getByText("Le lien ne s'ouvre pas.")).toBeVisible();
    await phone.getByLabel("Votre réponse").fill("Je vous rembourse tout de suite.");
    await phone.getByRole("button", { name: "Envoyer" }).click();
    await expect(phone.getByText("Je vous rembourse tout de suite.").last()).toBeVisible();
    await phone.getByRole("button", { name: "Rembourser", exact: true }).click();
    const question = phone.getByRole("dialog", { name: "Rembourser cette vente" });
    await question.getByLabel(/^Raison/).fill("Le groupe a fermé");
    await question.getByRole("button", { name: /^Rembourser 5.000/ }).click();
    await expect(question).toHaveCount(0);
    await expect(phone.getByText("L'acheteur doit encore indiquer son numéro.")).toBeVisible();
    expect((await userOf(product, seller)).soldeDisponible).toBe(4_100);
  });

  await test.step("the other complaint is contested", async () => {
    await reopen(phone, product, { person, path: "/reclamations" });
    await openComplaint(phone, other);
    await phone.getByRole("button", { name: "Contester" }).click();
    const contest = sheet(phone);
    await contest.getByLabel(/^Ce qui s'est passé/).fill("Il a été admis hier, puis est parti.");
    await contest.getByRole("button", { name: "Confier à Sésame" }).click();
    await expect(phone.getByText(/^Sésame examine cette réclamation/)).toBeVisible();
  });

  await act(emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
  const staff = await openBackOffice({ path: "/bureau/reclamations" });
  const asked = sheet(staff);
  await test.step("the operator reads both sides, and decides", async () => {
    await staff.getByRole("link", { name: new RegExp(other.cast.buyer.firstName) }).click();
    await expect(staff.getByText(/Il a été admis hier/)).toBeVisible();
    await staff.getByRole("button", { name: "Rejeter" }).click();
    await asked.getByLabel(/^Raison/).fill("L'accès a bien été donné");
    await asked.getByRole("button", { name: "Rejeter" }).click();
    await expect(staff.getByText("Rejetée", { exact: true })).toBeVisible();
    expect((await read(second)).complaint?.entries.map(({ words }) => words)).toContain(
      "L'accès a bien été donné",
    );
  });

  await test.step("the buyer gives a number; an agent sends the money, once, and proves it", async () => {
    await call(product, "POST /api/orders/:id/refund-number", {
      token: first.token,
      params: { id: first.id },
      body: { methode: "orange-money-ci", numero: NUMBER },
    });
    await staff.getByRole("link", { name: /^Dossiers/ }).click();
    await staff.locator("label", { hasText: /^Remboursements/ }).click();
    const card = staff.getByRole("article").filter({ hasText: fixture.cast.buyer.firstName });
    await card.getByRole("button", { name: "Prendre" }).click();
    await expect(card.getByText(/^À vous jusqu'à/)).toBeVisible();
    await card.getByRole("button", { name: "Marquer payé" }).click();
    await asked.getByLabel(/^Référence de l'opérateur/).fill("PP261121.0712.A12345");
    await asked.getByRole("button", { name: "Confirmer l'envoi" }).click();
    await expect(card).toHaveCount(0);
  });

  await test.step("and everybody reads the same", async () => {
    const refunded = async () => (await read(first)).refund?.status === "rembourse" || undefined;
    await until(refunded, "the refund is not done for its buyer");
    await staff.goto(new URL(`/bureau/commandes/${first.id}`, staff.url()).href);
    await expect(staff.getByRole("heading", { name: `Commande ${first.id}` })).toBeVisible();
    await expect(staff.getByText("PP261121.0712.A12345").first()).toBeVisible();
    await reopen(phone, product, { person, path: "/transactions/history" });
    await phone.getByRole("button", { name: new RegExp(fixture.cast.buyer.firstName) }).click();
    await expect(sheet(phone).getByText("Remboursé", { exact: true }).first()).toBeVisible();
  });
  expect((await readBooks(product.databaseUrl)).sum).toBe(0);
});

async function openComplaint(phone: Page, fixture: Fixture): Promise<void> {
  await phone.getByRole("link", { name: new RegExp(fixture.cast.buyer.firstName) }).click();
}
