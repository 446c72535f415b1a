import type { DeskRefundOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { TextField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";

const copy = buyersCopy.refund;

type Verb = "take" | "paid" | "wrong-number" | "returned" | "fee";

export function useRefundAct(id: string, verb: Verb) {
  return useDeskWrite(`POST /api/desk/refunds/:id/${verb}`, { params: { id } });
}

type Props = { readonly refund: DeskRefundOnWire; onClose(): void };

export function PaidSheet({ refund, onClose }: Props) {
  const [reference, setReference] = useState("");
  const act = useRefundAct(refund.id, "paid");
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
  const act = useRefundAct(refund.id, "wrong-number");
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

/** The provider is asked; only its yes ends the refund. */
export function ReturnedSheet({ refund, onClose }: Props) {
  const act = useRefundAct(refund.id, "returned");
  return (
    <ActSheet
      title={copy.returnedTitle}
      text={copy.returnedText(refund.provider_name)}
      confirm={copy.returnedConfirm}
      act={act}
      body={{}}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

export function FeeSheet({ refund, onClose }: Props) {
  const [fee, setFee] = useState("");
  const act = useRefundAct(refund.id, "fee");
  const digits = fee.replaceAll(/\s/g, "");
  return (
    <ActSheet
      title={copy.feeTitle}
      text={copy.feeText}
      confirm={copy.feeConfirm}
      act={act}
      body={{ montant: Number(digits) }}
      disabled={!/^\d{1,7}$/.test(digits)}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        label={copy.feeAmount}
        inputMode="numeric"
        required
        value={fee}
        maxLength={9}
        onChange={setFee}
      />
    </ActSheet>
  );
}
