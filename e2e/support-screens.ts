import type { Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { enrolAgent } from "./agents.ts";
import { FATOU } from "./desk-steps.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { type Actor, call, type Scene, setScene } from "./scene.ts";

const FATOU_HERSELF: Actor = { id: FATOU, firstName: "Fatou" };

const WORDS =
  "Bonjour,\nmon acheteur Kouassi a payé 5 000 FCFA ce matin par Orange Money, mais le lien d'accès ne s'ouvre pas : https://exemple.test/une-adresse-bien-trop-longue-pour-tenir-sur-une-ligne 🙏";

const shows = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

/** Help, as a seller with a conversation sees it and one without. */
export function supportScreens(
  rooms: Rooms,
  { scene, empty, ticketId: id }: { scene: Scene; empty: Actor; ticketId: string },
): Screen[] {
  const { person } = scene.seller;
  const base = rooms.product.appUrl;
  return [
    rooms.seller("support", person, "/CustomerSupport", shows("Mes demandes")),
    rooms.seller("support, nothing asked", empty, "/CustomerSupport", shows("Aucune demande")),
    rooms.seller("support, writing", empty, "/CustomerSupport", async (page) => {
      await page.getByRole("button", { name: "Écrire au support" }).click();
      await page.getByRole("dialog").waitFor();
    }),
    rooms.seller("support's answer", person, `/CustomerSupport/${id}`, shows("Support Sésame")),
    rooms.seller("questions", person, "/IndexFaq", shows("Combien me revient-il sur une vente ?")),
    rooms.seller("own data", person, "/mes-donnees", shows("Confidentialité")),
    rooms.plain("privacy", `${base}/confidentialite`, shows("Vos droits")),
    rooms.plain("terms of use", `${base}/conditions`, shows("La vente")),
  ];
}

/** The same at the desk. */
export async function deskSupportScreens(rooms: Rooms): Promise<Screen[]> {
  const scene = await setScene(rooms.product, { names: { seller: "Marie-Thérèse Ouattara" } });
  const id = await ask(rooms.product, scene);
  const desk = (name: string, path: string, text: string) =>
    rooms.seller(`desk ${name}`, FATOU_HERSELF, path, shows(text));
  return [
    desk("requests for help", "/bureau/assistance", "Un groupe ou un canal"),
    desk("request for help", `/bureau/assistance/${id}`, "Votre réponse"),
  ];
}

async function ask(product: StartedProduct, { seller }: Scene): Promise<string> {
  const { ticket } = await call<AnswerOf<"GET /api/support/tickets/:id">>(
    product,
    "POST /api/support/tickets",
    {
      token: seller.token,
      json: { sujet: "group", message: WORDS },
    },
  );
  return ticket.id;
}

export async function askedAndAnswered(product: StartedProduct, scene: Scene): Promise<string> {
  const id = await ask(product, scene);
  const token = await enrolAgent(product);
  await call(product, `POST /api/desk/tickets/${id}/answer`, {
    token,
    json: { message: "Bonjour, nous avons renvoyé le lien : il peut entrer maintenant." },
  });
  return id;
}
