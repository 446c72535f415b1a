import {
  type Asked,
  askedFor,
  countPurse,
  FATOU,
  fillWallet,
  IBRAHIM,
  leaveUncertain,
  letPayoutEnd,
  openDesk,
  openDeskByBot,
  restoreFees,
  sheet,
  statusOf,
  take,
} from "./desk-steps.ts";
import { enrolAgent } from "./agents.ts";
import { expect, test } from "./fixtures.ts";
import { act, readBooks, readEmulators, saidTo } from "./outside.ts";
import { buy, setScene } from "./scene.ts";
import { openPhones, openSellerApp, openTab, sendMobileMoney } from "./steps.ts";

test.describe("the desk", () => {
  test("is opened from the bot by its agent, who pays by a provider; the seller sees it", async ({
    page,
    product,
  }) => {
    const asked = await askedFor(product);
    const { scene, request, phone } = asked;
    await act(scene.emulators, "switchPerson", { phone: "agent", personId: FATOU });
    const { seller, stranger: agent } = await openPhones(page, scene.emulators);
    const shop = await openSellerApp(seller);
    await openTab(shop, "Accueil");
    await shop.getByRole("link", { name: "Retrait", exact: true }).click();
    await shop.getByRole("link", { name: "Historique des retraits" }).click();
    await expect(shop.getByText("En attente", { exact: true }).first()).toBeVisible();

    const desk = await openDeskByBot(agent);
    await expect(desk.getByRole("heading", { name: "Demandes" })).toBeVisible();
    await desk.getByRole("link", { name: new RegExp(`${scene.cast.seller.firstName} ·`) }).click();
    await expect(desk.getByText("Premier retrait", { exact: true })).toBeVisible();
    await desk.getByRole("button", { name: "Prendre", exact: true }).click();
    await expect(desk.getByText("Vous avez pris cette demande.")).toBeVisible();
    await desk.getByRole("button", { name: "Payer par PayDunya" }).click();
    await desk.getByRole("dialog").getByRole("button", { name: "Payer par PayDunya" }).dblclick();
    await expect(desk.getByText("Payé", { exact: true }).first()).toBeVisible({ timeout: 180_000 });

    const { payouts } = await readEmulators(scene.emulators);
    const sent = payouts.filter((payout) => payout.phone === `+225${phone}`);
    expect(sent.map(({ amount, status }) => [amount, status])).toEqual([
      [request.montant, "success"],
    ]);
    await expect.poll(() => saidTo(scene.emulators, scene.cast.seller)).toMatch(/4.100.FCFA/);
    await expect(shop.getByText(/^Reçu le /).first()).toBeVisible();
    expect((await readBooks(product.databaseUrl)).sum).toBe(0);
  });

  test("pays by hand: the operator's reference proves one payment, and one only", async ({
    browser,
    page,
    product,
  }) => {
    const first = await askedFor(product);
    const second = await askedFor(product);
    await act(first.scene.emulators, "switchPerson", { phone: "agent", personId: FATOU });
    await fillWallet(first.scene);
    const { stranger: phone } = await openPhones(page, first.scene.emulators);
    const desk = await openDesk(browser, product);
    const payByHand = async (asked: Asked) => {
      await take(desk, asked);
      await desk.getByRole("button", { name: "Payer à la main" }).click();
      await sheet(desk).getByRole("button", { name: "Approuver et continuer" }).click();
      await expect(sheet(desk).getByLabel("Référence de l'opérateur")).toBeVisible();
    };

    await payByHand(first);
    const grouped = (first.phone.match(/../g) ?? []).join(" ");
    await expect(sheet(desk).getByText(`+225 ${grouped}`)).toBeVisible();
    const reference = await sendMobileMoney(phone, {
      number: `+225${first.phone}`,
      amount: first.request.montant,
    });
    await sheet(desk).getByLabel("Référence de l'opérateur").fill(reference);
    await sheet(desk).getByRole("button", { name: "Marquer payé" }).click();
    await expect(desk.getByText("Payé", { exact: true }).first()).toBeVisible();
    expect((await statusOf(product, first))[0]).toBe("approved");

    await test.step("the same reference is refused where it was typed", async () => {
      await desk.getByRole("link", { name: "Demandes" }).click();
      await payByHand(second);
      await sheet(desk).getByRole("button", { name: "Marquer payé" }).click();
      await expect(sheet(desk).getByRole("alert")).toHaveText(/Saisissez la référence/);
      await sheet(desk).getByLabel("Référence de l'opérateur").fill(reference.toLowerCase());
      await sheet(desk).getByRole("button", { name: "Marquer payé" }).click();
      await expect(sheet(desk).getByRole("alert")).toHaveText(
        "Cette référence prouve déjà un autre paiement.",
      );
    });

    await test.step("and a payment that fails gives the francs back", async () => {
      await sheet(desk).getByRole("button", { name: "Annuler" }).click();
      await desk.getByRole("button", { name: "Échec du paiement" }).click();
      await sheet(desk).getByLabel("Raison lue par le vendeur").fill("Le compte est fermé.");
      await sheet(desk).getByRole("button", { name: "Rendre le solde" }).click();
      await expect(desk.getByText("Échec, solde rendu").first()).toBeVisible();
      const [status, , reason] = await statusOf(product, second);
      expect(status).toBe("rejected");
      expect(reason).toContain("Le compte est fermé.");
    });

    await test.step("the day's purse is counted against the ledger", () => countPurse(desk));
    await desk.context().close();
  });

  test("rejects with a reason the seller reads, and gives back what it took", {
    tag: "@drawn",
  }, async ({ browser, product }) => {
    const asked = await askedFor(product);
    const desk = await openDesk(browser, product, { wide: true });
    await take(desk, asked);
    await test.step("list and detail stand side by side", async () => {
      await expect(desk.getByRole("heading", { name: "Demandes" })).toBeVisible();
    });
    await desk.getByRole("button", { name: "Rendre", exact: true }).click();
    await sheet(desk).getByRole("button", { name: "Rendre", exact: true }).click();
    await desk.getByRole("button", { name: "Prendre", exact: true }).click();
    await desk.getByRole("button", { name: "Rejeter", exact: true }).click();
    await sheet(desk).getByRole("button", { name: "Rejeter la demande" }).click();
    await expect(sheet(desk).getByRole("alert")).toHaveText("Choisissez la raison du rejet.");
    await sheet(desk).getByText("Nom différent").click();
    const sentence = "Le compte de ce numéro n'est pas au nom du vendeur.";
    await expect(sheet(desk).getByText(sentence)).toBeVisible();
    await sheet(desk).getByRole("button", { name: "Rejeter la demande" }).click();
    await expect(desk.getByText("Rejeté", { exact: true })).toBeVisible();
    await expect(desk.getByText(`Motif lu par le vendeur${sentence}`)).toBeVisible();
    expect(await statusOf(product, asked)).toEqual([
      "rejected",
      asked.request.reference_transaction,
      sentence,
    ]);
    await desk.context().close();
  });

  test("asks for two agents on a large first payout", { tag: "@drawn" }, async ({
    browser,
    product,
  }) => {
    const asked = await askedFor(product, { price: 100_000 });
    const fatou = await openDesk(browser, product);
    const ibrahim = await openDesk(browser, product, { person: IBRAHIM });
    await take(fatou, asked);
    await expect(fatou.getByText(/Deux agents doivent donner leur accord/)).toBeVisible();
    await fatou.getByRole("button", { name: "Payer par PayDunya" }).click();
    await sheet(fatou).getByRole("button", { name: "Payer par PayDunya" }).click();
    await expect(fatou.getByText(/Un second agent doit confirmer/)).toBeVisible();
    await expect(fatou.getByRole("button", { name: /^Confirmer l'envoi/ })).toHaveCount(0);
    expect((await statusOf(product, asked))[0]).toBe("pending");

    await ibrahim.getByRole("searchbox").fill(asked.request.reference_transaction);
    await expect(ibrahim.getByText("2e accord attendu").first()).toBeVisible();
    await ibrahim
      .getByRole("link", { name: new RegExp(asked.request.reference_transaction) })
      .click();
    await ibrahim.getByRole("button", { name: "Confirmer l'envoi par PayDunya" }).click();
    await sheet(ibrahim).getByRole("button", { name: "Confirmer l'envoi par PayDunya" }).click();
    await letPayoutEnd(asked);
    await expect(fatou.getByText("Payé", { exact: true }).first()).toBeVisible({
      timeout: 180_000,
    });
    await fatou.context().close();
    await ibrahim.context().close();
  });

  test("settles what a provider left uncertain by its own word, and sends nothing twice", {
    tag: "@drawn",
  }, async ({ browser, product }) => {
    const asked = await askedFor(product);
    const fatou = await openDesk(browser, product);
    await take(fatou, asked);
    await leaveUncertain(product, { id: asked.request.id, token: await enrolAgent(product) });
    await expect(fatou.getByText("Incertain", { exact: true }).first()).toBeVisible();
    const { payouts } = await readEmulators(asked.scene.emulators);
    const theirs = payouts.filter(({ phone }) => phone === `+225${asked.phone}`);
    expect(theirs).toHaveLength(1);

    const ibrahim = await openDesk(browser, product, {
      person: IBRAHIM,
      path: `/bureau/retraits/${asked.request.id}`,
    });
    await ibrahim.getByRole("button", { name: "Trancher" }).click();
    await sheet(ibrahim).getByText("Rattacher son paiement").click();
    await sheet(ibrahim)
      .getByLabel(/^Identifiant du paiement/)
      .fill(theirs[0]?.id ?? "");
    await sheet(ibrahim)
      .getByLabel("Ce que vous avez constaté")
      .fill("Vu dans son tableau de bord");
    await sheet(ibrahim).getByRole("button", { name: "Enregistrer le constat" }).click();
    await expect(ibrahim.getByText("Payé", { exact: true }).first()).toBeVisible({
      timeout: 180_000,
    });
    const after = (await readEmulators(asked.scene.emulators)).payouts;
    expect(after.filter(({ phone }) => phone === `+225${asked.phone}`)).toHaveLength(1);
    await fatou.context().close();
    await ibrahim.context().close();
  });

  test("lets its operator change the fee, which the next order takes", { tag: "@drawn" }, async ({
    browser,
    page,
    product,
  }) => {
    const scene = await setScene(product);
    const desk = await openDesk(browser, product, { path: "/bureau/reglages" });
    try {
      await desk.getByRole("button", { name: "Modifier : Frais des ventes" }).click();
      await sheet(desk).getByLabel("Frais, plan gratuit").fill("15");
      await sheet(desk)
        .getByLabel(/^Raison/)
        .fill("Promotion de fin d'année");
      await sheet(desk).getByRole("button", { name: "Enregistrer" }).click();
      await expect(desk.getByText("15 %", { exact: true })).toBeVisible();
      await expect(desk.getByText(/« Promotion de fin d'année »/)).toBeVisible();
      await buy(product, scene);
      const { seller } = await openPhones(page, scene.emulators);
      const shop = await openSellerApp(seller);
      await expect(shop.getByText(/4.250.FCFA/).first()).toBeVisible();
      await desk.getByRole("link", { name: /Journal d'audit/ }).click();
      await expect(desk.getByText(/Promotion de fin d'année/).first()).toBeVisible();
      await desk.getByRole("button", { name: "Vérifier maintenant" }).click();
      await expect(desk.getByText(/^Chaîne intacte/)).toBeVisible();
    } finally {
      await restoreFees(product);
      await desk.context().close();
    }
  });

  test("tells who is no agent that he is not, and an agent what is the operator's", {
    tag: "@drawn",
  }, async ({ browser, product }) => {
    const scene = await setScene(product);
    const person = scene.cast.seller.id;
    const desk = await openDesk(browser, product, { person });
    await expect(desk.getByRole("heading", { name: "Réservé aux agents" })).toBeVisible();
    await expect(desk.getByText(String(person))).toBeVisible();
    await expect(desk.getByRole("navigation")).toHaveCount(0);
    await desk.context().close();

    const agent = await openDesk(browser, product, { person: IBRAHIM, path: "/bureau/reglages" });
    await expect(agent.getByRole("heading", { name: "Réservé à l'opérateur" })).toBeVisible();
    await expect(agent.getByRole("link", { name: "Réglages" })).toHaveCount(0);
    await agent.context().close();
  });

  test("finds a seller, and freezes and thaws his payouts with a reason", {
    tag: "@drawn",
  }, async ({ browser, product }) => {
    const asked = await askedFor(product);
    const { firstName } = asked.scene.cast.seller;
    const desk = await openDesk(browser, product, { path: "/bureau/recherche", wide: true });
    await desk.getByRole("searchbox").fill(firstName);
    await desk
      .getByRole("link", { name: new RegExp(firstName) })
      .first()
      .click();
    await expect(desk.getByRole("heading", { name: new RegExp(firstName) })).toBeVisible();
    await desk.getByRole("button", { name: "Geler ses retraits" }).click();
    await sheet(desk).getByLabel("Raison lue par le vendeur").fill("Numéro signalé par un tiers.");
    await expect(sheet(desk).getByLabel("Date de réexamen")).not.toHaveValue("");
    await sheet(desk).getByRole("button", { name: "Geler ses retraits" }).click();
    await expect(desk.getByText("Retraits gelés").first()).toBeVisible();
    await desk.getByRole("button", { name: "Dégeler ses retraits" }).click();
    await sheet(desk).getByLabel("Raison").fill("Vérifié avec lui.");
    await sheet(desk).getByRole("button", { name: "Dégeler ses retraits" }).click();
    await expect(
      desk.getByRole("button", { name: "Geler ses retraits", exact: true }),
    ).toBeVisible();
    await desk.context().close();
  });
});
