import { type QueryKey, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "./button.tsx";
import type { DrawingName } from "./drawings.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Stack } from "./layout.tsx";
import { kitCopy as copy } from "./messages.fr.ts";
import { Page } from "./page.tsx";
import { Skeleton, SkeletonRows } from "./skeleton.tsx";

/** A screen on its way. */
export function Waiting() {
  return (
    <Stack gap={5} page>
      <Skeleton width="55%" height="1.75rem" />
      <SkeletonRows count={5} label={copy.loading} />
    </Stack>
  );
}

/** What a screen of its own says on its way, and when it failed. */
export type Words = {
  readonly loading: string;
  readonly loadFailed: string;
  readonly more?: string;
};

export function LoadFailed(props: {
  error: Error | null;
  words?: Words | undefined;
  onRetry(): void;
}) {
  const { error, words } = props;
  return (
    <EmptyState
      drawing="broken"
      title={words?.loadFailed ?? copy.failed}
      text={words ? "" : (error?.message ?? "")}
      action={<Button onClick={props.onRetry}>{copy.retry}</Button>}
    />
  );
}

/** Nothing here yet, as data. */
export type Nothing = readonly [drawing: DrawingName, title: string, text?: string];

export function Empty({ of: [drawing, title, text = ""] }: { of: Nothing }) {
  return <EmptyState drawing={drawing} title={title} text={text} />;
}

/** `A`: what is answered, where the thing is one of it. */
type ReadOf<T, A = T> = UseQueryOptions<A, Error, T, QueryKey>;

/** A screen of one thing: shown, on its way, failed, or none of that name. */
export function Screen<T, A = T>(props: {
  of: ReadOf<T | undefined, A>;
  /** It is there without being asked for, e.g. in a list. */
  known?: T | undefined;
  /** Asked again after so many milliseconds. */
  every?: number;
  /** Of the screen that failed to load. */
  title: string;
  words?: Words;
  missing: string;
  missingText?: string;
  back?: { readonly label: string; readonly href: string };
  /** `since`: when the thing was read, in milliseconds. */
  children(thing: T, since: number): ReactNode;
}) {
  const { words, missing, missingText = "", back } = props;
  const query = useQuery({ ...props.of, ...(props.every ? { refetchInterval: props.every } : {}) });
  const [, navigate] = useLocation();
  const thing = props.known ?? query.data;
  if (thing !== undefined) return props.children(thing, query.dataUpdatedAt);
  if (query.isPending && !words) return <Waiting />;
  const status = query.error && "status" in query.error ? query.error.status : 0;
  // What names nothing that could be is answered with 400; what is not in its list, with the list.
  if (query.isPending || (query.isError && status !== 404 && status !== 400)) {
    return (
      <Page title={props.title}>
        {query.error || !words ? (
          <LoadFailed error={query.error} words={words} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonRows count={4} label={words.loading} />
        )}
      </Page>
    );
  }
  return (
    <Page title={missing}>
      <EmptyState
        drawing="search"
        title={missingText}
        action={
          back ? <Button onClick={() => navigate(back.href)}>{back.label}</Button> : undefined
        }
      />
    </Page>
  );
}
