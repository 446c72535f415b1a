import type { OrderAnswer } from "@sesame/contract/checkout";
import { useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import styles from "../features/checkout/order-status.module.css";
import {
  answerClaim,
  openClaim,
  sendRefundNumber,
  withdrawClaim,
} from "../features/checkout/queries.ts";
import type { Bridge } from "../telegram/bridge.ts";
import { PaidTwice } from "./paid-twice.tsx";
import { usePart } from "./use-part.ts";
import { withToken } from "./with-token.ts";

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
  const changed = async (call: (token: string) => Promise<string>): Promise<string> => {
    const said = await withToken(call);
    onChanged();
    return said;
  };
  return (
    <>
      {order.paid_twice && !order.refund ? <PaidTwice /> : null}
      {care ? (
        <care.OrderCare
          order={order}
          calls={{
            sendNumber: (place) => changed((token) => sendRefundNumber(id, place, token)),
            answer: (claimId, message) => changed((token) => answerClaim(claimId, message, token)),
            withdraw: (claimId) => changed((token) => withdrawClaim(claimId, token)),
          }}
        />
      ) : null}
      {care && claiming ? (
        <care.ClaimSheet
          kinds={order.may_claim}
          send={(claim) => changed((token) => openClaim(id, claim, token))}
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
