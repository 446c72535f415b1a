import type { OrderBySecretAnswer } from "@sesame/contract/checkout";
import { checkoutCopy } from "../features/checkout/copy.fr.ts";
import { stateOfReturn } from "../features/checkout/order-state.ts";
import { OrderStatus } from "../features/checkout/order-status.tsx";
import { readOrderBySecret } from "../features/checkout/queries.ts";
import { useOrder } from "../features/checkout/use-order.ts";
import { type BuyerPage, botLink } from "./page.ts";

export type ReturnViewProps = {
  readonly page: BuyerPage;
  readonly secret: string;
  readonly first: OrderBySecretAnswer;
};

/** Where the provider sends the buyer back: any browser, the true status, never the link. */
export function ReturnView({ page, secret, first }: ReturnViewProps) {
  const { order, late } = useOrder({
    first,
    read: () => readOrderBySecret(secret),
    stateOf: stateOfReturn,
  });
  const shown = order ?? first;
  const link = botLink(page);
  return (
    <OrderStatus
      state={stateOfReturn(shown)}
      facts={{ id: shown.id, title: shown.title, amount: shown.amount }}
      actions={
        link
          ? [
              {
                label: checkoutCopy.status.backToTelegram,
                onPress: () => window.location.assign(link),
              },
            ]
          : []
      }
      late={late}
    />
  );
}
