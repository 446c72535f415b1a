import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawings.tsx";
import styles from "./content.module.css";
import { Card, Text } from "./layout.tsx";

/** Nothing here yet: what it is, and what to do next. */
export function EmptyState(props: {
  drawing: DrawingName;
  title: string;
  text?: string;
  action?: ReactNode;
}) {
  return (
    <Card center gap={2}>
      <Drawing name={props.drawing} />
      <Text as="h2" size="heading">
        {props.title}
      </Text>
      {props.text ? <Text tone="soft">{props.text}</Text> : null}
      {props.action ? <div className={styles.action}>{props.action}</div> : null}
    </Card>
  );
}
