import type { ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { deskCopy } from "../copy.fr.ts";
import { LoadFailed } from "./states.tsx";

/** What a list needs of a query that comes page by page. */
type Pages = {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  refetch(): Promise<unknown>;
  fetchNextPage(): Promise<unknown>;
};

export type PagedListProps<T> = {
  readonly pages: Pages;
  readonly items: readonly T[];
  /** Shown in place of a list without an item. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
};

/** A list of the desk in each of its states: on its way, failed, empty, shown, with more to come. */
export function PagedList<T>({ pages, items, empty, children }: PagedListProps<T>) {
  if (pages.isPending) return <SkeletonRows count={4} label={deskCopy.loading} />;
  if (pages.isError && items.length === 0) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  return (
    <>
      {items.length === 0 ? empty : children}
      {pages.hasNextPage ? (
        <Button
          look="tinted"
          busy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {deskCopy.more}
        </Button>
      ) : null}
    </>
  );
}
