import { formatInstant } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { identityCopy } from "./copy.fr.ts";

export function OfflineBanner({ onRetry }: { onRetry(): void }) {
  const session = useSession();
  if (session.at !== "offline") return null;
  return (
    <Banner
      tone="warning"
      icon="offline"
      action={
        <button type="button" onClick={onRetry}>
          {identityCopy.offlineRetry}
        </button>
      }
    >
      {identityCopy.offline(formatInstant(session.savedAt))}
    </Banner>
  );
}
