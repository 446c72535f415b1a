import {
  type LimitsAnswer,
  type PayoutSettingsAnswer,
  type PayoutSettingsBody,
  type PayoutSettingsOnWire,
  type WithdrawalAnswer,
  type WithdrawalOnWire,
  type WithdrawalStatus,
  type WithdrawalsAnswer,
} from "@sesame/contract/withdrawals";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback } from "react";
import { call, write } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";
import type { Attempt } from "./outbox.ts";

const BASE = "/api/users/retrait";
/** B §7. */
const REQUEST_TIMEOUT_MS = 30_000;

export type StatusFilter = "all" | WithdrawalStatus;

export function limitsQuery() {
  return queryOptions<LimitsAnswer>({
    queryKey: [...keys.withdrawals, "limits"],
    queryFn: async () => {
      const answer = await call<Partial<LimitsAnswer>>(`${BASE}/limites`);
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
    queryFn: async ({ pageParam }) => {
      const query = new URLSearchParams();
      if (status !== "all") query.set("status", status);
      if (pageParam) query.set("cursor", pageParam);
      const answer = await call<Partial<WithdrawalsAnswer>>(`${BASE}/mes-demandes?${query}`);
      return {
        demandes: answered(answer.demandes),
        next_cursor: answer.next_cursor ?? null,
      };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions<WithdrawalOnWire>({
    queryKey: [...keys.withdrawals, "one", id],
    queryFn: async () =>
      answered(
        (await call<Partial<WithdrawalAnswer>>(`${BASE}/${encodeURIComponent(id)}`)).demande,
      ),
    staleTime: 0,
  });
}

export function payoutSettingsQuery() {
  return queryOptions<PayoutSettingsOnWire>({
    queryKey: [...keys.withdrawals, "settings"],
    queryFn: async () =>
      answered((await call<Partial<PayoutSettingsAnswer>>("/api/users/paiement")).paiement),
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
      write<WithdrawalAnswer>(`${BASE}/demande`, {
        method: "POST",
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
    mutationFn: () =>
      write<WithdrawalAnswer>(`${BASE}/annuler/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSettled: () => void refresh(),
  });
}

export function useSavePayoutSettings() {
  const client = useQueryClient();
  const refresh = useRefreshMoney();
  return useMutation({
    mutationFn: (body: PayoutSettingsBody) =>
      write<PayoutSettingsAnswer>("/api/users/paiement/update", { method: "PUT", body }),
    onSuccess: ({ paiement }) => {
      if (paiement) client.setQueryData(payoutSettingsQuery().queryKey, paiement);
    },
    onSettled: () => void refresh(),
  });
}
