import type { ReactNode } from "react";
import { Icon, type IconName } from "../../../kit/icons.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Spinner } from "../../../kit/spinner.tsx";
import styles from "../payment.module.css";

export type StatusTone = "wait" | "good" | "bad" | "calm";

const ICONS: Readonly<Record<StatusTone, IconName>> = {
  wait: "clock",
  good: "check",
  bad: "close",
  calm: "info",
};

/** One true answer, and under it the next steps. */
export function StatusCard(props: {
  tone: StatusTone;
  title: string;
  text: string;
  /** Being asked for right now. */
  busy?: boolean;
  note?: string | null;
  children?: ReactNode;
}) {
  return (
    <section className={styles.status} aria-busy={props.busy || undefined}>
      <span className={styles.mark} data-tone={props.tone} aria-hidden="true">
        {props.busy ? <Spinner /> : <Icon name={ICONS[props.tone]} size={36} />}
      </span>
      <div role="status">
        <h1>{props.title}</h1>
        <p>{props.text}</p>
        {props.note ? <Text size="small">{props.note}</Text> : null}
      </div>
      <Stack>{props.children}</Stack>
    </section>
  );
}
