import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { readInstance, supportAddress } from "../../lib/instance.ts";
import { useSession } from "../../lib/session.ts";
import { balanceOf } from "../../lib/text.ts";
import { useWaiting } from "../../lib/api.ts";
import { Banner, Button } from "../../kit/button.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Card, Stack, Text } from "../../kit/layout.tsx";
import { FirstPaint } from "../../kit/skeleton.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { startCopy } from "./start-messages.fr.ts";
import { lastPerson, readSaved } from "./storage.ts";

const copy = startCopy.splash;

export function Splash() {
  return <FirstPaint words={copy.loading} />;
}

export function SplashError({ message }: { message: string }) {
  return (
    <Stack as="main" gap={5} center page="alone">
      <span className="first-paint-mark" aria-hidden="true" />
      <Stack gap={2} role="alert">
        <Text strong>{copy.failed}</Text>
        {message ? <Text tone="soft">{message}</Text> : null}
      </Stack>
      <Button onClick={() => location.reload()}>{kitCopy.retry}</Button>
      <FallbackDashboard />
    </Stack>
  );
}

const fallback = startCopy.fallback;

/**
 * B §2: the data last saved on the phone, shown when the application fails. It uses no query, no route
 * and no chunk of its own, since one of these may be what failed.
 */
export function FallbackDashboard() {
  const [saved] = useState(() => readSaved(lastPerson() ?? ""));
  const support = supportAddress(readInstance());
  if (!saved && !support) return null;
  return (
    <Card as="section" aria-label={fallback.title}>
      {saved ? (
        <>
          <Text tone="soft">{fallback.since(formatInstant(saved.savedAt))}</Text>
          <Facts
            facts={[
              [fallback.balance, formatFcfa(balanceOf(saved.user.soldeDisponible)), true],
              [fallback.products, saved.products.length],
              [fallback.groups, saved.channels.length],
            ]}
          />
        </>
      ) : null}
      {support ? (
        <a href={support} target="_blank" rel="noreferrer">
          {fallback.support}
        </a>
      ) : null}
    </Card>
  );
}

/** Above every screen: there is no network, the age of the data, and the changes that wait to be sent. */
export function OfflineBanner({ onRetry }: { onRetry(): void }) {
  const session = useSession();
  const waiting = useWaiting();
  useRefreshOnReturn(session.at === "offline");
  if (session.at !== "offline") return null;
  return (
    <Banner icon="offline" action={[kitCopy.retry, onRetry]}>
      {kitCopy.old(formatInstant(session.savedAt))}
      {waiting > 0 ? <p>{startCopy.waiting(waiting)}</p> : null}
    </Banner>
  );
}

/** Reads everything again when the network is back. */
function useRefreshOnReturn(cut: boolean): void {
  const client = useQueryClient();
  const wasCut = useRef(cut);
  useEffect(() => {
    if (wasCut.current && !cut) void client.invalidateQueries();
    wasCut.current = cut;
  }, [client, cut]);
}
