import { useState } from "react";
import { sayError } from "../../lib/request.ts";
import { useSession } from "../../lib/session.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { toast } from "../../kit/toast.tsx";
import { identityCopy } from "./messages.fr.ts";

const copy = identityCopy.closing;

/** A seller may leave (decision 99); what he still has to do first is the server's to say. */
export function CloseAccount({ onClosed }: { onClosed(): Promise<void> }) {
  const live = useSession().at === "live";
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="plain" disabled={!live} onClick={() => setAsking(true)}>
        {copy.action}
      </Button>
      {asking ? <Question onDone={onClosed} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function Question(props: { onDone(): Promise<void>; onClose(): void }) {
  const close = useSend("POST /api/users/close", {
    onSuccess: async ({ message }) => {
      haptic("success");
      toast(message);
      await props.onDone();
    },
    onError: () => haptic("error"),
  });
  const run = () => close.mutate({ confirm: true });
  return (
    <Dialog
      title={copy.title}
      onClose={props.onClose}
      actions={[
        { label: copy.yes, look: "danger", busy: close.isPending, run },
        { label: copy.cancel, look: "plain", run: props.onClose },
      ]}
    >
      {close.error ? <p role="alert">{sayError(close.error, copy.failed)}</p> : <p>{copy.text}</p>}
    </Dialog>
  );
}
