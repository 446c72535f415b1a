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
  readonly complaining: boolean;
  onChanged(): void;
  onComplaintClosed(): void;
};

const loadCare = () => import("../features/checkout/order-care.tsx");
const loadNumber = () => import("../features/checkout/refund-number.tsx");
const loadComplaint = () => import("../features/checkout/complaint-sheet.tsx");

/** Under the status: refund, complaint, and what the bot may not do yet. */
export function OrderParts(props: OrderPartsProps) {
  const { order, bridge, complaining, onChanged, onComplaintClosed } = props;
  const { refund } = order;
  const ofOrder = { id: order.id };
  const care = usePart(refund !== null || order.complaint !== null, loadCare);
  const number = usePart(refund?.status === "numero_attendu", loadNumber);
  const complaint = usePart(complaining, loadComplaint);
  const changed = (sent: Promise<unknown>) => sent.then(onChanged);
  return (
    <>
      {order.paid_twice && !refund ? <PaidTwice /> : null}
      {care ? (
        <care.OrderCare
          order={order}
          answer={(id, message) =>
            changed(call("POST /api/complaints/:id/answer", { params: { id }, body: { message } }))
          }
          withdraw={(id) =>
            changed(call("POST /api/complaints/:id/withdraw", { params: { id }, body: {} }))
          }
        >
          {number && refund?.status === "numero_attendu" ? (
            <number.RefundNumber
              send={(body) =>
                changed(call("POST /api/orders/:id/refund-number", { params: ofOrder, body }))
              }
            />
          ) : null}
        </care.OrderCare>
      ) : null}
      {complaint && complaining ? (
        <complaint.ComplaintSheet
          kinds={order.may_complain}
          send={(body) =>
            changed(call("POST /api/orders/:id/complaint", { params: ofOrder, body }))
          }
          onClose={onComplaintClosed}
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

/** An order was paid twice: the second payment is refunded. Shown to the buyer and to any visitor. */
export function PaidTwice() {
  return (
    <section className={styles.card}>
      <h2>{copy.twiceTitle}</h2>
      <p>{copy.twiceText}</p>
    </section>
  );
}
