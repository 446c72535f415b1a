import { formatInstant } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { startCopy } from "./start-copy.fr.ts";

export function OfflineBanner({ onRetry }: { onRetry(): void }) {
  const session = useSession();
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
    </Banner>
  );
}
