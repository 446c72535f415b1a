import { REFUND_REASON_CHARACTERS_MAX } from "@sesame/contract/refunds";
import type { TransactionOnWire } from "@sesame/contract/reports";
import { useState } from "react";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { type Fact, Facts } from "../../kit/facts.tsx";
import { TextArea } from "../../kit/field.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatFcfa } from "../format.ts";
import { sayError } from "../request.ts";
import { CHANGED_BY_REFUND, useRefresh } from "../resources.ts";
import { useUser } from "../use-seller.ts";
import { useSend } from "../use-write.ts";
import { refundCopy as copy } from "../messages.fr.ts";

const REASON_MIN = 3;

/** Gives a sale back: what the buyer gets, what leaves the balance, and why (decision 83). */
export function RefundSheet({ sale, onClose }: { sale: TransactionOnWire; onClose(): void }) {
  const user = useUser();
  const [reason, setReason] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const refund = useSend("POST /api/orders/:id/refund", {
    params: { id: sale.id },
    onSettled: useRefresh(...CHANGED_BY_REFUND),
  });
  const name = sale.nomClient;
  const gift = sale.duration === 0;
  const left = (user?.soldeDisponible ?? 0) - sale.net;
  const short = !sale.direct && user !== undefined && left < 0;
  const refuse = (words: string) => {
    haptic("error");
    setComplaint(words);
  };
  const confirm = () => {
    if (refund.isPending) return;
    if (reason.trim().length < REASON_MIN) return refuse(copy.reasonMissing);
    setComplaint(null);
    refund.mutate(
      { motif: reason.trim() },
      {
        onSuccess: (answer) => {
          haptic("success");
          toast(answer.message);
          onClose();
        },
        onError: (error) => refuse(sayError(error, copy.failed)),
      },
    );
  };
  return (
    <Sheet title={gift ? copy.giftTitle : copy.title} onClose={onClose}>
      <Stack
        as="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <Text tone="soft">{(sale.direct ? copy.directText : copy.text)(name, gift)}</Text>
        <Facts facts={factsOf(sale, user && !short ? left : null)} />
        {short ? (
          <Banner tone="danger" icon="warning">
            {copy.short(formatFcfa(-left))}
          </Banner>
        ) : null}
        <TextArea
          label={copy.reason}
          hint={copy.reasonHint}
          required
          value={reason}
          max={REFUND_REASON_CHARACTERS_MAX}
          onChange={(value) => {
            setReason(value);
            setComplaint(null);
          }}
        />
        <Text size="small" tone="brick" strong role="alert">
          {complaint}
        </Text>
        <Button type="submit" look="danger" busy={refund.isPending} disabled={short}>
          {copy.confirm(formatFcfa(sale.amount))}
        </Button>
        <Button look="plain" onClick={onClose}>
          {copy.cancel}
        </Button>
      </Stack>
    </Sheet>
  );
}

/** `left`: what his balance is afterwards, when that is known. */
function factsOf(sale: TransactionOnWire, left: number | null): Fact[] {
  const paid: Fact = [copy.buyerGets(sale.nomClient), formatFcfa(sale.amount), true];
  if (sale.direct) return [paid];
  return [
    paid,
    [copy.leaves, formatFcfa(sale.net)],
    [copy.fee, formatFcfa(sale.frais)],
    [copy.after, left !== null && formatFcfa(left)],
  ];
}
