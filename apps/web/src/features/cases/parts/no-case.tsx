import type { UseQueryResult } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { RequestError } from "../../../lib/request.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { Page } from "../../../kit/page.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import type { claimsCopy, supportCopy } from "../messages.fr.ts";

/** A case's page before there is one to show: on its way, failed, or not the reader's. */
export function NoCase(props: {
  query: UseQueryResult<unknown>;
  copy: typeof claimsCopy | typeof supportCopy;
  /** Where the others are. */
  list: string;
}) {
  const { query, copy, list } = props;
  const [, navigate] = useLocation();
  const missing = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page title={missing ? copy.missing : copy.title}>
      {missing ? (
        <EmptyState
          drawing="search"
          title={copy.missing}
          text={copy.missingText}
          action={<Button onClick={() => navigate(list)}>{copy.back}</Button>}
        />
      ) : query.isError ? (
        <LoadFailed copy={copy} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRows count={4} label={copy.loading} />
      )}
    </Page>
  );
}

export function LoadFailed(props: {
  copy: { loadFailed: string; retry: string };
  onRetry(): void;
}) {
  return (
    <EmptyState
      drawing="broken"
      title={props.copy.loadFailed}
      action={<Button onClick={props.onRetry}>{props.copy.retry}</Button>}
    />
  );
}
