import { OFFER_GOALS, TITLE_MAX } from "@sesame/contract/catalogue";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../../kit/button.tsx";
import { MOTIVATIONS, type Question, type Told } from "../soni-chat.ts";
import { soniCopy as copy } from "../messages.fr.ts";
import styles from "../catalogue.module.css";

export type ComposerProps = {
  readonly asks: Question;
  /** The person has just answered: the next thing to do takes the focus. */
  readonly focus: boolean;
  onTell(told: Told): void;
  onOpen(): void;
  onAgain(): void;
};

/** What the seller can say now. */
export function SoniComposer(props: ComposerProps) {
  const { asks, focus, onTell } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focus) place.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [focus, asks]);
  return (
    <div ref={place} className={styles.composer}>
      {asks === "greeting" ? (
        <Options label={copy.log}>
          <Button onClick={() => onTell({ what: "begin" })}>{copy.begin}</Button>
          <Button look="tinted" onClick={() => onTell({ what: "learn" })}>
            {copy.learn}
          </Button>
        </Options>
      ) : asks === "name" ? (
        <NameField onSend={(name) => onTell({ what: "name", name })} />
      ) : asks === "goal" ? (
        <Options label={copy.goalLabel}>
          {OFFER_GOALS.map((goal) => (
            <Button key={goal} look="tinted" onClick={() => onTell({ what: "goal", goal })}>
              {copy.goals[goal]}
            </Button>
          ))}
        </Options>
      ) : asks === "motivation" ? (
        <Options label={copy.motivationLabel} narrow>
          {MOTIVATIONS.map((motivation) => (
            <Button
              key={motivation}
              look="tinted"
              onClick={() => onTell({ what: "motivation", motivation })}
            >
              {motivation}
            </Button>
          ))}
        </Options>
      ) : (
        <Options label={copy.log}>
          <Button icon="bag" onClick={props.onOpen}>
            {copy.open}
          </Button>
          <Button look="plain" onClick={props.onAgain}>
            {copy.again}
          </Button>
        </Options>
      )}
    </div>
  );
}

function Options(props: { label: string; narrow?: boolean; children: ReactNode }) {
  return (
    // A fieldset would be named by a legend to be seen: the question above is that already.
    <div
      className={props.narrow ? styles.scale : styles.options}
      role="group"
      aria-label={props.label}
    >
      {props.children}
    </div>
  );
}

/** Enter sends; what is blank is not sent (B §2). */
function NameField({ onSend }: { onSend(name: string): void }) {
  const [name, setName] = useState("");
  return (
    <form
      className={styles.field}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onSend(name);
      }}
    >
      <input
        aria-label={copy.nameLabel}
        placeholder={copy.namePlaceholder}
        value={name}
        maxLength={TITLE_MAX}
        autoComplete="off"
        enterKeyHint="send"
        onChange={(event) => setName(event.target.value)}
      />
      <IconButton
        icon="send"
        label={copy.send}
        onClick={() => name.trim() !== "" && onSend(name)}
      />
    </form>
  );
}
