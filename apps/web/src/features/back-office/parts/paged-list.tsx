import type { ReactNode } from "react";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { MoreButton, type MorePages } from "../../../kit/more-button.tsx";
import { deskCopy } from "../messages.fr.ts";
import { LoadFailed } from "./states.tsx";

/** What a list needs of a query that comes page by page. */
export type Pages = MorePages & {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: Error | null;
  refetch(): Promise<unknown>;
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
      <MoreButton pages={pages} label={deskCopy.more} />
    </>
  );
}
