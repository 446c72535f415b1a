import type { UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import { useState } from "react";
import { useLocation } from "wouter";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { aggregatorsCopy } from "../messages.fr.ts";
import { useAggregatorWrite } from "../own-aggregators.ts";

const copy = aggregatorsCopy.keys;

/** Asked twice: what it means for the next sales. */
export function RemoveKeys({ method }: { method: UserAggregatorOnWire }) {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const remove = useAggregatorWrite("DELETE", method.key);
  const run = () =>
    remove.mutate(
      {},
      {
        onSuccess: () => {
          haptic("success");
          toast(copy.removed);
          navigate("/ActivationMethode", { replace: true });
        },
        onError: (error) => {
          haptic("error");
          toast(sayError(error, aggregatorsCopy.updateFailed), "bad");
          setAsking(false);
        },
      },
    );
  return (
    <>
      <Button look="danger-tinted" icon="trash" onClick={() => setAsking(true)}>
        {copy.remove}
      </Button>
      {asking ? (
        <Dialog
          title={copy.removeTitle(method.name)}
          onClose={() => setAsking(false)}
          actions={[
            { label: copy.remove, look: "danger", busy: remove.isPending, run },
            { label: copy.cancel, look: "plain", run: () => setAsking(false) },
          ]}
        >
          {copy.removeText(method.builtIn)}
        </Dialog>
      ) : null}
    </>
  );
}
