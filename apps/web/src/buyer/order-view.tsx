import { useEffect, useState } from "react";
import { checkoutCopy } from "../features/checkout/copy.fr.ts";
import { type OrderState, stateOfOrder } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import styles from "../features/checkout/order-status.module.css";
import { readOrder } from "../features/checkout/queries.ts";
import { useOrder } from "../features/checkout/use-order.ts";
import type { Bridge } from "../telegram/bridge.ts";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { RequestError } from "../lib/request.ts";
import { type BuyerPage, type BuyerView, botLink } from "./page.ts";
import { openProduct } from "./open-product.ts";
import { useBack } from "./use-back.ts";
import { openInTelegram, openOutside, useBridge } from "./use-bridge.ts";
import { OutsideTelegram, withToken } from "./with-token.ts";

const copy = checkoutCopy.status;

export type OrderViewProps = {
  readonly page: BuyerPage;
  readonly orderId: string;
  readonly back: (() => void) | null;
  go(view: BuyerView): void;
};

/** The order seen by its buyer: true until its end, with the next step always at hand. */
export function OrderView({ page, orderId, back, go }: OrderViewProps) {
  const bridge = useBridge();
  useBack(bridge, back);
  const followed = useOrder({
    first: null,
    read: () => withToken((token) => readOrder(orderId, token)),
    stateOf: stateOfOrder,
  });
  const order = followed.order;
  const state: OrderState = order ? stateOfOrder(order) : { at: "loading" };
  useEffect(() => {
    if (state.at === "waiting" || state.at === "inside") bridge?.haptic("success");
    if (state.at === "failed") bridge?.haptic("error");
  }, [bridge, state.at]);

  if (!order && !isPassing(followed.failure)) {
    return <NoOrder failure={followed.failure} botLink={botLink(page)} />;
  }
  const myAccesses: StatusAction = {
    label: copy.myAccesses,
    quiet: true,
    onPress: () => go({ at: "accesses" }),
  };
  const reopenPayment = (url: string): StatusAction => ({
    label: checkoutCopy.reopenPayment,
    quiet: true,
    onPress: () => void openOutside(url),
  });
  const buyAgain = (label: string, reference: string): StatusAction => ({
    label,
    onPress: back ?? (() => openProduct(reference)),
  });
  const actions = (): StatusAction[] => {
    switch (state.at) {
      case "pending":
        return order?.payment_url ? [reopenPayment(order.payment_url), myAccesses] : [myAccesses];
      case "waiting":
        return [
          { label: copy.join, onPress: () => void openInTelegram(state.inviteLink) },
          myAccesses,
        ];
      case "failed":
        return order?.reference ? [buyAgain(copy.tryAgain, order.reference)] : [];
      case "ended":
        return order?.reference
          ? [buyAgain(checkoutCopy.renew, order.reference), myAccesses]
          : [myAccesses];
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

/** An outage passes; a no stays. */
function isPassing(failure: unknown): boolean {
  if (failure instanceof OutsideTelegram) return false;
  return !(failure instanceof RequestError && [401, 403, 404].includes(failure.status));
}

function NoOrder({ failure, botLink: link }: { failure: unknown; botLink: string | null }) {
  const outside = failure instanceof OutsideTelegram;
  return (
    <NoticePage
      title={outside ? checkoutCopy.insideOnlyTitle : checkoutCopy.orderMissingTitle}
      text={outside ? checkoutCopy.insideOnlyText : checkoutCopy.orderMissingText}
      botLink={link}
    />
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
