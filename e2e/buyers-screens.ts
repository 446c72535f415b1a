import type { Page } from "@playwright/test";
import type { AnswerOf } from "@sesame/contract/routes";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { FATOU } from "./desk-steps.ts";
import { control } from "./outside.ts";
import { buyBy, openedPayment, orderBy, payOrder } from "./premium-steps.ts";
import type { Rooms, Screen } from "./rooms.ts";
import { type Actor, call, castPhones, type Scene, setScene } from "./scene.ts";

const PERSON: Actor = { id: FATOU, firstName: "Fatou" };

/** The desk's screens of refunds and claims. */
export async function buyersScreens(rooms: Rooms): Promise<Screen[]> {
  const { order, claim, odd } = await disputes(rooms.product);
  const desk = (name: string, path: string, after: (page: Page) => Promise<void>) =>
    rooms.seller(`desk ${name}`, PERSON, path, after);
  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
  return [
    desk("refunds", "/bureau/remboursements", shows("À envoyer")),
    desk("refunds, paid", "/bureau/remboursements", async (page) => {
      const paid = page.getByRole("button", { name: "Marquer payé" });
      const take = page.getByRole("button", { name: "Prendre", exact: true });
      await paid.or(take).first().waitFor();
      // Taken already where this screen was opened before.
      if (!(await paid.isVisible())) await take.click();
      await paid.click();
      await page.getByRole("dialog").waitFor();
    }),
    desk("claims", "/bureau/reclamations", shows("Chez l'opérateur")),
    desk("claim", `/bureau/reclamations/${claim}`, shows("Rembourser l'acheteur")),
    desk("order", `/bureau/commandes/${order}`, shows("Écritures")),
    desk("order, a payment decided", `/bureau/commandes/${odd}`, async (page) => {
      await page.getByRole("button", { name: "Décider de ce paiement" }).click();
      await page.getByRole("dialog").getByText("Rendre l'argent").click();
    }),
  ];
}

/** A sale to give back by hand, another that its seller contests, and a payment of something else. */
async function disputes(product: StartedProduct): Promise<{
  order: string;
  claim: string;
  odd: string;
}> {
  const scene = await setScene(product, {
    title: "Formation complète « Élevage rentable » : 12 semaines",
    names: { buyer: "Kouassi Emmanuel Aristide" },
  });
  const { token } = scene.seller;
  const refunded = await buyBy(product, scene, "moneroo");
  await call(product, `POST /api/orders/${refunded.id}/refund`, {
    token,
    json: { motif: "Le groupe a fermé avant la fin du programme annoncé" },
  });
  await call(product, `POST /api/orders/${refunded.id}/refund-number`, {
    token: refunded.token,
    json: { methode: "orange-money-ci", numero: "0701020304" },
  });
  const other: Scene = { ...scene, cast: await castPhones(scene.emulators) };
  const bought = await buyBy(product, other, "moneroo");
  const { claim } = await call<AnswerOf<"GET /api/claims/:id">>(
    product,
    `POST /api/orders/${bought.id}/claim`,
    {
      token: bought.token,
      json: { motif: "other", message: "Ce n'est pas ce qui était annoncé." },
    },
  );
  const contested = { message: "Le programme est respecté, semaine après semaine." };
  await call(product, `POST /api/claims/${claim.id}/contest`, { token, json: contested });
  const third: Scene = { ...scene, cast: await castPhones(scene.emulators) };
  const { id: odd } = await orderBy(product, third, "fedapay");
  const paymentId = await openedPayment(scene.emulators, "fedapay", odd);
  await control(scene.emulators, "alterCollected", {
    provider: "fedapay",
    paymentId,
    currency: "GHS",
  });
  await payOrder(scene.emulators, "fedapay", odd);
  return { order: refunded.id, claim: claim.id, odd };
}
