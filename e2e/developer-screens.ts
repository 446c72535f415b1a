import type { Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import { buyBy, buyPremium } from "./premium-steps.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { call, setScene } from "./scene.ts";

type KeyAnswer = AnswerOf<"POST /api/developers/keys">;

const PATH = "/Developpeurs";

/** The page of keys and webhooks: what it offers, and filled, with its sheets. */
export async function developerScreens(rooms: Rooms): Promise<Screen[]> {
  const { product } = rooms;
  const free = await setScene(product, { names: { seller: "Fatou" } });
  const scene = await setScene(product, { names: { seller: "Serge-Aristide" } });
  const { seller, emulators } = scene;
  await buyPremium(product, { emulators, seller });
  const { token } = seller;
  for (const name of ["Comptabilité de la coopérative, exercice 2026", "Mon site 🛒"]) {
    const json = { name, scopes: ["orders:read", "products:read"] };
    await call<KeyAnswer>(product, "POST /api/developers/keys", { token, json });
  }
  const url = `${emulators}/developer/hooks/une-adresse-plutot-longue-pour-un-telephone`;
  const json = { url, events: ["order.paid", "access.ended"] };
  await call(product, "POST /api/developers/endpoints", { token, json });
  await buyBy(product, scene, "moneroo");
  const { person } = seller;
  return [
    rooms.seller("developers, offer", free.seller.person, PATH, shows("Vos outils")),
    rooms.seller("developers", person, PATH, shows("Commande payée")),
    rooms.seller("developers, new key", person, PATH, tapped("Créer une clé")),
    rooms.seller("developers, key", person, PATH, tapped(/^Mon site/)),
    rooms.seller("developers, address", person, PATH, tapped(/une-adresse/)),
    rooms.seller("developers, sent", person, PATH, async (page) => {
      await tapped(/^Commande payée/)(page);
      await page.getByText("Contenu envoyé").waitFor();
    }),
    rooms.plain("docs", `${product.appUrl}/docs`, shows("Vérifier une signature")),
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
