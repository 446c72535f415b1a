import {
  COMPLAINT_AUTHOR_NAMES,
  COMPLAINT_KIND_NAMES,
  COMPLAINT_KIND_SENTENCES,
  type ComplaintKind,
  type ComplaintOnWire,
} from "@sesame/contract/cases";
import type { OrderAnswer } from "@sesame/contract/checkout";
import type { RefundOnWire } from "@sesame/contract/refunds";
import {
  COUNTRY_TERMS,
  isPayoutMethod,
  PAYOUT_COUNTRIES,
  PAYOUT_METHODS,
  phoneShape,
} from "@sesame/contract/withdrawals";
import { useState } from "react";
import { formatDay, formatFcfa, formatInstant } from "../../lib/format.ts";
import common from "../../kit/buyer.module.css";
import { checkoutCopy, REFUND_STATUS_SENTENCES } from "./messages.fr.ts";
import { careCopy as copy, complaintCopy } from "./care-messages.fr.ts";
import { useSending, WordsSheet } from "./words-sheet.tsx";

/** The buyer's calls about refunds and complaints; each returns the server's message. */
type CareCalls = {
  sendNumber(place: { methode: string; numero: string }): Promise<string>;
  answer(complaintId: string, message: string): Promise<string>;
  withdraw(complaintId: string): Promise<string>;
};

/** Under the order's status: its refund and its complaint. */
export function OrderCare({ order, calls }: { order: OrderAnswer; calls: CareCalls }) {
  const { refund, complaint } = order;
  return (
    <>
      {refund ? <RefundCard refund={refund} calls={calls} /> : null}
      {complaint ? <ComplaintCard key={complaint.id} complaint={complaint} calls={calls} /> : null}
    </>
  );
}

function RefundCard({ refund, calls }: { refund: RefundOnWire; calls: CareCalls }) {
  return (
    <section className={common.card}>
      <h2>
        {refund.overpayment ? checkoutCopy.status.twiceTitle : copy.refund}
        <span>{refund.status_label}</span>
      </h2>
      <p>
        <b>{formatFcfa(refund.amount)}</b> {refund.overpayment ? overpaymentWords(refund) : null}
      </p>
      {refund.motif && !refund.overpayment ? (
        <p className={common.hint}>{copy.reason(refund.motif)}</p>
      ) : null}
      {refund.methode_nom && refund.numero ? (
        <p className={common.hint}>{copy.to(refund.methode_nom, refund.numero)}</p>
      ) : null}
      {refund.reference_operateur ? (
        <p className={common.hint}>{copy.proof(refund.reference_operateur)}</p>
      ) : null}
      {refund.status === "numero_attendu" ? <RefundNumber send={calls.sendNumber} /> : null}
    </section>
  );
}

/** The status above explains the refund of the order; only this card explains that of a second payment. */
function overpaymentWords({ rail, status }: RefundOnWire): string {
  const { sellerReturns, twiceText } = checkoutCopy.status;
  if (rail === "seller" && status !== "rembourse") return `${twiceText} ${sellerReturns}`;
  return `${twiceText} ${REFUND_STATUS_SENTENCES[status]}`;
}

function ComplaintCard({ complaint, calls }: { complaint: ComplaintOnWire; calls: CareCalls }) {
  const [message, setMessage] = useState("");
  const sending = useSending(copy.failed);
  const { may } = complaint;
  return (
    <section className={common.card}>
      <h2>
        {copy.complaint}
        <span>{complaint.status_label}</span>
      </h2>
      <p>{complaint.kind_label}</p>
      {complaint.status === "vendeur" ? (
        <p className={common.hint}>{copy.due(formatDay(complaint.seller_due_at))}</p>
      ) : null}
      <ol className={common.record}>
        {complaint.entries.map((entry, at) => (
          <li key={at}>
            {entry.step_label}
            <small>
              {COMPLAINT_AUTHOR_NAMES[entry.author]}, {formatInstant(entry.at)}
            </small>
            {entry.words ? <p className={common.lines}>{entry.words}</p> : null}
          </li>
        ))}
      </ol>
      {may.answer ? (
        <div className={common.form}>
          <textarea
            className={common.field}
            aria-label={copy.answer}
            placeholder={copy.answer}
            rows={2}
            maxLength={1000}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <button
            type="button"
            className={common.quiet}
            aria-busy={sending.busy}
            onClick={() =>
              void sending.run(async () => {
                await calls.answer(complaint.id, message);
                setMessage("");
              })
            }
          >
            {copy.answerSend}
          </button>
        </div>
      ) : null}
      <p className={common.complaint} role="alert">
        {sending.complaint}
      </p>
      {may.withdraw ? (
        <button
          type="button"
          className={common.plain}
          onClick={() => void sending.run(() => calls.withdraw(complaint.id))}
        >
          {copy.withdraw}
        </button>
      ) : null}
    </section>
  );
}

const METHODS = Object.values(PAYOUT_METHODS);

/** The number to which an agent sends a refund that no provider can send. */
function RefundNumber(props: {
  send(place: { methode: string; numero: string }): Promise<string>;
}) {
  const [methode, setMethode] = useState("");
  const [numero, setNumero] = useState("");
  const sending = useSending(copy.failed);
  return (
    <div className={common.form}>
      <label>
        {copy.method}
        <select
          className={common.field}
          value={methode}
          onChange={(event) => setMethode(event.target.value)}
        >
          <option value="">…</option>
          {PAYOUT_COUNTRIES.map((country) => (
            <optgroup key={country} label={COUNTRY_TERMS[country].name}>
              {METHODS.filter((method) => method.country === country).map((method) => (
                <option key={method.id} value={method.id}>
                  {method.label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        {copy.number}
        <input
          className={common.field}
          type="tel"
          autoComplete="tel"
          maxLength={32}
          placeholder={isPayoutMethod(methode) ? phoneShape(methode) : undefined}
          value={numero}
          onChange={(event) => setNumero(event.target.value)}
        />
      </label>
      <p className={common.complaint} role="alert">
        {sending.complaint}
      </p>
      <button
        type="button"
        className={common.action}
        aria-busy={sending.busy}
        onClick={() => void sending.run(() => props.send({ methode, numero }))}
      >
        {copy.sendNumber}
      </button>
    </div>
  );
}

type ComplaintSheetProps = {
  /** The most likely first: it is preselected, so that a complaint is two taps. */
  readonly kinds: readonly ComplaintKind[];
  send(complaint: { motif: string; message: string }): Promise<unknown>;
  onClose(): void;
};

/** What went wrong with a purchase, in two taps: this sheet, and its button. */
export function ComplaintSheet({ kinds, send, onClose }: ComplaintSheetProps) {
  return (
    <WordsSheet
      kinds={kinds.map((kind) => [
        kind,
        COMPLAINT_KIND_NAMES[kind],
        COMPLAINT_KIND_SENTENCES[kind],
      ])}
      chosen={kinds[0]}
      words={complaintCopy}
      max={1000}
      send={(complaint) => send(complaint).then(() => null)}
      onClose={onClose}
    />
  );
}
