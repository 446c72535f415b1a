import type { UserAnswer, UserOnWire } from "@sesame/contract/identity";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "../../lib/api.ts";
import { keys } from "../../lib/resources.ts";

/** The free plan, with the instance's built-in payments (decision 3). */
export function useChooseFree(user: UserOnWire | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      write<UserAnswer>(`/api/users/${user?.id ?? ""}`, {
        method: "PUT",
        body: { plan: true, type_plan: "gratuit", deja: true },
      }),
    onSuccess: (answer) => {
      if (answer.user) client.setQueryData(keys.user, answer.user);
      return client.invalidateQueries({ queryKey: keys.channels });
    },
  });
}
