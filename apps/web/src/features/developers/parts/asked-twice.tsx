import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { type RequestError, sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/modal.tsx";
import { toast } from "../../../kit/toast.tsx";
import { developersCopy as copy } from "../messages.fr.ts";

/** What cannot be undone: said plainly before it is done. */
export function AskedTwice(props: {
  label: string;
  title: string;
  text: string;
  act: UseMutationResult<{ readonly message: string }, RequestError, object | void>;
  onDone(): void;
}) {
  const [asking, setAsking] = useState(false);
  const { act } = props;
  const run = () =>
    act.mutate(undefined, {
      onSuccess: ({ message }) => {
        haptic("success");
        toast(message);
        props.onDone();
      },
      onError: (error) => {
        haptic("error");
        toast(sayError(error, copy.failed), "bad");
        setAsking(false);
      },
    });
  return (
    <>
      <Button look="danger-tinted" icon="trash" onClick={() => setAsking(true)}>
        {props.label}
      </Button>
      {asking ? (
        <Dialog
          title={props.title}
          onClose={() => setAsking(false)}
          actions={[
            { label: props.label, look: "danger", busy: act.isPending, run },
            { label: copy.cancel, look: "plain", run: () => setAsking(false) },
          ]}
        >
          {props.text}
        </Dialog>
      ) : null}
    </>
  );
}
