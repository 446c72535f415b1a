import type { ReactNode } from "react";
import type { IconName } from "../../../kit/icons.tsx";
import { Arch, Card, Stack, Text } from "../../../kit/layout.tsx";

export type StatusTone = "wait" | "good" | "bad" | "calm";

const ICONS: Readonly<Record<StatusTone, IconName>> = {
  wait: "clock",
  good: "check",
  bad: "close",
  calm: "info",
};

const TONES = { wait: undefined, good: undefined, bad: "brick", calm: "soft" } as const;

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
    <Card as="section" gap={4} center aria-busy={props.busy || undefined}>
      <Arch icon={ICONS[props.tone]} tone={TONES[props.tone]} busy={props.busy} large />
      <div role="status">
        <Text as="h1" size="title" center>
          {props.title}
        </Text>
        <Text tone="soft" center>
          {props.text}
        </Text>
        {props.note ? (
          <Text size="small" tone="soft" center>
            {props.note}
          </Text>
        ) : null}
      </div>
      <Stack>{props.children}</Stack>
    </Card>
  );
}
