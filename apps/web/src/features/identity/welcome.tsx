import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "../../lib/api.ts";
import { userQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Stack, Text, Title } from "../../kit/layout.tsx";
import { welcomeCopy as copy } from "./welcome-messages.fr.ts";

/** Shown to a newcomer while the redirect rules decide where he starts (decision 14). */
export function Welcome() {
  return (
    <Stack gap={4} center page="alone">
      <span className="first-paint-mark" aria-hidden="true" />
      <Title>{copy.welcomeTitle}</Title>
      <Text tone="soft" size="heading">
        {copy.welcomeText}
      </Text>
    </Stack>
  );
}

/**
 * Sets `deja`. The person does not wait for the answer: if the write is lost, the stories are shown
 * once more.
 */
export function useFinishOnboarding(): () => void {
  const client = useQueryClient();
  const user = useUser();
  return useCallback(() => {
    if (!user || user.deja) return;
    client.setQueryData(userQuery(user.id).queryKey, { ...user, deja: true });
    call("PUT /api/users/:id", { params: { id: user.id }, body: { deja: true } }).catch(
      (error: unknown) => {
        console.warn("onboarding", error);
      },
    );
  }, [client, user]);
}
