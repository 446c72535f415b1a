import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { BotLinksAnswer, ChannelOnWire, ChannelsAnswer } from "@sesame/contract/groups";
import type { UserAnswer, UserOnWire } from "@sesame/contract/identity";
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
  return queryOptions<UserOnWire>({
    queryKey: keys.user,
    queryFn: async () => answered((await call<Partial<UserAnswer>>(`/api/users/${id}`)).user),
  });
}

export function channelsQuery() {
  return queryOptions<ChannelOnWire[]>({
    queryKey: keys.channels,
    queryFn: async () => answered((await call<Partial<ChannelsAnswer>>("/api/channels")).channels),
  });
}

export function productsQuery(sellerId: string) {
  return queryOptions<ProductOnWire[]>({
    queryKey: keys.products,
    queryFn: async () => asList(await call<ProductOnWire[]>(`/api/products/seller/${sellerId}`)),
  });
}

export function durationsQuery() {
  return queryOptions<DurationOnWire[]>({
    queryKey: ["durations"],
    queryFn: async () => asList(await call<DurationOnWire[]>("/api/config/subscription_durations")),
    staleTime: 300_000,
  });
}

export function plansQuery() {
  return queryOptions<PlansAnswer>({
    queryKey: ["plans"],
    queryFn: () => call<PlansAnswer>("/api/plans"),
    // The fee may be changed by an operator: the seller's form must not show an old one for long.
    staleTime: 30_000,
  });
}

/** How many claims wait for the seller's answer. */
export function claimsWaitingQuery() {
  return queryOptions<number>({
    queryKey: claimsWaitingKey,
    queryFn: async () => (await call<{ waiting?: number }>("/api/claims?limit=1")).waiting ?? 0,
  });
}

export function botLinksQuery() {
  return queryOptions<BotLinksAnswer>({
    queryKey: ["bot-links"],
    queryFn: () => call<BotLinksAnswer>("/api/bot/links"),
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

function asList<T>(value: T[]): T[] {
  return answered(Array.isArray(value) ? value : undefined);
}
