import { type QueryClient, type QueryKey, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { setTokenSource } from "../lib/api.ts";
import { createQueryClient } from "../lib/read.ts";
import { channelsQuery, productsQuery, userQuery, withdrawalsQuery } from "../lib/resources.ts";
import { setSession } from "../lib/session.ts";

/** The cache's keys of seller 7's data. */
export const keys = {
  user: userQuery("7").queryKey,
  channels: channelsQuery.queryKey,
  products: productsQuery("7").queryKey,
  withdrawals: withdrawalsQuery().queryKey,
};

type Options = {
  readonly offline?: boolean;
  /** What the cache holds before the screen is mounted. */
  readonly known?: readonly (readonly [key: QueryKey, value: unknown])[];
};

/** A seller's screen, signed in as 7 unless `offline`. */
export function renderScreen(screen: ReactNode, options: Options = {}): QueryClient {
  const savedAt = "2026-11-20T10:00:00.000Z";
  setSession(
    options.offline
      ? { at: "offline", userId: "7", savedAt }
      : { at: "live", userId: "7", token: "t0k" },
  );
  const token = options.offline ? null : "t0k";
  setTokenSource({ current: () => token, renew: async () => null });
  const client = createQueryClient();
  for (const [key, value] of options.known ?? []) client.setQueryData(key, value);
  render(<QueryClientProvider client={client}>{screen}</QueryClientProvider>);
  return client;
}
