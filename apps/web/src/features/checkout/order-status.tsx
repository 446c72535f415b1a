import type { ReactNode } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import styles from "../../kit/buyer.module.css";
import { checkoutCopy, REFUND_STATUS_SENTENCES } from "./messages.fr.ts";
import type { OrderState } from "./order-state.ts";

const copy = checkoutCopy.status;

export type StatusAction = {
  readonly label: string;
  readonly quiet?: boolean;
  /** As words alone, after the buttons. */
  readonly plain?: boolean;
  onPress(): void;
};

export type OrderStatusProps = {
  readonly state: OrderState;
  readonly facts: { readonly id: string; readonly title: string; readonly amount: number };
  readonly actions: readonly StatusAction[];
  /** The network is slow: the last answer stays on the screen, with a word. */
  readonly late: boolean;
  readonly children?: ReactNode;
};

/** The status page of an order, with the next step (decision 54). */
export function OrderStatus({ state, facts, actions, late, children }: OrderStatusProps) {
  if (state.at === "loading") return <Loading late={late} />;
  const [title, text, tone] = describe(state);
  // The refund below may ask for a number: its form comes before the other steps.
  const asks = state.at === "refunding";
  const steps = (
    <div className={styles.actions}>
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          className={action.plain ? styles.plain : action.quiet ? styles.quiet : styles.action}
          onClick={action.onPress}
        >
          {action.label}
        </button>
      ))}
    </div>
  );
  return (
    <main className={styles.page}>
      <div className={styles.status} data-tone={tone}>
        <div className={styles.mark} data-tone={tone} aria-hidden="true">
          {/* The styles draw the door that is open. */}
          {tone === "open" ? null : <Drawing path={DRAWINGS[tone]} size={52} />}
        </div>
        <div aria-live="polite">
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.text}>{text}</p>
          {late ? <p className={styles.late}>{copy.late}</p> : null}
        </div>
        {asks ? null : steps}
        <dl className={styles.facts}>
          <div>
            <dt>{copy.amount}</dt>
            <dd>{formatFcfa(facts.amount)}</dd>
          </div>
          <div>
            <dt>{copy.order}</dt>
            <dd>
              <span className={styles.name}>{facts.title}</span> n° {facts.id}
            </dd>
          </div>
          {"until" in state ? (
            <div>
              <dt>{copy.until}</dt>
              <dd>{formatInstant(state.until)}</dd>
            </div>
          ) : null}
        </dl>
      </div>
      {children}
      {asks ? steps : null}
    </main>
  );
}

function Loading({ late }: { late: boolean }) {
  return (
    <main className={styles.page} aria-busy="true">
      <div className={styles.status}>
        <div className={styles.mark} />
        <div role="status">
          <h1 className={styles.title}>{copy.verifyingTitle}</h1>
          <p className={styles.text}>{late ? copy.late : copy.loading}</p>
        </div>
        <div className={styles.skeleton} />
        <div className={styles.skeleton} />
      </div>
    </main>
  );
}

type Known = Exclude<OrderState, { readonly at: "loading" }>;
type Tone = "wait" | "good" | "bad" | "neutral" | "open";

type Described = readonly [title: string, text: string, tone: Tone];

function describe(state: Known): Described {
  switch (state.at) {
    case "pending":
      return [
        copy.pendingTitle,
        followed(copy.pendingText(state.notified), state.provider && copy.askedFor(state.provider)),
        "wait",
      ];
    case "refunding":
      return [
        state.refund === "numero_attendu" ? copy.numberTitle : copy.refundingTitle,
        state.bySeller ? copy.sellerReturns : REFUND_STATUS_SENTENCES[state.refund],
        "neutral",
      ];
    case "paid":
    case "bought":
      return describeBought(state);
    case "inside":
      return [
        state.renewed ? copy.renewedTitle : copy.insideTitle,
        copy.insideText(formatInstant(state.until)),
        "open",
      ];
    case "failed":
      return [
        copy.failedTitle,
        followed(copy.failedText, state.complain && COMPLAIN[state.complain]),
        "bad",
      ];
    default:
      return ALWAYS[state.at];
  }
}

const followed = (text: string, by: string | null | undefined) => (by ? `${text} ${by}` : text);

const COMPLAIN = { here: copy.failedHere, "in Telegram": copy.failedThere };

/** The states that are described without a detail of the order. */
const ALWAYS = {
  error: [copy.errorTitle, copy.errorText, "bad"],
  unpaid: [copy.unpaidTitle, copy.unpaidText, "wait"],
  review: [copy.reviewTitle, copy.reviewText, "wait"],
  refunded: [copy.refundedTitle, copy.refundedText, "neutral"],
  ended: [copy.endedTitle, copy.endedText, "neutral"],
  banned: [copy.endedTitle, copy.bannedText, "bad"],
  opening: [copy.paidTitle, copy.openingText, "good"],
  waiting: [copy.paidTitle, copy.waitingText, "open"],
  paused: [copy.paidTitle, copy.pausedText, "wait"],
} as const;

function describeBought(state: Extract<Known, { at: "paid" | "bought" }>): Described {
  const { at, kind } = state;
  const { thanks, thanksText } = checkoutCopy.donation;
  if (kind === "donation") {
    return [thanks, thanksText("notified" in state && state.notified), "good"];
  }
  if (at === "bought") {
    return [copy.paidTitle, kind === "plan" ? copy.planText : copy.trialText, "good"];
  }
  return [copy.paidTitle, kind === "product" ? copy.returnText : copy.returnPlanText, "good"];
}

const DRAWINGS: Record<Exclude<Tone, "open">, string> = {
  wait: "M12 6.5V12l3.5 2.2",
  good: "M7 12.5l3.4 3.4L17.2 9",
  bad: "M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6",
  neutral: "M7.5 12h9",
};

export function Drawing({ path, size }: { path: string; size: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor">
      <path d={path} strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
