import { useQueryClient } from "@tanstack/react-query";
import { read } from "../../lib/read.ts";
import { useRefresh } from "../../lib/resources.ts";
import { useSend } from "../../lib/use-write.ts";

export const limitsQuery = { ...read("GET /api/users/retrait/limites"), staleTime: 0 };
export const payoutSettingsQuery = read("GET /api/users/paiement", { pick: "paiement" });

/** Balances, requests and histories, asked anew after money moved. */
export function useRefreshMoney() {
  return useRefresh("withdrawals", "user", "transactions");
}

export function useSavePayoutSettings() {
  const client = useQueryClient();
  const refresh = useRefreshMoney();
  return useSend("PUT /api/users/paiement/update", {
    onSuccess: ({ paiement }) => {
      if (paiement) client.setQueryData(payoutSettingsQuery.queryKey, paiement);
    },
    onSettled: () => void refresh(),
  });
}
