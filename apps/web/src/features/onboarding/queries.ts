import type { UserOnWire } from "@sesame/contract/identity";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "../../lib/api.ts";
import { keys } from "../../lib/resources.ts";

/**
 * `deja` becomes true. The person goes on at once: were the write lost for good, he would see the
 * stories once more, nothing else.
 */
export function useFinishOnboarding(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    const user = client.getQueryData<UserOnWire>(keys.user);
    if (!user || user.deja) return;
    client.setQueryData<UserOnWire>(keys.user, { ...user, deja: true });
    call("PUT /api/users/:id", { params: { id: user.id }, body: { deja: true } }).catch(
      (error: unknown) => {
        console.warn("onboarding", error);
      },
    );
  }, [client]);
}
