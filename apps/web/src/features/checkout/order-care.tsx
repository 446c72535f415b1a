import { CLAIM_AUTHOR_NAMES, type ClaimOnWire } from "@sesame/contract/cases";
import type { OrderAnswer } from "@sesame/contract/checkout";
import type { RefundOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { formatDay, formatFcfa, formatInstant } from "../../lib/format.ts";
import { checkoutCopy, REFUND_STATUS_SENTENCES } from "./messages.fr.ts";
import styles from "../../kit/buyer.module.css";
import { RefundNumber } from "./refund-number.tsx";
import { useSending } from "./use-sending.ts";

const copy = checkoutCopy.care;

/** What the buyer can do about his money, with his token. Each answers the server's words. */
export type CareCalls = {
  sendNumber(place: { methode: string; numero: string }): Promise<string>;
  answer(claimId: string, message: string): Promise<string>;
  withdraw(claimId: string): Promise<string>;
};

/** Money on its way back, and the record of a claim: under the order's status. */
export function OrderCare({ order, calls }: { order: OrderAnswer; calls: CareCalls }) {
  const { refund, claim } = order;
  return (
    <>
      {refund ? <RefundCard refund={refund} calls={calls} /> : null}
      {claim ? <ClaimCard key={claim.id} claim={claim} calls={calls} /> : null}
    </>
  );
}

function RefundCard({ refund, calls }: { refund: RefundOnWire; calls: CareCalls }) {
  return (
    <section className={styles.card}>
      <h2>
        {refund.surplus ? checkoutCopy.status.twiceTitle : copy.refund}
        <span>{refund.status_label}</span>
      </h2>
      <p>
        <b>{formatFcfa(refund.amount)}</b> {refund.surplus ? surplusWords(refund) : null}
      </p>
      {refund.motif && !refund.surplus ? (
        <p className={styles.hint}>{copy.reason(refund.motif)}</p>
      ) : null}
      {refund.methode_nom && refund.numero ? (
        <p className={styles.hint}>{copy.to(refund.methode_nom, refund.numero)}</p>
      ) : null}
      {refund.reference_operateur ? (
        <p className={styles.hint}>{copy.proof(refund.reference_operateur)}</p>
      ) : null}
      {refund.status === "numero_attendu" ? <RefundNumber send={calls.sendNumber} /> : null}
    </section>
  );
}

/** The order's own refund is said by the status above; a second payment's by nothing else. */
function surplusWords({ lane, status }: RefundOnWire): string {
  const { sellerReturns, twiceText } = checkoutCopy.status;
  if (lane === "seller" && status !== "rembourse") return `${twiceText} ${sellerReturns}`;
  return `${twiceText} ${REFUND_STATUS_SENTENCES[status]}`;
}

function ClaimCard({ claim, calls }: { claim: ClaimOnWire; calls: CareCalls }) {
  const [message, setMessage] = useState("");
  const sending = useSending();
  const { may } = claim;
  return (
    <section className={styles.card}>
      <h2>
        {copy.claim}
        <span>{claim.status_label}</span>
      </h2>
      <p>{claim.kind_label}</p>
      {claim.status === "vendeur" ? (
        <p className={styles.hint}>{copy.due(formatDay(claim.seller_due_at))}</p>
      ) : null}
      <ol className={styles.record}>
        {claim.entries.map((entry, at) => (
          <li key={at}>
            {entry.step_label}
            <small>
              {CLAIM_AUTHOR_NAMES[entry.author]}, {formatInstant(entry.at)}
            </small>
            {entry.words ? <p className={styles.lines}>{entry.words}</p> : null}
          </li>
        ))}
      </ol>
      {may.answer ? (
        <div className={styles.form}>
          <textarea
            className={styles.field}
            aria-label={copy.answer}
            placeholder={copy.answer}
            rows={2}
            maxLength={1000}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <button
            type="button"
            className={styles.quiet}
            aria-busy={sending.busy}
            onClick={() =>
              void sending.run(async () => {
                await calls.answer(claim.id, message);
                setMessage("");
              })
            }
          >
            {copy.answerSend}
          </button>
        </div>
      ) : null}
      <p className={styles.complaint} role="alert">
        {sending.complaint}
      </p>
      {may.withdraw ? (
        <button
          type="button"
          className={styles.plain}
          onClick={() => void sending.run(() => calls.withdraw(claim.id))}
        >
          {copy.withdraw}
        </button>
      ) : null}
    </section>
  );
}
export { ClaimSheet } from "./claim-sheet.tsx";
