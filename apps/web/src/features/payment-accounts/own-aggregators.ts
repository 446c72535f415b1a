import { useQuery, useQueryClient } from "@tanstack/react-query";
import { read } from "../../lib/read.ts";
import { useRefresh } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useSend } from "../../lib/use-write.ts";

/** What each provider is, and the keys it asks for. */
export const aggregatorsQuery = read("GET /api/payment-aggregators", { pick: "aggregators" });

/** The seller's own switches, and what he may recognise his keys by. */
function ownQuery(userId: string) {
  return read("GET /api/user-aggregators/:userId", { params: { userId }, pick: "aggregators" });
}

export function useOwnAggregators() {
  const id = useUserId();
  return useQuery({ ...ownQuery(id), enabled: id !== "" });
}

/** Keys are checked by a call to the provider while the seller waits. */
export const VERIFIED = { timeoutMs: 30_000 };

/** The answer takes its place in the list; the user's products may open or close by it. */
export function useAggregatorWrite(verb: "PUT" | "DELETE", key: string) {
  const userId = useUserId();
  const client = useQueryClient();
  const refreshProducts = useRefresh("products");
  return useSend(`${verb} /api/user-aggregators/:userId/:key`, {
    params: { userId, key },
    ...VERIFIED,
    onSuccess: ({ aggregator }) => {
      client.setQueryData(ownQuery(userId).queryKey, (list) =>
        list?.map((each) => (each.key === aggregator.key ? aggregator : each)),
      );
      return refreshProducts();
    },
  });
}

/** Old links write "monero", or a provider's name (decision 48); null: none of ours. */
export function namedIn(search: string): string | null {
  const named = new URLSearchParams(search).get("nom")?.trim().toLowerCase() ?? "";
  const key = named.replaceAll(/[\s-]/g, "");
  return key === "" ? null : key === "monero" ? "moneroo" : key;
}
