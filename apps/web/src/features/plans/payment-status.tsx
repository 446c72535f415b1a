import type { OrderAnswer } from "@sesame/contract/checkout";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { read } from "../../lib/read.ts";
import { RequestError } from "../../lib/request.ts";
import { useRefreshAll } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../kit/button.tsx";
import { Stack } from "../../kit/layout.tsx";
import { ChangeProvider } from "./parts/change-provider.tsx";
import { OrderCard } from "./parts/order-card.tsx";
import { StatusCard } from "./parts/status-card.tsx";
import { paymentCopy } from "./messages.fr.ts";

const copy = paymentCopy.status;

const NAMES = ["paymentId", "payment_id", "id", "transaction_id"] as const;

/**
 * The one status page, under each of its old addresses: what it says comes from the order, never
 * from the address (decision 54).
 */
export function PaymentStatus() {
  const query = new URLSearchParams(useSearch());
  const name = NAMES.map((each) => query.get(each)).find((value) => value?.trim());
  return (
    <Stack gap={4} page>
      {name ? <Named key={name} name={name.trim()} /> : <MissingId />}
    </Stack>
  );
}

function Named({ name }: { name: string }) {
  const isNumber = /^\d{1,18}$/.test(name);
  // Old links name a payment as its provider does: the server knows whose order it is.
  const order = useQuery({
    ...read("GET /api/payment/moneroo/verify/:paymentId", {
      params: { paymentId: name },
      pick: "payment",
    }),
    enabled: !isNumber,
  });
  const id = isNumber ? name : order.data?.id;
  if (id) return <Followed id={id} />;
  return order.isError ? (
    <NotVerified error={order.error} onRetry={() => void order.refetch()} />
  ) : (
    <Verifying />
  );
}

/** While nothing is decided: the realtime connection tells, and this asks all the same. */
const FAST_MS = 3_000;
const SLOW_MS = 15_000;
const FAST_ASKS = 60;

/** Pushed as it changes, asked again until it is decided (decision 54). */
function Followed({ id }: { id: string }) {
  const followed = useQuery({
    ...read("GET /api/orders/:id", { params: { id } }),
    staleTime: 0,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (isRefusal(state.error) || status === "refunded") return false;
      const decided = status === "paid" && state.data?.access?.status !== "waiting";
      return decided || state.dataUpdateCount > FAST_ASKS ? SLOW_MS : FAST_MS;
    },
  });
  const [changing, setChanging] = useState(false);
  const order = followed.data;
  useTellOnce(order);
  if (!order) {
    return followed.isError ? (
      <NotVerified error={followed.error} onRetry={() => void followed.refetch()} />
    ) : (
      <Verifying />
    );
  }
  return (
    <>
      <OrderCard order={order} late={followed.isError} onChange={() => setChanging(true)} />
      {changing ? <ChangeProvider order={order} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

/** What was bought changes the seller's account: all of it is asked anew, once. */
function useTellOnce(order: OrderAnswer | undefined): void {
  const refreshAll = useRefreshAll();
  const status = order?.status;
  useEffect(() => {
    if (status === "failed") haptic("error");
    if (status !== "paid") return;
    haptic("success");
    void refreshAll();
  }, [status, refreshAll]);
}

function Verifying() {
  return <StatusCard tone="wait" title={copy.verifying} text={copy.verifyingText} busy />;
}

/** The server said no: asking again changes nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500;
}

function NotVerified({ error, onRetry }: { error: Error; onRetry(): void }) {
  const [, navigate] = useLocation();
  if (isRefusal(error)) {
    return (
      <StatusCard tone="bad" title={copy.notFound} text={copy.notFoundText}>
        <Button onClick={() => navigate("/IndexEspace")}>{copy.home}</Button>
      </StatusCard>
    );
  }
  return (
    <StatusCard tone="bad" title={copy.errorTitle} text={copy.error}>
      <Button onClick={onRetry}>{copy.retry}</Button>
    </StatusCard>
  );
}

function MissingId() {
  const [, navigate] = useLocation();
  return (
    <StatusCard tone="bad" title={copy.missingId} text={copy.missingIdText}>
      <Button onClick={() => navigate("/Plans")}>{copy.plans}</Button>
      <Button look="plain" onClick={() => navigate("/IndexEspace")}>
        {copy.home}
      </Button>
    </StatusCard>
  );
}
