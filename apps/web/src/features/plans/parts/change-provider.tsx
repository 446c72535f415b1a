import type { OrderAnswer } from "@sesame/contract/checkout";
import { useQuery } from "@tanstack/react-query";
import { useRefresh } from "../../../lib/resources.ts";
import { Button } from "../../../kit/button.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { paymentCopy } from "../messages.fr.ts";
import { PaymentFields, providersQuery } from "./payment-fields.tsx";

const { selector, status: copy } = paymentCopy;

/** The same order, by another provider or by the same once more: it is never paid twice. */
export function ChangeProvider({ order, onClose }: { order: OrderAnswer; onClose(): void }) {
  const refreshOrders = useRefresh("orders");
  const subject = order.reference ? { reference: order.reference } : ({ plan: "payant" } as const);
  const providers = useQuery(providersQuery(subject));
  return (
    <Sheet title={copy.changeTitle} onClose={onClose}>
      <Stack gap={4}>
        {order.status === "pending" ? (
          <Text size="small" tone="soft" center>
            {copy.changeText}
          </Text>
        ) : null}
        {providers.data ? (
          providers.data.length === 0 ? (
            <p role="alert">{selector.none}</p>
          ) : (
            <PaymentFields
              payable={{ order: order.id }}
              amount={order.amount}
              providers={providers.data}
              onOpened={() => {
                void refreshOrders();
                onClose();
              }}
            />
          )
        ) : providers.isError ? (
          <>
            <p role="alert">{selector.loadFailed}</p>
            <Button onClick={() => void providers.refetch()}>{selector.retry}</Button>
          </>
        ) : (
          <SkeletonRows count={3} label={selector.loading} />
        )}
        <Button look="plain" onClick={onClose}>
          {copy.close}
        </Button>
      </Stack>
    </Sheet>
  );
}
