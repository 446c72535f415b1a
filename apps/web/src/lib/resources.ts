import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { askAnew, read, type ReadName, readPages } from "./read.ts";

/** The calls whose answers a push or a write makes stale. */
export const resources = {
  user: ["GET /api/users/:id"],
  channels: ["GET /api/channels", "GET /api/channels/reclaimable"],
  products: ["GET /api/products/seller/:id", "GET /api/shop"],
  transactions: [
    "GET /api/transactions",
    "GET /api/statistics",
    "GET /api/calendar",
    "GET /api/calendar/day",
  ],
  subscriptions: ["GET /api/subscriptions"],
  withdrawals: [
    "GET /api/users/retrait/limites",
    "GET /api/users/retrait/mes-demandes",
    "GET /api/users/retrait/:id",
    "GET /api/users/paiement",
  ],
  orders: ["GET /api/orders/:id", "GET /api/payment-providers", "GET /api/users/:id/abonnement"],
  complaints: ["GET /api/complaints", "GET /api/complaints/:id"],
  aggregators: ["GET /api/payment-aggregators", "GET /api/user-aggregators/:userId"],
  tickets: ["GET /api/support", "GET /api/support/tickets", "GET /api/support/tickets/:id"],
} as const satisfies Record<string, readonly ReadName[]>;

export type Resource = keyof typeof resources;
export const allResources = Object.keys(resources) as Resource[];

export function refreshResources(client: QueryClient, names: readonly Resource[]): Promise<void> {
  return askAnew(
    client,
    names.flatMap((name) => resources[name]),
  );
}

export function useRefresh(...names: readonly Resource[]): () => Promise<void> {
  const client = useQueryClient();
  return () => refreshResources(client, names);
}

// Queries of several screens.

export function userQuery(id: string) {
  return read("GET /api/users/:id", { params: { id }, pick: "user" });
}

export function productsQuery(id: string) {
  return read("GET /api/products/seller/:id", { params: { id }, isList: true });
}

export const channelsQuery = read("GET /api/channels", { pick: "channels" });
export const durationsQuery = {
  ...read("GET /api/config/subscription_durations", { isList: true }),
  staleTime: 300_000,
};

/** An operator may change the fee: the seller's form must not show an old one for long. */
export const plansQuery = { ...read("GET /api/plans"), staleTime: 30_000 };
export const botLinksQuery = { ...read("GET /api/bot/links"), staleTime: 300_000 };

// What home shows at once: it comes with the answer to the sign-in.

export const RECENT_SALES = 4;
export const recentSalesQuery = read("GET /api/transactions", {
  query: { limit: RECENT_SALES, type: "income" },
  pick: "transactions",
});

/** The newest come with the sign-in, and are shown until the server answers whether there are more. */
export const withdrawalsQuery = (status = "") => ({
  ...readPages("GET /api/users/retrait/mes-demandes", { query: { status } }),
  staleTime: 0,
});

/** How many complaints wait for the seller's answer. */
export const complaintsWaitingQuery = read("GET /api/complaints", {
  query: { limit: 1 },
  pick: "waiting",
});

/** Ways to reach people, and their hours: the back office opens and closes without anybody's action. */
export const supportQuery = { ...read("GET /api/support"), refetchInterval: 60_000 };
