import type { UserAnswer, UserOnWire } from "@sesame/contract/identity";
import type { PlanPurchasesAnswer } from "@sesame/contract/plans";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, write } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";
import { plansCopy } from "./messages.fr.ts";

/** The plan now, and what was bought of it. */
export function purchasesQuery(userId: string) {
  return queryOptions<PlanPurchasesAnswer>({
    queryKey: [...keys.orders, "plan", userId],
    queryFn: async () => {
      const answer = await call<Partial<PlanPurchasesAnswer>>(`/api/users/${userId}/abonnement`);
      answered(answer.abonnements);
      return answer as PlanPurchasesAnswer;
    },
  });
}

/** The free plan, with the instance's built-in payments (decision 3). */
export function useChooseFree(user: UserOnWire | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      if (!user?.id) throw new Error(plansCopy.idMissing);
      return write<UserAnswer>(`/api/users/${user.id}`, {
        method: "PUT",
        body: { plan: true, type_plan: "gratuit", deja: true },
      });
    },
    onSuccess: (answer) => {
      if (answer.user) client.setQueryData(keys.user, answer.user);
      return client.invalidateQueries({ queryKey: keys.channels });
    },
  });
}
