import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import {
  staffCasesScreens,
  staffQueueScreens,
  staffRequestScreens,
  staffSellerScreens,
  operatorScreens,
  type Requests,
  requestsInEachState,
} from "./staff-screens.ts";
import { control, readEmulators } from "./outside.ts";
import { fillRequest } from "./steps.ts";
import { chosen, headed, Rooms, type Row, type Screen, tapped, there } from "./rooms.ts";
import {
  type Actor,
  askForMoney,
  buy,
  buyAndJoin,
  buyPremium,
  call,
  type Cast,
  castPhones,
  complain,
  decide,
  emulatorsOf,
  enrolAgent,
  enrolSeller,
  formOf,
  linkGroup,
  openedPayment,
  order,
  paymentOf,
  recast,
  refund,
  type Fixture,
  type FixtureChoice,
  type Seller,
  sell,
  setFixture,
  settle,
  type Sold,
} from "./fixture.ts";

/** Words as people write them, at their longest. */
const LONG: FixtureChoice = {
  group: "Cercle privé des éleveurs & entrepreneurs du Grand Abidjan 🐔🇨🇮",
  title: "Formation complète « Élevage rentable » : 12 semaines, suivi & bonus 🎓🔥",
  description: "Analyses du matin, signaux en direct, salon d'entraide. 💬\n".repeat(6),
  price: 1_000_000,
  names: { seller: "Aminata-Joséphine", buyer: "Kouassi Emmanuel", agent: "Ibrahim" },
};
const LONG_WORDS =
  "J'ai reçu le message de l'opérateur, et le montant a quitté mon compte deux fois. ".repeat(3);
const TICKET_WORDS =
  "Bonjour,\nmon acheteur Kouassi a payé 5 000 FCFA ce matin par Orange Money, mais le lien d'accès ne s'ouvre pas : https://exemple.test/une-adresse-bien-trop-longue-pour-tenir-sur-une-ligne 🙏";

/** Whom and what more than one group shows: made once, shown by all. */
export type ScreenFixtures = {
  readonly rooms: Rooms;
  readonly fixture: Fixture;
  readonly insideId: string;
  readonly returnUrl: string;
  readonly standings: readonly Standing[];
  readonly payments: Payments;
  /** Moneroo's page of a payment that waits. */
  readonly hostedUrl: string;
  readonly requests: Requests;
  readonly newcomers: Cast;
  /** A seller who has nothing. */
  readonly empty: Actor;
};

export async function setScreenFixtures(product: StartedProduct): Promise<ScreenFixtures> {
  const fixture = await setFixture(product, LONG);
  const inside = await buyAndJoin(product, fixture);
  const { returnUrl } = await paymentOf(fixture);
  const newcomers = await castPhones(fixture.emulators);
  await enrolSeller(product, newcomers.agent);
  return {
    rooms: new Rooms(product),
    fixture,
    insideId: inside.id,
    returnUrl: returnUrl ?? "",
    standings: await ordersInEachState(product, fixture),
    payments: await startPayments(product, fixture),
    hostedUrl: (await order(product, fixture)).payment_url,
    requests: await requestsInEachState(product),
    newcomers,
    empty: newcomers.agent,
  };
}

/** Screens that are looked at in one test, each in the states it can be in. */
type Group = readonly [
  name: string,
  screens: (fixtures: ScreenFixtures) => Screen[] | Promise<Screen[]>,
];

export const GROUPS: readonly Group[] = [
  ["one request in the back office", staffRequestScreens],
  ["the back office's queue, wide and small", staffQueueScreens],
  ["sellers, days and alerts in the back office", staffSellerScreens],
  [
    "the back office's operator and its disputes",
    async ({ rooms }) => [
      ...operatorScreens(rooms),
      ...(await staffCasesScreens(rooms, await askForHelp(rooms.product))),
    ],
  ],
  ["a product and its orders, for a buyer", buyerScreens],
  [
    "payments gone another way, and the emulators",
    (fixtures) => [...paymentScreens(fixtures), ...emulatorScreens(fixtures)],
  ],
  ["a seller's home, groups and settings", sellerScreens],
  ["a seller's products and shop", productScreens],
  ["who has nothing yet", emptyScreens],
  ["asking for money", askingScreens],
  ["withdrawals and automatic payouts", withdrawalScreens],
  ["plans, ways to be paid and complaints", planScreens],
  ["developers and help", helpScreens],
  ["dons, places and reports", givingScreens],
];

/** All of them, with the same fixtures. */
export async function everyScreen(product: StartedProduct): Promise<Screen[]> {
  const fixtures = await setScreenFixtures(product);
  const screens: Screen[] = [];
  for (const [, screensOf] of GROUPS) screens.push(...(await screensOf(fixtures)));
  return screens;
}

// Landing on /Plans leads home once a plan is chosen: from the settings it is reached.
const plans = (text: string) => chosen("Plan", text);

function sellerScreens({ rooms, fixture }: ScreenFixtures): Screen[] {
  const group = `/GroupeDetail/${fixture.chatId}/groupe/${encodeURIComponent(fixture.group)}`;
  return rooms.seller(
    fixture.seller.person,
    ["home", "/IndexEspace", /820.000.FCFA/],
    ["plans", "/PaymentsSheetsIndex", plans("Comparer les plans")],
    ["link the bot", "/relierbot", "Droits nécessaires"],
    ["groups", "/GroupeListe", fixture.group],
    ["group", group, "Droits du bot"],
    ["statistics", "/Statistics", /820.000.FCFA/],
    ["calendar", "/Calendrier", there("grid")],
    ["settings", "/PaymentsSheetsIndex", "Profil"],
    ["profile", "/profile", "Se déconnecter"],
  );
}

function productScreens({ rooms, fixture, empty }: ScreenFixtures): Screen[] {
  const { product, seller } = fixture;
  const card = `/ProductCard/${product.id}`;
  const shop = `${fixture.app}/boutique`;
  return [
    ...rooms.seller(
      seller.person,
      ["products", "/ProductsList", product.title],
      ["products, actions", "/ProductsList", tapped(/Actions/)],
      ["products, chooser", "/ProductsList", tapped(/Ajouter/)],
      ["product", card, product.title],
      ["product, archive", card, tapped("Supprimer", /2 membres/)],
      ["subscriptions", `${card}/abonnements`, "Kouassi"],
      ["new product", `/ajouterProduit/${fixture.chatId}`, "30 jours"],
      ["edit", `/ModifierProduit/${product.id}`, "30 jours"],
      ["my shop", "/ProductsList/boutique", "Voir la boutique"],
    ),
    ...rooms.plain(
      ["shop, outside Telegram", `${shop}/${seller.userId}`, product.title],
      ["shop, unknown", `${shop}/999999`, "Boutique introuvable"],
    ),
    ...rooms.seller(
      empty,
      ["my shop, empty", "/ProductsList/boutique", "est vide"],
      ["soni", "/soni", "je suis Soni"],
      ["soni, a name", "/soni", tapped("Commencer", there("textbox"))],
    ),
  ];
}

function emptyScreens({ rooms, empty, newcomers }: ScreenFixtures): Screen[] {
  return [
    ...rooms.seller(
      empty,
      ["home, empty", "/IndexEspace", "Aucune transaction"],
      ["groups, empty", "/GroupeListe", "Vous n'avez pas encore"],
      ["products, empty", "/ProductsList", "Aucun produit"],
      ["product, missing", "/ProductCard/999999", "Produit introuvable"],
      ["statistics, empty", "/Statistics", "Aucune vente"],
      ["calendar, empty", "/Calendrier", "Rien ce mois-ci"],
    ),
    ...rooms.seller(newcomers.seller, ["stories", "/stories", "Passer"]),
    ...rooms.plain([
      "seller, outside Telegram",
      rooms.product.appUrl,
      headed("Ouvrez Sésame dans Telegram"),
    ]),
    ...rooms.buyer(newcomers.buyer, ["accesses, empty", "/mes-acces", "Aucun accès"]),
  ];
}

function buyerScreens({
  rooms,
  fixture,
  insideId,
  returnUrl,
  standings,
}: ScreenFixtures): Screen[] {
  const { appUrl } = rooms.product;
  const { buyer, agent } = fixture.cast;
  const page = `/?tgWebAppStartParam=${fixture.product.reference}`;
  const inside = `/commande/${insideId}`;
  const alive = (opened: Page) =>
    opened.getByRole("button", { name: "Acheter ce produit" }).waitFor();
  return [
    ...rooms.buyer(
      buyer,
      ["product", page, alive],
      ["payment sheet", page, tapped("Acheter ce produit")],
      ["status, inside", inside, headed("Vous êtes dans le groupe")],
      ["accesses", "/mes-acces", "Actif"],
    ),
    ...rooms.plain(
      ["buyer product, outside Telegram", appUrl + page, "Ouvrir dans Telegram"],
      ["buyer product, unknown", `${appUrl}/?tgWebAppStartParam=nothing1`],
      ["buyer order, outside Telegram", appUrl + inside, headed("Ouvrez cette page dans Telegram")],
      ["return page", returnUrl, headed("Paiement reçu")],
    ),
    ...standings.flatMap(({ name, id, person, title }) =>
      rooms.buyer(person, [`status, ${name}`, `/commande/${id}`, headed(title)]),
    ),
    ...rooms.buyer(agent, ["order of another", inside, headed("Commande introuvable")]),
  ];
}

type Standing = {
  readonly name: string;
  readonly title: string;
  readonly id: string;
  readonly person: Actor;
};

/** An order in each state a buyer can find it in. */
async function ordersInEachState(product: StartedProduct, fixture: Fixture): Promise<Standing[]> {
  const [waiting, failed, pending] = [
    await recast(fixture),
    await recast(fixture),
    await recast(fixture),
  ];
  const bought = await buy(product, waiting);
  const refused = await order(product, failed);
  const paymentId = await openedPayment(fixture.emulators, "moneroo", refused.id);
  await settle(fixture.emulators, "moneroo", paymentId, "failure");
  const open = await order(product, pending);
  return [
    { name: "waiting", title: "Paiement reçu", id: bought.id, person: waiting.cast.buyer },
    { name: "failed", title: "Paiement non effectué", id: refused.id, person: failed.cast.buyer },
    { name: "pending", title: "Paiement en attente", id: open.id, person: pending.cast.buyer },
  ];
}

type Payments = Readonly<
  Record<"complained" | "unsure" | "refunded", { readonly person: Actor; readonly order: Sold }>
> & { readonly widgetUrl: string };

/** A payment complained of, one that waits, and one to give back. */
async function startPayments(product: StartedProduct, fixture: Fixture): Promise<Payments> {
  const [complained, unsure, refunded] = [
    await recast(fixture),
    await recast(fixture),
    await recast(fixture),
  ];
  const byWidget = await order(product, complained, "fedapay");
  await complain(product, byWidget, { motif: "paid-not-confirmed", message: LONG_WORDS });
  const bought = await buy(product, refunded);
  await refund(product, fixture, bought.id, LONG_WORDS);
  return {
    widgetUrl: byWidget.payment_url,
    complained: { person: complained.cast.buyer, order: byWidget },
    unsure: { person: unsure.cast.buyer, order: await order(product, unsure, "paydunya") },
    refunded: { person: refunded.cast.buyer, order: bought },
  };
}

/** What a buyer sees of a payment beyond the ordinary: other ways, complaints, refunds. */
function paymentScreens({ rooms, fixture, payments }: ScreenFixtures): Screen[] {
  const { appUrl } = rooms.product;
  const { complained, unsure, refunded, widgetUrl } = payments;
  return [
    ...rooms.buyer(
      unsure.person,
      [
        "payment sheet, chosen",
        `/PaymentSelector?reference=${fixture.product.reference}`,
        async (page) => {
          await page.getByRole("radio", { name: /FedaPay/ }).check();
          await page.getByRole("textbox").first().waitFor();
        },
      ],
      [
        "complaint",
        `/PaymentStatus?paymentId=${unsure.order.id}`,
        tapped("J'ai payé, mais rien ne vient"),
      ],
    ),
    ...rooms.buyer(complained.person, [
      "status, complaint",
      `/commande/${complained.order.id}`,
      headed(/^Votre récl/),
    ]),
    ...rooms.buyer(refunded.person, [
      "status, refunding",
      `/commande/${refunded.order.id}`,
      there("combobox", "Opérateur"),
    ]),
    ...rooms.plain(
      ["status, no payment", `${appUrl}/PaymentStatus`, headed("ID de paiement manquant")],
      // First: once a payment's page was open here, this address goes back to it.
      ["widget page, gone", `${appUrl}/paiement/page`, headed(/n'est plus ouvert ici/)],
      [
        "widget page",
        widgetUrl,
        (page) =>
          page.getByRole("button", { name: "Payer", exact: true, disabled: false }).waitFor(),
      ],
    ),
  ];
}

function emulatorScreens({ rooms, hostedUrl }: ScreenFixtures): Screen[] {
  const emulators = emulatorsOf(rooms.product);
  const panel = "Panneau de contrôle";
  return rooms.plain(
    ["emulators", emulators, there("region", "Téléphone du vendeur")],
    ["emulators, control panel", emulators, tapped(panel, there("complementary", panel))],
    ["hosted payment page", hostedUrl, there("textbox", "Numéro de téléphone")],
  );
}

const TRANSFER_NUMBER = "+2250701020304";
const REQUEST = "**/api/users/retrait/demande";

type Busy = {
  readonly person: Actor;
  readonly rejected: string;
  readonly pending: Awaited<ReturnType<typeof askForMoney>>;
};

/** Who was rejected once and waits for the next, his automatic payout on. */
async function busySeller(product: StartedProduct): Promise<Busy> {
  const fixture = await setFixture(product, {
    names: { seller: "Marie-Thérèse" },
    price: 1_000_000,
  });
  await buy(product, fixture);
  const { id: rejected } = await askForMoney(product, fixture.seller, 50_000);
  const reason = "Le nom du compte mobile money ne correspond pas au vôtre. Vérifiez le numéro.";
  await decide(product, rejected, { reason_code: "other", reason });
  const pending = await askForMoney(product, fixture.seller, 12_500);
  await call(product, "PUT /api/users/paiement/update", {
    token: fixture.seller.token,
    body: {
      retrait_auto: true,
      payment_method: "orange-money-ci",
      transfer_number: TRANSFER_NUMBER,
    },
  });
  return { person: fixture.seller.person, rejected, pending };
}

async function frozenSeller(product: StartedProduct): Promise<Actor> {
  const { seller, emulators } = await setFixture(product, { names: { seller: "Ousmane" } });
  const { now } = await readEmulators(emulators);
  const reviewAt = new Date(Date.parse(now) + 10 * 86_400_000);
  await call(product, "POST /api/desk/sellers/:id/freeze", {
    token: await enrolAgent(product),
    params: { id: seller.userId },
    body: {
      reason: "Vérification de votre identité en cours",
      review_at: reviewAt.toISOString().slice(0, 10),
    },
  });
  return seller.person;
}

/** The seller's form of money out. Nobody ever sends it: what would be its answer is given in its place. */
async function askingScreens({ rooms, fixture, empty }: ScreenFixtures): Promise<Screen[]> {
  const { pending } = await busySeller(rooms.product);
  const refused: Row[2] = async (page) => {
    await page.getByLabel(/^Montant/).fill("60");
    await tapped("Continuer", /^Le montant minimum/)(page);
  };
  const sent: Row[2] = async (page) => {
    const json = { success: true, message: "", demande: pending };
    await page.route(REQUEST, (route) => route.fulfill({ status: 201, json }));
    await send(page);
    await headed("Demande envoyée !")(page);
    await page.unroute(REQUEST);
  };
  const refusedNumber: Row[2] = async (page) => {
    await page.getByLabel(/^Numéro de transfert/).fill("12");
    await tapped("Activer", /^Veuillez saisir un numéro de transfert/)(page);
  };
  return [
    ...rooms.seller(
      fixture.seller.person,
      ["withdrawal", "/retrait", "Nouvelle demande"],
      ["withdrawal, refused", "/retrait", refused],
      ["withdrawal, methods", "/retrait", tapped(/Mode de paiement/)],
      ["withdrawal, confirmation", "/retrait", confirm],
      ["withdrawal, no answer", "/retrait", unanswered],
      [
        "withdrawal, left unanswered",
        "/retrait",
        async (page) => {
          await unanswered(page);
          await page.getByRole("dialog").getByRole("button", { name: "Fermer" }).click();
          await page.getByText("Reprendre").waitFor();
        },
      ],
      ["withdrawal, sent", "/retrait", sent],
      ["automatic payout", "/ConfigurationRetrait", "Fréquence"],
      ["automatic payout, refused", "/ConfigurationRetrait", refusedNumber],
      ["transactions", "/transactions/history", "Kouassi"],
      ["transactions, details", "/transactions/history", chosen(/Kouassi/, there("dialog"))],
    ),
    ...rooms.seller(
      empty,
      ["withdrawals, empty", "/HistoriqueRetraits", "Aucune demande trouvée"],
      ["withdrawal, no funds", "/retrait", "Nouvelle demande"],
      ["transactions, empty", "/transactions/history", "Aucune transaction"],
    ),
  ];
}

async function confirm(page: Page): Promise<void> {
  await fillRequest(page, TRANSFER_NUMBER, 50_000);
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByRole("dialog").getByText("+225 07 01 02 03 04").first().waitFor();
}

async function send(page: Page): Promise<void> {
  await confirm(page);
  await page.getByRole("dialog").getByRole("button", { name: "Confirmer" }).click();
}

async function unanswered(page: Page): Promise<void> {
  await page.route(REQUEST, (route) => route.abort());
  await send(page);
  await headed("Pas encore de réponse")(page);
  await page.unroute(REQUEST);
}

/** What became of what a seller asked for. */
async function withdrawalScreens({ rooms }: ScreenFixtures): Promise<Screen[]> {
  const { person, rejected, pending } = await busySeller(rooms.product);
  const frozen = await frozenSeller(rooms.product);
  const cancel = `/AnnulerRetrait/${pending.id}`;
  const details =
    (status: string): Row[2] =>
    async (page) => {
      const row = page.getByRole("listitem").filter({ hasText: status });
      await row.getByRole("button").first().click();
      await page.getByRole("dialog").waitFor();
    };
  return [
    ...rooms.seller(
      person,
      ["withdrawal, a week away", "/retrait", "Prochain retrait"],
      ["automatic payout, off?", "/retrait", tapped("Désactiver")],
      ["automatic payout, on", "/ConfigurationRetrait", "Prochain passage"],
      ["withdrawals", "/HistoriqueRetraits", "Rejeté"],
      ["withdrawals, rejected", "/HistoriqueRetraits", details("Rejeté")],
      ["withdrawals, pending", "/HistoriqueRetraits", details("En attente")],
      ["cancel", cancel, "reviendront dans votre solde"],
      ["cancel, question", cancel, tapped("Annuler la demande")],
      ["cancel, impossible", `/AnnulerRetrait/${rejected}`, "Opération impossible"],
      ["cancel, unknown", "/AnnulerRetrait/999999", "Demande introuvable"],
      ["transactions, payout", "/transactions/history", tapped(/^Retrait /)],
    ),
    ...rooms.seller(frozen, ["withdrawal, frozen", "/retrait", "Vos retraits sont bloqués"]),
  ];
}

/** The seller's screens of plans, own accounts and complaints, each in the states it can be in. */
async function planScreens({ rooms }: ScreenFixtures): Promise<Screen[]> {
  const { product } = rooms;
  const names = { seller: "Marie-Thérèse Akissi", buyer: "Kouassi Emmanuel Aristide" };
  const fixture = await setFixture(product, { title: LONG.title, price: 1_000_000, names });
  const bought = await sell(product, fixture);
  const message = "Le lien ne s'ouvre pas depuis hier. ".repeat(4);
  const complaint = await complain(product, bought, { motif: "no-access", message });
  for (const title of ["Cercle des éleveurs & entrepreneurs du Grand Abidjan", "B", "C"]) {
    await linkGroup(product, fixture.seller, { title });
  }
  const premium = await premiumSeller(product);
  const status = (id: string) => `/PaymentStatus?paymentId=${id}&app=vendeur`;
  return [
    ...rooms.seller(
      fixture.seller.person,
      ["methods, gate", "/ActivationMethode", tapped(/^Ajouter une méthode/)],
      ["payment choice", "/PaymentSelector", "PayDunya"],
      ["configuration", "/ConfigurerPaiement", "Configurer maintenant"],
      ["complaints", "/reclamations", "Kouassi"],
      ["complaint", `/reclamations/${complaint.id}`, "Votre réponse"],
      ["complaint, refund", `/reclamations/${complaint.id}`, tapped("Rembourser")],
      ["groups, quota", "/GroupeListe", tapped("Choisir mes 3 groupes")],
    ),
    ...rooms.seller(
      premium.person,
      ["plans, premium", "/PaymentsSheetsIndex", plans("Vos achats")],
      ["statistics, premium", "/Statistics", "Revenu mensuel récurrent"],
      ["payment, done", status(premium.paid), "Votre plan Premium est actif"],
      ["payment, change", status(premium.pending), tapped("Changer de moyen de paiement")],
      ["methods, own", "/ActivationMethode", "Vos clés"],
      ["own keys", "/ModifierKey", "Adresse de notification"],
      ["keys to give", "/AjouterMethode?nom=kkiapay", "Clé privée"],
      ["keys given", "/SuccesBottomSheetIndex?nom=fedapay", "FedaPay est"],
    ),
  ];
}

/** Premium, his own account at FedaPay, and a renewal that waits. */
async function premiumSeller(product: StartedProduct) {
  const { seller, emulators } = await setFixture(product, {
    names: { seller: "Aminata-Joséphine" },
  });
  const { token, userId, person } = seller;
  const paid = await buyPremium(product, { emulators, seller });
  const { keys } = await control(emulators, "openMerchant", { provider: "fedapay" });
  const { secretKey, publicKey } = keys;
  await call(product, "PUT /api/user-aggregators/:userId/:key", {
    token,
    params: { userId, key: "fedapay" },
    body: { keys: { secretKey, publicKey } },
  });
  const body = { plan: "payant", provider: "paydunya" } as const;
  const { id: pending } = await call(product, "POST /api/orders", { token, body });
  return { person, paid, pending };
}

async function helpScreens({ rooms, fixture, empty }: ScreenFixtures): Promise<Screen[]> {
  const { product } = rooms;
  const free = await setFixture(product, { names: { seller: "Fatou" } });
  const own = await setFixture(product, { names: { seller: "Serge-Aristide" } });
  await sellWithTools(product, own);
  const ticket = await askForHelp(product, fixture.seller);
  await call(product, "POST /api/desk/tickets/:id/answer", {
    token: await enrolAgent(product),
    params: { id: ticket },
    body: { message: "Bonjour, nous avons renvoyé le lien : il peut entrer maintenant." },
  });
  const tools = "/Developpeurs";
  return [
    ...rooms.seller(free.seller.person, ["developers, offer", tools, "Vos outils"]),
    ...rooms.seller(
      own.seller.person,
      ["developers", tools, "Commande payée"],
      ["developers, new key", tools, tapped("Créer une clé")],
      ["developers, key", tools, tapped(/^Mon site/)],
      ["developers, address", tools, tapped(/une-adresse/)],
      ["developers, sent", tools, tapped(/^Commande payée/, "Contenu envoyé")],
    ),
    ...rooms.seller(
      fixture.seller.person,
      ["support", "/CustomerSupport", "Mes demandes"],
      ["support's answer", `/CustomerSupport/${ticket}`, "Support Sésame"],
      ["questions", "/IndexFaq", "Combien me revient-il sur une vente ?"],
      ["own data", "/mes-donnees", "Confidentialité"],
    ),
    ...rooms.seller(
      empty,
      ["support, nothing asked", "/CustomerSupport", "Aucune demande"],
      ["support, writing", "/CustomerSupport", tapped("Écrire au support")],
    ),
    ...rooms.plain(
      ["docs", `${product.appUrl}/docs`, "Vérifier une signature"],
      ["privacy", `${product.appUrl}/confidentialite`, "Vos droits"],
      ["terms of use", `${product.appUrl}/conditions`, "La vente"],
    ),
  ];
}

/** Two keys, an address with a long name, and a sale that was sent to it. */
async function sellWithTools(product: StartedProduct, fixture: Fixture): Promise<void> {
  const { token } = fixture.seller;
  await buyPremium(product, fixture);
  for (const name of ["Comptabilité de la coopérative, exercice 2026", "Mon site 🛒"]) {
    const scopes = ["orders:read", "products:read"] as const;
    await call(product, "POST /api/developers/keys", {
      token,
      body: { name, scopes: [...scopes] },
    });
  }
  const url = `${fixture.emulators}/developer/hooks/une-adresse-plutot-longue-pour-un-telephone`;
  await call(product, "POST /api/developers/endpoints", {
    token,
    body: { url, events: ["order.paid", "access.ended"] },
  });
  await sell(product, fixture);
}

async function askForHelp(product: StartedProduct, seller?: Seller): Promise<string> {
  const names = { seller: "Marie-Thérèse Ouattara" };
  const { token } = seller ?? (await setFixture(product, { names })).seller;
  const body = { sujet: "group", message: TICKET_WORDS };
  return (await call(product, "POST /api/support/tickets", { token, body })).ticket.id;
}

const DON_TITLE = "Soutenez la ferme-école des éleveurs & entrepreneurs du Grand Abidjan";

/** Dons, their sellers' and their donors' pages; a product without a place left; a report. */
async function givingScreens({ rooms, empty }: ScreenFixtures): Promise<Screen[]> {
  const { product } = rooms;
  const fixture = await setFixture(product);
  const form = formOf({
    kind: "donation",
    title: DON_TITLE,
    price: "500",
    suggestions: "1000, 5000, 25000",
    description: "Chaque franc nourrit les poussins de la promotion. Merci ! 🐣",
  });
  const { token } = fixture.seller;
  const { product: don } = await call(product, "POST /api/products", { token, form });
  const full = await soldOut(product);
  const page = (reference: string) => `/?tgWebAppStartParam=${reference}`;
  return [
    ...rooms.seller(empty, ["dons, empty", "/Donation", "Créer un don"]),
    ...rooms.seller(
      fixture.seller.person,
      ["dons", "/Donation", DON_TITLE],
      ["new don", "/Donation", tapped("Créer un don", there("textbox", "Montant minimum"))],
      ["don", `/ProductCard/${don.id}`, /Montant libre, dès 500/],
      ["edit a don", `/ModifierProduit/${don.id}`, "Montant minimum"],
    ),
    ...rooms.buyer(
      fixture.cast.buyer,
      ["don", page(don.reference), "Faire un don"],
      ["don, amount", page(don.reference), tapped("Faire un don")],
      ["report", page(fixture.product.reference), tapped("Signaler ce produit")],
      [
        "erasing",
        "/mes-acces",
        (opened) => opened.getByRole("button", { name: /^Effacer/ }).click(),
      ],
    ),
    ...rooms.buyer(full.stranger, ["full", page(full.reference), /^Complet/]),
  ];
}

/** One place, sold. */
async function soldOut(product: StartedProduct): Promise<{ reference: string; stranger: Actor }> {
  const fixture = await setFixture(product);
  const { id, reference } = fixture.product;
  await call(product, "PUT /api/products/:id", {
    token: fixture.seller.token,
    params: { id },
    body: { stock: "1" },
  });
  await buy(product, fixture);
  return { reference, stranger: (await castPhones(fixture.emulators)).agent };
}
