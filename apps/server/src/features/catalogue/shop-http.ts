import { offerAnswersAnswer, offerAnswersBody, shopAnswer } from "@sesame/contract/catalogue";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Catalogue } from "./index.ts";

const seller = { access: "seller" } as const;

/** The seller's shop, and what he told the assistant « Soni ». */
export function registerShopHttp(app: HttpServer, catalogue: Catalogue): void {
  app.get(
    "/api/shop",
    {
      summary:
        "La boutique publique du vendeur : ses deux liens, et combien de produits s'y vendent",
      config: seller,
      schema: { response: { 200: shopAnswer } },
    },
    (request) => catalogue.shopOf(callerOf(request).personId),
  );
  app.get(
    "/api/soni",
    {
      summary: "Ce que le vendeur a répondu à l'assistant Soni",
      config: seller,
      schema: { response: { 200: offerAnswersAnswer } },
    },
    async (request) => ({
      success: true as const,
      answers: await catalogue.offerAnswers(callerOf(request).personId),
    }),
  );
  // Repeating it changes nothing: no key is needed.
  app.put(
    "/api/soni",
    {
      summary: "Garder une ou plusieurs réponses à l'assistant ; null en retire une",
      config: seller,
      schema: { body: offerAnswersBody, response: { 200: offerAnswersAnswer } },
    },
    async (request) => ({
      success: true as const,
      answers: await catalogue.keepOfferAnswers(callerOf(request).personId, request.body),
    }),
  );
}
