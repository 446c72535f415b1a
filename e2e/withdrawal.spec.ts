import type { FrameLocator, Page, Route } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { invariant } from "../tools/testing/failures.ts";
import { expect, test } from "./fixtures.ts";
import { act, readBooks, readEmulators, saidTo } from "./outside.ts";
import {
  buy,
  decide,
  FATOU,
  holdNumber,
  newestRequest,
  requestsOf,
  type Fixture,
  setFixture,
} from "./fixture.ts";
import {
  backIn,
  fillRequest,
  openControlPanel,
  openBackOfficeByBot,
  openPhones,
  openSellerApp,
  openTab,
  refresh,
  sheet,
} from "./steps.ts";

const NET = 4_100;
const REQUEST = "**/api/users/retrait/demande";
const keyOf = (route: Route) => route.request().headers()["idempotency-key"] ?? "";

/** A seller with the francs of one sale, and his app open. */
async function openRichSeller(page: Page, product: StartedProduct) {
  const fixture = await setFixture(product);
  await buy(product, fixture);
  const phone = await holdNumber(fixture);
  await act(fixture.emulators, "switchPerson", { phone: "agent", personId: FATOU.id });
  const { seller, stranger: agent } = await openPhones(page, fixture.emulators);
  const app = await openSellerApp(seller);
  await expect(app.getByText(/4.100.FCFA/).first()).toBeVisible();
  return { fixture, phone, seller, agent, app };
}

/** From home to the history, the request sent. */
async function askFor(app: FrameLocator, phone: string): Promise<void> {
  await app.getByRole("link", { name: "Retrait", exact: true }).click();
  await fillRequest(app, phone, NET);
  await app.getByRole("button", { name: "Continuer" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Confirmer" }).click();
  await expect(app.getByRole("heading", { name: "Demande envoyée !" })).toBeVisible();
  await app.getByRole("link", { name: "Voir l'historique" }).click();
  await expect(app.getByRole("heading", { name: "Mes retraits" })).toBeVisible();
}

function firstRow(app: FrameLocator) {
  return app.getByRole("main").getByRole("listitem").first();
}

test.describe("a withdrawal", () => {
  test("from the request to the money received, live", async ({ page, product }) => {
    const before = await readBooks(product.databaseUrl);
    const { fixture, phone, seller, agent, app } = await openRichSeller(page, product);

    await test.step("the form refuses in the order of its rules", async () => {
      await app.getByRole("link", { name: "Retrait", exact: true }).click();
      const next = app.getByRole("button", { name: "Continuer" });
      await next.click();
      await expect(app.getByText("Veuillez saisir un montant valide")).toBeVisible();
      await fillRequest(app, "12345", 50);
      for (const [amount, sentence] of [
        ["50", "Le montant minimum de retrait est de 100 FCFA"],
        ["60000", "Le montant maximum de retrait est de 50000 FCFA"],
        ["5000", "Solde insuffisant pour ce retrait"],
        ["4100", "Veuillez saisir un numéro WhatsApp valide (minimum 6 chiffres)"],
      ] as const) {
        await app.getByLabel(/^Montant/).fill(amount);
        await next.click();
        await expect(app.getByText(sentence)).toBeVisible();
      }
      await app.getByLabel(/^Numéro WhatsApp/).fill(phone);
      await next.click();
      await expect(
        app.getByText("Veuillez saisir un numéro pour le transfert valide (minimum 6 chiffres)"),
      ).toBeVisible();
    });

    await test.step("the number is read back before it is confirmed", async () => {
      await app.getByLabel(/^Numéro de transfert/).fill(phone);
      await app.getByRole("button", { name: "Continuer" }).click();
      const question = app.getByRole("dialog");
      const grouped = (phone.match(/../g) ?? []).join(" ");
      await expect(question.getByText(`+225 ${grouped}`)).toBeVisible();
      await expect(question.getByText("Orange Money CI")).toBeVisible();
      await expect(question.getByText(/^0.FCFA$/)).toBeVisible();
      await expect(question.getByText(/^\w+ \d+ \S+ \d{4} à \d\d:\d\d$/)).toBeVisible();
      await question.getByRole("button", { name: "Confirmer" }).click();
      await expect(app.getByRole("heading", { name: "Demande envoyée !" })).toBeVisible();
    });

    await test.step("its history follows it", async () => {
      await app.getByRole("link", { name: "Voir l'historique" }).click();
      await expect(app.getByRole("heading", { name: "Mes retraits" })).toBeVisible();
      await expect(firstRow(app).getByText("En attente")).toBeVisible();
    });

    await test.step("an agent comes from the bot and pays by a provider: the money is seen to arrive", async () => {
      const staff = await openBackOfficeByBot(agent);
      await expect(staff.getByRole("heading", { name: "Demandes" })).toBeVisible();
      const name = new RegExp(`${fixture.cast.seller.firstName} ·`);
      await staff.getByRole("link", { name }).click();
      await expect(staff.getByText("Premier retrait", { exact: true })).toBeVisible();
      await staff.getByRole("button", { name: "Prendre", exact: true }).click();
      await expect(staff.getByText("Vous avez pris cette demande.")).toBeVisible();
      await staff.getByRole("button", { name: "Payer par PayDunya" }).click();
      await sheet(staff).getByRole("button", { name: "Payer par PayDunya" }).dblclick();
      await expect(firstRow(app).getByText("Approuvé")).toBeVisible();
      await expect(firstRow(app).getByText(/^Envoyé le /)).toBeVisible({ timeout: 180_000 });
      await expect(firstRow(app).getByText("Complété")).toBeVisible();
      await expect(staff.getByText("Payé", { exact: true }).first()).toBeVisible();
      const { payouts } = await readEmulators(fixture.emulators);
      const sent = payouts.filter((payout) => payout.phone === `+225${phone}`);
      expect(sent.map(({ amount, status }) => [amount, status])).toEqual([[NET, "success"]]);
      await expect.poll(() => saidTo(fixture.emulators, fixture.cast.seller)).toMatch(/4.100.FCFA/);
      await invariant("the phone received what was approved, once", () =>
        expect.poll(() => receivedBy(fixture, phone)).toEqual([NET]),
      );
    });

    await test.step("and the history of transactions shows it, beside the sale", async () => {
      const books = await readBooks(product.databaseUrl, before);
      expect([books.seller, books.sum]).toEqual([0, 0]);
      const back = backIn(seller);
      await back.click();
      await expect(app.getByRole("heading", { name: "Retrait", exact: true })).toBeVisible();
      await back.click();
      await app.getByRole("link", { name: "Historique" }).click();
      await expect(app.getByText(/−4.100.FCFA/)).toBeVisible();
      await expect(app.getByText(/\+5.000.FCFA/)).toBeVisible();
      await app.getByText("En attente", { exact: true }).click();
      await expect(app.getByText("Aucune transaction")).toBeVisible();
    });

    await test.step("the free plan's next one is a week away, said before anything is typed", async () => {
      await backIn(seller).click();
      await app.getByRole("link", { name: "Retrait", exact: true }).click();
      await expect(app.getByText(/Prochain retrait possible le/)).toBeVisible();
      await expect(app.getByLabel(/^Numéro de transfert/)).toHaveValue(/^\+225 07/);
    });
  });

  test("is cancelled, and the balance restored", { tag: "@drawn" }, async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    await askFor(app, phone);
    await firstRow(app).getByRole("button").click();
    await app.getByRole("dialog").getByRole("button", { name: "Annuler la demande" }).click();
    await app.getByRole("button", { name: "Annuler la demande" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Oui, annuler" }).click();
    await expect(app.getByText(/Solde disponible : 4.100.FCFA/)).toBeVisible();
    await app.getByRole("button", { name: "Voir mes retraits" }).click();
    await expect(firstRow(app).getByText("Annulé", { exact: true })).toBeVisible();
    const [request] = await requestsOf(product, fixture);
    expect(request?.status).toBe("cancelled");
    await test.step("and cannot be cancelled again", async () => {
      const frame = page.frames().find((each) => each.url().includes("/HistoriqueRetraits"));
      await frame?.evaluate((id) => {
        history.pushState(null, "", `/AnnulerRetrait/${id}`);
        dispatchEvent(new PopStateEvent("popstate"));
      }, request?.id);
      await expect(app.getByText("Opération impossible")).toBeVisible();
    });
  });

  test("is rejected, and asked for again", { tag: "@drawn" }, async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    await askFor(app, phone);
    const { id } = await newestRequest(product, fixture);
    const reason = "Le nom du compte ne correspond pas.";
    await decide(product, id, { reason_code: "other", reason });
    await expect(firstRow(app).getByText("Rejeté")).toBeVisible();
    await firstRow(app).getByRole("button").click();
    await expect(app.getByRole("dialog").getByText(reason)).toBeVisible();
    await app.getByRole("button", { name: "Faire une nouvelle demande" }).click();
    await expect(app.getByText(/Maximum : 4.100.FCFA/)).toBeVisible();
    await expect(app.getByText(/Prochain retrait possible/)).toHaveCount(0);
  });
});

test.describe("one request", { tag: "@drawn" }, () => {
  test("is made of two taps and of a lost answer", async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    const keys = new Set<string>();
    let lost = 0;
    await page.route(REQUEST, async (route) => {
      keys.add(keyOf(route));
      const first = keys.size === 1 && lost === 0;
      const answer = await route.fetch();
      if (!first) return route.fulfill({ response: answer });
      lost += 1;
      return route.abort();
    });
    await app.getByRole("link", { name: "Retrait", exact: true }).click();
    await fillRequest(app, phone, 1_000);
    await app.getByRole("button", { name: "Continuer" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Confirmer" }).dblclick();
    await expect(app.getByRole("heading", { name: "Demande envoyée !" })).toBeVisible();
    expect([keys.size, lost]).toEqual([1, 1]);
    expect(await requestsOf(product, fixture)).toHaveLength(1);
  });

  test("is found again after a reload, when no answer ever came", async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    const keys = new Set<string>();
    await page.route(REQUEST, async (route) => {
      keys.add(keyOf(route));
      await route.fetch();
      await route.abort();
    });
    await app.getByRole("link", { name: "Retrait", exact: true }).click();
    await fillRequest(app, phone, 1_000);
    await app.getByRole("button", { name: "Continuer" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Confirmer" }).click();
    await expect(app.getByRole("heading", { name: "Pas encore de réponse" })).toBeVisible();
    await expect(app.getByRole("link", { name: "Voir l'historique" })).toBeVisible();
    await refresh(app);
    await app.getByRole("button", { name: "Reprendre" }).click();
    await page.unroute(REQUEST);
    await page.route(REQUEST, async (route) => {
      keys.add(keyOf(route));
      await route.continue();
    });
    await app.getByRole("dialog").getByRole("button", { name: "Réessayer" }).click();
    await expect(app.getByRole("heading", { name: "Demande envoyée !" })).toBeVisible();
    expect(keys.size).toBe(1);
    expect(await requestsOf(product, fixture)).toHaveLength(1);
  });

  test("is made by keyboard alone", async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    await app.getByRole("link", { name: "Retrait", exact: true }).focus();
    await page.keyboard.press("Enter");
    await fillRequest(app, phone, 500);
    await app.getByRole("button", { name: /Mode de paiement/ }).focus();
    await page.keyboard.press("Enter");
    const wave = app.getByRole("dialog").getByRole("button", { name: "Wave CI" });
    await wave.focus();
    await page.keyboard.press("Enter");
    await expect(app.getByRole("button", { name: /Mode de paiement/ })).toBeFocused();
    await app.getByLabel(/^Montant/).focus();
    await page.keyboard.press("Enter");
    await expect(app.getByRole("dialog").getByRole("button", { name: "Confirmer" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(app.getByRole("dialog")).toHaveCount(0);
    await app.getByLabel(/^Montant/).focus();
    await page.keyboard.press("Enter");
    await app.getByRole("dialog").getByRole("button", { name: "Confirmer" }).focus();
    await page.keyboard.press("Enter");
    const { methode_paiement, montant } = await newestRequest(product, fixture);
    expect([methode_paiement, montant]).toEqual(["wave-ci", 500]);
  });
});

test.describe("the automatic payout", { tag: "@drawn" }, () => {
  test("asks by itself once its day has come, and is switched off", async ({ page, product }) => {
    const { fixture, phone, app } = await openRichSeller(page, product);
    await app.getByRole("link", { name: "Retrait", exact: true }).click();
    await app.getByRole("link", { name: "Activer" }).click();
    await app.getByLabel(/^Numéro de transfert/).fill("12");
    await app.getByRole("button", { name: "Activer" }).click();
    await expect(
      app.getByText("Veuillez saisir un numéro de transfert valide (minimum 6 chiffres)"),
    ).toBeVisible();
    const number = app.getByLabel(/^Numéro de transfert/);
    await number.fill(phone);
    await test.step("what is typed stays while the clock goes on", async () => {
      const typed = await number.inputValue();
      const panel = await openControlPanel(page);
      for (const steps of [1, 2]) {
        await panel.getByRole("button", { name: "+1 min" }).click();
        await expect(panel.getByText("L'horloge avance de 1 min")).toHaveCount(steps);
      }
      await panel.getByRole("button", { name: "Fermer le panneau" }).click();
      await expect(number).toHaveValue(typed);
    });
    await app.getByRole("button", { name: "Activer" }).click();
    await expect(app.getByText("Paiements automatiques activés")).toBeVisible();
    const card = app.getByRole("region", { name: "Paiement automatique" });
    await expect(card.getByText("Activé", { exact: true })).toBeVisible();

    await test.step("nine days pass", async () => {
      await app.getByRole("link", { name: "Historique des retraits" }).click();
      await expect(app.getByText("Aucune demande trouvée")).toBeVisible();
      const panel = await openControlPanel(page);
      for (let day = 0; day < 9; day += 1) {
        await panel.getByRole("button", { name: "+1 j" }).click();
      }
      await panel.getByRole("button", { name: "Fermer le panneau" }).click();
      const request = await newestRequest(product, fixture);
      expect([request.montant, request.automatique]).toEqual([NET, true]);
      expect(await requestsOf(product, fixture)).toHaveLength(1);
      // Its proof is too old after nine days: the client opens the app anew, maybe just now.
      const history = app.getByRole("link", { name: "Historique des retraits" });
      await expect(async () => {
        await openTab(app, "Réglages");
        await history.click({ timeout: 15_000 });
        await expect(firstRow(app).getByText("Automatique")).toBeVisible({ timeout: 15_000 });
      }).toPass();
    });

    await test.step("and is switched off, after a question", async () => {
      await openTab(app, "Accueil");
      await app.getByRole("link", { name: "Retrait", exact: true }).click();
      await card.getByRole("button", { name: "Désactiver" }).click();
      await app.getByRole("dialog").getByRole("button", { name: "Désactiver" }).click();
      await expect(card.getByText("Désactivé", { exact: true })).toBeVisible();
    });
  });
});

/** Amounts in the operator's messages of money received on a number. */
async function receivedBy(fixture: Fixture, phone: string): Promise<number[]> {
  const { sms } = await readEmulators(fixture.emulators);
  return sms
    .filter((message) => message.phone === `+225${phone}` && message.kind === "received")
    .map(({ amount }) => amount);
}
