import type { RefundOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { haptic } from "../../telegram/native.ts";
import { Badge, type BadgeTone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { type Fact, Facts } from "../../kit/facts.tsx";
import { TextField } from "../../kit/field.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatFcfa, formatInstant } from "../format.ts";
import { sayError } from "../request.ts";
import { CHANGED_BY_REFUND, useRefresh } from "../resources.ts";
import { useSend } from "../use-write.ts";
import { refundCopy } from "../messages.fr.ts";

const copy = refundCopy.status;

const TONES: Readonly<Record<RefundOnWire["status"], BadgeTone>> = {
  en_cours: "accent",
  numero_attendu: "warning",
  a_payer: "warning",
  rembourse: "positive",
};

/** Where the money of a refund is, as its seller sees it; and his own word when he sends it. */
export function RefundStatus({ refund }: { refund: RefundOnWire }) {
  const [telling, setTelling] = useState(false);
  const mine = refund.lane === "seller" && refund.status !== "rembourse";
  return (
    <Stack as="section" aria-label={copy.title}>
      <Text as="h3" size="body" strong>
        {copy.title} <Badge tone={TONES[refund.status]}>{refund.status_label}</Badge>
      </Text>
      {refund.surplus ? <Text tone="soft">{copy.surplus}</Text> : null}
      {refund.status === "rembourse" ? null : <Text tone="soft">{sayWaiting(refund)}</Text>}
      <Facts facts={factsOf(refund)} />
      {mine ? <Button onClick={() => setTelling(true)}>{copy.givenBack}</Button> : null}
      {telling ? <GivenBack refund={refund} onClose={() => setTelling(false)} /> : null}
    </Stack>
  );
}

function sayWaiting({ lane, status }: RefundOnWire): string {
  if (lane === "seller") return copy.yours;
  if (lane === "provider") return copy.waitingProvider;
  return status === "numero_attendu" ? copy.waitingNumber : copy.waitingDesk;
}

function factsOf(refund: RefundOnWire): Fact[] {
  return [
    [copy.amount, formatFcfa(refund.amount), true],
    [copy.method, refund.methode_nom ?? copy.lanes[refund.lane]],
    [copy.number, refund.numero],
    [copy.asked, formatInstant(refund.date_creation)],
    [copy.done, refund.date_remboursement && formatInstant(refund.date_remboursement)],
    [copy.reference, refund.reference_operateur],
    [copy.reason, refund.motif],
  ];
}

function GivenBack({ refund, onClose }: { refund: RefundOnWire; onClose(): void }) {
  const [reference, setReference] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const tell = useSend("POST /api/refunds/:id/given-back", {
    params: { id: refund.id },
    onSettled: useRefresh(...CHANGED_BY_REFUND),
  });
  const confirm = () =>
    tell.mutate(
      { reference: reference.trim() },
      {
        onSuccess: (answer) => {
          haptic("success");
          toast(answer.message);
          onClose();
        },
        onError: (error) => {
          haptic("error");
          setComplaint(sayError(error, refundCopy.failed));
        },
      },
    );
  return (
    <Sheet title={copy.givenBackTitle} onClose={onClose}>
      <Stack>
        <Text tone="soft">{copy.givenBackText(formatFcfa(refund.amount))}</Text>
        <TextField
          label={copy.referenceField}
          value={reference}
          maxLength={60}
          onChange={setReference}
        />
        <Text size="small" tone="brick" strong role="alert">
          {complaint}
        </Text>
        <Button busy={tell.isPending} onClick={confirm}>
          {copy.confirmGivenBack}
        </Button>
        <Button look="plain" onClick={onClose}>
          {refundCopy.cancel}
        </Button>
      </Stack>
    </Sheet>
  );
}
