import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import type { SignedInSeller, TestApp } from "./harness.ts";

export type DonationChoice = {
  readonly title?: string;
  readonly minimum?: number;
  readonly suggestions?: string;
};

/** Publishes a don, as its seller would: no group, no image. */
export async function publishDonation(
  app: TestApp,
  seller: SignedInSeller,
  choice: DonationChoice = {},
): Promise<ProductOnWire> {
  const { title = "Soutenez la chaîne", minimum = 500, suggestions = "1000, 5000" } = choice;
  const answer = await app.call<AnswerOf<"POST /api/products">>("POST", "/api/products", {
    token: seller.token,
    form: { kind: "donation", title, price: String(minimum), suggestions, description: "Merci" },
  });
  assert(answer.status === 201, `publishing answered ${JSON.stringify(answer.body)}`);
  return answer.body.product;
}
