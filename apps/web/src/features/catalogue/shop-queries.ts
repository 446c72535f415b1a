import type {
  OfferAnswers,
  OfferAnswersAnswer,
  OfferAnswersBody,
  ShopAnswer,
} from "@sesame/contract/catalogue";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, write } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";

/** Under the products' key: a product switched on or off changes the shop. */
export function shopQuery() {
  return queryOptions<ShopAnswer>({
    queryKey: [...keys.products, "shop"],
    queryFn: async () => {
      const answer = await call<Partial<ShopAnswer>>("/api/shop");
      return answered(answer.page_url === undefined ? undefined : (answer as ShopAnswer));
    },
  });
}

/** What was told to Soni, on whatever device. */
export function offerAnswersQuery() {
  return queryOptions<OfferAnswers>({
    queryKey: ["soni"],
    queryFn: async () => answered((await call<Partial<OfferAnswersAnswer>>("/api/soni")).answers),
    // The chat goes on from what is on the screen: nothing is asked anew behind it.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useKeepOfferAnswers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OfferAnswersBody) =>
      write<OfferAnswersAnswer>("/api/soni", { method: "PUT", body }),
    onSuccess: ({ answers }) => {
      if (answers) client.setQueryData(offerAnswersQuery().queryKey, answers);
    },
  });
}
