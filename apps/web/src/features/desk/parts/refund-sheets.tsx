import type { DeskRefundAnswer, DeskRefundOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { TextField } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { buyersCopy } from "../buyers-copy.fr.ts";
import { useDeskWrite } from "../queries.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";

const copy = buyersCopy.refund;

type Verb = "take" | "paid" | "wrong-number";

function useRefundAct<B>(id: string, verb: Verb) {
  return useDeskWrite<B, DeskRefundAnswer>((body) => ({
    path: `/api/desk/refunds/${encodeURIComponent(id)}/${verb}`,
    method: "POST",
    body,
  }));
}

/** A quarter of an hour, so that two agents do not send the same money. */
export function useTakeRefund(id: string) {
  return useRefundAct<Record<string, never>>(id, "take");
}

type Props = { readonly refund: DeskRefundOnWire; onClose(): void };

export function PaidSheet({ refund, onClose }: Props) {
  const [reference, setReference] = useState("");
  const act = useRefundAct<{ reference: string }>(refund.id, "paid");
  return (
    <ActSheet
      title={copy.paidTitle}
      text={copy.paidText(formatFcfa(refund.amount), refund.numero_label ?? refund.numero ?? "")}
      confirm={copy.paidConfirm}
      act={act}
      body={{ reference: reference.trim() }}
      disabled={reference.trim() === ""}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={copy.reference}
        required
        value={reference}
        maxLength={60}
        onChange={setReference}
      />
    </ActSheet>
  );
}

export function WrongNumberSheet({ refund, onClose }: Props) {
  const [reason, setReason] = useState("");
  const act = useRefundAct<{ reason: string }>(refund.id, "wrong-number");
  return (
    <ActSheet
      title={copy.wrongTitle}
      text={copy.wrongText}
      confirm={copy.wrongConfirm}
      look="danger"
      act={act}
      body={{ reason: reason.trim() }}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <ReasonField label={copy.wrongReason} value={reason} onChange={setReason} />
    </ActSheet>
  );
}
