import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { formatInstant } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { useWaiting } from "../../lib/waiting.ts";
import { Banner } from "../../kit/banner.tsx";
import { startCopy } from "./start-messages.fr.ts";

/** Over every screen: the network is not there, how old what is shown is, what waits to leave. */
export function OfflineBanner({ onRetry }: { onRetry(): void }) {
  const session = useSession();
  const waiting = useWaiting();
  useRefreshOnReturn(session.at === "offline");
  if (session.at !== "offline") return null;
  return (
    <Banner
      tone="warning"
      icon="offline"
      action={
        <button type="button" onClick={onRetry}>
          {startCopy.offlineRetry}
        </button>
      }
    >
      {startCopy.offline(formatInstant(session.savedAt))}
      {waiting > 0 ? <p>{startCopy.waiting(waiting)}</p> : null}
    </Banner>
  );
}

/** What could not be asked meanwhile is asked when the network is back. */
function useRefreshOnReturn(cut: boolean): void {
  const client = useQueryClient();
  const wasCut = useRef(cut);
  useEffect(() => {
    if (wasCut.current && !cut) void client.invalidateQueries();
    wasCut.current = cut;
  }, [client, cut]);
}
