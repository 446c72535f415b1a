import type { Page } from "@playwright/test";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { type Actor, buy, call, castPhones, type Scene, setScene } from "./scene.ts";

const TITLE = "Soutenez la ferme-école des éleveurs & entrepreneurs du Grand Abidjan";

/** Dons, their sellers' and their donors' pages; a product without a place left; a report. */
export async function givingScreens(rooms: Rooms, empty: Actor): Promise<Screen[]> {
  const scene = await setScene(rooms.product);
  const { person } = scene.seller;
  const don = await publishDon(rooms.product, scene);
  const full = await soldOut(rooms.product);
  const page = (reference: string) => `/?tgWebAppStartParam=${reference}`;
  const { buyer } = scene.cast;
  return [
    rooms.seller("dons, empty", empty, "/Donation", shows("Créer un don")),
    rooms.seller("dons", person, "/Donation", shows(TITLE)),
    rooms.seller("new don", person, "/Donation", async (opened) => {
      await opened.getByRole("button", { name: "Créer un don" }).first().click();
      await opened.getByRole("textbox", { name: "Montant minimum" }).waitFor();
    }),
    rooms.seller("don", person, `/ProductCard/${don.id}`, shows(/Montant libre, dès 500/)),
    rooms.seller("edit a don", person, `/ModifierProduit/${don.id}`, shows("Montant minimum")),
    rooms.buyer("don", buyer, page(don.reference), shows("Faire un don")),
    rooms.buyer("don, amount", buyer, page(don.reference), tapped("Faire un don")),
    rooms.buyer("full", full.stranger, page(full.reference), shows(/^Complet/)),
    rooms.buyer("report", buyer, page(scene.product.reference), tapped("Signaler ce produit")),
    rooms.buyer("erasing", buyer, "/mes-acces", async (opened) => {
      await opened.getByRole("button", { name: /^Effacer/ }).click();
    }),
  ];
}

async function publishDon(product: StartedProduct, { seller }: Scene): Promise<ProductOnWire> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    kind: "donation",
    title: TITLE,
    price: "500",
    suggestions: "1000, 5000, 25000",
    description: "Chaque franc nourrit les poussins de la promotion. Merci ! 🐣",
  })) {
    form.set(name, value);
  }
  const { token } = seller;
  const made = await call<{ product: ProductOnWire }>(product, "POST /api/products", {
    token,
    form,
  });
  return made.product;
}

/** One place, sold. */
async function soldOut(product: StartedProduct): Promise<{ reference: string; stranger: Actor }> {
  const scene = await setScene(product);
  await call(product, `PUT /api/products/${scene.product.id}`, {
    token: scene.seller.token,
    json: { stock: "1" },
  });
  await buy(product, scene);
  const { agent } = await castPhones(scene.emulators);
  return { reference: scene.product.reference, stranger: agent };
}

function shows(text: string | RegExp) {
  return (page: Page): Promise<void> => page.getByText(text).first().waitFor();
}

function tapped(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole("button", { name }).first().click();
    await page.getByRole("dialog").waitFor();
  };
}
