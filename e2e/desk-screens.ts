import type { Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { enrolAgent } from "./agents.ts";
import { buyersScreens } from "./buyers-screens.ts";
import { FATOU, IBRAHIM, leaveUncertain } from "./desk-steps.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { type Actor, buy, call, type Scene, setScene } from "./scene.ts";
import { deskSupportScreens } from "./support-screens.ts";

const FATOU_HERSELF: Actor = { id: FATOU, firstName: "Fatou" };
const IBRAHIM_HIMSELF: Actor = { id: IBRAHIM, firstName: "Ibrahim" };

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

type Shown = { readonly rooms: Rooms; readonly requests: Requests };

/** What is wide comes first: each screen sets its size, and the ones after are a phone's again. */
export function deskQueueScreens({ rooms, requests }: Shown): Screen[] {
  return [...wideScreens(rooms, requests), ...queueScreens(rooms)];
}

export async function deskOwnScreens(rooms: Rooms): Promise<Screen[]> {
  return [
    ...operatorScreens(rooms),
    ...(await buyersScreens(rooms)),
    ...(await deskSupportScreens(rooms)),
  ];
}

export type Requests = {
  readonly seller: Scene["seller"];
  readonly taken: string;
  readonly second: string;
  readonly toPay: string;
  readonly uncertain: string;
  readonly paid: string;
  readonly rejected: string;
};

export async function requestsInEachState(product: StartedProduct): Promise<Requests> {
  const token = await enrolAgent(product);
  const decide = (id: string, verb: string, json: object) =>
    call(product, `POST /api/desk/withdrawals/${id}/${verb}`, { token, json });
  const take = async (price: number, seller: string) => {
    const scene = await setScene(product, { price, names: { seller } });
    await buy(product, scene);
    const { id } = await ask(product, scene, Math.min(50_000, price / 2));
    await decide(id, "claim", {});
    return { id, scene };
  };
  const taken = await take(5_000, "Marie-Thérèse Ouattara");
  const second = await take(1_000_000, "Kouassi Emmanuel N'Guessan");
  await decide(second.id, "approve", { lane: "paydunya" });
  const toPay = await take(5_000, "Aïssatou");
  await decide(toPay.id, "approve", { lane: "manual" });
  const paid = await take(5_000, "Ousmane");
  const reference = `CI${paid.id}.1022.A12345`;
  await decide(paid.id, "approve", { lane: "manual", reference });
  const refused = await take(5_000, "Mariam");
  await decide(refused.id, "reject", { reason_code: "name-mismatch" });
  const uncertain = await take(5_000, "Adjoua");
  await leaveUncertain(product, { id: uncertain.id, token });
  return {
    seller: second.scene.seller,
    taken: taken.id,
    second: second.id,
    toPay: toPay.id,
    uncertain: uncertain.id,
    paid: paid.id,
    rejected: refused.id,
  };
}

async function ask(
  product: StartedProduct,
  { seller }: Scene,
  montant: number,
): Promise<WithdrawalOnWire> {
  const answer = await call<AnswerOf<"GET /api/users/retrait/:id">>(
    product,
    "POST /api/users/retrait/demande",
    {
      token: seller.token,
      json: {
        montant,
        methode_paiement: "orange-money-ci",
        numero_transfert: "+2250701020304",
        numero_whatsapp: "+2250701020304",
      },
    },
  );
  return answer.demande;
}

/** The desk at one size; sizes are set anew by each. */
function desk(rooms: Rooms, at: DeskRoom): Screen {
  const { name, path, person = FATOU_HERSELF, size = PHONE, after } = at;
  const { inside, ...room } = rooms.seller(name, person, path, after);
  const sized =
    <T extends [Page, ...never[]]>(come: (...to: T) => Promise<void>) =>
    async (...to: T) => {
      await to[0].setViewportSize(size);
      await come(...to);
    };
  return {
    ...room,
    name: `desk ${name}`,
    open: sized(room.open),
    ...(inside ? { inside: { ...inside, go: sized(inside.go) } } : {}),
  };
}

type DeskRoom = {
  readonly name: string;
  readonly path: string;
  readonly person?: Actor;
  readonly size?: { width: number; height: number };
  after(page: Page): Promise<void>;
};

function shows(text: string | RegExp) {
  return (page: Page): Promise<void> => page.getByText(text).first().waitFor();
}

/** A sheet, opened by its button. */
function sheet(button: string | RegExp) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: button, exact: true }).first().click();
    await page.getByRole("dialog").waitFor();
  };
}

function wideScreens(rooms: Rooms, { second, seller }: Requests): Screen[] {
  const wide = (name: string, path: string, after: DeskRoom["after"]) =>
    desk(rooms, { name: `${name}, wide`, path, size: DESKTOP, after });
  return [
    wide("queue and request", `/bureau/retraits/${second}`, shows("Signes à vérifier")),
    wide("day", "/bureau/jour", shows("Caisses des agents")),
    wide("seller", `/bureau/vendeurs/${seller.userId}`, shows("Derniers retraits")),
    wide("alerts", "/bureau/alertes", shows("Ouvertes")),
    wide("differences", "/bureau/alertes", differences),
    wide("search", "/bureau/recherche", searched),
    wide("audit", "/bureau/journal", shows(/^Chaîne/)),
  ];
}

async function searched(page: Page): Promise<void> {
  await page.getByRole("searchbox").fill("Kouassi");
  await page.getByText("Vendeurs").waitFor();
}

async function differences(page: Page): Promise<void> {
  await page.getByText(/^Écarts/).click();
  await page.getByText("Dernières comparaisons").waitFor();
}

export function deskRequestScreens({ rooms, requests }: Shown): Screen[] {
  const at = (name: string, id: string, after: DeskRoom["after"]) =>
    desk(rooms, { name: `request, ${name}`, path: `/bureau/retraits/${id}`, after });
  const { taken, second, toPay, uncertain, paid, rejected } = requests;
  return [
    at("taken", taken, shows("Signes à vérifier")),
    at("second agent awaited", second, shows("Second accord attendu")),
    at("by provider", taken, sheet("Payer par PayDunya")),
    at("by hand", taken, sheet("Payer à la main")),
    at("rejecting", taken, async (page) => {
      await sheet("Rejeter")(page);
      await page.getByText("Nom différent").click();
      await page.getByText("Le vendeur lira :").waitFor();
    }),
    at("rejecting, refused", taken, async (page) => {
      await sheet("Rejeter")(page);
      await page.getByRole("button", { name: "Rejeter la demande" }).click();
      await page.getByRole("alert").filter({ hasText: "Choisissez la raison du rejet." }).waitFor();
    }),
    at("giving back", taken, sheet("Rendre")),
    at("to pay", toPay, shows("À payer à la main")),
    at("reference", toPay, sheet("Saisir la référence")),
    at("failing", toPay, sheet("Échec du paiement")),
    at("uncertain", uncertain, shows("Envois")),
    at("resolving", uncertain, async (page) => {
      await sheet("Trancher")(page);
      await page.getByText("L'argent est parti", { exact: true }).click();
    }),
    at("paid", paid, shows("Payé le")),
    at("returned", paid, sheet("L'argent est revenu")),
    at("rejected", rejected, shows("Vendeur")),
    at("missing", "999999", shows("Demande introuvable")),
  ];
}

function queueScreens(rooms: Rooms): Screen[] {
  const at = (name: string, after: DeskRoom["after"]) =>
    desk(rooms, { name: `queue${name}`, path: "/bureau", after });
  return [
    at("", shows(/À vous/)),
    at(", filters", sheet("Filtrer")),
    at(", to pay", async (page) => {
      await page.getByText("À payer", { exact: true }).click();
      await page.getByText("À payer à la main").first().waitFor();
    }),
    at(", done", async (page) => {
      await page.getByText("Terminés").click();
      await page.getByText("Rejeté").first().waitFor();
    }),
    at(", nothing found", async (page) => {
      await page.getByRole("searchbox").fill("introuvable");
      await page.getByText("Aucune demande ne passe ces filtres").waitFor();
    }),
    desk(rooms, {
      name: "for a stranger",
      path: "/bureau",
      person: { id: 7_100_000_001, firstName: "Awa" },
      after: shows("Réservé aux agents"),
    }),
    desk(rooms, {
      name: "settings, for an agent",
      path: "/bureau/reglages",
      person: IBRAHIM_HIMSELF,
      after: shows("Réservé à l'opérateur"),
    }),
  ];
}

export function deskSellerScreens({ rooms, requests: { seller } }: Shown): Screen[] {
  const sheetPath = `/bureau/vendeurs/${seller.userId}`;
  const at = (name: string, path: string, after: DeskRoom["after"]) =>
    desk(rooms, { name, path, after });
  return [
    at("day", "/bureau/jour", shows("Caisses des agents")),
    at("day, count", "/bureau/jour", sheet("Compter et clôturer")),
    at("day, movement", "/bureau/jour", sheet("Approvisionner ou retirer")),
    at("day, before", "/bureau/jour", async (page) => {
      await page.getByRole("button", { name: "Jour précédent" }).click();
      await page.getByRole("button", { name: "Jour suivant" }).waitFor();
    }),
    at("search", "/bureau/recherche", searched),
    at("search, nothing", "/bureau/recherche", async (page) => {
      await page.getByRole("searchbox").fill("zzzzzz");
      await page.getByText("Rien ne correspond").waitFor();
    }),
    at("seller", sheetPath, shows("Derniers retraits")),
    at("seller, suspend", sheetPath, sheet("Suspendre le vendeur")),
    at("seller, missing", "/bureau/vendeurs/999999", shows("Vendeur introuvable")),
    at("alerts", "/bureau/alertes", shows("Ouvertes")),
    at("alerts, closed", "/bureau/alertes", async (page) => {
      await page.getByText("Closes").click();
      await page
        .getByText("Aucune alerte close")
        .or(page.getByText(/Close par/))
        .first()
        .waitFor();
    }),
    at("differences", "/bureau/alertes", differences),
  ];
}

/** What the page shows when jobs failed: the demonstration has none. */
export async function failedJobs(page: Page): Promise<void> {
  const at = new Date().toISOString();
  const error = "telegram: 400 Bad Request: chat not found";
  const label = "Retirer du groupe une personne dont l'accès est fini";
  const told = { topic: "bot.tell", label: "Envoyer un message du bot" };
  const job = { topic: "access.close", label, attempts: 3, outages: 0, failed_at: at, error };
  const answer = {
    success: true,
    now: at,
    topics: [
      { topic: "access.close", label, failed: 2, expired: 0, oldest_at: at, error },
      { ...told, failed: 0, expired: 41, oldest_at: at, error: "telegram did not answer" },
    ],
    jobs: [
      { ...job, id: "job:12", ref: "45", state: "failed", due_since: at },
      { ...job, ...told, id: "job:13", ref: "46", state: "expired", due_since: null },
    ],
    next_cursor: null,
  };
  await page.route("**/api/desk/jobs*", (route) => route.fulfill({ json: answer }));
  await page.getByText("Tâches", { exact: true }).click();
  await page.getByText("Une par une").waitFor();
}

function operatorScreens(rooms: Rooms): Screen[] {
  const settings = (name: string, after: DeskRoom["after"]) =>
    desk(rooms, { name: `settings${name}`, path: "/bureau/reglages", after });
  return [
    desk(rooms, { name: "jobs", path: "/bureau/alertes", after: failedJobs }),
    settings("", shows("Durées proposées")),
    settings(", fees", sheet("Modifier : Frais des ventes")),
    settings(", fees wrong", async (page) => {
      await sheet("Modifier : Frais des ventes")(page);
      await page.getByLabel("Frais, plan gratuit").fill("beaucoup");
      await page.getByText("Saisissez un nombre").waitFor();
    }),
    settings(", hours", sheet(/^Traitement des retraits/)),
    settings(", method", sheet(/^Moov CI/)),
    settings(", duration", sheet("Ajouter une durée")),
    desk(rooms, {
      name: "audit",
      path: "/bureau/journal",
      after: async (page) => {
        await page.getByText(/^Chaîne/).waitFor();
        await page.locator("summary").first().click();
      },
    }),
  ];
}
