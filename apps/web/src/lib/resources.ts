import type { AnswerOf } from "@sesame/contract/routes";
import type { PlansAnswer } from "@sesame/contract/plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { requestCopy } from "./request-messages.fr.ts";
import { RequestError } from "./request.ts";

// What several screens read: one key and one address for each, so that features share the cache
// and never meet.

export const keys = {
  user: ["user"],
  channels: ["channels"],
  products: ["products"],
  transactions: ["transactions"],
  subscriptions: ["subscriptions"],
  withdrawals: ["withdrawals"],
  orders: ["orders"],
  claims: ["claims"],
  aggregators: ["aggregators"],
  tickets: ["tickets"],
} as const;

/** What home shows at once: the start's answer brings them. */
export const recentKey = [...keys.transactions, "recent"];
export const claimsWaitingKey = [...keys.claims, "waiting"];

export function userQuery(id: string) {
  return queryOptions({
    queryKey: keys.user,
    queryFn: async () => answered((await call("GET /api/users/:id", { params: { id } })).user),
  });
}

export function channelsQuery() {
  return queryOptions({
    queryKey: keys.channels,
    queryFn: async () => answered((await call("GET /api/channels")).channels),
  });
}

export function productsQuery(id: string) {
  return queryOptions({
    queryKey: keys.products,
    queryFn: async () => asList(await call("GET /api/products/seller/:id", { params: { id } })),
  });
}

export function durationsQuery() {
  return queryOptions({
    queryKey: ["durations"],
    queryFn: async () => asList(await call("GET /api/config/subscription_durations")),
    staleTime: 300_000,
  });
}

export function plansQuery() {
  return queryOptions({
    queryKey: ["plans"],
    queryFn: async () => (await call("GET /api/plans")) as PlansAnswer,
    // The fee may be changed by an operator: the seller's form must not show an old one for long.
    staleTime: 30_000,
  });
}

/** How many claims wait for the seller's answer. */
export function claimsWaitingQuery() {
  return queryOptions({
    queryKey: claimsWaitingKey,
    queryFn: async () => (await call("GET /api/claims", { query: { limit: 1 } })).waiting ?? 0,
  });
}

export function botLinksQuery() {
  return queryOptions({
    queryKey: ["bot-links"],
    queryFn: async () => (await call("GET /api/bot/links")) as AnswerOf<"GET /api/bot/links">,
    staleTime: 300_000,
  });
}

/**
 * A read that was not JSON is an empty object (decision 91): what it should hold is absent, and the
 * screen keeps what it had.
 */
export function answered<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  throw new RequestError(requestCopy.unreadable, { status: 200, code: "unknown" });
}

/** The same of a whole answer, by a field that it always has. */
export function whole<T>(answer: Partial<T>, field: keyof T): T {
  answered(answer[field]);
  return answer as T;
}

function asList<T>(value: T[]): T[] {
  return answered(Array.isArray(value) ? value : undefined);
}
