import { REFUND_REASON_CHARACTERS_MAX, type RefundOnWire } from "@sesame/contract/refunds";
import type { TransactionOnWire } from "@sesame/contract/reports";
import { groupPhone } from "@sesame/contract/withdrawals";
import { Badge, type BadgeTone } from "../kit/button.tsx";
import { type Fact, Facts } from "../kit/facts.tsx";
import { Stack, Text } from "../kit/layout.tsx";
import { act, Acts } from "../kit/use-action.tsx";
import { formatFcfa, formatInstant } from "./format.ts";
import { refundCopy as copy } from "./messages.fr.ts";
import { useUser } from "./use-seller.ts";

const REASON_MIN = 3;

/** Refunds a sale: what the buyer gets, what leaves the balance, and why (decision 83). */
export function RefundButton({ sale }: { sale: TransactionOnWire }) {
  const user = useUser();
  const { nomClient: name, direct } = sale;
  const gift = sale.duration === 0;
  const left = (user?.soldeDisponible ?? 0) - sale.net;
  const short = !direct && user !== undefined && left < 0;
  const facts: Fact[] = [
    [copy.buyerGets(name), formatFcfa(sale.amount), true],
    [copy.leaves, !direct && formatFcfa(sale.net)],
    [copy.fee, !direct && formatFcfa(sale.frais)],
    [copy.after, !direct && user !== undefined && !short && formatFcfa(left)],
  ];
  const refund = act("POST /api/orders/:id/refund", {
    params: { id: sale.id },
    button: copy.button,
    look: "danger-tinted",
    confirm: copy.confirm(formatFcfa(sale.amount)),
    title: gift ? copy.giftTitle : copy.title,
    text: (direct ? copy.directText : copy.text)(name, gift),
    about: <Facts facts={facts} />,
    lack: short && copy.short(formatFcfa(-left)),
    fields: {
      motif: {
        kind: "words",
        label: copy.reason,
        hint: copy.reasonHint,
        required: true,
        max: REFUND_REASON_CHARACTERS_MAX,
        check: (said) => (said.length < REASON_MIN ? copy.reasonMissing : null),
      },
    },
    failed: copy.failed,
  });
  return <Acts of={refund} />;
}

const words = copy.status;

const TONES: Readonly<Record<RefundOnWire["status"], BadgeTone>> = {
  en_cours: "accent",
  numero_attendu: "warning",
  a_payer: "warning",
  rembourse: "positive",
};

/**
 * The state of a refund, as its seller sees it; and the seller's confirmation where the seller sends the
 * money.
 */
export function RefundStatus({ refund }: { refund: RefundOnWire }) {
  const done = refund.status === "rembourse";
  return (
    <Stack as="section" aria-label={words.title}>
      <Text as="h3" size="body" strong>
        {words.title} <Badge tone={TONES[refund.status]}>{refund.status_label}</Badge>
      </Text>
      {refund.overpayment ? <Text tone="soft">{words.overpayment}</Text> : null}
      {done ? null : <Text tone="soft">{sayWaiting(refund)}</Text>}
      <Facts
        facts={[
          [words.amount, formatFcfa(refund.amount), true],
          [words.method, refund.methode_nom ?? words.rails[refund.rail]],
          [words.number, refund.numero && groupPhone(refund.numero)],
          [words.asked, formatInstant(refund.date_creation)],
          [words.done, refund.date_remboursement && formatInstant(refund.date_remboursement)],
          [words.reference, refund.reference_operateur],
          [copy.reason, refund.motif],
        ]}
      />
      <Acts
        of={
          refund.rail === "seller" &&
          !done &&
          act("POST /api/refunds/:id/given-back", {
            params: { id: refund.id },
            button: words.givenBack,
            title: words.givenBackTitle,
            text: words.givenBackText(formatFcfa(refund.amount)),
            confirm: words.confirmGivenBack,
            fields: { reference: { label: words.referenceField, max: 60 } },
            failed: copy.failed,
          })
        }
      />
    </Stack>
  );
}

function sayWaiting({ rail, status }: RefundOnWire): string {
  if (rail === "seller") return words.yours;
  if (rail === "provider") return words.waitingProvider;
  return status === "numero_attendu" ? words.waitingNumber : words.waitingStaff;
}
