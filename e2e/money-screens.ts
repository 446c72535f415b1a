import type { Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { decide, enrolAgent } from "./agents.ts";
import { readEmulators } from "./outside.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { type Actor, buy, call, type Scene, type Seller, setScene } from "./scene.ts";

const PHONE = "+2250701020304";
const REVIEW_MS = 10 * 86_400_000;
const REQUEST = "**/api/users/retrait/demande";

/** The seller's form of money out, in the states it can be in. */
export async function askingScreens({
  rooms,
  scene,
  empty,
}: {
  readonly rooms: Rooms;
  readonly scene: Scene;
  readonly empty: Actor;
}): Promise<Screen[]> {
  const { pending } = await busySeller(rooms.product);
  return [...requestScreens(rooms, scene.seller.person, pending), ...emptyScreens(rooms, empty)];
}

/** What became of what he asked for. */
export async function withdrawalScreens(rooms: Rooms): Promise<Screen[]> {
  const busy = await busySeller(rooms.product);
  const frozen = await frozenSeller(rooms.product);
  return [
    ...busyScreens(rooms, busy),
    rooms.seller("withdrawal, frozen", frozen, "/retrait", shows("Vos retraits sont bloqués")),
  ];
}

type Busy = {
  readonly person: Actor;
  readonly rejected: WithdrawalOnWire;
  readonly pending: WithdrawalOnWire;
};

/** Who was rejected once and waits for the next, his automatic payout on. */
async function busySeller(product: StartedProduct): Promise<Busy> {
  const scene = await setScene(product, { names: { seller: "Marie-Thérèse" }, price: 1_000_000 });
  await buy(product, scene);
  const first = await ask(product, scene.seller, 50_000);
  const reason = "Le nom du compte mobile money ne correspond pas au vôtre. Vérifiez le numéro.";
  await decide(product, first.id, { reject: { reason_code: "other", reason } });
  const pending = await ask(product, scene.seller, 12_500);
  await call(product, "PUT /api/users/paiement/update", {
    token: scene.seller.token,
    json: { retrait_auto: true, payment_method: "orange-money-ci", transfer_number: PHONE },
  });
  return { person: scene.seller.person, rejected: first, pending };
}

async function ask(
  product: StartedProduct,
  { token }: Seller,
  montant: number,
): Promise<WithdrawalOnWire> {
  const answer = await call<AnswerOf<"GET /api/users/retrait/:id">>(
    product,
    "POST /api/users/retrait/demande",
    {
      token,
      json: {
        montant,
        methode_paiement: "orange-money-ci",
        numero_transfert: PHONE,
        numero_whatsapp: PHONE,
      },
    },
  );
  return answer.demande;
}

async function frozenSeller(product: StartedProduct): Promise<Actor> {
  const { seller, emulators } = await setScene(product, { names: { seller: "Ousmane" } });
  const { now } = await readEmulators(emulators);
  const reviewAt = new Date(Date.parse(now) + REVIEW_MS).toISOString().slice(0, 10);
  await call(product, `POST /api/desk/sellers/${seller.userId}/freeze`, {
    token: await enrolAgent(product),
    json: { reason: "Vérification de votre identité en cours", review_at: reviewAt },
  });
  return seller.person;
}

/** A form nobody ever sends: what would be its answer is given in its place. */
function requestScreens(rooms: Rooms, person: Actor, pending: WithdrawalOnWire): Screen[] {
  const at = (name: string, after: (page: Page) => Promise<void>) =>
    rooms.seller(`withdrawal${name}`, person, "/retrait", after);
  return [
    at("", shows("Nouvelle demande")),
    at(", refused", async (page) => {
      await page.getByLabel(/^Montant/).fill("60");
      await page.getByRole("button", { name: "Continuer" }).click();
      await page.getByText(/^Le montant minimum/).waitFor();
    }),
    at(", methods", async (page) => {
      await page.getByRole("button", { name: /Mode de paiement/ }).click();
      await page.getByRole("dialog").getByText("Moov Burkina Faso").waitFor();
    }),
    at(", confirmation", confirm),
    at(", no answer", unanswered),
    at(", left unanswered", async (page) => {
      await unanswered(page);
      await page.getByRole("dialog").getByRole("button", { name: "Fermer" }).click();
      await page.getByText("Reprendre").waitFor();
    }),
    at(", sent", async (page) => {
      const json = { success: true, message: "", demande: pending };
      await page.route(REQUEST, (route) => route.fulfill({ status: 201, json }));
      await send(page);
      await page.getByRole("heading", { name: "Demande envoyée !" }).waitFor();
      // A touch keeps it.
      await page.keyboard.press("Tab");
      await page.unroute(REQUEST);
    }),
    rooms.seller("automatic payout", person, "/ConfigurationRetrait", shows("Fréquence")),
    rooms.seller("automatic payout, refused", person, "/ConfigurationRetrait", async (page) => {
      await page.getByLabel(/^Numéro de transfert/).fill("12");
      await page.getByRole("button", { name: "Activer" }).click();
      await page.getByText(/^Veuillez saisir un numéro de transfert/).waitFor();
    }),
    rooms.seller("transactions", person, "/transactions/history", shows("Kouassi")),
    rooms.seller("transactions, details", person, "/transactions/history", async (page) => {
      await page.getByText("Kouassi").first().click();
      await page.getByRole("dialog").waitFor();
    }),
  ];
}

async function confirm(page: Page): Promise<void> {
  await page.getByLabel(/^Montant/).fill("50000");
  await page.getByLabel(/^Numéro WhatsApp/).fill(PHONE);
  await page.getByLabel(/^Numéro de transfert/).fill(PHONE);
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByRole("dialog").getByText("+225 07 01 02 03 04").first().waitFor();
}

async function unanswered(page: Page): Promise<void> {
  await page.route(REQUEST, (route) => route.abort());
  await send(page);
  await page.getByRole("heading", { name: "Pas encore de réponse" }).waitFor();
  await page.unroute(REQUEST);
}

async function send(page: Page): Promise<void> {
  await confirm(page);
  await page.getByRole("dialog").getByRole("button", { name: "Confirmer" }).click();
}

function busyScreens(rooms: Rooms, { person, rejected, pending }: Busy): Screen[] {
  const history = "/HistoriqueRetraits";
  const rowOf = (page: Page, status: string) =>
    page.getByRole("listitem").filter({ hasText: status }).getByRole("button").first();
  const details = (status: string) => async (page: Page) => {
    await rowOf(page, status).click();
    await page.getByRole("dialog").waitFor();
  };
  const cancel = `/AnnulerRetrait/${pending.id}`;
  return [
    rooms.seller("withdrawal, a week away", person, "/retrait", shows("Prochain retrait")),
    rooms.seller("automatic payout, off?", person, "/retrait", async (page) => {
      await page.getByRole("button", { name: "Désactiver" }).click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.seller(
      "automatic payout, on",
      person,
      "/ConfigurationRetrait",
      shows("Prochain passage"),
    ),
    rooms.seller("withdrawals", person, history, shows("Rejeté")),
    rooms.seller("withdrawals, rejected", person, history, details("Rejeté")),
    rooms.seller("withdrawals, pending", person, history, details("En attente")),
    rooms.seller("cancel", person, cancel, shows("reviendront dans votre solde")),
    rooms.seller("cancel, question", person, cancel, async (page) => {
      await page.getByRole("button", { name: "Annuler la demande" }).click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.seller(
      "cancel, impossible",
      person,
      `/AnnulerRetrait/${rejected.id}`,
      shows("Opération impossible"),
    ),
    rooms.seller("cancel, unknown", person, "/AnnulerRetrait/999999", shows("Demande introuvable")),
    rooms.seller("transactions, payout", person, "/transactions/history", async (page) => {
      await page
        .getByRole("button", { name: /^Retrait / })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    }),
  ];
}

function emptyScreens(rooms: Rooms, person: Actor): Screen[] {
  const none = "Aucune demande trouvée";
  return [
    rooms.seller("withdrawals, empty", person, "/HistoriqueRetraits", shows(none)),
    rooms.seller("withdrawal, no funds", person, "/retrait", shows("Nouvelle demande")),
    rooms.seller(
      "transactions, empty",
      person,
      "/transactions/history",
      shows("Aucune transaction"),
    ),
  ];
}

function shows(text: string) {
  return (page: Page): Promise<void> => page.getByText(text).first().waitFor();
}
