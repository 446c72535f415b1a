import type { ClaimOnWire } from "@sesame/contract/cases";
import { useState } from "react";
import { call } from "../../../lib/api.ts";
import { formatFcfa } from "../../../lib/format.ts";
import { toast } from "../../../ui/toast.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import { useDeskWrite } from "../queries.ts";
import { ActSheet } from "./act-sheet.tsx";
import { ReasonField } from "./reason-field.tsx";

const copy = buyersCopy.claim;

/** The operator's last word, with the reason both sides read. */
export function DecideSheet(props: {
  claim: ClaimOnWire;
  decision: "refund" | "reject";
  onClose(): void;
}) {
  const { claim, decision, onClose } = props;
  const [reason, setReason] = useState("");
  const act = useDeskWrite((body: { decision: string; reason: string }, key) =>
    call("POST /api/desk/claims/:id/decide", { params: { id: claim.id }, body, key }),
  );
  const refund = decision === "refund";
  return (
    <ActSheet
      title={refund ? copy.refundTitle : copy.rejectTitle}
      text={refund ? copy.refundText(formatFcfa(claim.amount)) : copy.rejectText}
      confirm={refund ? copy.refund : copy.reject}
      look={refund ? "filled" : "danger"}
      act={act}
      body={{ decision, reason: reason.trim() }}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
    </ActSheet>
  );
}
