import type { AccessOnWire } from "@sesame/contract/memberships";
import type { AnswerOf } from "@sesame/contract/routes";
import { useState } from "react";
import { type Place, showProduct, takeFocus } from "../../buyer/page.ts";
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
    <div className={styles.list}>
      {accesses.length + orders.length === 0 ? (
        <div className={styles.empty}>
          <span className={styles.mark} aria-hidden="true">
            <svg viewBox="0 0 24 24" width="32" height="32" fill="none" stroke="currentColor">
              <path d="M6 21V11a6 6 0 0 1 12 0v10z" strokeWidth="2" />
              <circle cx="14.5" cy="15" r="1.4" fill="currentColor" stroke="none" />
            </svg>
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
            <Ways of={[[copy.follow, () => go({ at: "order", orderId: id })]]} />
          </li>
        ))}
        {accesses.map((access) => (
          <Row key={access.id} access={access} go={go} />
        ))}
      </ul>
      <MyData />
    </div>
  );
}

function Row({ access, go }: Pick<Place, "go"> & { access: AccessOnWire }) {
  const { group, invite_link: invitation, renew_reference: reference, order_id: orderId } = access;
  const link = invitation ?? group.link;
  const ends = ENDS[access.status]?.(formatDay(access.expires_at));
  const ways: Way[] = [];
  if (link) {
    ways.push([invitation ? copy.join : copy.open, () => void openInTelegram(link), "action"]);
  }
  if (reference) {
    ways.push([copy.renew, () => showProduct(go, reference, renewalOf(access))]);
  }
  return (
    <li className={styles.card}>
      <div className={styles.what}>
        <strong>{group.name}</strong>
        {access.product ? <span>{access.product.title}</span> : null}
        <span className={styles.until}>
          <em data-status={access.status}>{copy.status[access.status] ?? access.status}</em>
          {ends ? ` ${ends}` : null}
        </span>
        {access.entry_paused ? <span>{copy.paused}</span> : null}
      </div>
      <Ways of={ways} />
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

/** `danger`: what cannot be undone. */
type Way = readonly [label: string, onPress: () => void, look?: "action" | "danger"];

/** A button has its place as its key: the focus stays where it is when other ways come. */
function Ways({ of, busy = false }: { of: readonly Way[]; busy?: boolean }) {
  return (
    <div className={styles.ways}>
      {of.map(([label, onPress, look = "quiet"], place) => (
        <button
          key={place}
          type="button"
          className={styles[look]}
          aria-busy={busy}
          onClick={busy ? undefined : onPress}
        >
          {label}
        </button>
      ))}
    </div>
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
};

type Step = "closed" | "asking" | "busy" | "erased";

/** The buyer's personal data: privacy page, download, erasure (decision 101). */
function MyData() {
  const [{ step, complaint }, setState] = useState({ step: "closed" as Step, complaint: "" });
  const move = (to: Step, why = "") => setState({ step: to, complaint: why });
  const run = (act: () => Promise<unknown>, done: Step) => {
    move("busy");
    act().then(
      () => move(done),
      (error: unknown) => move("closed", sayError(error, dataCopy.failed)),
    );
  };
  if (step === "erased") {
    return (
      <p role="status" tabIndex={-1} ref={takeFocus}>
        {dataCopy.erased}
      </p>
    );
  }
  const ways: Way[] =
    step === "asking"
      ? [
          // A second tap where « Effacer » was falls on the text, and a second Enter on « Annuler ».
          [dataCopy.eraseYes, () => run(eraseMyData, "erased"), "danger"],
          [dataCopy.cancel, () => move("closed")],
        ]
      : [
          [dataCopy.export, () => run(exportMyData, "closed")],
          [dataCopy.erase, () => move("asking")],
        ];
  return (
    <section className={styles.card} aria-label={dataCopy.title}>
      <strong>{dataCopy.title}</strong>
      <a className={styles.link} href="/confidentialite" target="_blank" rel="noreferrer">
        {dataCopy.privacy}
      </a>
      {step === "asking" ? <p role="alert">{dataCopy.eraseText}</p> : null}
      {complaint ? <p role="alert">{complaint}</p> : null}
      <Ways of={ways} busy={step === "busy"} />
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
