import { Drawing } from "../../kit/drawings.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import styles from "./identity.module.css";
import { identityCopy } from "./messages.fr.ts";

export function SignedOut() {
  return (
    <main className={styles.screen}>
      <Drawing name="door" size={140} />
      <Stack gap={2}>
        <Text as="h1" size="title">
          {identityCopy.signedOut.title}
        </Text>
        <Text tone="soft">{identityCopy.signedOut.text}</Text>
      </Stack>
    </main>
  );
}
