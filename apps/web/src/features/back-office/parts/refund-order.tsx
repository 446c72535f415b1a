import type { DeskOrderOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { Banner } from "../../../kit/banner.tsx";
import { toast } from "../../../kit/toast.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";

const copy = buyersCopy.sheet;

export function RefundOrderSheet({ order, onClose }: { order: DeskOrderOnWire; onClose(): void }) {
  const [reason, setReason] = useState("");
  const act = useDeskWrite("POST /api/desk/orders/:id/refund", { params: { id: order.id } });
  const lacking =
    order.direct || order.seller_available === null
      ? 0
      : Math.max(0, order.net - order.seller_available);
  return (
    <ActSheet
      title={copy.refundTitle}
      text={
        order.taken_back
          ? copy.takenBackText(order.provider_name, order.kind)
          : copy.refundText(formatFcfa(order.amount), order.kind)
      }
      confirm={copy.refund}
      look="danger"
      act={act}
      body={{ reason: reason.trim() }}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      {lacking > 0 ? (
        <Banner tone="warning" icon="warning">
          {copy.advance(formatFcfa(lacking))}
        </Banner>
      ) : null}
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
    </ActSheet>
  );
}
