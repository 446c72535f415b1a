import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { control } from "./outside.ts";
import { chosen, DESKTOP, type Rooms, type Row, type Screen, tapped, there } from "./rooms.ts";
import {
  askForMoney,
  buy,
  call,
  complain,
  decide,
  type Decision,
  IBRAHIM,
  leaveUncertain,
  openedPayment,
  order,
  payOrder,
  recast,
  refund,
  type Fixture,
  sell,
  setFixture,
} from "./fixture.ts";

type Shown = { readonly rooms: Rooms; readonly requests: Requests };

export type Requests = {
  readonly seller: Fixture["seller"];
  readonly taken: string;
  readonly second: string;
  readonly toPay: string;
  readonly uncertain: string;
  readonly paid: string;
  readonly rejected: string;
};

export async function requestsInEachState(product: StartedProduct): Promise<Requests> {
  const take = async (price: number, name: string, decision?: Decision) => {
    const fixture = await setFixture(product, { price, names: { seller: name } });
    await buy(product, fixture);
    const { id } = await askForMoney(product, fixture.seller, Math.min(50_000, price / 2));
    await decide(product, id, decision);
    return { id, seller: fixture.seller };
  };
  const taken = await take(5_000, "Marie-Thérèse Ouattara");
  const second = await take(1_000_000, "Kouassi Emmanuel N'Guessan", { rail: "paydunya" });
  const toPay = await take(5_000, "Aïssatou", { rail: "manual" });
  const reference = `CI${Date.now()}.1022.A12345`;
  const paid = await take(5_000, "Ousmane", { rail: "manual", reference });
  const rejected = await take(5_000, "Mariam", { reason_code: "name-mismatch" });
  const uncertain = await take(5_000, "Adjoua");
  await leaveUncertain(product, uncertain.id);
  return {
    seller: second.seller,
    taken: taken.id,
    second: second.id,
    toPay: toPay.id,
    uncertain: uncertain.id,
    paid: paid.id,
    rejected: rejected.id,
  };
}

export function staffRequestScreens({ rooms, requests }: Shown): Screen[] {
  const { taken, second, toPay, uncertain, paid, rejected } = requests;
  const rows: Row[] = [
    ["taken", taken, "Signes à vérifier"],
    ["second agent awaited", second, "Second accord attendu"],
    ["by provider", taken, tapped("Payer par PayDunya")],
    ["by hand", taken, tapped("Payer à la main")],
    ["rejecting", taken, rejecting(chosen("Nom différent", "Le vendeur lira :"))],
    ["rejecting, refused", taken, rejecting(tapped("Rejeter la demande", "Choisissez la raison"))],
    ["giving back", taken, tapped("Rendre")],
    ["to pay", toPay, "À payer à la main"],
    ["reference", toPay, tapped("Saisir la référence")],
    ["failing", toPay, tapped("Échec du paiement")],
    ["uncertain", uncertain, "Envois"],
    [
      "resolving",
      uncertain,
      async (page) => {
        await tapped("Trancher")(page);
        await page.getByText("L'argent est parti", { exact: true }).click();
      },
    ],
    ["paid", paid, "Payé le"],
    ["returned", paid, tapped("L'argent est revenu")],
    ["rejected", rejected, "Vendeur"],
    ["missing", "999999", "Demande introuvable"],
  ];
  return rooms.staff(
    rows.map(([name, id, shown]): Row => [`request, ${name}`, `/bureau/retraits/${id}`, shown]),
  );
}

const rejecting = (then: Row[2]) => tapped("Rejeter", then);

function searched(words: string, found: string): Row[2] {
  return async (page) => {
    await page.getByRole("searchbox").fill(words);
    await page.getByText(found).waitFor();
  };
}

const FOUND = searched("Kouassi", "Vendeurs");
const DIFFERENCES = chosen(/^Écarts/, "Dernières comparaisons");

/** What is wide comes first: each screen sets its size, and the ones after are a phone's again. */
export function staffQueueScreens({ rooms, requests: { second, seller } }: Shown): Screen[] {
  const wide: Row[] = [
    ["queue and request, wide", `/bureau/retraits/${second}`, "Signes à vérifier"],
    ["day, wide", "/bureau/jour", "Caisses des agents"],
    ["seller, wide", `/bureau/vendeurs/${seller.userId}`, "Derniers retraits"],
    ["alerts, wide", "/bureau/alertes", "Ouvertes"],
    ["differences, wide", "/bureau/alertes", DIFFERENCES],
    ["search, wide", "/bureau/recherche", FOUND],
    ["audit, wide", "/bureau/journal", /^Chaîne/],
  ];
  return [
    ...rooms.staff(wide, { size: DESKTOP }),
    ...rooms.staff([
      ["queue", "/bureau", /À vous/],
      ["queue, filters", "/bureau", tapped("Filtrer")],
      ["queue, to pay", "/bureau", chosen("À payer", "À payer à la main")],
      ["queue, done", "/bureau", chosen(/^Terminées/, "Rejeté")],
      [
        "queue, nothing found",
        "/bureau",
        searched("introuvable", "Aucune demande ne passe ces filtres"),
      ],
    ]),
    ...rooms.staff([["for a stranger", "/bureau", "Réservé aux agents"]], {
      person: { id: 7_100_000_001, firstName: "Awa" },
    }),
    ...rooms.staff([["settings, for an agent", "/bureau/reglages", "Réservé à l'opérateur"]], {
      person: IBRAHIM,
    }),
  ];
}

export function staffSellerScreens({ rooms, requests: { seller } }: Shown): Screen[] {
  const sheet = `/bureau/vendeurs/${seller.userId}`;
  return rooms.staff([
    ["day", "/bureau/jour", "Caisses des agents"],
    ["day, count", "/bureau/jour", tapped("Compter et clôturer")],
    ["day, movement", "/bureau/jour", tapped("Approvisionner ou retirer")],
    ["day, before", "/bureau/jour", tapped("Jour précédent", there("button", "Jour suivant"))],
    ["search", "/bureau/recherche", FOUND],
    ["search, nothing", "/bureau/recherche", searched("zzzzzz", "Rien ne correspond")],
    ["seller", sheet, "Derniers retraits"],
    ["seller, suspend", sheet, tapped("Suspendre le vendeur")],
    ["seller, missing", "/bureau/vendeurs/999999", "Vendeur introuvable"],
    ["alerts", "/bureau/alertes", "Ouvertes"],
    ["alerts, closed", "/bureau/alertes", chosen(/^Closes/, /Aucune alerte close|Close par/)],
    ["differences", "/bureau/alertes", DIFFERENCES],
  ]);
}

/** What the page shows when jobs failed: the demonstration has none. */
async function failedJobs(page: Page): Promise<void> {
  const at = new Date().toISOString();
  const error = "telegram: 400 Bad Request: chat not found";
  const label = "Retirer du groupe une personne dont l'accès est fini";
  const message = { topic: "bot.notify", label: "Envoyer un message du bot" };
  const job = { topic: "access.close", label, attempts: 3, outages: 0, failed_at: at, error };
  const answer = {
    success: true,
    now: at,
    topics: [
      { topic: "access.close", label, failed: 2, expired: 0, oldest_at: at, error },
      { ...message, failed: 0, expired: 41, oldest_at: at, error: "telegram did not answer" },
    ],
    jobs: [
      { ...job, id: "job:12", ref: "45", state: "failed", due_since: at },
      { ...job, ...message, id: "job:13", ref: "46", state: "expired", due_since: null },
    ],
    next_cursor: null,
  };
  await page.route("**/api/desk/jobs*", (route) => route.fulfill({ json: answer }));
  await page.getByText("Tâches", { exact: true }).click();
  await page.getByText("Une par une").waitFor();
}

export function operatorScreens(rooms: Rooms): Screen[] {
  const settings = "/bureau/reglages";
  return rooms.staff([
    ["jobs", "/bureau/alertes", failedJobs],
    ["settings", settings, "Durées proposées"],
    ["settings, fees", settings, tapped("Modifier : Frais des ventes")],
    [
      "settings, fees wrong",
      settings,
      async (page) => {
        await tapped("Modifier : Frais des ventes")(page);
        await page.getByLabel("Frais, plan gratuit").fill("beaucoup");
        await page.getByText("Saisissez un nombre").first().waitFor();
      },
    ],
    ["settings, hours", settings, tapped(/^Traitement des retraits/)],
    ["settings, method", settings, tapped(/^Moov CI/)],
    ["settings, duration", settings, tapped("Ajouter une durée")],
    [
      "audit",
      "/bureau/journal",
      async (page) => {
        await page.getByText(/^Chaîne/).waitFor();
        await page.locator("summary").first().click();
      },
    ],
  ]);
}

/** Refunds, complaints and requests for help. */
export async function staffCasesScreens(rooms: Rooms, ticket: string): Promise<Screen[]> {
  const { refunded, complaint, odd } = await disputes(rooms.product);
  const marking: Row[2] = async (page) => {
    const paid = page.getByRole("button", { name: "Marquer payé" });
    const take = page.getByRole("button", { name: "Prendre", exact: true });
    await paid.or(take).first().waitFor();
    // Taken already where this screen was opened before.
    if (!(await paid.isVisible())) await take.click();
    await paid.click();
    await page.getByRole("dialog").waitFor();
  };
  return rooms.staff([
    ["refunds", "/bureau/remboursements", "À envoyer"],
    ["refunds, paid", "/bureau/remboursements", marking],
    ["complaints", "/bureau/reclamations", "Chez Sésame"],
    ["complaint", `/bureau/reclamations/${complaint}`, "Rembourser l'acheteur"],
    ["order", `/bureau/commandes/${refunded}`, "Écritures"],
    [
      "order, a payment decided",
      `/bureau/commandes/${odd}`,
      async (page) => {
        await page.getByRole("button", { name: "Décider de ce paiement" }).click();
        await page.getByRole("dialog").getByText("Rendre l'argent").click();
      },
    ],
    ["requests for help", "/bureau/assistance", "Un groupe ou un canal"],
    ["request for help", `/bureau/assistance/${ticket}`, "Votre réponse"],
  ]);
}

/** A sale to give back by hand, another that its seller contests, and a payment of something else. */
async function disputes(product: StartedProduct) {
  const fixture = await setFixture(product, {
    title: "Formation complète « Élevage rentable » : 12 semaines",
    names: { buyer: "Kouassi Emmanuel Aristide" },
  });
  const { emulators, seller } = fixture;
  const refunded = await sell(product, fixture);
  const motif = "Le groupe a fermé avant la fin du programme annoncé";
  await refund(product, fixture, refunded.id, motif);
  await call(product, "POST /api/orders/:id/refund-number", {
    token: refunded.token,
    params: { id: refunded.id },
    body: { methode: "orange-money-ci", numero: "0701020304" },
  });
  const bought = await sell(product, await recast(fixture));
  const message = "Ce n'est pas ce qui était annoncé.";
  const complaint = await complain(product, bought, { motif: "other", message });
  await call(product, "POST /api/complaints/:id/contest", {
    token: seller.token,
    params: { id: complaint.id },
    body: { message: "Le programme est respecté, semaine après semaine." },
  });
  const { id: odd } = await order(product, await recast(fixture), "fedapay");
  const paymentId = await openedPayment(emulators, "fedapay", odd);
  await control(emulators, "alterCollected", { provider: "fedapay", paymentId, currency: "GHS" });
  await payOrder(emulators, "fedapay", odd);
  return { refunded: refunded.id, complaint: complaint.id, odd };
}
