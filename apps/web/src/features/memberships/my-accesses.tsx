import type { AccessOnWire } from "@sesame/contract/memberships";
import { formatDay } from "../../lib/format.ts";
import styles from "../../kit/buyer.module.css";
import { accessCopy as copy } from "./messages.fr.ts";
import { MyData, type MyDataProps } from "./my-data.tsx";

type MyAccessesProps = MyDataProps & {
  readonly accesses: readonly AccessOnWire[];
  onJoin(link: string): void;
  onRenew(reference: string): void;
  /** Its order's page, where a complaint is made. */
  onOrder(orderId: string): void;
};

/** What one has paid for, and under it what is kept of the person. */
export function MyAccesses(props: MyAccessesProps) {
  const { accesses, onExport, onErase, ...ways } = props;
  return (
    <>
      {accesses.length === 0 ? (
        <div className={styles.empty}>
          <span className={styles.mark} aria-hidden="true">
            <Door />
          </span>
          <h2>{copy.emptyTitle}</h2>
          <p>{copy.emptyText}</p>
        </div>
      ) : null}
      <ul className={styles.list}>
        {accesses.map((access) => (
          <Row key={access.id} access={access} {...ways} />
        ))}
      </ul>
      <MyData onExport={onExport} onErase={onErase} />
    </>
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
          {access.status === "banned" ? null : running ? copy.until(day) : copy.endedOn(day)}
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
