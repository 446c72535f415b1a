import type { UserOnWire } from "@sesame/contract/identity";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import {
  allResources,
  channelsQuery,
  productsQuery,
  refreshResources,
  userQuery,
} from "./resources.ts";
import { useUserId } from "./session.ts";

/** The seller; undefined until known. */
export function useUser(): UserOnWire | undefined {
  const id = useUserId();
  return useQuery({ ...userQuery(id), enabled: id !== "" }).data;
}

export function useChannels() {
  return useQuery({ ...channelsQuery, enabled: useUserId() !== "" });
}

export function useProducts() {
  const id = useUserId();
  return useQuery({ ...productsQuery(id), enabled: id !== "" });
}

/** The full refresh of A §4: every query of the seller's screens, read again. */
export function useRefreshAll(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => refreshResources(client, allResources), [client]);
}
