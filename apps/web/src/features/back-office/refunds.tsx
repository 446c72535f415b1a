import type { StaffRefundOnWire } from "@sesame/contract/refunds";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { Segmented } from "../../kit/choices.tsx";
import { Page } from "../../kit/screen.tsx";
import { CopyLine, RecordList, type RecordOf, Records } from "../../kit/record-list.tsx";
import { act } from "../../kit/use-action.tsx";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { readPages } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { counted, names, staffCopy } from "./messages.fr.ts";
import { buyersCopy, ticketsCopy } from "./people-messages.fr.ts";
import { LOOK_AGAIN_MS, reason, TONES, useBackOffice } from "./use-staff.ts";

/** /bureau/remboursements: refunds to buyers. */
export function Refunds() {
  return (
    <Cases at="refunds">
      <RecordList
        of={(view) => readPages("GET /api/desk/refunds", { query: { view } })}
        views={{
          open: [buyersCopy.open, "coins", buyersCopy.noRefund, buyersCopy.noRefundText],
          done: [buyersCopy.done, "coins", buyersCopy.noRefundDone],
        }}
        every={LOOK_AGAIN_MS}
        items={({ refunds }) => refunds}
      >
        {(refunds) => <Records heading={buyersCopy.heading} of={refunds.map(refundCard)} />}
      </RecordList>
    </Cases>
  );
}

const PATHS = {
  refunds: "/bureau/remboursements",
  complaints: "/bureau/reclamations",
  tickets: "/bureau/assistance",
} as const;

/** The three lists of cases: refunds, complaints, requests for help. */
export function Cases(props: { at: keyof typeof PATHS; children: ReactNode }) {
  const [, navigate] = useLocation();
  const counts = useBackOffice()?.counts;
  return (
    <Page title={staffCopy.tabs.buyers} wide>
      <Segmented
        label={names.views}
        choices={{
          refunds: counted(names.refunds, counts?.refunds_to_pay),
          complaints: counted(names.complaints, counts?.complaints_operator),
          tickets: counted(ticketsCopy.title, counts?.tickets),
        }}
        value={props.at}
        onChange={(value) => navigate(PATHS[value], { replace: true })}
      />
      {props.children}
    </Page>
  );
}

const copy = buyersCopy.refund;

/** A refund: to whom, where, why, and the agent's actions. */
export function refundCard(refund: StaffRefundOnWire): RecordOf {
  const number = refund.numero_label ?? refund.numero;
  const doneOn = refund.date_remboursement;
  const standing = standingOf(refund);
  return {
    id: refund.id,
    badges: [
      [TONES[refund.status], refund.status_label],
      refund.overpayment && ["neutral", copy.overpayment],
      refund.direct && ["neutral", copy.direct],
    ],
    when: sayShortInstant(refund.date_creation),
    title: `${formatFcfa(refund.amount)} ${copy.to(refund.buyer.name)}`,
    text: refund.title,
    facts: [
      [names.way, refund.rail === "returned" ? names.returned : refund.methode_nom],
      [names.seller, refund.seller?.name],
      [names.paidBy, refund.provider_name],
      [names.askedBy, refund.asked_by],
      [names.reason, refund.motif],
      [names.advanced, refund.advanced > 0 && formatFcfa(refund.advanced)],
      [names.reference, refund.reference_operateur],
      [names.givenBack, doneOn && formatInstant(doneOn)],
      [names.by, refund.paid_by],
      [names.feeKept, refund.provider_fee > 0 && formatFcfa(refund.provider_fee)],
    ],
    links: [
      { href: `/bureau/commandes/${refund.order_id}`, label: names.orderOf(refund.order_id) },
    ],
    acts: actsOf(refund),
    children: (
      <>
        {standing ? <p>{standing}</p> : null}
        {refund.numero && number ? (
          <CopyLine
            label={names.number}
            shown={number}
            copied={refund.numero}
            button={names.copyNumber}
          />
        ) : null}
      </>
    ),
  };
}

function standingOf({ status, taken, rail, provider_name: provider }: StaffRefundOnWire) {
  if (status === "rembourse") return null;
  if (taken) {
    const until = timeOf(taken.until);
    return taken.mine ? copy.mine(until) : copy.taken(taken.by.name, until);
  }
  if (rail === "seller") return copy.waitingSeller;
  if (rail === "provider") return copy.waitingProvider(provider);
  return status === "numero_attendu" ? copy.waitingNumber : null;
}

function timeOf(instant: string): string {
  const date = new Date(instant);
  return `${date.getHours()} h ${String(date.getMinutes()).padStart(2, "0")}`;
}

function actsOf(refund: StaffRefundOnWire) {
  const { may } = refund;
  const of = { params: { id: refund.id } };
  const barred = [may.paid, may.take].find(({ allowed, reason: why }) => !allowed && why);
  return [
    // For a quarter of an hour, so that two agents do not send the same money.
    may.take.allowed &&
      !refund.taken?.mine &&
      act("POST /api/desk/refunds/:id/take", { ...of, button: names.take, look: "tinted" }),
    (may.paid.allowed || (barred && refund.status === "a_payer")) &&
      act("POST /api/desk/refunds/:id/paid", {
        ...of,
        button: names.setPaid,
        may: may.paid.allowed ? may.paid : (barred ?? may.paid),
        title: copy.paidTitle,
        text: copy.paidText(formatFcfa(refund.amount), refund.numero_label ?? refund.numero ?? ""),
        confirm: copy.paidConfirm,
        fields: { reference: { label: names.operatorReference, required: true, max: 60 } },
      }),
    may.number.allowed &&
      act("POST /api/desk/refunds/:id/wrong-number", {
        ...of,
        button: copy.wrongNumber,
        look: "plain",
        title: copy.wrongTitle,
        text: copy.wrongText,
        confirm: copy.wrongConfirm,
        danger: true,
        fields: { reason: reason(names.reason) },
      }),
    // The provider is asked; only its yes ends the refund.
    may.returned.allowed &&
      act("POST /api/desk/refunds/:id/returned", {
        ...of,
        button: names.returned,
        look: "plain",
        title: copy.returnedTitle,
        text: copy.returnedText(refund.provider_name),
        confirm: copy.returnedConfirm,
      }),
    may.fee.allowed &&
      act("POST /api/desk/refunds/:id/fee", {
        ...of,
        button: copy.fee,
        look: "plain",
        title: copy.feeTitle,
        text: copy.feeText,
        fields: {
          fee: {
            label: copy.feeAmount,
            kind: "number",
            required: true,
            pattern: /^\d{1,7}$/,
            max: 9,
          },
        },
        body: ({ fee }) => ({ montant: Number(fee.replaceAll(/\s/g, "")) }),
      }),
  ];
}
