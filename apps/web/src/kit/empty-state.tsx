import { Button } from "./button.tsx";
import { kitCopy } from "./messages.fr.ts";
import { SkeletonRows } from "./skeleton.tsx";
import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawings.tsx";
import styles from "./content.module.css";
import { Card, Text, Heading } from "./layout.tsx";

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
      <Heading>{props.title}</Heading>
      {props.text ? <Text tone="soft">{props.text}</Text> : null}
      {props.action ? <div className={styles.action}>{props.action}</div> : null}
    </Card>
  );
}

/** The sentences of a screen while it loads, and when it failed. */
export type Words = {
  readonly loading: string;
  readonly loadFailed: string;
  readonly more?: string;
};

/** In the place of a query's data: a skeleton while it loads; an error, and a button to try again. */
export function NotYet(props: {
  query: { readonly isError: boolean; readonly error?: Error | null; refetch(): Promise<unknown> };
  copy?: Omit<Words, "more"> | undefined;
  rows?: number;
}) {
  const { query, copy, rows = 4 } = props;
  if (!query.isError) {
    return <SkeletonRows count={rows} label={copy?.loading ?? kitCopy.loading} />;
  }
  return (
    <Failed
      title={copy?.loadFailed ?? kitCopy.failed}
      text={copy ? "" : (query.error?.message ?? "")}
      onRetry={() => void query.refetch()}
    />
  );
}

export function Failed(props: { title: string; text?: string; onRetry(): void }) {
  const { onRetry, ...said } = props;
  const again = <Button onClick={onRetry}>{kitCopy.retry}</Button>;
  return <EmptyState drawing="broken" {...said} action={again} />;
}
