import { useEffect, useState } from "react";
import { checkoutCopy } from "../features/checkout/copy.fr.ts";
import { type OrderState, stateOfOrder } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import styles from "../features/checkout/order-status.module.css";
import { readOrder } from "../features/checkout/queries.ts";
import { useOrder } from "../features/checkout/use-order.ts";
import type { Bridge } from "../telegram/bridge.ts";
import type { BuyerPage, BuyerView } from "./page.ts";
import { useBack } from "./use-back.ts";
import { openInTelegram, openOutside, useBridge } from "./use-bridge.ts";
import { withToken } from "./with-token.ts";

const copy = checkoutCopy.status;

export type OrderViewProps = {
  readonly page: BuyerPage;
  readonly orderId: string;
  readonly back: (() => void) | null;
  go(view: BuyerView): void;
};

/** The order seen by its buyer: true until its end, with the next step always at hand. */
export function OrderView({ orderId, back, go }: OrderViewProps) {
  const bridge = useBridge();
  useBack(bridge, back);
  const followed = useOrder({
    first: null,
    read: () => withToken((token) => readOrder(orderId, token)),
    stateOf: stateOfOrder,
  });
  const order = followed.order;
  const state: OrderState = order ? stateOfOrder(order) : { at: "pending" };
  useEffect(() => {
    if (state.at === "waiting" || state.at === "inside") bridge?.haptic("success");
    if (state.at === "failed") bridge?.haptic("error");
  }, [bridge, state.at]);

  const myAccesses: StatusAction = {
    label: copy.myAccesses,
    quiet: true,
    onPress: () => go({ at: "accesses" }),
  };
  const payAgain = (label: string, quiet: boolean): StatusAction[] =>
    order?.payment_url
      ? [{ label, quiet, onPress: () => openOutside(bridge, order.payment_url ?? "") }]
      : [];
  const actions = (): StatusAction[] => {
    switch (state.at) {
      case "pending":
        return [...payAgain(checkoutCopy.reopenPayment, true), myAccesses];
      case "waiting":
        return [
          { label: copy.join, onPress: () => openInTelegram(bridge, state.inviteLink) },
          myAccesses,
        ];
      case "failed":
        return back ? [{ label: copy.tryAgain, onPress: back }] : payAgain(copy.tryAgain, false);
      default:
        return [myAccesses];
    }
  };
  return (
    <OrderStatus
      state={state}
      facts={{ id: orderId, title: order?.title ?? "", amount: order?.amount ?? 0 }}
      actions={actions()}
      late={followed.late}
    >
      <WriteAccess bridge={bridge} needed={order?.bot_can_write === false} />
    </OrderStatus>
  );
}

/** Without write access the bot cannot send the receipt nor the link (decision 100). */
function WriteAccess({ bridge, needed }: { bridge: Bridge | null; needed: boolean }) {
  const [answer, setAnswer] = useState<"none" | "asking" | "allowed">("none");
  if (!bridge || !needed || answer === "allowed") return null;
  const ask = async () => {
    setAnswer("asking");
    setAnswer((await bridge.requestWriteAccess()) ? "allowed" : "none");
  };
  return (
    <section className={styles.invite}>
      <div>
        <h2>{copy.writeAccessTitle}</h2>
        <p>{copy.writeAccessText}</p>
      </div>
      <button type="button" className={styles.quiet} onClick={() => void ask()}>
        {copy.writeAccess}
      </button>
    </section>
  );
}
