import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { kitCopy } from "./messages.fr.ts";
import { SkeletonRows } from "./skeleton.tsx";

/** In the place of what a query has not brought: it is on its way, or a tap asks for it again. */
export function NotYet(props: {
  query: { readonly isError: boolean; refetch(): Promise<unknown> };
  copy: { readonly loading: string; readonly loadFailed: string };
  /** The shape of what is coming, where it is not a list. */
  children?: ReactNode;
  rows?: number;
}) {
  const { query, copy, children, rows = 4 } = props;
  if (!query.isError) return children ?? <SkeletonRows count={rows} label={copy.loading} />;
  return <Failed title={copy.loadFailed} onRetry={() => void query.refetch()} />;
}

export function Failed(props: { title: string; text?: string; onRetry(): void }) {
  const { onRetry, ...said } = props;
  const again = <Button onClick={onRetry}>{kitCopy.retry}</Button>;
  return <EmptyState drawing="broken" {...said} action={again} />;
}
