import styles from "./states.module.css";
import type { UseQueryResult } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { RequestError } from "../../../lib/request.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { Page } from "../../../kit/page.tsx";
import { Skeleton, SkeletonRows } from "../../../kit/skeleton.tsx";
import { deskCopy as copy } from "../messages.fr.ts";
import type { ReactNode } from "react";

/** A screen on its way. */
export function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton width="55%" height="1.75rem" />
      <SkeletonRows count={5} label={copy.loading} />
    </div>
  );
}

export function LoadFailed({ error, onRetry }: { error: Error | null; onRetry(): void }) {
  return (
    <EmptyState
      drawing="broken"
      title={copy.loadFailed}
      text={error?.message ?? ""}
      action={<Button onClick={onRetry}>{copy.retry}</Button>}
    />
  );
}

/** One thing of the desk: shown, on its way, failed, or none of that number. */
export function One<T>(props: {
  query: Pick<UseQueryResult<T>, "data" | "error" | "isError" | "refetch">;
  title: string;
  missing: string;
  missingText?: string;
  back?: { readonly label: string; readonly href: string };
  children(thing: T): ReactNode;
}) {
  const { query, missing, missingText = "", back } = props;
  const [, navigate] = useLocation();
  if (query.data) return props.children(query.data);
  if (!query.isError) return <Waiting />;
  if (!(query.error instanceof RequestError) || query.error.status !== 404) {
    return (
      <Page title={props.title}>
        <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={missing}>
      <EmptyState
        drawing="search"
        title={missing}
        text={missingText}
        action={
          back ? <Button onClick={() => navigate(back.href)}>{back.label}</Button> : undefined
        }
      />
    </Page>
  );
}

/** Beside a list, on a desktop, before anything was chosen in it. */
export function NothingChosen({ title }: { title: string }) {
  return (
    <div className={styles.nothing}>
      <EmptyState drawing="receipt" title={title} />
    </div>
  );
}

export function OperatorOnly() {
  return (
    <Page title={copy.tabs.settings}>
      <EmptyState drawing="door" title={copy.operatorOnly.title} text={copy.operatorOnly.text} />
    </Page>
  );
}
