import type { OrderAnswer } from "@sesame/contract/checkout";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useRefreshAll } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeProvider } from "./parts/change-provider.tsx";
import { OrderCard } from "./parts/order-card.tsx";
import { StatusCard } from "./parts/status-card.tsx";
import { paymentCopy } from "./messages.fr.ts";
import styles from "./payment.module.css";
import { followedOrderQuery, isRefusal, orderNamedQuery } from "./payment-queries.ts";

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
    <div className={styles.place}>
      {name ? <Named key={name} name={name.trim()} /> : <MissingId />}
    </div>
  );
}

function Named({ name }: { name: string }) {
  const order = useQuery(orderNamedQuery(name));
  if (order.data) return <Followed id={order.data} />;
  return order.isError ? (
    <NotVerified error={order.error} onRetry={() => void order.refetch()} />
  ) : (
    <Verifying />
  );
}

function Followed({ id }: { id: string }) {
  const followed = useQuery(followedOrderQuery(id));
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
