import { Button } from "./button.tsx";

/** What is needed of a query that comes page by page. */
type MorePages = {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
};

/** Under a list whose next page is not here yet. */
export function MoreButton({ pages, label }: { pages: MorePages; label: string }) {
  if (!pages.hasNextPage) return null;
  return (
    <Button
      look="tinted"
      busy={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
