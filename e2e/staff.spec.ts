import type { Page } from "@playwright/test";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { expect, test } from "./fixtures.ts";
import { act, control, readEmulators } from "./outside.ts";
import {
  askForMoney,
  buy,
  call,
  enrolAgent,
  FATOU,
  holdNumber,
  IBRAHIM,
  leaveUncertain,
  letPayoutEnd,
  requestsOf,
  type Fixture,
  type FixtureChoice,
  setFixture,
} from "./fixture.ts";
import { openPhones, openSellerApp, sendMobileMoney, sheet } from "./steps.ts";

type Asked = {
  readonly fixture: Fixture;
  readonly phone: string;
  readonly request: WithdrawalOnWire;
};

/** A seller with the francs of one sale, and his request for all of them. */
async function askedFor(product: StartedProduct, choice: FixtureChoice = {}): Promise<Asked> {
  const fixture = await setFixture(product, choice);
  await buy(product, fixture);
  const phone = await holdNumber(fixture);
  const price = choice.price ?? 5_000;
  const net = price - Math.floor((price * 18) / 100);
  const request = await askForMoney(product, fixture.seller, Math.min(50_000, net), phone);
  return { fixture, phone, request };
}

/** From the queue to one request, taken. */
async function take(staff: Page, { request }: Asked): Promise<void> {
  await staff.getByRole("searchbox").fill(request.reference_transaction);
  await staff.getByRole("link", { name: new RegExp(request.reference_transaction) }).click();
  await expect(
    staff.getByRole("heading", { name: `Retrait ${request.reference_transaction}` }),
  ).toBeVisible();
  await staff.getByRole("button", { name: "Prendre", exact: true }).click();
  await expect(staff.getByText("Vous avez pris cette demande.")).toBeVisible();
}

test.describe("the back office", () => {
  test("pays by hand, with a reference used once", async ({ openBackOffice, page, product }) => {
    const first = await askedFor(product);
    const second = await askedFor(product);
    await act(first.fixture.emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
    await fillWallet(first.fixture);
    const { stranger: phone } = await openPhones(page, first.fixture.emulators);
    const staff = await openBackOffice();
    const payByHand = async (asked: Asked) => {
      await take(staff, asked);
      await staff.getByRole("button", { name: "Payer à la main" }).click();
      await sheet(staff).getByRole("button", { name: "Approuver et continuer" }).click();
      await expect(sheet(staff).getByLabel("Référence de l'opérateur")).toBeVisible();
    };

    await payByHand(first);
    const grouped = (first.phone.match(/../g) ?? []).join(" ");
    await expect(sheet(staff).getByText(`+225 ${grouped}`)).toBeVisible();
    const reference = await sendMobileMoney(phone, {
      number: `+225${first.phone}`,
      amount: first.request.montant,
    });
    await sheet(staff).getByLabel("Référence de l'opérateur").fill(reference);
    await sheet(staff).getByRole("button", { name: "Marquer payé" }).click();
    await expect(staff.getByText("Payé", { exact: true }).first()).toBeVisible();
    expect((await statusOf(product, first))[0]).toBe("approved");

    await test.step("the same reference is refused where it was typed", async () => {
      await staff.getByRole("link", { name: "Demandes" }).click();
      await payByHand(second);
      await sheet(staff).getByRole("button", { name: "Marquer payé" }).click();
      await expect(sheet(staff).getByRole("alert")).toHaveText(/Saisissez la référence/);
      await sheet(staff).getByLabel("Référence de l'opérateur").fill(reference.toLowerCase());
      await sheet(staff).getByRole("button", { name: "Marquer payé" }).click();
      await expect(sheet(staff).getByRole("alert")).toHaveText(
        "Cette référence prouve déjà un autre paiement.",
      );
    });

    await test.step("and a payment that fails gives the francs back", async () => {
      await sheet(staff).getByRole("button", { name: "Annuler" }).click();
      await staff.getByRole("button", { name: "Échec du paiement" }).click();
      await sheet(staff).getByLabel("Raison lue par le vendeur").fill("Le compte est fermé.");
      await sheet(staff).getByRole("button", { name: "Rendre le solde" }).click();
      await expect(staff.getByText("Échec, solde rendu").first()).toBeVisible();
      const [status, , reason] = await statusOf(product, second);
      expect(status).toBe("rejected");
      expect(reason).toContain("Le compte est fermé.");
    });

    await test.step("the day's cash float is counted against the ledger", () =>
      countCashFloat(staff));
  });

  test("rejects, and gives money back", { tag: "@drawn" }, async ({ openBackOffice, product }) => {
    const asked = await askedFor(product);
    const staff = await openBackOffice({ wide: true });
    await take(staff, asked);
    await test.step("list and detail stand side by side", async () => {
      await expect(staff.getByRole("heading", { name: "Demandes" })).toBeVisible();
    });
    await staff.getByRole("button", { name: "Rendre", exact: true }).click();
    await sheet(staff).getByRole("button", { name: "Rendre", exact: true }).click();
    await staff.getByRole("button", { name: "Prendre", exact: true }).click();
    await staff.getByRole("button", { name: "Rejeter", exact: true }).click();
    await sheet(staff).getByRole("button", { name: "Rejeter la demande" }).click();
    await expect(sheet(staff).getByRole("alert")).toHaveText("Choisissez la raison du rejet.");
    await sheet(staff).getByText("Nom différent").click();
    const sentence = "Le compte de ce numéro n'est pas au nom du vendeur.";
    await expect(sheet(staff).getByText(sentence)).toBeVisible();
    await sheet(staff).getByRole("button", { name: "Rejeter la demande" }).click();
    await expect(staff.getByText("Rejeté", { exact: true })).toBeVisible();
    await expect(staff.getByText(`Motif lu par le vendeur${sentence}`)).toBeVisible();
    const { reference_transaction: reference } = asked.request;
    expect(await statusOf(product, asked)).toEqual(["rejected", reference, sentence]);
  });

  test("pays a lot only by two agents", { tag: "@drawn" }, async ({ openBackOffice, product }) => {
    const asked = await askedFor(product, { price: 100_000 });
    const fatou = await openBackOffice();
    const ibrahim = await openBackOffice({ person: IBRAHIM });
    await take(fatou, asked);
    await expect(fatou.getByText(/Deux agents doivent donner leur accord/)).toBeVisible();
    await fatou.getByRole("button", { name: "Payer par PayDunya" }).click();
    await sheet(fatou).getByRole("button", { name: "Payer par PayDunya" }).click();
    await expect(fatou.getByText(/Un second agent doit confirmer/)).toBeVisible();
    await expect(fatou.getByRole("button", { name: /^Confirmer l'envoi/ })).toHaveCount(0);
    expect((await statusOf(product, asked))[0]).toBe("pending");

    await ibrahim.getByRole("searchbox").fill(asked.request.reference_transaction);
    await expect(ibrahim.getByText("2e accord attendu").first()).toBeVisible();
    const name = new RegExp(asked.request.reference_transaction);
    await ibrahim.getByRole("link", { name }).click();
    await ibrahim.getByRole("button", { name: "Confirmer l'envoi par PayDunya" }).click();
    await sheet(ibrahim).getByRole("button", { name: "Confirmer l'envoi par PayDunya" }).click();
    await letPayoutEnd(asked.fixture.emulators, asked.phone);
    await seenPaid(fatou);
  });

  test("sends no uncertain money twice", { tag: "@drawn" }, async ({ openBackOffice, product }) => {
    const asked = await askedFor(product);
    const fatou = await openBackOffice();
    await take(fatou, asked);
    await leaveUncertain(product, asked.request.id);
    await expect(fatou.getByText("Incertain", { exact: true }).first()).toBeVisible();
    const { payouts } = await readEmulators(asked.fixture.emulators);
    const theirs = payouts.filter(({ phone }) => phone === `+225${asked.phone}`);
    expect(theirs).toHaveLength(1);

    const ibrahim = await openBackOffice({
      person: IBRAHIM,
      path: `/bureau/retraits/${asked.request.id}`,
    });
    await ibrahim.getByRole("button", { name: "Trancher" }).click();
    const finding = sheet(ibrahim);
    await finding.getByText("Rattacher son paiement").click();
    await finding.getByLabel(/^Identifiant du paiement/).fill(theirs[0]?.id ?? "");
    await finding.getByLabel("Ce que vous avez constaté").fill("Vu dans son tableau de bord");
    await finding.getByRole("button", { name: "Enregistrer le constat" }).click();
    await seenPaid(ibrahim);
    const after = (await readEmulators(asked.fixture.emulators)).payouts;
    expect(after.filter(({ phone }) => phone === `+225${asked.phone}`)).toHaveLength(1);
  });

  test("lets operators set fees", { tag: "@drawn" }, async ({ openBackOffice, page, product }) => {
    const fixture = await setFixture(product);
    const staff = await openBackOffice({ path: "/bureau/reglages" });
    try {
      await staff.getByRole("button", { name: "Modifier : Frais des ventes" }).click();
      const form = sheet(staff);
      await form.getByLabel("Frais, plan gratuit").fill("15");
      await form.getByLabel(/^Raison/).fill("Promotion de fin d'année");
      await form.getByRole("button", { name: "Enregistrer" }).click();
      await expect(staff.getByText("15 %", { exact: true })).toBeVisible();
      await expect(staff.getByText(/«\sPromotion de fin d'année\s»/)).toBeVisible();
      await buy(product, fixture);
      const { seller } = await openPhones(page, fixture.emulators);
      const shop = await openSellerApp(seller);
      await expect(shop.getByText(/4.250.FCFA/).first()).toBeVisible();
      await staff.getByRole("link", { name: /Journal d'audit/ }).click();
      await expect(staff.getByText(/Promotion de fin d'année/).first()).toBeVisible();
      await staff.getByRole("button", { name: "Vérifier maintenant" }).click();
      await expect(staff.getByText(/^Chaîne intacte/)).toBeVisible();
    } finally {
      await restoreFees(product);
    }
  });

  test("finds sellers, freezes payouts", { tag: "@drawn" }, async ({ openBackOffice, product }) => {
    const asked = await askedFor(product);
    const { firstName } = asked.fixture.cast.seller;
    const staff = await openBackOffice({ path: "/bureau/recherche", wide: true });
    await staff.getByRole("searchbox").fill(firstName);
    const name = new RegExp(firstName);
    await staff.getByRole("link", { name }).first().click();
    await expect(staff.getByRole("heading", { name })).toBeVisible();
    await staff.getByRole("button", { name: "Geler ses retraits" }).click();
    await sheet(staff).getByLabel("Raison lue par le vendeur").fill("Numéro signalé par un tiers.");
    await expect(sheet(staff).getByLabel("Date de réexamen")).not.toHaveValue("");
    await sheet(staff).getByRole("button", { name: "Geler ses retraits" }).click();
    await expect(staff.getByText("Retraits gelés").first()).toBeVisible();
    await staff.getByRole("button", { name: "Dégeler ses retraits" }).click();
    await sheet(staff).getByLabel("Raison").fill("Vérifié avec lui.");
    await sheet(staff).getByRole("button", { name: "Dégeler ses retraits" }).click();
    await expect(
      staff.getByRole("button", { name: "Geler ses retraits", exact: true }),
    ).toBeVisible();
  });
});

/** A payout's end is asked for by the server in its own time. */
async function seenPaid(staff: Page): Promise<void> {
  const paid = staff.getByText("Payé", { exact: true }).first();
  await expect(paid).toBeVisible({ timeout: 180_000 });
}

async function statusOf(product: StartedProduct, { fixture, request }: Asked) {
  const found = (await requestsOf(product, fixture)).find(({ id }) => id === request.id);
  return [found?.status, found?.reference_transaction, found?.motif];
}

/** The agent pays from a cash float that has something in it. */
async function fillWallet({ emulators }: Fixture): Promise<void> {
  const { wallets } = await readEmulators(emulators);
  const own = wallets.find(({ personId }) => personId === FATOU.id);
  if (!own) throw new Error("the agent has no number");
  await control(emulators, "creditWallet", { phone: own.phone, amount: 100_000 });
}

async function restoreFees(product: StartedProduct): Promise<void> {
  const token = await enrolAgent(product);
  const { version, defaults } = await call(product, "GET /api/desk/settings", { token });
  const body = { changes: { fee_rates: defaults.fee_rates }, version };
  await call(product, "PUT /api/desk/settings", { token, body });
}

/** One franc short: the difference is explained, written, and stays. */
async function countCashFloat(staff: Page): Promise<void> {
  await staff.getByRole("link", { name: "Journée" }).click();
  const cashFloat = staff.getByRole("article").filter({ hasText: "Orange Money CI" });
  await cashFloat.getByRole("button", { name: "Compter et clôturer" }).click();
  const count = sheet(staff);
  const text = (await count.getByText(/Le grand livre attend/).textContent()) ?? "";
  expect(text).toMatch(/attend .*\d.*FCFA/);
  const [, francs = ""] = /attend (.*)FCFA/.exec(text) ?? [];
  const expected = Number(francs.replace(/[^\d−-]/g, "").replace("−", "-"));
  const read = String(Math.max(0, expected) + 1);
  await count.getByLabel("Solde lu sur le téléphone").fill(read);
  await count.getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(count.getByRole("alert")).not.toBeEmpty();
  await count.getByLabel("Explication de l'écart").fill("Un dépôt pas encore noté");
  await count.getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(cashFloat.getByText("Comptée", { exact: true })).toBeVisible();
  await expect(cashFloat.getByText(/Un dépôt pas encore noté/)).toBeVisible();
  const download = staff.waitForEvent("download");
  await staff.getByRole("button", { name: "Exporter (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^cloture-\d{4}-\d\d-\d\d\.csv$/);
}
