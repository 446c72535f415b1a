import { useEffect } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { stateOfReturn } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import { useOrder } from "../features/checkout/use-order.ts";
import { ask } from "../lib/request.ts";
import { PaidTwice } from "./order-view.tsx";
import type { BuyerView } from "./page.ts";
import { real } from "./session.ts";
import { openPaymentPage } from "./use-bridge.ts";

/** The provider sends the buyer here, in any browser: the page shows the order's status, never the invite link. */
export function ReturnView({ secret, order: first }: Extract<BuyerView, { at: "return" }>) {
  const { order, late, again } = useOrder({
    first,
    read: async () => real(await ask("GET /api/orders/by-secret/:secret", { params: { secret } })),
    stateOf: stateOfReturn,
  });
  useEffect(() => {
    // What the provider added to the address is read, and removed.
    const transactionId = new URLSearchParams(location.search).get("transaction_id");
    if (location.search) history.replaceState(null, "", location.pathname + location.hash);
    if (!transactionId) return;
    // Only a report: the server asks the provider about it.
    const body = { transaction_id: transactionId };
    ask("POST /api/payments/:secret/reported-transactions", { params: { secret }, body }).then(
      again,
      () => {},
    );
  }, [secret, again]);
  const shown = order ?? first;
  const url = shown.payment_url;
  const actions: StatusAction[] = [
    {
      label: checkoutCopy.status.backToTelegram,
      onPress: () => window.location.assign(shown.bot_url),
    },
  ];
  if (url !== null) {
    actions.push({
      label: checkoutCopy.reopenPayment,
      quiet: true,
      onPress: () => void openPaymentPage(shown.opens, url),
    });
  }
  return (
    <OrderStatus
      state={stateOfReturn(shown)}
      facts={{ id: shown.id, title: shown.title, amount: shown.amount }}
      actions={actions}
      late={late}
    >
      {shown.paid_twice ? <PaidTwice /> : null}
    </OrderStatus>
  );
}
