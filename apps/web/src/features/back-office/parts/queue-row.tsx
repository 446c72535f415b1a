import type { DeskWithdrawalOnWire } from "@sesame/contract/treasury";
import { Link } from "wouter";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { haptic } from "../../../telegram/native.ts";
import { Badge } from "../../../kit/badge.tsx";
import { classes } from "../../../kit/classes.ts";
import { Icon } from "../../../kit/icons.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { queueCopy as copy, sayAge, sayCountdown, sayWorking } from "../messages.fr.ts";
import styles from "../queue.module.css";
import { PremiumBadge, StageBadge } from "./badges.tsx";

/** A request in the list: how much, to whom, how long it waits, and who has it. */
export function QueueRow(props: {
  withdrawal: DeskWithdrawalOnWire;
  /** Seconds since the list came. */
  elapsed: number;
  chosen: boolean;
}) {
  const { withdrawal, elapsed } = props;
  return (
    <li>
      <Link
        href={`/bureau/retraits/${withdrawal.id}`}
        className={classes(styles.row, props.chosen && styles.chosen)}
        aria-current={props.chosen ? "true" : undefined}
        onClick={() => haptic("selection")}
      >
        <OperatorMark operator={withdrawal.operator} size={40} />
        <span className={styles.words}>
          <span className={styles.top}>
            <span className={styles.amount}>{formatFcfa(withdrawal.amount)}</span>
            {withdrawal.type_plan === "payant" ? <PremiumBadge /> : null}
            <span className={styles.reference}>{withdrawal.reference}</span>
          </span>
          <span className={styles.who}>
            {withdrawal.seller.name} · {withdrawal.method_label}
          </span>
          <When withdrawal={withdrawal} elapsed={elapsed} />
          <Marks withdrawal={withdrawal} elapsed={elapsed} />
        </span>
        <span className={styles.chevron}>
          <Icon name="chevron" size={18} />
        </span>
      </Link>
    </li>
  );
}

function When({ withdrawal, elapsed }: { withdrawal: DeskWithdrawalOnWire; elapsed: number }) {
  const left = withdrawal.working_minutes_left;
  const over = withdrawal.paid_at ?? withdrawal.decided_at;
  if (left === null) {
    return <span className={styles.when}>{over ? sayShortInstant(over) : null}</span>;
  }
  const age = sayAge(withdrawal.age_minutes + Math.floor(elapsed / 60));
  if (withdrawal.late) {
    return (
      <span className={styles.when}>
        {copy.age(age)}
        <span className={styles.late}>
          <Icon name="clock" size={14} />
          {left === 0 ? copy.lateNow : copy.lateBy(`${sayWorking(Math.abs(left))} ${copy.working}`)}
        </span>
      </span>
    );
  }
  return (
    <span className={styles.when}>
      {copy.age(age)} · {copy.dueIn(`${sayWorking(left)} ${copy.working}`)}
    </span>
  );
}

function Marks({ withdrawal, elapsed }: { withdrawal: DeskWithdrawalOnWire; elapsed: number }) {
  const { claim, risks } = withdrawal;
  const left = claim ? claim.seconds_left - elapsed : 0;
  const marks = [
    claim && left > 0 ? (
      <Badge key="claim" tone={claim.mine ? "accent" : "neutral"}>
        {claim.mine ? copy.mine(sayCountdown(left)) : copy.taken(claim.by.name, sayCountdown(left))}
      </Badge>
    ) : null,
    withdrawal.stage === "second-agent" ? (
      <Badge key="second" tone="warning">
        {copy.second}
      </Badge>
    ) : null,
    ["pending", "claimed", "second-agent"].includes(withdrawal.stage) ? null : (
      <StageBadge key="stage" stage={withdrawal.stage} />
    ),
    risks.length > 0 && withdrawal.status === "pending" ? (
      <Badge key="risks" tone="warning">
        {copy.signs(risks.length)}
      </Badge>
    ) : null,
    withdrawal.automatic ? (
      <Badge key="automatic" tone="neutral">
        {copy.automatic}
      </Badge>
    ) : null,
    withdrawal.own ? (
      <Badge key="own" tone="neutral">
        {copy.own}
      </Badge>
    ) : null,
  ].filter((mark) => mark !== null);
  return marks.length > 0 ? <span className={styles.marks}>{marks}</span> : null;
}
