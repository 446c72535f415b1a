import { Button } from "../../kit/button.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { startCopy } from "./start-messages.fr.ts";
import { FallbackDashboard } from "./fallback-dashboard.tsx";
import styles from "./identity.module.css";

const copy = startCopy.splash;

/** The same picture as the page's first paint: nothing jumps when React takes over. */
export function Splash() {
  return (
    <div className="first-paint" role="status">
      <span className="first-paint-mark" aria-hidden="true" />
      <span className="first-paint-text">{copy.loading}</span>
    </div>
  );
}

export function SplashError({ message }: { message: string }) {
  return (
    <main className={styles.screen}>
      <span className="first-paint-mark" aria-hidden="true" />
      <Stack gap={2} role="alert">
        <Text strong>{copy.failed}</Text>
        {message ? <Text tone="soft">{message}</Text> : null}
      </Stack>
      <Button onClick={() => location.reload()}>{copy.retry}</Button>
      <FallbackDashboard />
    </main>
  );
}
