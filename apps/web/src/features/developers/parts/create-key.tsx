import { useState } from "react";
import { usePremiumGate } from "../../../lib/premium-gate.tsx";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { TextField } from "../../../kit/field.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { developersCopy as copy } from "../messages.fr.ts";
import { useAct } from "../use-act.ts";
import { type Choice, Choices } from "./choices.tsx";
import { SecretShown } from "./secret-shown.tsx";

/** A name, what it may do, then the key itself: once. */
export function CreateKey(props: { scopes: readonly Choice[]; onClose(): void }) {
  const { onClose } = props;
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["orders:read"]);
  const [shown, setShown] = useState<string | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  const { caught, gate } = usePremiumGate("developer-api");
  const create = useAct("POST /api/developers/keys", {});
  const send = () => {
    if (create.isPending) return;
    create.mutate(
      { name: name.trim(), scopes },
      {
        onSuccess: ({ secret, message }) => {
          haptic("success");
          if (secret === null) setComplaint(message);
          else setShown(secret);
        },
        onError: (error) => {
          haptic("error");
          if (!caught(error)) setComplaint(sayError(error, copy.failed));
        },
      },
    );
  };
  if (shown !== null) {
    return (
      <Sheet title={copy.keys.shown} onClose={onClose}>
        <SecretShown text={copy.keys.shownText} secret={shown} onClose={onClose} />
      </Sheet>
    );
  }
  return (
    <Sheet title={copy.keys.create} onClose={onClose}>
      <Stack
        as="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          label={copy.keys.name}
          hint={copy.keys.nameHint}
          required
          maxLength={60}
          error={complaint}
          value={name}
          onChange={(value) => {
            setName(value);
            setComplaint(null);
          }}
        />
        <Choices
          title={copy.keys.scopes}
          choices={props.scopes}
          chosen={scopes}
          onChange={setScopes}
        />
        <Button
          type="submit"
          busy={create.isPending}
          disabled={name.trim() === "" || scopes.length === 0}
        >
          {copy.keys.create}
        </Button>
        <Button look="plain" onClick={onClose}>
          {copy.cancel}
        </Button>
      </Stack>
      {gate}
    </Sheet>
  );
}
