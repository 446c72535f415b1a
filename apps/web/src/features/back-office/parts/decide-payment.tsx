import {
  type DeskOrderOnWire,
  MISMATCH_OUTCOMES,
  type MismatchOutcome,
} from "@sesame/contract/refunds";
import { useState } from "react";
import { Button } from "../../../kit/button.tsx";
import { TextField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { ActSheet } from "./act-sheet.tsx";
import { Choices } from "./choices.tsx";
import { ReasonField } from "./reason-field.tsx";

const copy = buyersCopy.sheet.decide;

type Payment = DeskOrderOnWire["payments"][number];

/** The operator's, of a payment that is not what was ordered: its three ways out. */
export function DecidePayment({ payment }: { payment: Payment }) {
  const [deciding, setDeciding] = useState(false);
  return (
    <>
      <Button look="tinted" size="small" onClick={() => setDeciding(true)}>
        {copy.button}
      </Button>
      {deciding ? <DecideSheet payment={payment} onClose={() => setDeciding(false)} /> : null}
    </>
  );
}

function DecideSheet({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const [outcome, setOutcome] = useState<MismatchOutcome | null>(null);
  const reported = payment.received === null ? "" : String(payment.received);
  const [amount, setAmount] = useState(reported);
  const [reason, setReason] = useState("");
  const act = useDeskWrite("POST /api/desk/payments/:id/decide", { params: { id: payment.id } });
  const digits = amount.replaceAll(/\s/g, "");
  return (
    <ActSheet
      title={copy.title}
      text={copy.text}
      confirm={copy.confirm}
      act={act}
      body={{
        outcome,
        reason: reason.trim(),
        // What was seen: the provider may say something else meanwhile.
        montant: Number(digits),
      }}
      disabled={outcome === null || !/^\d{1,9}$/.test(digits)}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <Choices
        legend={copy.outcome}
        choices={MISMATCH_OUTCOMES.map((value) => ({
          value,
          label: copy[value],
          hint: copy[`${value}Hint`],
        }))}
        value={outcome}
        onChange={setOutcome}
      />
      <TextField
        label={copy.amount}
        hint={reported === "" ? copy.amountHint : copy.amountReportedHint}
        inputMode="numeric"
        required
        value={amount}
        maxLength={12}
        onChange={setAmount}
      />
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
    </ActSheet>
  );
}
