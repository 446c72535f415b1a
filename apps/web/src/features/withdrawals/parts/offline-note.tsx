import { useSession } from "../../../lib/session.ts";
import { withdrawalsCopy } from "../messages.fr.ts";
import { Text } from "../../../kit/layout.tsx";

/** Why nothing can be asked for: no money action comes from a cache (decision 16). */
export function OfflineNote() {
  if (useSession().at !== "offline") return null;
  return (
    <Text size="small" tone="soft">
      {withdrawalsCopy.offline}
    </Text>
  );
}
