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
  type Scene,
  type SceneChoice,
  setScene,
} from "./scene.ts";
import { openPhones, openSellerApp, sendMobileMoney, sheet } from "./steps.ts";

type Asked = {
  readonly scene: Scene;
  readonly phone: string;
  readonly request: WithdrawalOnWire;
};

/** A seller with the francs of one sale, and his request for all of them. */
async function askedFor(product: StartedProduct, choice: SceneChoice = {}): Promise<Asked> {
  const scene = await setScene(product, choice);
  await buy(product, scene);
  const phone = await holdNumber(scene);
  const price = choice.price ?? 5_000;
  const net = price - Math.floor((price * 18) / 100);
  const request = await askForMoney(product, scene.seller, Math.min(50_000, net), phone);
  return { scene, phone, request };
}

/** From the queue to one request, taken. */
async function take(desk: Page, { request }: Asked): Promise<void> {
  await desk.getByRole("searchbox").fill(request.reference_transaction);
  await desk.getByRole("link", { name: new RegExp(request.reference_transaction) }).click();
  await expect(
    desk.getByRole("heading", { name: `Retrait ${request.reference_transaction}` }),
  ).toBeVisible();
  await desk.getByRole("button", { name: "Prendre", exact: true }).click();
  await expect(desk.getByText("Vous avez pris cette demande.")).toBeVisible();
}

test.describe("the desk", () => {
  test("pays by hand: the operator's reference proves one payment, and one only", async ({
    openDesk,
    page,
    product,
  }) => {
    const first = await askedFor(product);
    const second = await askedFor(product);
    await act(first.scene.emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
    await fillWallet(first.scene);
    const { stranger: phone } = await openPhones(page, first.scene.emulators);
    const desk = await openDesk();
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
  });

  test("rejects with a reason the seller reads, and gives back what it took", {
    tag: "@drawn",
  }, async ({ openDesk, product }) => {
    const asked = await askedFor(product);
    const desk = await openDesk({ wide: true });
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
  });

  test("asks for two agents on a large first payout", { tag: "@drawn" }, async ({
    openDesk,
    product,
  }) => {
    const asked = await askedFor(product, { price: 100_000 });
    const fatou = await openDesk();
    const ibrahim = await openDesk({ person: IBRAHIM });
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
    await letPayoutEnd(asked.scene.emulators, asked.phone);
    await expect(fatou.getByText("Payé", { exact: true }).first()).toBeVisible({
      timeout: 180_000,
    });
  });

  test("settles what a provider left uncertain by its own word, and sends nothing twice", {
    tag: "@drawn",
  }, async ({ openDesk, product }) => {
    const asked = await askedFor(product);
    const fatou = await openDesk();
    await take(fatou, asked);
    await leaveUncertain(product, asked.request.id);
    await expect(fatou.getByText("Incertain", { exact: true }).first()).toBeVisible();
    const { payouts } = await readEmulators(asked.scene.emulators);
    const theirs = payouts.filter(({ phone }) => phone === `+225${asked.phone}`);
    expect(theirs).toHaveLength(1);

    const ibrahim = await openDesk({
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
  });

  test("lets its operator change the fee, which the next order takes", { tag: "@drawn" }, async ({
    openDesk,
    page,
    product,
  }) => {
    const scene = await setScene(product);
    const desk = await openDesk({ path: "/bureau/reglages" });
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
    }
  });

  test("finds a seller, and freezes and thaws his payouts with a reason", {
    tag: "@drawn",
  }, async ({ openDesk, product }) => {
    const asked = await askedFor(product);
    const { firstName } = asked.scene.cast.seller;
    const desk = await openDesk({ path: "/bureau/recherche", wide: true });
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
  });
});

async function statusOf(product: StartedProduct, { scene, request }: Asked) {
  const found = (await requestsOf(product, scene)).find(({ id }) => id === request.id);
  return [found?.status, found?.reference_transaction, found?.motif];
}

/** The agent pays from a purse that has something in it. */
async function fillWallet({ emulators }: Scene): Promise<void> {
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
async function countPurse(desk: Page): Promise<void> {
  await desk.getByRole("link", { name: "Journée" }).click();
  const purse = desk.getByRole("article").filter({ hasText: "Orange Money CI" });
  await purse.getByRole("button", { name: "Compter et clôturer" }).click();
  const text =
    (await sheet(desk)
      .getByText(/Le grand livre attend/)
      .textContent()) ?? "";
  const expected = Number(
    /attend (.*)FCFA/
      .exec(text)?.[1]
      ?.replace(/[^\d−-]/g, "")
      .replace("−", "-"),
  );
  await sheet(desk)
    .getByLabel("Solde lu sur le téléphone")
    .fill(String(Math.max(0, expected) + 1));
  await sheet(desk).getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(sheet(desk).getByRole("alert")).not.toBeEmpty();
  await sheet(desk).getByLabel("Explication de l'écart").fill("Un dépôt pas encore noté");
  await sheet(desk).getByRole("button", { name: "Clôturer la caisse" }).click();
  await expect(purse.getByText("Comptée", { exact: true })).toBeVisible();
  await expect(purse.getByText(/Un dépôt pas encore noté/)).toBeVisible();
  const download = desk.waitForEvent("download");
  await desk.getByRole("button", { name: "Exporter (CSV)" }).click();
  expect((await download).suggestedFilename()).toMatch(/^cloture-\d{4}-\d\d-\d\d\.csv$/);
}
