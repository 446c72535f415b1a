import { COMPLAINT_AUTHOR_NAMES, type ComplaintOnWire } from "@sesame/contract/cases";
import type { OrderAnswer } from "@sesame/contract/checkout";
import type { RefundOnWire } from "@sesame/contract/refunds";
import { type ReactNode, useState } from "react";
import { call } from "../../buyer/session.ts";
import { formatDay, formatFcfa, formatInstant } from "../../lib/format.ts";
import common from "../../kit/buyer.module.css";
import { checkoutCopy, REFUND_STATUS_SENTENCES } from "./messages.fr.ts";
import { careCopy as copy } from "./care-messages.fr.ts";
import { useSending } from "./sheet.tsx";

type OrderCareProps = {
  readonly order: OrderAnswer;
  onChanged(): void;
  /** In the refund's card. */
  readonly children: ReactNode;
};

/** Under the order's status: its refund and its complaint. */
export function OrderCare({ order, onChanged, children }: OrderCareProps) {
  const { refund, complaint } = order;
  return (
    <>
      {refund ? (
        <section className={common.card}>
          <h2>
            {refund.overpayment ? checkoutCopy.status.twiceTitle : copy.refund}
            <span>{refund.status_label}</span>
          </h2>
          <p>
            <b>{formatFcfa(refund.amount)}</b>{" "}
            {refund.overpayment ? overpaymentWords(refund) : null}
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
          {children}
        </section>
      ) : null}
      {complaint ? (
        <ComplaintCard key={complaint.id} complaint={complaint} onChanged={onChanged} />
      ) : null}
    </>
  );
}

/** The status above explains the refund of the order; only this card explains that of a second payment. */
function overpaymentWords({ rail, status }: RefundOnWire): string {
  const { sellerReturns, twiceText } = checkoutCopy.status;
  if (rail === "seller" && status !== "rembourse") return `${twiceText} ${sellerReturns}`;
  return `${twiceText} ${REFUND_STATUS_SENTENCES[status]}`;
}

function ComplaintCard(props: { complaint: ComplaintOnWire; onChanged(): void }) {
  const { complaint, onChanged } = props;
  const params = { id: complaint.id };
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
                await call("POST /api/complaints/:id/answer", { params, body: { message } });
                onChanged();
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
          onClick={() =>
            void sending.run(() =>
              call("POST /api/complaints/:id/withdraw", { params, body: {} }).then(onChanged),
            )
          }
        >
          {copy.withdraw}
        </button>
      ) : null}
    </section>
  );
}
