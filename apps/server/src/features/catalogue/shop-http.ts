import { offerAnswersAnswer, offerAnswersBody, shopAnswer } from "@sesame/contract/catalogue";
import { callerOf, type HttpServer } from "../../http/server.ts";
import type { Catalogue } from "./index.ts";

const seller = { access: "seller" } as const;

/** The seller's shop, and what he told the assistant « Soni ». */
export function registerShopHttp(app: HttpServer, catalogue: Catalogue): void {
  app.get("/api/shop", { config: seller, schema: { response: { 200: shopAnswer } } }, (request) =>
    catalogue.shopOf(callerOf(request).personId),
  );
  app.get(
    "/api/soni",
    { config: seller, schema: { response: { 200: offerAnswersAnswer } } },
    async (request) => ({
      success: true as const,
      answers: await catalogue.offerAnswers(callerOf(request).personId),
    }),
  );
  // Repeating it changes nothing: no key is needed.
  app.put(
    "/api/soni",
    { config: seller, schema: { body: offerAnswersBody, response: { 200: offerAnswersAnswer } } },
    async (request) => ({
      success: true as const,
      answers: await catalogue.keepOfferAnswers(callerOf(request).personId, request.body),
    }),
  );
}
