import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { SkeletonRows } from "./skeleton.tsx";

/** In the place of what a query has not brought: it is on its way, or a tap asks for it again. */
export function NotYet(props: {
  query: { readonly isError: boolean; refetch(): Promise<unknown> };
  copy: { readonly loading: string; readonly loadFailed: string; readonly retry: string };
  /** The shape of what is coming, where it is not a list. */
  children?: ReactNode;
  rows?: number;
}) {
  const { query, copy, children, rows = 4 } = props;
  if (!query.isError) return children ?? <SkeletonRows count={rows} label={copy.loading} />;
  return (
    <EmptyState
      drawing="broken"
      title={copy.loadFailed}
      action={<Button onClick={() => void query.refetch()}>{copy.retry}</Button>}
    />
  );
}
