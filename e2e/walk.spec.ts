import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, ConsoleMessage, Page } from "@playwright/test";
import { ROOT } from "../tools/launch/build.ts";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { expect, test } from "./fixtures.ts";
import {
  type Actor,
  askForMoney,
  buy,
  call,
  castPhones,
  launchOf,
  paymentOf,
  setFixture,
  emulatorsOf,
} from "./fixture.ts";

/** Who opens a route: in the sellers' app, in the buyers', or in a browser outside Telegram. */
type Walker = "seller" | "newcomer" | "buyer" | "browser";

/**
 * `route`: as the specification writes it; opened itself where no `path` is. `heading`: level 1, the
 * whole of it. `says`: the screen's main sentence, or its beginning. `$name` is a thing of the fixture.
 */
type Walk = readonly [as: Walker, route: string, heading: string, says: string, path?: string];

const HOME = ["Bonjour $name", "Dernières transactions"] as const;
const PRODUCTS = ["Produits", "$title"] as const;
const SETTINGS = ["Réglages", "Questions fréquentes"] as const;
const LINK_BOT = ["Relier le bot", "Droits nécessaires"] as const;
const GROUP = ["$group", "Dernier mouvement du groupe"] as const;
const CARD = ["$title", "Copier le lien"] as const;
const EDIT = ["Modifier le produit", "Enregistrer"] as const;
const HISTORY = ["Transactions", "Complété"] as const;
const KEYS = ["Clés de paiement", "Vous n'avez pas encore"] as const;
const PAY_FORM = ["Payer avec Moneroo", "Payer Maintenant"] as const;
const PLAN_STATUS = ["Paiement en attente", "cette page change toute seule"] as const;
const SHOWN_PRODUCT = ["$title", "Acheter ce produit"] as const;
const BOUGHT = ["Paiement reçu", "Rejoindre le groupe"] as const;

const OF_PRODUCT = "?idVendeur=$seller&idProduit=$product";
const OF_PLAN = "?app=vendeur&paymentId=$plan";

/** Every route of the specification, aliases too, as some router writes it. */
const WALKED: readonly Walk[] = [
  // First landings, before the person has seen anything else.
  ["newcomer", "/stories", "Présentation de Sésame", "Relier le bot"],
  ["seller", "/", ...HOME],
  ["seller", "/IndexEspace", ...HOME],
  ["seller", "/IndexEspace", ...HOME, "/indexespace"],
  ["seller", "/Plans", "Choisissez votre plan", "Comparer les plans"],
  ["seller", "/PaymentSelector", "Choisissez votre méthode de paiement", "Moneroo"],
  ["seller", "/relierbot", ...LINK_BOT],
  ["seller", "/RelierBot", ...LINK_BOT],
  ["seller", "/GroupeListe", "Groupes", "$group"],
  ["seller", "/GroupeDetail/{idGroup}/{type}/{nom}", ...GROUP, "/GroupeDetail/$chat/groupe/x"],
  [
    "seller",
    "/GroupeDetail/{idGroup}/{type}/{name}",
    ...GROUP,
    "/groupedetail/$chat/groupe/$group",
  ],
  ["seller", "/ProductsList", ...PRODUCTS],
  ["seller", "/listeProduit", ...PRODUCTS],
  ["seller", "/ProductCard/{idProduit}", ...CARD, "/ProductCard/$product"],
  ["seller", "/ProductCard/{id}", ...CARD, "/productcard/$product"],
  ["seller", "/ajouterProduit/{idGroup}", "Nouveau produit", "Publier", "/ajouterProduit/$chat"],
  ["seller", "/ModifierProduit/{idProduit}", ...EDIT, "/ModifierProduit/$product"],
  ["seller", "/editProduct/{id}", ...EDIT, "/editProduct/$product"],
  ["seller", "/profile", "Profil", "Se déconnecter"],
  ["seller", "/settings", ...SETTINGS],
  ["seller", "/PaymentsSheetsIndex", ...SETTINGS],
  ["seller", "/Statistics", "Statistiques", "Revenu net"],
  ["seller", "/soni", "Soni", "Commencer"],
  // Help.
  ["seller", "/IndexFaq", "Questions fréquentes", "Écrire au support"],
  ["seller", "/CustomerSupport", "Support", "Une question, un souci"],
  ["seller", "/mes-donnees", "Vos données", "Télécharger mes données"],
  ["seller", "/Calendrier", "Calendrier", "Expirations, renouvellements"],
  ["seller", "/Developpeurs", "API développeur", "Premium"],
  // Money out.
  ["seller", "/retrait", "Retrait", "Nouvelle demande"],
  ["seller", "/ConfigurationRetrait", "Paiement automatique", "Fréquence"],
  ["seller", "/HistoriqueRetraits", "Mes retraits", "En attente"],
  [
    "seller",
    "/AnnulerRetrait/{id}",
    "Annuler le retrait",
    "Annuler la demande",
    "/AnnulerRetrait/$withdrawal",
  ],
  ["seller", "/transactions/history", ...HISTORY],
  ["seller", "/historique", ...HISTORY],
  // Ways to be paid.
  ["seller", "/ActivationMethode", "Moyens de paiement", "Méthodes actives"],
  ["seller", "/ModifierKey", ...KEYS],
  ["seller", "/ModifierKeyIndex", ...KEYS],
  ["seller", "/PaymentSheet", "Moyens de paiement", "Fermer"],
  ["seller", "/AjouterMethode", "Ajouter une méthode de paiement", "FedaPay"],
  ["seller", "/SuccesBottomSheetIndex", "Parfait !", "Terminer"],
  ["seller", "/CustomPaymentConfig", "Configuration personnalisée", "Plus tard"],
  ["seller", "/ConfigurerPaiement", "Configurer vos paiements", "Configurer maintenant"],
  // The premium plan's payment.
  ["seller", "/IndexPaiement", ...PAY_FORM, "/IndexPaiement?id=moneroo&key=sk_test_x"],
  ["seller", "/IndexPaiementAbonnement", ...PAY_FORM, "/IndexPaiementAbonnement?id=monero"],
  ["seller", "/PaymentStatus", ...PLAN_STATUS, `/PaymentStatus${OF_PLAN}`],
  ["seller", "/MonerooPaymentStatus", ...PLAN_STATUS, `/MonerooPaymentStatus${OF_PLAN}`],
  ["seller", "/PaymentStatusFedapay", ...PLAN_STATUS, `/PaymentStatusFedapay${OF_PLAN}`],
  ["seller", "/PaymentStatusFedapayFalse", ...PLAN_STATUS, `/PaymentStatusFedapayFalse${OF_PLAN}`],
  // The buyer's.
  ["buyer", "/achat", ...SHOWN_PRODUCT, `/achat${OF_PRODUCT}`],
  ["buyer", "/achats", ...SHOWN_PRODUCT, `/achats${OF_PRODUCT}`],
  ["buyer", "/paiement", ...SHOWN_PRODUCT, `/paiement${OF_PRODUCT}`],
  ["buyer", "/checkout", ...SHOWN_PRODUCT, `/checkout${OF_PRODUCT}`],
  ["buyer", "/payment-success", ...BOUGHT, "/payment-success?order=$order"],
  ["buyer", "/payment-error", ...BOUGHT, "/payment-error?order=$order"],
  ["buyer", "/PaymentStatus", ...BOUGHT, "/PaymentStatus?paymentId=$payment"],
  ["buyer", "/MonerooPaymentStatus", ...BOUGHT, "/MonerooPaymentStatus?payment_id=$payment"],
  ["buyer", "/PaymentStatusFedapay", ...BOUGHT, "/PaymentStatusFedapay?id=$order"],
  ["buyer", "/PaymentStatusFedapayFalse", ...BOUGHT, "/PaymentStatusFedapayFalse?id=$order"],
  [
    "buyer",
    "/PaymentSelector",
    "$title",
    "Choisissez votre paiement",
    "/PaymentSelector?reference=$reference",
  ],
  ["browser", "/boutique/{idVendeur}", "$name", "$title", "/boutique/$seller"],
  ["browser", "/achats", "$title", "Ouvrir dans Telegram", `/achats${OF_PRODUCT}`],
  ["browser", "/", "Ouvrez Sésame dans Telegram", "Rafraîchir la page"],
];

/** Two at a time: half of a walk is waiting. */
const WALKERS = 2;

test("every route of the specification leads somewhere", async ({ browser, product }) => {
  test.setTimeout(540_000);
  const place = await prepare(product);
  const found = await Promise.all(
    Array.from({ length: WALKERS }, (_, nth) =>
      walk(
        browser,
        place,
        WALKED.filter((_each, at) => at % WALKERS === nth),
      ),
    ),
  );
  expect(found.flat()).toEqual([]);
});

test("no script of the pages logs", async ({ product }) => {
  const folder = join(ROOT, "apps", "web", "dist", "client", "assets");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const page = await (await fetch(product.appUrl)).text();
  expect(scripts.some((name) => page.includes(name))).toBe(true);
  const said = scripts.flatMap((name) =>
    (readFileSync(join(folder, name), "utf8").match(/console\.(?!error)\w+/g) ?? []).map(
      (call) => `${name}: ${call}`,
    ),
  );
  expect(said).toEqual([]);
});

type Place = {
  readonly product: StartedProduct;
  readonly people: Readonly<Record<"seller" | "newcomer" | "buyer", Actor>>;
  /** What `$name` in an address or a text stands for. */
  readonly things: Readonly<Record<string, string>>;
};

/** A seller who has sold, asked for his money and begun to buy premium. */
async function prepare(product: StartedProduct): Promise<Place> {
  const fixture = await setFixture(product, { names: { seller: "Aminata" } });
  const newcomer = (await castPhones(emulatorsOf(product))).seller;
  const order = await buy(product, fixture);
  const { token, userId, person } = fixture.seller;
  const withdrawal = await askForMoney(product, fixture.seller, 1_000);
  const body = { plan: "payant", provider: "moneroo" } as const;
  const plan = await call(product, "POST /api/orders", { token, body });
  return {
    product,
    people: { seller: person, newcomer, buyer: fixture.cast.buyer },
    things: {
      name: person.firstName,
      seller: userId,
      title: fixture.product.title,
      product: fixture.product.id,
      reference: fixture.product.reference,
      group: fixture.group,
      chat: String(fixture.chatId),
      order: order.id,
      payment: (await paymentOf(fixture)).id,
      withdrawal: withdrawal.id,
      plan: plan.id,
    },
  };
}

async function walk(browser: Browser, place: Place, walks: readonly Walk[]): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  const found: string[] = [];
  for (const each of walks) {
    const wrong = await open(page, place, each).catch((error: Error) => error.message);
    for (const what of [wrong ?? "", ...complaints.splice(0)].filter(Boolean)) {
      const [as, route, , , path = route] = each;
      found.push(`${as} ${path}: ${what.split("\n").slice(0, 4).join(" ")}`);
    }
  }
  await context.close();
  return found;
}

/** What our pages complain of, and whatever else our scripts say: they log nothing (B §9). */
function isComplaint(message: ConsoleMessage): boolean {
  return message.type() === "error" || message.location().url.includes("/assets/");
}

const PATIENCE_MS = 24_000;

async function open(page: Page, place: Place, walked: Walk): Promise<void> {
  const [as, route, title, says, path = route] = walked;
  const named = (text: string, read = (thing: string) => thing): string =>
    text.replaceAll(/\$(\w+)/g, (_all, name: string) => read(place.things[name] ?? ""));
  const address = named(path, encodeURIComponent);
  // From nowhere: an address that differs by its fragment alone would not be loaded again.
  await page.goto("about:blank");
  if (as === "browser") {
    await page.goto(place.product.appUrl + address);
  } else {
    const bot = as === "buyer" ? "buyer" : "seller";
    const takes = { personId: place.people[as].id, bot, path: address } as const;
    await page.goto(await launchOf(place.product, takes));
  }
  const heading = page.getByRole("heading", { name: named(title), exact: true }).first();
  await expect(heading).toBeVisible({ timeout: PATIENCE_MS });
  const said = page.getByText(named(says)).filter({ visible: true }).first();
  await expect(said).toBeVisible({ timeout: PATIENCE_MS });
  const ways = page.locator("main, [role=dialog]").locator("button:enabled, input, a[href]");
  await expect(ways.filter({ visible: true }).first()).toBeVisible({ timeout: PATIENCE_MS });
}
