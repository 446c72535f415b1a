import type { DurationOnWire, ProductOnWire } from "@sesame/contract/catalogue";
import type { BotLinksAnswer, ChannelOnWire, ChannelsAnswer } from "@sesame/contract/groups";
import type { UserAnswer, UserOnWire } from "@sesame/contract/identity";
import type { PlansAnswer } from "@sesame/contract/plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";

// What several screens read: one key and one address for each, so that features share the cache
// and never meet.

export const keys = {
  user: ["user"],
  channels: ["channels"],
  products: ["products"],
  transactions: ["transactions"],
  subscriptions: ["subscriptions"],
} as const;

export function userQuery(id: string) {
  return queryOptions<UserOnWire>({
    queryKey: keys.user,
    queryFn: async () => (await call<UserAnswer>(`/api/users/${id}`)).user,
  });
}

export function channelsQuery() {
  return queryOptions<ChannelOnWire[]>({
    queryKey: keys.channels,
    queryFn: async () => (await call<ChannelsAnswer>("/api/channels")).channels,
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
    staleTime: 300_000,
  });
}

export function botLinksQuery() {
  return queryOptions<BotLinksAnswer>({
    queryKey: ["bot-links"],
    queryFn: () => call<BotLinksAnswer>("/api/bot/links"),
    staleTime: 300_000,
  });
}

/** A read that was not JSON is an empty object (decision 91): no list. */
function asList<T>(value: T[]): T[] {
  return Array.isArray(value) ? value : [];
}
