import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import {
  deskOwnScreens,
  deskQueueScreens,
  deskRequestScreens,
  deskSellerScreens,
  type Requests,
  requestsInEachState,
} from "./desk-screens.ts";
import { developerScreens } from "./developer-screens.ts";
import { givingScreens } from "./giving-screens.ts";
import { askingScreens, withdrawalScreens } from "./money-screens.ts";
import { control } from "./outside.ts";
import { type Payments, payScreens, startPayments } from "./pay-screens.ts";
import { paymentScreens } from "./payment-screens.ts";
import { Rooms, type Screen } from "./rooms.ts";
import { shopScreens } from "./shop-screens.ts";
import { askedAndAnswered, supportScreens } from "./support-screens.ts";
import {
  type Actor,
  type Cast,
  buy,
  buyAndJoin,
  call,
  castPhones,
  enrolBuyer,
  enrolSeller,
  paymentOf,
  type Scene,
  type SceneChoice,
  setScene,
  emulatorsOf,
} from "./scene.ts";

/** Words as people write them, at their longest. */
const LONG: SceneChoice = {
  group: "Cercle privé des éleveurs & entrepreneurs du Grand Abidjan 🐔🇨🇮",
  title: "Formation complète « Élevage rentable » : 12 semaines, suivi & bonus 🎓🔥",
  description: "Analyses du matin, signaux en direct, salon d'entraide. 💬\n".repeat(6),
  price: 1_000_000,
  names: { seller: "Aminata-Joséphine", buyer: "Kouassi Emmanuel", agent: "Ibrahim" },
};

/** Whom and what more than one group shows: made once, shown by all. */
export type Stage = {
  readonly rooms: Rooms;
  readonly scene: Scene;
  readonly insideId: string;
  readonly returnUrl: string;
  readonly standings: readonly Standing[];
  readonly payments: Payments;
  readonly pending: Pending;
  readonly ticketId: string;
  readonly requests: Requests;
  readonly newcomers: Cast;
  /** A seller who has nothing. */
  readonly empty: Actor;
};

export async function setStage(product: StartedProduct): Promise<Stage> {
  const scene = await setScene(product, LONG);
  const inside = await buyAndJoin(product, scene);
  const { returnUrl } = await paymentOf(scene);
  const newcomers = await castPhones(emulatorsOf(product));
  const empty = newcomers.agent;
  await enrolSeller(product, empty);
  const rooms = new Rooms(product);
  return {
    rooms,
    scene,
    insideId: inside.id,
    returnUrl: returnUrl ?? "",
    standings: await statusOrders(product, scene),
    payments: await startPayments(rooms, scene),
    pending: await pendingOrder(product, scene),
    ticketId: await askedAndAnswered(product, scene),
    requests: await requestsInEachState(product),
    newcomers,
    empty,
  };
}

/** Screens that are looked at in one test, each in the states it can be in. */
export type Group = {
  readonly name: string;
  screens(stage: Stage): Screen[] | Promise<Screen[]>;
};

export const GROUPS: readonly Group[] = [
  { name: "one request at the desk", screens: deskRequestScreens },
  { name: "the desk's queue, wide and small", screens: deskQueueScreens },
  {
    name: "sellers, days and alerts at the desk",
    screens: deskSellerScreens,
  },
  { name: "the desk's operator and its disputes", screens: ({ rooms }) => deskOwnScreens(rooms) },
  { name: "a product and its orders, for a buyer", screens: buyerScreens },
  {
    name: "payments gone another way, and the emulators",
    screens: (stage) => [...payScreens(stage), ...emulatorScreens(stage)],
  },
  { name: "a seller's home, groups and settings", screens: sellerScreens },
  {
    name: "a seller's products and shop",
    screens: (stage) => [...productScreens(stage), ...shopScreens(stage.rooms, stage)],
  },
  {
    name: "who has nothing yet",
    screens: (stage) => [...emptyScreens(stage), ...firstScreens(stage)],
  },
  { name: "asking for money", screens: askingScreens },
  { name: "withdrawals and automatic payouts", screens: ({ rooms }) => withdrawalScreens(rooms) },
  { name: "plans, ways to be paid and claims", screens: ({ rooms }) => paymentScreens(rooms) },
  {
    name: "developers and help",
    screens: async (stage) => [
      ...(await developerScreens(stage.rooms)),
      ...supportScreens(stage.rooms, stage),
    ],
  },
  { name: "dons, places and reports", screens: ({ rooms, empty }) => givingScreens(rooms, empty) },
];

/** All of them, on one stage. */
export async function everyScreen(product: StartedProduct): Promise<Screen[]> {
  const stage = await setStage(product);
  const screens: Screen[] = [];
  for (const group of GROUPS) screens.push(...(await group.screens(stage)));
  return screens;
}

const titled = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

function sellerScreens({ rooms, scene }: Stage): Screen[] {
  const { person } = scene.seller;
  const group = `/GroupeDetail/${scene.chatId}/groupe/${encodeURIComponent(scene.group)}`;
  return [
    rooms.seller("home", person, "/IndexEspace", titled(/820.000.FCFA/)),
    // Landing on /Plans leads home once a plan is chosen: from the settings it is reached.
    rooms.seller("plans", person, "/PaymentsSheetsIndex", async (page) => {
      await page.getByText("Plan", { exact: true }).click();
      await page.getByText("Comparer les plans").waitFor();
    }),
    rooms.seller("link the bot", person, "/relierbot", titled("Droits nécessaires")),
    rooms.seller("groups", person, "/GroupeListe", titled(scene.group)),
    rooms.seller("group", person, group, titled("Droits du bot")),
    rooms.seller("statistics", person, "/Statistics", titled(/820.000.FCFA/)),
    rooms.seller("calendar", person, "/Calendrier", async (page) => {
      await page.getByRole("grid").waitFor();
    }),
    rooms.seller("settings", person, "/PaymentsSheetsIndex", titled("Profil")),
    rooms.seller("profile", person, "/profile", titled("Se déconnecter")),
  ];
}

function productScreens({ rooms, scene }: Stage): Screen[] {
  const { person } = scene.seller;
  const card = `/ProductCard/${scene.product.id}`;
  const title = titled(scene.product.title);
  return [
    rooms.seller("products", person, "/ProductsList", title),
    rooms.seller("products, actions", person, "/ProductsList", async (page) => {
      await page.getByRole("button", { name: /Actions/ }).click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.seller("products, chooser", person, "/ProductsList", async (page) => {
      await page
        .getByRole("button", { name: /Ajouter/ })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.seller("product", person, card, title),
    rooms.seller("product, archive", person, card, async (page) => {
      await page.getByRole("button", { name: "Supprimer" }).click();
      await page.getByText(/2 membres/).waitFor();
    }),
    rooms.seller("subscriptions", person, `${card}/abonnements`, titled("Kouassi")),
    rooms.seller("new product", person, `/ajouterProduit/${scene.chatId}`, titled("30 jours")),
    rooms.seller("edit", person, `/ModifierProduit/${scene.product.id}`, titled("30 jours")),
  ];
}

function emptyScreens({ rooms, empty: person }: Stage): Screen[] {
  return [
    rooms.seller("home, empty", person, "/IndexEspace", titled("Aucune transaction")),
    rooms.seller("groups, empty", person, "/GroupeListe", titled("Vous n'avez pas encore")),
    rooms.seller("products, empty", person, "/ProductsList", titled("Aucun produit")),
    rooms.seller("product, missing", person, "/ProductCard/999999", titled("Produit introuvable")),
    rooms.seller("statistics, empty", person, "/Statistics", titled("Aucune vente")),
    rooms.seller("calendar, empty", person, "/Calendrier", titled("Rien ce mois-ci")),
  ];
}

function firstScreens({ rooms, newcomers: { seller, buyer } }: Stage): Screen[] {
  return [
    rooms.seller("stories", seller, "/stories", async (page) => {
      await page.getByRole("button", { name: "Passer" }).waitFor();
    }),
    rooms.plain("seller, outside Telegram", rooms.product.appUrl, async (page) => {
      await page.getByRole("heading", { name: "Ouvrez Sésame dans Telegram" }).waitFor();
    }),
    rooms.buyer("accesses, empty", buyer, "/mes-acces", async (page) => {
      await page.getByText("Aucun accès").waitFor();
    }),
  ];
}

function buyerScreens({ rooms, scene, insideId, returnUrl, standings }: Stage): Screen[] {
  const { product } = rooms;
  const { buyer } = scene.cast;
  const page = `/?tgWebAppStartParam=${scene.product.reference}`;
  const alive = async (opened: Page) => {
    await opened.getByRole("button", { name: "Acheter ce produit" }).waitFor();
  };
  const headed = (name: string) => (opened: Page) =>
    opened.getByRole("heading", { name }).waitFor();
  return [
    rooms.buyer("product", buyer, page, alive),
    rooms.plain("buyer product, outside Telegram", product.appUrl + page, async (opened) => {
      await opened.getByRole("link", { name: "Ouvrir dans Telegram" }).waitFor();
    }),
    rooms.plain("buyer product, unknown", `${product.appUrl}/?tgWebAppStartParam=nothing1`),
    rooms.buyer("payment sheet", buyer, page, async (opened) => {
      await opened.getByRole("button", { name: "Acheter ce produit" }).click();
      await opened.getByRole("button", { name: /^Payer / }).waitFor();
    }),
    rooms.buyer(
      "status, inside",
      buyer,
      `/commande/${insideId}`,
      headed("Vous êtes dans le groupe"),
    ),
    ...standings.map(({ name, id, person, title }) =>
      rooms.buyer(`status, ${name}`, person, `/commande/${id}`, headed(title)),
    ),
    rooms.buyer(
      "order of another",
      scene.cast.agent,
      `/commande/${insideId}`,
      headed("Commande introuvable"),
    ),
    rooms.plain(
      "buyer order, outside Telegram",
      `${product.appUrl}/commande/${insideId}`,
      headed("Ouvrez cette page dans Telegram"),
    ),
    rooms.buyer("accesses", buyer, "/mes-acces", async (opened) => {
      await opened.getByText("Actif").waitFor();
    }),
    rooms.plain("return page", returnUrl, headed("Paiement reçu")),
  ];
}

type Standing = {
  readonly name: string;
  readonly title: string;
  readonly id: string;
  readonly person: Actor;
};

/** An order in each state a buyer can find it in. */
async function statusOrders(product: StartedProduct, scene: Scene): Promise<Standing[]> {
  const emulators = emulatorsOf(product);
  const another = async (): Promise<Scene> => ({ ...scene, cast: await castPhones(emulators) });
  const waiting = await another();
  const failed = await another();
  const pending = await another();
  const bought = await buy(product, waiting);
  const refused = await pendingOrder(product, failed);
  await control(emulators, "settleCollected", {
    provider: "moneroo",
    paymentId: refused.paymentId,
    outcome: "failure",
  });
  const open = await pendingOrder(product, pending);
  return [
    { name: "waiting", title: "Paiement reçu", id: bought.id, person: waiting.cast.buyer },
    { name: "failed", title: "Paiement non effectué", id: refused.id, person: failed.cast.buyer },
    { name: "pending", title: "Paiement en attente", id: open.id, person: pending.cast.buyer },
  ];
}

type Pending = { readonly id: string; readonly paymentId: string; readonly paymentUrl: string };

async function pendingOrder(product: StartedProduct, scene: Scene): Promise<Pending> {
  const token = await enrolBuyer(product, scene);
  const order = await call<{ id: string; payment_url: string }>(product, "POST /api/orders", {
    token,
    json: { reference: scene.product.reference, provider: "moneroo" },
  });
  const paymentId = new URL(order.payment_url).pathname.split("/").at(-1) ?? "";
  return { id: order.id, paymentId, paymentUrl: order.payment_url };
}

function emulatorScreens({ rooms, pending }: Stage): Screen[] {
  const emulators = emulatorsOf(rooms.product);
  const phones = async (page: Page) => {
    await page.getByRole("region", { name: "Téléphone du vendeur" }).waitFor();
  };
  return [
    rooms.plain("emulators", emulators, phones),
    rooms.plain("emulators, control panel", emulators, async (page) => {
      await page.getByRole("button", { name: "Panneau de contrôle" }).click();
      await page.getByRole("complementary", { name: "Panneau de contrôle" }).waitFor();
    }),
    rooms.plain("hosted payment page", pending.paymentUrl, async (page) => {
      await page.getByRole("textbox", { name: "Numéro de téléphone" }).waitFor();
    }),
  ];
}
