import type { AccessOnWire } from "@sesame/contract/memberships";
import type { ReactNode } from "react";
import { formatDay } from "../../lib/format.ts";
import styles from "../../kit/buyer.module.css";
import { accessCopy as copy } from "./messages.fr.ts";

export type AccessesState =
  | { readonly at: "loading" }
  | { readonly at: "error"; readonly message: string }
  | { readonly at: "list"; readonly accesses: readonly AccessOnWire[] };

export type MyAccessesProps = {
  readonly state: AccessesState;
  onJoin(link: string): void;
  onRenew(reference: string): void;
  /** Its order's page, where a complaint is made. */
  onOrder(orderId: string): void;
  onRetry(): void;
  /** Under the list. */
  readonly below?: ReactNode;
};

export function MyAccesses(props: MyAccessesProps) {
  const { state, onJoin, onRenew, onOrder, onRetry } = props;
  return (
    <main className={styles.page} aria-busy={state.at === "loading"}>
      <h1 className={styles.title}>{copy.title}</h1>
      {state.at === "loading" ? <Skeleton /> : null}
      {state.at === "error" ? (
        <div className={styles.empty} role="alert">
          <p>{state.message}</p>
          <button type="button" className={styles.action} onClick={onRetry}>
            {copy.retry}
          </button>
        </div>
      ) : null}
      {state.at === "list" && state.accesses.length === 0 ? (
        <div className={styles.empty}>
          <span className={styles.mark} aria-hidden="true">
            <Door />
          </span>
          <h2>{copy.emptyTitle}</h2>
          <p>{copy.emptyText}</p>
        </div>
      ) : null}
      {state.at === "list" ? (
        <ul className={styles.list}>
          {state.accesses.map((access) => (
            <Row
              key={access.id}
              access={access}
              onJoin={onJoin}
              onRenew={onRenew}
              onOrder={onOrder}
            />
          ))}
        </ul>
      ) : null}
      {props.below}
    </main>
  );
}

type RowProps = Pick<MyAccessesProps, "onJoin" | "onRenew" | "onOrder"> & {
  readonly access: AccessOnWire;
};

function Row({ access, onJoin, onRenew, onOrder }: RowProps) {
  const running = ["waiting", "inside", "left"].includes(access.status);
  const day = formatDay(access.expires_at);
  const { invite_link: link, renew_reference: reference, order_id: orderId } = access;
  return (
    <li className={styles.card}>
      <div className={styles.what}>
        <strong>{access.group.name}</strong>
        {access.product ? <span>{access.product.title}</span> : null}
        <span className={styles.until}>
          <em data-status={access.status}>{copy.status[access.status] ?? access.status}</em>{" "}
          {running ? copy.until(day) : copy.endedOn(day)}
        </span>
      </div>
      <div className={styles.ways}>
        {link ? (
          <button type="button" className={styles.action} onClick={() => onJoin(link)}>
            {copy.join}
          </button>
        ) : null}
        {reference ? (
          <button type="button" className={styles.quiet} onClick={() => onRenew(reference)}>
            {copy.renew}
          </button>
        ) : null}
      </div>
      {orderId ? (
        <button
          type="button"
          className={styles.link}
          aria-label={copy.problemWith(access.group.name)}
          onClick={() => onOrder(orderId)}
        >
          {copy.problem}
        </button>
      ) : null}
    </li>
  );
}

function Door() {
  return (
    <svg viewBox="0 0 24 24" width="32" height="32">
      <path d="M6 21V11a6 6 0 0 1 12 0v10z" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="14.5" cy="15" r="1.4" fill="currentColor" />
    </svg>
  );
}

function Skeleton() {
  return (
    <div className={styles.list} aria-hidden="true">
      <div className={styles.block} />
      <div className={styles.block} />
    </div>
  );
}
