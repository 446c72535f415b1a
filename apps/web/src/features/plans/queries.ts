import type { UserOnWire } from "@sesame/contract/identity";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { keys, whole } from "../../lib/resources.ts";
import { plansCopy } from "./messages.fr.ts";

/** The plan now, and what was bought of it. */
export function purchasesQuery(userId: string) {
  return queryOptions({
    queryKey: [...keys.orders, "plan", userId],
    queryFn: async () => {
      return whole(
        await call("GET /api/users/:id/abonnement", { params: { id: userId } }),
        "abonnements",
      );
    },
  });
}

/** The free plan, with the instance's built-in payments (decision 3). */
export function useChooseFree(user: UserOnWire | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!user?.id) throw new Error(plansCopy.idMissing);
      return call("PUT /api/users/:id", {
        params: { id: user.id },
        body: { plan: true, type_plan: "gratuit", deja: true },
      });
    },
    onSuccess: (answer) => {
      if (answer.user) client.setQueryData(keys.user, answer.user);
      return client.invalidateQueries({ queryKey: keys.channels });
    },
  });
}
