import { BYTE_ORDER_MARK } from "@sesame/contract/csv";
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { readFile } from "../lib/api.ts";
import { offerFile } from "../lib/offer-file.ts";
import { sayError } from "../lib/request.ts";
import { Button, TintedButton, useBusy } from "./button.tsx";
import { Empty, Kept, type Nothing, NotYet, type Words } from "./screen.tsx";
import { kitCopy as copy } from "./messages.fr.ts";
import { toast } from "./toast.tsx";

export type PagesOf<P> = UseInfiniteQueryOptions<P, Error, InfiniteData<P>, QueryKey, string>;
/** A page of a list, as the server answers it. */
export type PageAnswer = { readonly next_cursor: string | null };

/** What the list knows beside its items: the first page, and its age. */
export type PagedState<P> = {
  readonly first: P;
  /** When the pages were read, in milliseconds. */
  readonly since: number;
  /** Of another query: the answer to this one is on its way. */
  readonly old: boolean;
};

/** A list that comes page by page: loading, failed, empty, shown, with more to come. */
export function Paged<P extends PageAnswer, T>(props: {
  of: PagesOf<P>;
  rows(page: P): readonly T[];
  /** Milliseconds between two reads. */
  every?: number;
  words?: Words;
  empty: Nothing | ReactNode;
  /** Above and below the list, even when it is empty. */
  head?(state: PagedState<P>): ReactNode;
  foot?(state: PagedState<P>): ReactNode;
  children(items: readonly T[], state: PagedState<P>): ReactNode;
}) {
  const pages = useInfiniteQuery({
    ...props.of,
    refetchInterval: props.every ?? false,
    placeholderData: keepPreviousData,
  });
  const items = pages.data?.pages.flatMap(props.rows) ?? [];
  const first = pages.data?.pages[0];
  // Another list that was empty proves nothing about this one.
  if (!first || (pages.isPlaceholderData && items.length === 0)) {
    return <NotYet query={pages} copy={props.words} rows={5} />;
  }
  const state: PagedState<P> = {
    first,
    since: pages.dataUpdatedAt,
    old: pages.isPlaceholderData,
  };
  return (
    <>
      <Kept of={pages} />
      {props.head?.(state)}
      {items.length > 0 ? (
        props.children(items, state)
      ) : isNothing(props.empty) ? (
        <Empty of={props.empty} />
      ) : (
        props.empty
      )}
      {pages.hasNextPage ? (
        <TintedButton busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {props.words?.more ?? copy.more}
        </TintedButton>
      ) : null}
      {props.foot?.(state)}
    </>
  );
}

function isNothing(empty: Nothing | ReactNode): empty is Nothing {
  return Array.isArray(empty);
}

/** → whether `run` is under way, and what starts it; a toast when it fails: `failed`, or the error's words. */
export function useAsking(run: () => Promise<unknown>, failed?: string) {
  const sayNo = (error: unknown) => toast(failed ?? sayError(error, copy.failed), "bad");
  return useBusy(() => run().catch(sayNo));
}

/** Offers a list of the server as a file; a toast when it cannot be made. `of`: its address, or its text. */
export function ExportButton(props: {
  of: string | (() => Promise<string>);
  name: string;
  look?: "plain";
  words?: { readonly export: string; readonly exportFailed: string };
}) {
  const { of, name, words } = props;
  const [busy, run] = useAsking(async () => {
    const text = typeof of === "string" ? await readFile(of) : await of();
    // Reading as text drops the mark by which spreadsheets know UTF-8.
    await offerFile(name, text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text);
  }, words?.exportFailed ?? copy.exportFailed);
  return (
    <Button look={props.look ?? "tinted"} icon="arrowIn" busy={busy} onClick={run}>
      {words?.export ?? copy.exportCsv}
    </Button>
  );
}
