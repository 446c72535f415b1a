import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { homeCopy as copy } from "../home-messages.fr.ts";

/** In the place of the last transactions: none yet, or none that could be read. */
export function NoTransaction({ failed, onRetry }: { failed: boolean; onRetry(): void }) {
  if (!failed) {
    return (
      <EmptyState drawing="receipt" title={copy.noTransaction} text={copy.noTransactionText} />
    );
  }
  return (
    <EmptyState
      drawing="broken"
      title={copy.loadFailed}
      action={<Button onClick={onRetry}>{copy.retry}</Button>}
    />
  );
}
