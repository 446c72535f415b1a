import {
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { formatInstant } from "../lib/format.ts";
import { RequestError } from "../lib/request.ts";
import { useSession } from "../lib/session.ts";
import { Banner } from "./badge.tsx";
import { Button } from "./button.tsx";
import type { DrawingName } from "./drawings.tsx";
import { EmptyState, NotYet, type Words } from "./empty-state.tsx";
import { Stack } from "./layout.tsx";
import { kitCopy as copy } from "./messages.fr.ts";
import { Page } from "./page.tsx";
import { Waiting } from "./skeleton.tsx";

type Reading<T> = Pick<
  UseQueryResult<T>,
  "data" | "isError" | "error" | "dataUpdatedAt" | "refetch"
>;

/** Zero where no answer came. */
function statusOf(error: Error | null): number {
  return error instanceof RequestError ? error.status : 0;
}

/** Data stay on the screen while the network is gone: a banner shows their age, and a tap reads them again. */
export function Kept({ of }: { of: Reading<unknown> }) {
  // The sellers' app has a banner for this above every screen.
  const isSaid = useSession().at === "offline";
  if (isSaid || !of.isError || of.data === undefined) return null;
  const isAnswered = statusOf(of.error) > 0;
  const say = isAnswered ? copy.notRenewed : copy.old;
  return (
    <Banner
      tone="warning"
      icon={isAnswered ? "warning" : "offline"}
      action={
        <button type="button" onClick={() => void of.refetch()}>
          {copy.retry}
        </button>
      }
    >
      {say(formatInstant(new Date(of.dataUpdatedAt).toISOString()))}
    </Banner>
  );
}

/** Read again every so many milliseconds, and when the network is back. */
export function asked(every?: number) {
  return { refetchOnReconnect: "always", ...(every ? { refetchInterval: every } : {}) } as const;
}

/** In a page: the data of a query, with a banner when they are old; else a skeleton, or the error. */
export function Loaded<T>(props: { of: Reading<T>; children(thing: T): ReactNode }) {
  const { of } = props;
  if (of.data !== undefined) {
    return (
      <>
        <Kept of={of} />
        {props.children(of.data)}
      </>
    );
  }
  return <NotYet query={of} rows={5} />;
}

/** Nothing here yet, as data. */
export type Nothing = readonly [drawing: DrawingName, title: string, text?: string];

export function Empty({ of: [drawing, title, text = ""] }: { of: Nothing }) {
  return <EmptyState drawing={drawing} title={title} text={text} />;
}

/** `A`: the answer, where the thing is one part of it. */
type ReadOf<T, A = T> = UseQueryOptions<A, Error, T, QueryKey>;

/** A screen of one thing: shown, loading, failed, or not found. */
export function Screen<T, A = T>(props: {
  of: ReadOf<T | undefined, A>;
  /** The thing where it is known already, for example from a list. */
  known?: T | undefined;
  /** Milliseconds between two reads. */
  every?: number;
  /** Title of the screen while it loads, and when that failed. */
  title: string;
  words?: Words;
  missing: string;
  missingText?: string;
  back?: { readonly label: string; readonly href: string };
  /** `since`: when the thing was read, in milliseconds. */
  children(thing: T, since: number): ReactNode;
}) {
  const { words, missing, missingText = copy.nowhere, back } = props;
  const query = useQuery({ ...props.of, ...asked(props.every) });
  const [, navigate] = useLocation();
  // An id that can name nothing is answered with 400; one that is not in the list, with the list.
  const isGone = [400, 404].includes(statusOf(query.error));
  const thing = props.known ?? (isGone ? undefined : query.data);
  if (thing !== undefined) {
    return (
      <>
        {query.isError ? (
          <Stack page>
            <Kept of={query} />
          </Stack>
        ) : null}
        {props.children(thing, query.dataUpdatedAt)}
      </>
    );
  }
  if (query.isPending && !words) return <Waiting />;
  if (query.isPending || (query.isError && !isGone)) {
    return (
      <Page title={props.title}>
        <NotYet query={query} copy={words} />
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
