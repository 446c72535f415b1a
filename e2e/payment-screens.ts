import type { Page } from "@playwright/test";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { control } from "./outside.ts";
import { buyBy, buyPremium } from "./premium-steps.ts";
import type { Rooms, Screen } from "./rooms.ts";
import {
  type Actor,
  call,
  linkGroup,
  type Scene,
  type SceneChoice,
  type Seller,
  setScene,
} from "./scene.ts";

const LONG: SceneChoice = {
  title: "Formation complète « Élevage rentable » : 12 semaines, suivi & bonus",
  names: { seller: "Marie-Thérèse Akissi", buyer: "Kouassi Emmanuel Aristide" },
  price: 1_000_000,
};

/** The seller's screens of plans, own accounts and claims, each in the states it can be in. */
export async function paymentScreens(rooms: Rooms): Promise<Screen[]> {
  const { product } = rooms;
  const scene = await setScene(product, LONG);
  const claim = await claimed(product, scene);
  for (const title of ["Cercle des éleveurs & entrepreneurs du Grand Abidjan", "B", "C"]) {
    await linkGroup(product, scene.seller, { title });
  }
  const premium = await premiumSeller(product);
  return [...freeScreens(rooms, scene.seller.person, claim), ...premiumScreens(rooms, premium)];
}

async function claimed(product: StartedProduct, scene: Scene): Promise<string> {
  const { id, token } = await buyBy(product, scene, "moneroo");
  const { claim } = await call<AnswerOf<"GET /api/claims/:id">>(
    product,
    `POST /api/orders/${id}/claim`,
    {
      token,
      json: { motif: "no-access", message: "Le lien ne s'ouvre pas depuis hier. ".repeat(4) },
    },
  );
  return claim.id;
}

type Premium = { readonly person: Actor; readonly paid: string; readonly pending: string };

/** Premium, his own account at FedaPay, and a renewal that waits. */
async function premiumSeller(product: StartedProduct): Promise<Premium> {
  const scene = await setScene(product, { names: { seller: "Aminata-Joséphine" } });
  const { seller, emulators } = scene;
  const paid = await buyPremium(product, { emulators, seller });
  const { keys } = await control(emulators, "openMerchant", { provider: "fedapay" });
  const { secretKey, publicKey } = keys;
  await call(product, `PUT /api/user-aggregators/${seller.userId}/fedapay`, {
    token: seller.token,
    json: { keys: { secretKey, publicKey } },
  });
  return { person: seller.person, paid, pending: await pendingPlan(product, seller) };
}

async function pendingPlan(product: StartedProduct, { token }: Seller): Promise<string> {
  const json = { plan: "payant", provider: "paydunya" };
  return (await call<CreateOrderAnswer>(product, "POST /api/orders", { token, json })).id;
}

function freeScreens(rooms: Rooms, person: Actor, claim: string): Screen[] {
  return [
    rooms.seller("methods, gate", person, "/ActivationMethode", tapped(/^Ajouter une méthode/)),
    rooms.seller("payment choice", person, "/PaymentSelector", shows("PayDunya")),
    rooms.seller("configuration", person, "/ConfigurerPaiement", shows("Configurer maintenant")),
    rooms.seller("claims", person, "/reclamations", shows("Kouassi")),
    rooms.seller("claim", person, `/reclamations/${claim}`, shows("Votre réponse")),
    rooms.seller("claim, refund", person, `/reclamations/${claim}`, tapped("Rembourser")),
    rooms.seller("groups, quota", person, "/GroupeListe", tapped("Choisir mes 3 groupes")),
  ];
}

function premiumScreens(rooms: Rooms, { person, paid, pending }: Premium): Screen[] {
  const status = (order: string) => `/PaymentStatus?paymentId=${order}&app=vendeur`;
  return [
    rooms.seller("plans, premium", person, "/PaymentsSheetsIndex", async (page) => {
      await page.getByText("Plan", { exact: true }).click();
      await page.getByText("Vos achats").waitFor();
    }),
    rooms.seller("statistics, premium", person, "/Statistics", shows("Revenu mensuel récurrent")),
    rooms.seller("payment, done", person, status(paid), shows("Votre plan Premium est actif")),
    rooms.seller(
      "payment, change",
      person,
      status(pending),
      tapped("Changer de moyen de paiement"),
    ),
    rooms.seller("methods, own", person, "/ActivationMethode", shows("Vos clés")),
    rooms.seller("own keys", person, "/ModifierKey", shows("Adresse de notification")),
    rooms.seller("keys to give", person, "/AjouterMethode?nom=kkiapay", shows("Clé privée")),
    rooms.seller("keys given", person, "/SuccesBottomSheetIndex?nom=fedapay", shows("FedaPay est")),
  ];
}

function shows(text: string) {
  return (page: Page): Promise<void> => page.getByText(text).first().waitFor();
}

function tapped(button: string | RegExp) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: button }).first().click();
    await page.getByRole("dialog").waitFor();
  };
}
