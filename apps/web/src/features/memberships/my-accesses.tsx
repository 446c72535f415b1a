import type { AccessOnWire } from "@sesame/contract/memberships";
import type { AnswerOf } from "@sesame/contract/routes";
import { useState } from "react";
import { type Place, showProduct } from "../../buyer/page.ts";
import { call } from "../../buyer/session.ts";
import { openInTelegram } from "../../buyer/use-bridge.ts";
import { formatDay, formatFcfa } from "../../lib/format.ts";
import { offerFile } from "../../lib/offer-file.ts";
import { sayError } from "../../lib/request.ts";
import styles from "../../kit/buyer.module.css";
import { accessCopy as copy, dataCopy } from "./messages.fr.ts";

type MyAccessesProps = Pick<Place, "go"> & Partial<AnswerOf<"GET /api/me/access">>;

/** The buyer's orders under way and accesses, and below them the buyer's personal data. */
export function MyAccesses({ accesses = [], orders = [], go }: MyAccessesProps) {
  return (
    <>
      {accesses.length + orders.length === 0 ? (
        <div className={styles.empty}>
          <span className={styles.mark} aria-hidden="true">
            <Door />
          </span>
          <h2>{copy.emptyTitle}</h2>
          <p>{copy.emptyText}</p>
        </div>
      ) : null}
      <ul className={styles.list}>
        {orders.map(({ id, title, amount, created_at: createdAt }) => (
          <li key={`order ${id}`} className={styles.card}>
            <div className={styles.what}>
              <strong>{title}</strong>
              <span>{formatFcfa(amount)}</span>
              <span className={styles.until}>
                <em>{copy.pending}</em> {copy.ordered(formatDay(createdAt))}
              </span>
            </div>
            <button
              type="button"
              className={styles.quiet}
              onClick={() => go({ at: "order", orderId: id })}
            >
              {copy.follow}
            </button>
          </li>
        ))}
        {accesses.map((access) => (
          <Row key={access.id} access={access} go={go} />
        ))}
      </ul>
      <MyData />
    </>
  );
}

function Row({ access, go }: Pick<Place, "go"> & { access: AccessOnWire }) {
  const { group, invite_link: invitation, renew_reference: reference, order_id: orderId } = access;
  const link = invitation ?? group.link;
  return (
    <li className={styles.card}>
      <div className={styles.what}>
        <strong>{group.name}</strong>
        {access.product ? <span>{access.product.title}</span> : null}
        <span className={styles.until}>
          <em data-status={access.status}>{copy.status[access.status] ?? access.status}</em>{" "}
          {ENDS[access.status]?.(formatDay(access.expires_at))}
        </span>
        {access.entry_paused ? <span>{copy.paused}</span> : null}
      </div>
      <div className={styles.ways}>
        {link ? (
          <button type="button" className={styles.action} onClick={() => void openInTelegram(link)}>
            {invitation ? copy.join : copy.open}
          </button>
        ) : null}
        {reference ? (
          <button
            type="button"
            className={styles.quiet}
            onClick={() => showProduct(go, reference, renewalOf(access))}
          >
            {copy.renew}
          </button>
        ) : null}
      </div>
      {orderId ? (
        <button
          type="button"
          className={styles.link}
          aria-label={copy.problemWith(group.name)}
          // The order's page takes a complaint.
          onClick={() => go({ at: "order", orderId })}
        >
          {copy.problem}
        </button>
      ) : null}
    </li>
  );
}

function renewalOf({ group: { name }, expires_at: end }: AccessOnWire) {
  return (minutes: number): string => {
    const ends = Date.parse(end);
    if (ends < Date.now()) return copy.reopens(name, formatDay(end));
    const until = new Date(ends + minutes * 60_000).toISOString();
    return copy.renews(name, formatDay(end), formatDay(until));
  };
}

const ENDS: Readonly<Record<string, (day: string) => string>> = {
  waiting: copy.accessUntil,
  inside: copy.until,
  ended: copy.endedOn,
  removed: copy.endedOn,
  left: copy.accessUntil,
  banned: () => "",
};

function Door() {
  return (
    <svg viewBox="0 0 24 24" width="32" height="32">
      <path d="M6 21V11a6 6 0 0 1 12 0v10z" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="14.5" cy="15" r="1.4" fill="currentColor" />
    </svg>
  );
}

type Step =
  | { readonly at: "closed"; readonly complaint: string | null }
  | { readonly at: "asking" }
  | { readonly at: "busy" }
  | { readonly at: "erased" };

/** The buyer's personal data: privacy page, download, erasure (decision 101). */
function MyData() {
  const [step, setStep] = useState<Step>({ at: "closed", complaint: null });
  const asking = step.at === "asking";
  const run = async (act: () => Promise<unknown>, done: Step) => {
    setStep({ at: "busy" });
    try {
      await act();
      setStep(done);
    } catch (error) {
      setStep({ at: "closed", complaint: sayError(error, dataCopy.failed) });
    }
  };
  if (step.at === "erased") return <p role="status">{dataCopy.erased}</p>;
  const busy = step.at === "busy";
  return (
    <section className={styles.card} aria-label={dataCopy.title}>
      <strong>{dataCopy.title}</strong>
      <a className={styles.link} href="/confidentialite" target="_blank" rel="noreferrer">
        {dataCopy.privacy}
      </a>
      {asking ? <p>{dataCopy.eraseText}</p> : null}
      {step.at === "closed" && step.complaint ? <p role="alert">{step.complaint}</p> : null}
      <div className={styles.ways}>
        <button
          type="button"
          className={styles.quiet}
          disabled={busy}
          onClick={() =>
            asking
              ? setStep({ at: "closed", complaint: null })
              : void run(exportMyData, { at: "closed", complaint: null })
          }
        >
          {asking ? dataCopy.cancel : dataCopy.export}
        </button>
        <button
          type="button"
          className={styles.quiet}
          disabled={busy}
          onClick={() =>
            asking ? void run(eraseMyData, { at: "erased" }) : setStep({ at: "asking" })
          }
        >
          {asking ? dataCopy.eraseYes : dataCopy.erase}
        </button>
      </div>
    </section>
  );
}

async function exportMyData(): Promise<void> {
  const data = await call("GET /api/me/export", { timeoutMs: 20_000 });
  await offerFile("sesame-mes-donnees.json", JSON.stringify(data, null, 2), "application/json");
}

/** Throws with the reason while the data is still needed. */
function eraseMyData() {
  return call("POST /api/me/delete", { body: { confirm: true } });
}
