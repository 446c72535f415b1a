import type { OrderAnswer } from "@sesame/contract/checkout";
import { useEffect, useRef, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { type OrderState, stateOfOrder } from "../features/checkout/order-state.ts";
import { OrderStatus } from "../features/checkout/order-status.tsx";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { useOrder } from "../features/checkout/use-order.ts";
import { RequestError } from "../lib/request.ts";
import { actionsOf } from "./order-actions.ts";
import { OrderParts } from "./order-parts.tsx";
import { rememberOrder } from "./last-order.ts";
import { botLink, type Place } from "./page.ts";
import { PayFlow } from "./pay-flow.tsx";
import { useBridge } from "./use-bridge.ts";
import { call, OutsideTelegram, real } from "./session.ts";

type OrderViewProps = Place & {
  /** The order's number; when `ours` is false, any identifier of its payment. */
  readonly name: string;
  readonly ours: boolean;
};

/** The order as its buyer sees it: its state until the end, and the next step. */
export function OrderView({ page, name, ours, back, go }: OrderViewProps) {
  const bridge = useBridge(back);
  const [open, setOpen] = useState<"none" | "payment" | "complaint">("none");
  const number = useRef(ours ? name : null);
  const { order, failure, late, again } = useOrder({
    first: null,
    read: async () => {
      const id = number.current;
      const found = real(
        await (id
          ? call("GET /api/orders/:id", { params: { id } })
          : // By our number or the provider's name for a payment (decision 57).
            call("POST /api/transactions", { body: { paymentId: name } })),
      );
      number.current = found.id;
      return found;
    },
    stateOf: stateOfOrder,
  });
  const state = stateNow(order, failure);
  useEffect(() => {
    if (state.at === "waiting" || state.at === "inside") bridge?.haptic("success");
    if (state.at === "failed") bridge?.haptic("error");
  }, [bridge, state.at]);

  if (!order && !isPassing(failure)) {
    const outside = failure instanceof OutsideTelegram;
    return (
      <NoticePage
        title={outside ? checkoutCopy.insideOnlyTitle : checkoutCopy.orderMissingTitle}
        text={outside ? checkoutCopy.insideOnlyText : checkoutCopy.orderMissingText}
        botLink={botLink(page)}
      />
    );
  }
  const close = () => setOpen("none");
  const actions = actionsOf(state, order, {
    go,
    back,
    again,
    choosePayment: () => setOpen("payment"),
    complain: () => setOpen("complaint"),
  });
  return (
    <>
      <OrderStatus
        state={state}
        facts={{ id: order?.id ?? "", title: order?.title ?? "", amount: order?.amount ?? 0 }}
        actions={actions}
        late={late}
      >
        {order ? (
          <OrderParts
            order={order}
            bridge={bridge}
            complaining={open === "complaint"}
            onChanged={again}
            onComplaintClosed={close}
          />
        ) : null}
      </OrderStatus>
      {order && open === "payment" ? (
        <PayFlow
          amount={order.amount}
          gift={order.kind === "donation"}
          reference={order.reference}
          providers={page.providers}
          made={order.id}
          onOpened={(orderId) => {
            if (order.reference) rememberOrder(order.reference, orderId);
            close();
            again();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

function stateNow(order: OrderAnswer | null, failure: unknown): OrderState {
  if (order) return stateOfOrder(order);
  return { at: failure === null ? "loading" : "error" };
}

/** An outage may end; a refusal does not change. */
function isPassing(failure: unknown): boolean {
  if (failure instanceof OutsideTelegram) return false;
  return !(failure instanceof RequestError && [401, 403, 404, 422].includes(failure.status));
}
