import type { AnswerOf } from "@sesame/contract/routes";
import type { PurseOnWire } from "@sesame/contract/treasury";
import { useState } from "react";
import { formatDay, formatFcfa, formatInstant } from "../../../lib/format.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icons.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { Cell, TintedIcon } from "../../../kit/section.tsx";
import styles from "../day.module.css";
import { dayCopy as copy } from "../money-messages.fr.ts";
import { Facts, type Fact } from "./facts.tsx";
import { CountSheet, MoveSheet } from "./purse-sheets.tsx";

type Open = "none" | "close" | "correct" | "move";

/** One purse on one day. */
export function PurseCard({
  purse,
  day,
}: {
  purse: PurseOnWire;
  day: AnswerOf<"GET /api/desk/day">;
}) {
  const [open, setOpen] = useState<Open>("none");
  const close = () => setOpen("none");
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        {purse.operator ? (
          <OperatorMark operator={purse.operator} size={38} />
        ) : (
          <TintedIcon icon="wallet" tint="teal" />
        )}
        <h3 className={styles.name}>{purse.label}</h3>
        {purse.kind === "float" ? (
          <Badge tone={purse.status === "open" ? "warning" : "positive"}>
            {copy.status[purse.status]}
          </Badge>
        ) : null}
      </header>
      <Facts facts={factsOf(purse)} />
      <Counts purse={purse} />
      {purse.movements.length > 0 ? <Movements purse={purse} /> : null}
      <div className={styles.buttons}>
        {purse.may_close.allowed ? (
          <Button onClick={() => setOpen("close")}>{copy.count}</Button>
        ) : null}
        {purse.may_correct.allowed ? (
          <Button look="tinted" onClick={() => setOpen("correct")}>
            {copy.correct}
          </Button>
        ) : null}
        {purse.kind === "float" && day.date === day.today ? (
          <Button look="plain" onClick={() => setOpen("move")}>
            {copy.move}
          </Button>
        ) : null}
        {!purse.may_close.allowed && purse.may_close.reason && purse.status === "open" ? (
          <p className={styles.why}>{purse.may_close.reason}</p>
        ) : null}
      </div>
      {open === "close" || open === "correct" ? (
        <CountSheet purse={purse} date={day.date} verb={open} onClose={close} />
      ) : null}
      {open === "move" ? <MoveSheet purse={purse} purses={day.purses} onClose={close} /> : null}
    </article>
  );
}

function factsOf(purse: PurseOnWire): Fact[] {
  const opened = purse.opened_on
    ? ` (${copy.openedOn(formatDay(`${purse.opened_on}T12:00:00`))})`
    : "";
  return [
    [`${copy.opening}${opened}`, formatFcfa(purse.opening)],
    [copy.in, formatFcfa(purse.in)],
    [purse.kind === "float" ? copy.out : copy.outProvider, formatFcfa(purse.out)],
    ...(purse.kind === "float" ? [] : ([[copy.costs, formatFcfa(purse.costs)]] as Fact[])),
    [copy.expected, formatFcfa(purse.expected)],
  ];
}

/** What was counted stays as it was written; a correction stands beneath it. */
function Counts({ purse }: { purse: PurseOnWire }) {
  if (purse.closes.length === 0) return null;
  return (
    <ul className={styles.counts}>
      {purse.closes.map((count) => (
        <li key={count.id} className={styles.count}>
          <p className={styles.countLine}>
            <strong>
              {count.corrects ? `${copy.correction} : ` : `${copy.counted} : `}
              {formatFcfa(count.counted)}
            </strong>
            <Badge tone={count.difference === 0 ? "positive" : "danger"}>
              {copy.difference} :{" "}
              {count.difference === 0 ? copy.noDifference : signed(count.difference)}
            </Badge>
          </p>
          <p className={styles.small}>
            {copy.countedBy(count.closed_by.name, formatInstant(count.closed_at))}
          </p>
          {count.explanation ? <p className={styles.words}>« {count.explanation} »</p> : null}
        </li>
      ))}
    </ul>
  );
}

function Movements({ purse }: { purse: PurseOnWire }) {
  return (
    <details className={styles.movements}>
      <summary>
        {copy.movements(purse.movements.length)}
        <Icon name="down" size={18} />
      </summary>
      <ul>
        {purse.movements.map((movement) => (
          <li key={`${movement.at} ${movement.label} ${movement.reference ?? ""}`}>
            <Cell
              title={movement.withdrawal?.reference ?? copy.kinds[movement.kind]}
              subtitle={[formatInstant(movement.at), movement.reference, movement.by?.name]
                .filter(Boolean)
                .join(" · ")}
              after={<strong>{signed(movement.amount)}</strong>}
              {...(movement.withdrawal
                ? { href: `/bureau/retraits/${movement.withdrawal.id}` }
                : {})}
            />
          </li>
        ))}
      </ul>
      {purse.more ? <p className={styles.why}>{copy.moreMovements}</p> : null}
    </details>
  );
}

/** With its sign: +2 000 FCFA, −500 FCFA. */
export function signed(amount: number): string {
  return amount > 0 ? `+${formatFcfa(amount)}` : formatFcfa(amount);
}
