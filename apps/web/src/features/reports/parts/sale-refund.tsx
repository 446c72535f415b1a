import type { TransactionOnWire } from "@sesame/contract/reports";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { read } from "../../../lib/read.ts";
import { RefundStatus } from "../../../lib/refund/refund-status.tsx";
import { Button } from "../../../kit/button.tsx";
import { Text } from "../../../kit/layout.tsx";
import { reportsCopy } from "../home-messages.fr.ts";

const copy = reportsCopy.details;

const RefundSheet = lazy(async () => ({
  default: (await import("../../../lib/refund/refund-sheet.tsx")).RefundSheet,
}));

/** Of a paid sale: giving it back, or where its refund and its claim stand. */
export function SaleRefund({ sale }: { sale: TransactionOnWire }) {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const told = sale.status === "success" || sale.status === "refunded";
  const order = useQuery({
    ...read("GET /api/orders/:id", { params: { id: sale.id } }),
    enabled: told,
  }).data;
  if (!told) return null;
  const claim = order?.claim;
  return (
    <>
      {order?.refund ? (
        <RefundStatus refund={order.refund} />
      ) : sale.status === "refunded" && !order ? (
        <Text tone="soft" center>
          {copy.refundLoading}
        </Text>
      ) : null}
      {claim ? (
        <Button look="tinted" onClick={() => navigate(`/reclamations/${claim.id}`)}>
          {copy.claim}
        </Button>
      ) : null}
      {order?.status === "paid" ? (
        <Button look="danger-tinted" onClick={() => setAsking(true)}>
          {copy.refund}
        </Button>
      ) : null}
      {asking ? (
        <Suspense>
          <RefundSheet sale={sale} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
