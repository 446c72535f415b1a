import type {
  LimitsAnswer,
  PayoutSettingsBody,
  WithdrawalStatus,
} from "@sesame/contract/withdrawals";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";
import type { Attempt } from "./outbox.ts";

/** B §7. */
const REQUEST_TIMEOUT_MS = 30_000;

export type StatusFilter = "all" | WithdrawalStatus;

export function limitsQuery() {
  return queryOptions({
    queryKey: [...keys.withdrawals, "limits"],
    queryFn: async () => {
      const answer = await call("GET /api/users/retrait/limites");
      return answered(isWhole(answer) ? answer : undefined);
    },
    staleTime: 0,
  });
}

function isWhole(answer: Partial<LimitsAnswer>): answer is LimitsAnswer {
  return Array.isArray(answer.methodes) && typeof answer.disponible === "number";
}

export function withdrawalsQuery(status: StatusFilter) {
  return infiniteQueryOptions({
    queryKey: [...keys.withdrawals, "list", status],
    queryFn: async ({ pageParam: cursor }) => {
      const query = { status: status === "all" ? "" : status, cursor };
      const answer = await call("GET /api/users/retrait/mes-demandes", { query });
      return {
        demandes: answered(answer.demandes),
        next_cursor: answer.next_cursor ?? null,
      };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.withdrawals, "one", id],
    queryFn: async () =>
      answered((await call("GET /api/users/retrait/:id", { params: { id } })).demande),
    staleTime: 0,
  });
}

export function payoutSettingsQuery() {
  return queryOptions({
    queryKey: [...keys.withdrawals, "settings"],
    queryFn: async () => answered((await call("GET /api/users/paiement")).paiement),
  });
}

/** Balances, requests and histories, asked anew after money moved. */
export function useRefreshMoney() {
  const client = useQueryClient();
  return useCallback(
    () =>
      Promise.all(
        [keys.withdrawals, keys.user, keys.transactions].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
    [client],
  );
}

/** The same single request however often it is sent: the attempt carries its key. */
export function useRequestWithdrawal() {
  const refresh = useRefreshMoney();
  return useMutation({
    mutationFn: ({ key, amount, method, phone, whatsapp }: Attempt) =>
      call("POST /api/users/retrait/demande", {
        key,
        withinMs: REQUEST_TIMEOUT_MS,
        body: {
          montant: amount,
          methode_paiement: method,
          numero_transfert: phone,
          numero_whatsapp: whatsapp,
        },
      }),
    // A refusal also tells that what the screen knew is old.
    onSettled: () => void refresh(),
  });
}

export function useCancelWithdrawal(id: string) {
  const refresh = useRefreshMoney();
  return useMutation({
    mutationFn: () => call("DELETE /api/users/retrait/annuler/:id", { params: { id } }),
    onSettled: () => void refresh(),
  });
}

export function useSavePayoutSettings() {
  const client = useQueryClient();
  const refresh = useRefreshMoney();
  return useMutation({
    mutationFn: (body: PayoutSettingsBody) => call("PUT /api/users/paiement/update", { body }),
    onSuccess: ({ paiement }) => {
      if (paiement) client.setQueryData(payoutSettingsQuery().queryKey, paiement);
    },
    onSettled: () => void refresh(),
  });
}
