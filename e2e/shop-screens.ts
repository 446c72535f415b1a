import type { Page } from "@playwright/test";
import type { Rooms, Screen } from "./rooms.ts";
import type { Actor, Scene } from "./scene.ts";

/** The public shop, its seller's page of it, and Soni. */
export function shopScreens(
  rooms: Rooms,
  { scene, empty }: { scene: Scene; empty: Actor },
): Screen[] {
  const { person, userId } = scene.seller;
  const shows = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();
  const address = `${scene.app}/boutique/${userId}`;
  return [
    rooms.plain("shop, outside Telegram", address, shows(scene.product.title)),
    rooms.plain("shop, unknown", `${scene.app}/boutique/999999`, shows("Boutique introuvable")),
    rooms.seller("my shop", person, "/ProductsList/boutique", shows("Voir la boutique")),
    rooms.seller("my shop, empty", empty, "/ProductsList/boutique", shows("est vide")),
    rooms.seller("soni", empty, "/soni", shows("je suis Soni")),
    rooms.seller("soni, a name", empty, "/soni", async (page) => {
      await page.getByRole("button", { name: "Commencer" }).click();
      await page.getByRole("textbox").waitFor();
    }),
  ];
}
