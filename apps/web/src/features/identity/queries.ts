import type { UserAnswer, UserOnWire, UserUpdate } from "@sesame/contract/identity";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { write } from "../../lib/api.ts";
import { keys } from "../../lib/resources.ts";

export function useSaveProfile(user: UserOnWire) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (update: UserUpdate) =>
      write<UserAnswer>(`/api/users/${user.id}`, { method: "PUT", body: update, waits: true }),
    onSuccess: (answer) => {
      if (answer.user) client.setQueryData(keys.user, answer.user);
    },
  });
}
