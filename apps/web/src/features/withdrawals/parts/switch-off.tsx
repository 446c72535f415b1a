import { SWITCH_OFF_BROKE, SWITCH_OFF_FAILED } from "@sesame/contract/withdrawals";
import { useState } from "react";
import { RequestError, sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Dialog } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";
import { useSavePayoutSettings } from "../money.ts";
import { Text } from "../../../kit/layout.tsx";

const copy = withdrawalsCopy.auto;

/** Deactivating asks first, then sets retrait_auto to 0 (B §4). */
export function SwitchOff({ onClose }: { onClose(): void }) {
  const save = useSavePayoutSettings();
  const [complaint, setComplaint] = useState<string | null>(null);
  const run = () =>
    save.mutate(
      { retrait_auto: 0 },
      {
        onSuccess: () => {
          haptic("success");
          toast(copy.switchedOff);
          onClose();
        },
        onError: (error) => {
          haptic("error");
          setComplaint(sayFailure(error));
        },
      },
    );
  return (
    <Dialog
      title={copy.askTitle}
      onClose={onClose}
      actions={[
        { label: copy.deactivate, look: "danger", busy: save.isPending, run },
        { label: withdrawalsCopy.cancel, look: "plain", run: onClose },
      ]}
    >
      {complaint ? (
        <Text size="small" tone="brick" role="alert">
          {complaint}
        </Text>
      ) : (
        copy.askText
      )}
    </Dialog>
  );
}

/** B §8: the server's own word, or one of two sentences. */
function sayFailure(error: unknown): string {
  if (!(error instanceof RequestError) || error.status === 0 || error.status >= 500) {
    return SWITCH_OFF_BROKE;
  }
  return sayError(error, SWITCH_OFF_FAILED);
}
