import { useState } from "react";
import { usePremiumGate } from "../../../lib/premium-gate.tsx";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { TextField } from "../../../kit/field.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { developersCopy } from "../messages.fr.ts";
import { useAct } from "../use-act.ts";
import { type Choice, Choices } from "./choices.tsx";
import { SecretShown } from "./secret-shown.tsx";

const copy = developersCopy.endpoints;

/** An address, what it hears, then its secret: once. */
export function AddEndpoint(props: { events: readonly Choice[]; onClose(): void }) {
  const { onClose } = props;
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>(["order.paid"]);
  const [shown, setShown] = useState<string | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  const { caught, gate } = usePremiumGate("developer-api");
  const add = useAct("POST /api/developers/endpoints", {});
  const send = () => {
    if (add.isPending) return;
    add.mutate(
      { url: url.trim(), events },
      {
        onSuccess: ({ secret }) => {
          haptic("success");
          setShown(secret);
        },
        onError: (error) => {
          haptic("error");
          if (!caught(error)) setComplaint(sayError(error, developersCopy.failed));
        },
      },
    );
  };
  if (shown !== null) {
    return (
      <Sheet title={copy.shown} onClose={onClose}>
        <SecretShown text={copy.shownText} secret={shown} onClose={onClose} />
      </Sheet>
    );
  }
  return (
    <Sheet title={copy.add} onClose={onClose}>
      <Stack
        as="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          label={copy.url}
          hint={copy.urlHint}
          placeholder="https://"
          required
          error={complaint}
          value={url}
          onChange={(value) => {
            setUrl(value);
            setComplaint(null);
          }}
        />
        <Choices title={copy.events} choices={props.events} chosen={events} onChange={setEvents} />
        <Button
          type="submit"
          busy={add.isPending}
          disabled={url.trim() === "" || events.length === 0}
        >
          {copy.add}
        </Button>
        <Button look="plain" onClick={onClose}>
          {developersCopy.cancel}
        </Button>
      </Stack>
      {gate}
    </Sheet>
  );
}
