import type { OrderAnswer } from "@sesame/contract/checkout";
import { useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import styles from "../kit/buyer.module.css";
import type { Bridge } from "../telegram/bridge.ts";
import { usePart } from "./use-part.ts";
import { call } from "./session.ts";

const copy = checkoutCopy.status;

export type OrderPartsProps = {
  readonly order: OrderAnswer;
  readonly bridge: Bridge | null;
  readonly claiming: boolean;
  onChanged(): void;
  onClaimClosed(): void;
};

const loadCare = () => import("../features/checkout/order-care.tsx");

/** Under the status: refund, claim, and what the bot may not do yet. */
export function OrderParts(props: OrderPartsProps) {
  const { order, bridge, claiming, onChanged, onClaimClosed } = props;
  const { id } = order;
  const care = usePart(claiming || order.refund !== null || order.claim !== null, loadCare);
  const changed = async (sent: Promise<{ message: string }>): Promise<string> => {
    const { message } = await sent;
    onChanged();
    return message;
  };
  return (
    <>
      {order.paid_twice && !order.refund ? <PaidTwice /> : null}
      {care ? (
        <care.OrderCare
          order={order}
          calls={{
            sendNumber: (body) =>
              changed(call("POST /api/orders/:id/refund-number", { params: { id }, body })),
            answer: (claim, message) =>
              changed(
                call("POST /api/claims/:id/answer", { params: { id: claim }, body: { message } }),
              ),
            withdraw: (claim) =>
              changed(call("POST /api/claims/:id/withdraw", { params: { id: claim }, body: {} })),
          }}
        />
      ) : null}
      {care && claiming ? (
        <care.ClaimSheet
          kinds={order.may_claim}
          send={(body) => changed(call("POST /api/orders/:id/claim", { params: { id }, body }))}
          onClose={onClaimClosed}
        />
      ) : null}
      <WriteAccess bridge={bridge} needed={order.seller !== null && !order.bot_can_write} />
    </>
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
    <section className={styles.card}>
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

/** Two of an order's payments came through: the second one goes back, whoever reads this. */
export function PaidTwice() {
  return (
    <section className={styles.card}>
      <h2>{copy.twiceTitle}</h2>
      <p>{copy.twiceText}</p>
    </section>
  );
}
