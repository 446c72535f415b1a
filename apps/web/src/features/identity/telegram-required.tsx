import { useState } from "react";
import { readInstance } from "../../lib/instance.ts";
import { forgetWorker } from "../../lib/worker.ts";
import { Button } from "../../kit/button.tsx";
import { Drawing } from "../../kit/drawings.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { Spinner } from "../../kit/spinner.tsx";
import { identityCopy } from "./messages.fr.ts";
import styles from "./identity.module.css";
import { revoke } from "./sign-in.ts";
import { lastToken, wipeStorage } from "./storage.ts";

const copy = identityCopy.required;

/** The blocking screen of A §2, in its three states. */
export function TelegramRequired(props: {
  state: "checking" | "entering" | "outside";
  onEnter(): void;
}) {
  if (props.state === "outside") return <Outside />;
  const checking = props.state === "checking";
  return (
    <main className={styles.screen}>
      <span className={styles.mark} aria-hidden="true" />
      <p role="status" className={styles.text}>
        <Spinner /> {checking ? copy.checking : copy.entering}
      </p>
      {checking ? null : <Button onClick={props.onEnter}>{copy.enter}</Button>}
    </main>
  );
}

function Outside() {
  const [asking, setAsking] = useState(false);
  const { sellerBot } = readInstance();
  return (
    <main className={styles.screen}>
      <Drawing name="phone" size={140} />
      <div className={styles.words}>
        <h1 className={styles.title}>{copy.title}</h1>
        <p className={styles.text}>{copy.text}</p>
      </div>
      <div className={styles.actions}>
        {sellerBot ? (
          <Button icon="send" onClick={() => location.assign(`https://t.me/${sellerBot}`)}>
            {copy.open}
          </Button>
        ) : null}
        <Button look={sellerBot ? "tinted" : "filled"} onClick={() => location.reload()}>
          {copy.reload}
        </Button>
        <Button look="danger" onClick={() => setAsking(true)}>
          {copy.clear}
        </Button>
      </div>
      <p className={styles.hint}>{sellerBot ? copy.hint(sellerBot) : copy.hintNoBot}</p>
      {asking ? <ClearQuestion onClose={() => setAsking(false)} /> : null}
    </main>
  );
}

function ClearQuestion({ onClose }: { onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const clear = async () => {
    setBusy(true);
    const token = lastToken();
    if (token) await revoke(token);
    wipeStorage();
    await forgetWorker();
    location.replace("/");
  };
  return (
    <Dialog
      title={copy.clearTitle}
      onClose={onClose}
      actions={[
        { label: copy.clearYes, look: "danger", busy, run: () => void clear() },
        { label: copy.cancel, look: "plain", run: onClose },
      ]}
    >
      {copy.clearText}
    </Dialog>
  );
}
