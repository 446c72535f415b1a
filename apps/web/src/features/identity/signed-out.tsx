import { Drawing } from "../../kit/drawings.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { identityCopy } from "./messages.fr.ts";

export function SignedOut() {
  return (
    <Stack as="main" gap={5} center page="alone">
      <Drawing name="door" size={140} />
      <Stack gap={2}>
        <Text as="h1" size="title">
          {identityCopy.signedOut.title}
        </Text>
        <Text tone="soft">{identityCopy.signedOut.text}</Text>
      </Stack>
    </Stack>
  );
}
