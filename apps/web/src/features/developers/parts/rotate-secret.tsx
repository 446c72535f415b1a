import { useState } from "react";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { developersCopy } from "../messages.fr.ts";
import { useAct } from "../use-act.ts";
import { SecretShown } from "./secret-shown.tsx";

const copy = developersCopy.endpoints;

type Step = "none" | "asking" | { readonly secret: string };

/** A new secret, shown once; the one before signs beside it for a day. */
export function RotateSecret({ id }: { id: string }) {
  const [step, setStep] = useState<Step>("none");
  const rotate = useAct("POST /api/developers/endpoints/:id/secret", { params: { id } });
  const run = () =>
    rotate.mutate(undefined, {
      onSuccess: ({ secret }) => {
        haptic("success");
        setStep({ secret });
      },
      onError: (error) => {
        haptic("error");
        toast(sayError(error, developersCopy.failed), "bad");
        setStep("none");
      },
    });
  const close = () => setStep("none");
  return (
    <>
      <Button look="tinted" icon="refresh" onClick={() => setStep("asking")}>
        {copy.rotate}
      </Button>
      {step === "asking" ? (
        <Dialog
          title={copy.rotateTitle}
          onClose={close}
          actions={[
            { label: copy.rotate, busy: rotate.isPending, run },
            { label: developersCopy.cancel, look: "plain", run: close },
          ]}
        >
          {copy.rotateText}
        </Dialog>
      ) : step === "none" ? null : (
        <Dialog title={copy.shown} onClose={close} actions={[]}>
          <SecretShown text={copy.shownText} secret={step.secret} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
