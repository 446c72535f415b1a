import { useState } from "react";
import { readInstance } from "../../lib/instance.ts";
import { forgetWorker } from "../../lib/worker.ts";
import { Button, useBusy } from "../../kit/button.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Dialog } from "../../kit/modal.tsx";
import { Spinner } from "../../kit/icons.tsx";
import { Alone } from "../../kit/screen.tsx";
import { identityCopy } from "./messages.fr.ts";
import { revoke } from "./sign-in.ts";
import { lastToken, wipeStorage } from "./storage.ts";
import { Note } from "../../kit/records.tsx";

const copy = identityCopy.required;

/** The blocking screen of A §2, in its three states. */
export function TelegramRequired(props: {
  state: "checking" | "entering" | "outside";
  onEnter(): void;
}) {
  if (props.state === "outside") return <Outside />;
  const checking = props.state === "checking";
  return (
    <Stack as="main" gap={5} center page="alone">
      <span className="first-paint-mark" aria-hidden="true" />
      <Text tone="soft" role="status">
        <Spinner /> {checking ? copy.checking : copy.entering}
      </Text>
      {checking ? null : <Button onClick={props.onEnter}>{copy.enter}</Button>}
    </Stack>
  );
}

function Outside() {
  const [asking, setAsking] = useState(false);
  const { sellerBot } = readInstance();
  return (
    <Alone drawing="phone" title={copy.title} text={copy.text}>
      <Stack>
        {sellerBot ? (
          <Button icon="send" onClick={() => location.assign(`https://t.me/${sellerBot}`)}>
            {copy.open}
          </Button>
        ) : null}
        <Button look={sellerBot ? "tinted" : "filled"} onClick={() => location.reload()}>
          {copy.reload}
        </Button>
        <Button look="danger-tinted" onClick={() => setAsking(true)}>
          {copy.clear}
        </Button>
      </Stack>
      <Note>{sellerBot ? copy.hint(sellerBot) : copy.hintNoBot}</Note>
      {asking ? <ClearQuestion onClose={() => setAsking(false)} /> : null}
    </Alone>
  );
}

function ClearQuestion({ onClose }: { onClose(): void }) {
  const [busy, clear] = useBusy(async () => {
    const token = lastToken();
    if (token) await revoke(token);
    wipeStorage();
    await forgetWorker();
    location.replace("/");
  });
  return (
    <Dialog
      title={copy.clearTitle}
      onClose={onClose}
      actions={[
        { label: copy.clearYes, look: "danger", busy, run: clear },
        { label: kitCopy.cancel, look: "plain", run: onClose },
      ]}
    >
      {copy.clearText}
    </Dialog>
  );
}

export function SignedOut() {
  const { title, text } = identityCopy.signedOut;
  return <Alone drawing="door" title={title} text={text} />;
}
