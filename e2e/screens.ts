import type { Page } from "@playwright/test";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { developerScreens } from "./developer-screens.ts";
import { givingScreens } from "./giving-screens.ts";
import { moneyScreens } from "./money-screens.ts";
import { control } from "./outside.ts";
import { payScreens } from "./pay-screens.ts";
import { paymentScreens } from "./payment-screens.ts";
import { shopScreens } from "./shop-screens.ts";
import { Rooms, type Screen } from "./rooms.ts";
import { supportScreens } from "./support-screens.ts";
import {
  type Actor,
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
  worldOf,
} from "./scene.ts";

/** Words as people write them, at their longest. */
const LONG: SceneChoice = {
  group: "Cercle privé des éleveurs & entrepreneurs du Grand Abidjan 🐔🇨🇮",
  title: "Formation complète « Élevage rentable » : 12 semaines, suivi & bonus 🎓🔥",
  description: "Analyses du matin, signaux en direct, salon d'entraide. 💬\n".repeat(6),
  price: 1_000_000,
  names: { seller: "Aminata-Joséphine", buyer: "Kouassi Emmanuel", agent: "Ibrahim" },
};

/** Every screen of the sellers' path and of the buyers', each in the states it can be in. */
export async function everyScreen(product: StartedProduct): Promise<Screen[]> {
  const scene = await setScene(product, LONG);
  const inside = await buyAndJoin(product, scene);
  const newcomers = await castPhones(worldOf(product));
  const empty = newcomers.agent;
  await enrolSeller(product, empty);
  const rooms = new Rooms(product);
  return [
    ...sellerScreens(rooms, scene),
    ...emptyScreens(rooms, empty),
    ...shopScreens(rooms, { scene, empty }),
    ...(await moneyScreens(rooms, { scene, empty })),
    ...(await paymentScreens(rooms)),
    ...(await developerScreens(rooms)),
    ...(await supportScreens(rooms, { scene, empty })),
    ...(await givingScreens(rooms, empty)),
    ...firstScreens(rooms, newcomers),
    ...(await buyerScreens(rooms, { scene, insideId: inside.id })),
    ...(await payScreens(rooms, scene)),
    ...worldScreens(rooms, await pendingOrder(product, scene)),
  ];
}

function sellerScreens(rooms: Rooms, scene: Scene): Screen[] {
  const { person } = scene.seller;
  const group = `/GroupeDetail/${scene.chatId}/groupe/${encodeURIComponent(scene.group)}`;
  const card = `/ProductCard/${scene.product.id}`;
  const titled = (text: string | RegExp) => async (page: Page) =>
    page.getByText(text).first().waitFor();
  const title = titled(scene.product.title);
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
    rooms.seller("statistics", person, "/Statistics", titled(/820.000.FCFA/)),
    rooms.seller("calendar", person, "/Calendrier", async (page) => {
      await page.getByRole("grid").waitFor();
    }),
    rooms.seller("settings", person, "/PaymentsSheetsIndex", titled("Profil")),
    rooms.seller("profile", person, "/profile", titled("Se déconnecter")),
  ];
}

function emptyScreens(rooms: Rooms, person: Actor): Screen[] {
  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  return [
    rooms.seller("home, empty", person, "/IndexEspace", shows("Aucune transaction")),
    rooms.seller("groups, empty", person, "/GroupeListe", shows("Vous n'avez pas encore")),
    rooms.seller("products, empty", person, "/ProductsList", shows("Aucun produit")),
    rooms.seller("product, missing", person, "/ProductCard/999999", shows("Produit introuvable")),
    rooms.seller("statistics, empty", person, "/Statistics", shows("Aucune vente")),
    rooms.seller("calendar, empty", person, "/Calendrier", shows("Rien ce mois-ci")),
  ];
}

function firstScreens(rooms: Rooms, { seller, buyer }: { seller: Actor; buyer: Actor }): Screen[] {
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

async function buyerScreens(
  rooms: Rooms,
  { scene, insideId }: { scene: Scene; insideId: string },
): Promise<Screen[]> {
  const { product } = rooms;
  const { buyer } = scene.cast;
  const page = `/?tgWebAppStartParam=${scene.product.reference}`;
  const alive = async (opened: Page) => {
    await opened.getByRole("button", { name: "Acheter ce produit" }).waitFor();
  };
  const headed = (name: string) => (opened: Page) =>
    opened.getByRole("heading", { name }).waitFor();
  const { returnUrl } = await paymentOf(scene);
  const others = await statusOrders(product, scene);
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
    ...others.map(({ name, id, person, title }) =>
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
    rooms.plain("return page", returnUrl ?? "", headed("Paiement reçu")),
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
  const world = worldOf(product);
  const another = async (): Promise<Scene> => ({ ...scene, cast: await castPhones(world) });
  const waiting = await another();
  const failed = await another();
  const pending = await another();
  const bought = await buy(product, waiting);
  const refused = await pendingOrder(product, failed);
  await control(world, "settlePayment", { paymentId: refused.paymentId, action: "fail" });
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

function worldScreens(rooms: Rooms, pending: Pending): Screen[] {
  const world = worldOf(rooms.product);
  const phones = async (page: Page) => {
    await page.getByRole("region", { name: "Téléphone du vendeur" }).waitFor();
  };
  return [
    rooms.plain("world", world, phones),
    rooms.plain("world, control panel", world, async (page) => {
      await page.getByRole("button", { name: "Panneau de contrôle" }).click();
      await page.getByRole("complementary", { name: "Panneau de contrôle" }).waitFor();
    }),
    rooms.plain("hosted payment page", pending.paymentUrl, async (page) => {
      await page.getByRole("textbox", { name: "Numéro de téléphone" }).waitFor();
    }),
  ];
}
