import type { AnswerOf } from "@sesame/contract/routes";
import { useEffect } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { stateOfReturn } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import { useOrder } from "../features/checkout/use-order.ts";
import { ask } from "../lib/request.ts";
import { PaidTwice } from "./order-parts.tsx";
import { real } from "./session.ts";
import { openPaymentPage } from "./use-bridge.ts";

/** The provider sends the buyer here, in any browser: the page shows the order's status, never the invite link. */
export function ReturnView(props: {
  secret: string;
  first: AnswerOf<"GET /api/orders/by-secret/:secret">;
}) {
  const { secret, first } = props;
  const { order, late, again } = useOrder({
    first,
    read: async () => real(await ask("GET /api/orders/by-secret/:secret", { params: { secret } })),
    stateOf: stateOfReturn,
  });
  useEffect(() => {
    const transactionId = takeQuery().get("transaction_id");
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
      onPress: () => void openPaymentPage(shown.opens ?? "page", url),
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

/** Reads what the provider added to the address, and removes it. */
function takeQuery(): URLSearchParams {
  const query = new URLSearchParams(location.search);
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  return query;
}
