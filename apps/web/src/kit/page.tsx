import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawings.tsx";
import { Stack, Text } from "./layout.tsx";
import { PullToRefresh } from "./pull-to-refresh.tsx";
import styles from "./content.module.css";

/** A screen: its title is the page's heading, its actions stand beside it. */
export function Page(props: {
  title: string;
  actions?: ReactNode;
  /** Above the title, e.g. a way back outside Telegram. */
  lead?: ReactNode;
  subtitle?: ReactNode;
  /** For lists that use the width of a desktop screen. */
  wide?: boolean;
  /** By a pull at its top. */
  refresh?(): Promise<unknown>;
  children: ReactNode;
}) {
  const page = (
    <Stack gap={5} page={props.wide ? "wide" : true}>
      {/* A picture above the title would stay in sight for nothing. */}
      <header data-settles={props.lead ? undefined : ""}>
        {props.lead}
        <div className={styles.top}>
          <Text as="h1" size="title">
            {props.title}
          </Text>
          {props.actions ? <div className={styles.actions}>{props.actions}</div> : null}
        </div>
        {props.subtitle ? <Text tone="soft">{props.subtitle}</Text> : null}
      </header>
      {props.children}
    </Stack>
  );
  return props.refresh ? <PullToRefresh onRefresh={props.refresh}>{page}</PullToRefresh> : page;
}

/** A whole page that says why nothing else can be shown, and what to do. */
export function Alone(props: {
  drawing: DrawingName;
  title: string;
  text: string;
  alert?: boolean;
  children?: ReactNode;
}) {
  return (
    <Stack as="main" gap={5} center page="alone">
      <Drawing name={props.drawing} size={140} />
      <Stack gap={2} role={props.alert ? "alert" : undefined}>
        <Text as="h1" size="title">
          {props.title}
        </Text>
        <Text tone="soft">{props.text}</Text>
      </Stack>
      {props.children}
    </Stack>
  );
}
