import { QueryClient } from "@tanstack/react-query";
import { isWorthAsking } from "./api.ts";

const READ_RETRIES = 3;
const FRESH_MS = 20_000;

/** Reads are retried with back-off; writes retry themselves under their key. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: Number.POSITIVE_INFINITY,
        retry: (count, error) => count < READ_RETRIES && isWorthAsking(error),
        retryDelay: (count) => Math.min(400 * 2 ** count, 4_000),
        refetchOnWindowFocus: true,
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
