import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import type { ReactNode } from "react";
import { ToastPlace } from "../kit/toast.tsx";
import { setTokenSource } from "../lib/api.ts";
import * as queries from "../lib/resources.ts";
import { createQueryClient, read } from "../lib/read.ts";
import { setSession } from "../lib/session.ts";

/** The cache's keys of seller 7's data. */
export const keys = {
  user: queries.userQuery("7").queryKey,
  channels: queries.channelsQuery.queryKey,
  products: queries.productsQuery("7").queryKey,
  withdrawals: queries.withdrawalsQuery().queryKey,
  plans: queries.plansQuery.queryKey,
  durations: queries.durationsQuery.queryKey,
  developers: read("GET /api/developers").queryKey,
  providers: read("GET /api/payment-providers", { query: { plan: "payant" }, pick: "providers" })
    .queryKey,
};
export type Known = Partial<Record<keyof typeof keys, unknown>>;

type Options = {
  readonly offline?: boolean;
  /** What the cache holds before the screen is mounted. */
  readonly known?: Known;
};

/** As the server writes it into the page: what is particular to it. */
export function reportInstance(instance: object): void {
  const meta = document.createElement("meta");
  meta.name = "sesame-instance";
  meta.content = JSON.stringify(instance);
  document.head.append(meta);
}

/** Waits for a refusal in its place: a toast alone is none. */
export const findAlert = (words: string): Promise<void> =>
  waitFor(() =>
    expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toContain(words),
  );

/** A seller's screen, signed in as 7 unless `offline`; toasts stand over it. */
export function renderScreen(shown: ReactNode, options: Options = {}): QueryClient {
  const savedAt = "2026-11-20T10:00:00.000Z";
  setSession(
    options.offline
      ? { at: "offline", userId: "7", savedAt }
      : { at: "live", userId: "7", token: "t0k" },
  );
  const token = options.offline ? null : "t0k";
  setTokenSource({ current: () => token, renew: async () => null });
  const client = createQueryClient();
  for (const [name, value] of Object.entries(options.known ?? {})) {
    client.setQueryData<unknown>(keys[name as keyof Known], value);
  }
  render(
    <QueryClientProvider client={client}>
      {shown}
      <ToastPlace />
    </QueryClientProvider>,
  );
  return client;
}
