import type { ReactNode } from "react";
import { readInstance } from "../../lib/instance.ts";
import { Button } from "../../kit/button.tsx";
import { Drawing, type DrawingName } from "../../kit/drawings.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { copyAloud } from "../../kit/records.tsx";
import { deskCopy } from "./messages.fr.ts";
import styles from "./gate.module.css";
import type { DeskGateState } from "./session.ts";

const copy = deskCopy.gate;

/** What stands before the desk for who may not enter, or not yet. */
export function DeskGate(props: {
  state: Exclude<DeskGateState, { at: "ready" }>;
  onRetry(): void;
}) {
  const { state } = props;
  switch (state.at) {
    case "loading":
      return (
        <div className="first-paint" role="status">
          <span className="first-paint-mark" aria-hidden="true" />
          <span className="first-paint-text">{copy.entering}</span>
        </div>
      );
    case "outside":
      return <Outside />;
    case "failed":
      return (
        <Screen drawing="broken" title={copy.failed} text={state.message} alert>
          <Button onClick={props.onRetry}>{kitCopy.retry}</Button>
        </Screen>
      );
    case "stranger":
      return <Stranger telegramId={state.telegramId} />;
  }
}

function Outside() {
  const { sellerBot } = readInstance();
  return (
    <Screen drawing="phone" title={copy.outsideTitle} text={copy.outsideText}>
      {sellerBot ? (
        <Button icon="send" onClick={() => location.assign(`https://t.me/${sellerBot}`)}>
          {copy.openBot}
        </Button>
      ) : null}
    </Screen>
  );
}

/** Anybody may come here by the address: he is told who he is, and whom to ask. */
function Stranger({ telegramId }: { telegramId: number }) {
  const id = String(telegramId);
  return (
    <Screen drawing="door" title={copy.strangerTitle} text={copy.strangerText}>
      <p className={styles.hint}>{copy.strangerHint}</p>
      <dl className={styles.identifier}>
        <dt>{copy.identifier}</dt>
        <dd>{id}</dd>
      </dl>
      <Button look="tinted" icon="copy" onClick={() => void copyAloud(id)}>
        {copy.copyIdentifier}
      </Button>
      <Button look="plain" onClick={() => location.assign("/")}>
        {copy.toSeller}
      </Button>
    </Screen>
  );
}

function Screen(props: {
  drawing: DrawingName;
  title: string;
  text: string;
  alert?: boolean;
  children: ReactNode;
}) {
  return (
    <main className={styles.screen}>
      <Drawing name={props.drawing} size={140} />
      <div className={styles.words} role={props.alert ? "alert" : undefined}>
        <h1 className={styles.title}>{props.title}</h1>
        {props.text ? <p className={styles.text}>{props.text}</p> : null}
      </div>
      <div className={styles.actions}>{props.children}</div>
    </main>
  );
}
