import { type ReactNode, useRef, useState } from "react";
import { copyText } from "../../../lib/copy-text.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Grid, Stack } from "../../../kit/layout.tsx";
import { Section } from "../../../kit/section.tsx";
import { toast } from "../../../kit/toast.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../messages.fr.ts";

const copy = catalogueCopy.card;

/** A link to read and to copy: selected by hand where the clipboard is refused (A §8). */
export function LinkBox(props: {
  title: string;
  /** What the link is for; gives way to how to copy it by hand. */
  text: string;
  /** The field's name, as it is heard. */
  label: string;
  link: string;
  lead?: ReactNode;
  /** Beside the button that copies. */
  beside: ReactNode;
}) {
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copyLink = async () => {
    const copied = await copyText(props.link);
    setFailed(!copied);
    haptic(copied ? "success" : "warning");
    if (copied) toast(copy.copied);
    else field.current?.select();
  };
  return (
    <Section
      title={props.title}
      footer={failed ? <span role="alert">{copy.copyFailed}</span> : props.text}
    >
      <Stack pad>
        {props.lead}
        <input
          ref={field}
          className={styles.link}
          aria-label={props.label}
          value={props.link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Grid least="9.5rem">
          <Button icon="copy" look="tinted" onClick={() => void copyLink()}>
            {copy.copy}
          </Button>
          {props.beside}
        </Grid>
      </Stack>
    </Section>
  );
}
