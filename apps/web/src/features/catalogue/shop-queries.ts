import type { BodyOf } from "@sesame/contract/routes";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys, whole } from "../../lib/resources.ts";

/** Under the products' key: a product switched on or off changes the shop. */
export function shopQuery() {
  return queryOptions({
    queryKey: [...keys.products, "shop"],
    queryFn: async () => whole(await call("GET /api/shop"), "page_url"),
  });
}

/** What was told to Soni, on whatever device. */
export function offerAnswersQuery() {
  return queryOptions({
    queryKey: ["soni"],
    queryFn: async () => answered((await call("GET /api/soni")).answers),
    // The chat goes on from what is on the screen: nothing is asked anew behind it.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useKeepOfferAnswers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<"PUT /api/soni">) => call("PUT /api/soni", { body }),
    onSuccess: ({ answers }) => {
      if (answers) client.setQueryData(offerAnswersQuery().queryKey, answers);
    },
  });
}
