import type { AnswerOf } from "@sesame/contract/routes";
import type { CashFloatOnWire } from "@sesame/contract/treasury";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Badge, IconButton, RefreshButton } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Arch, Cell, Fold, Line, Stack, Text } from "../../kit/layout.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Empty, Loaded, Page } from "../../kit/screen.tsx";
import { ExportButton } from "../../kit/paged.tsx";
import { type RecordOf, Records } from "../../kit/record-list.tsx";
import { joined, Note } from "../../kit/records.tsx";
import { act } from "../../kit/use-action.tsx";
import { readFrancs } from "../../kit/use-form.tsx";
import { formatDay, formatFcfa, formatInstant } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { names, quoted } from "./messages.fr.ts";
import { dayCopy as copy } from "./money-messages.fr.ts";
import { reason } from "./use-staff.ts";

type DayRead = AnswerOf<"GET /api/desk/day">;

/** Each cash float of a day: the balance in the ledger, and the amount counted. */
export function Day() {
  // Empty: today in the instance's zone.
  const [date, setDate] = useState("");
  const query = useQuery({
    ...read("GET /api/desk/day", { query: { date } }),
    placeholderData: keepPreviousData,
  });
  const day = query.data;
  const beside = (icon: "back" | "chevron", label: string, days: 1 | -1) =>
    day && (
      <IconButton icon={icon} label={label} onClick={() => setDate(dayBeside(day.date, days))} />
    );
  return (
    <Page
      title={copy.title}
      wide
      subtitle={
        day &&
        joined(
          `${day.date === day.today ? `${copy.today}, ` : ""}${sayDay(day.date)}`,
          copy.zone(day.zone),
        )
      }
      actions={
        <>
          {beside("back", copy.previous, -1)}
          {day && day.date < day.today ? beside("chevron", copy.next, 1) : null}
          <RefreshButton run={query.refetch} />
        </>
      }
    >
      <Loaded of={query}>
        {(shown) => (
          <>
            <TextField
              label={copy.date}
              date={{ max: shown.today }}
              value={shown.date}
              onChange={(chosen) => setDate(chosen || shown.date)}
            />
            <CashFloats day={shown} />
            <ExportButton
              of={`/api/desk/day/export?date=${shown.date}`}
              name={`cloture-${shown.date}.csv`}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The day before or after a calendar day: 2026-11-21. */
export function dayBeside(date: string, days: 1 | -1): string {
  const at = new Date(`${date}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

const sayDay = (date: string) => formatDay(`${date}T12:00:00`);

function CashFloats({ day }: { day: DayRead }) {
  const quiet = day.floats.filter(isQuiet);
  const moved = day.floats.filter((cashFloat) => !isQuiet(cashFloat));
  const cards = (floats: readonly CashFloatOnWire[]) => (
    <Records of={floats.map((cashFloat) => cashFloatCard(cashFloat, day))} />
  );
  const group = (title: string, footer: string, kind: CashFloatOnWire["kind"]) => {
    const floats = moved.filter((cashFloat) => cashFloat.kind === kind);
    return floats.length === 0 ? null : (
      <Stack as="section" gap={2}>
        <Text as="h2" size="small" tone="green" strong>
          {title}
        </Text>
        {cards(floats)}
        <Note>{footer}</Note>
      </Stack>
    );
  };
  return (
    <>
      {moved.length === 0 ? <Empty of={["coins", copy.none, copy.noneText]} /> : null}
      {group(copy.floats, copy.floatsFooter, "float")}
      {group(copy.providers, copy.providersFooter, "provider")}
      {quiet.length > 0 ? <Fold title={copy.quiet(quiet.length)}>{cards(quiet)}</Fold> : null}
    </>
  );
}

function isQuiet({ opening, expected, movements, closes }: CashFloatOnWire): boolean {
  return opening === 0 && expected === 0 && movements.length === 0 && closes.length === 0;
}

/** One cash float on one day. */
function cashFloatCard(cashFloat: CashFloatOnWire, day: DayRead): RecordOf {
  const float = cashFloat.kind === "float";
  const opened = cashFloat.opened_on ? ` (${copy.openedOn(sayDay(cashFloat.opened_on))})` : "";
  const { may_close: close, may_correct: correct } = cashFloat;
  return {
    id: cashFloat.account,
    badges: [
      float && [
        cashFloat.status === "open" ? "warning" : "positive",
        copy.status[cashFloat.status],
      ],
    ],
    lead: cashFloat.operator ? (
      <OperatorMark operator={cashFloat.operator} size={38} />
    ) : (
      <Arch icon="wallet" />
    ),
    title: cashFloat.label,
    facts: [
      [`${copy.opening}${opened}`, formatFcfa(cashFloat.opening)],
      [copy.in, formatFcfa(cashFloat.in)],
      [float ? copy.out : copy.outProvider, formatFcfa(cashFloat.out)],
      [copy.costs, !float && formatFcfa(cashFloat.costs)],
      [copy.expected, formatFcfa(cashFloat.expected)],
    ],
    below: (
      <>
        <Counts cashFloat={cashFloat} />
        {cashFloat.movements.length > 0 ? <Movements cashFloat={cashFloat} /> : null}
      </>
    ),
    acts: [
      (close.allowed || cashFloat.status === "open") && count(cashFloat, day.date, "close"),
      correct.allowed && count(cashFloat, day.date, "correct"),
      float && day.date === day.today && move(cashFloat, day.floats),
    ],
  };
}

/** A count stays as it was written; a correction stands beneath it. */
function Counts({ cashFloat }: { cashFloat: CashFloatOnWire }) {
  if (cashFloat.closes.length === 0) return null;
  return (
    <Stack as="ul" gap={2}>
      {cashFloat.closes.map((each) => (
        <li key={each.id}>
          <Line as="p" between>
            <strong>
              {each.corrects ? `${copy.correction} : ` : `${copy.counted} : `}
              {formatFcfa(each.counted)}
            </strong>
            <Badge tone={each.difference === 0 ? "positive" : "danger"}>
              {copy.difference} :{" "}
              {each.difference === 0 ? names.noneOfThem : signed(each.difference)}
            </Badge>
          </Line>
          <Note>{copy.countedBy(each.closed_by.name, formatInstant(each.closed_at))}</Note>
          {each.explanation ? <p>{quoted(each.explanation)}</p> : null}
        </li>
      ))}
    </Stack>
  );
}

function Movements({ cashFloat }: { cashFloat: CashFloatOnWire }) {
  return (
    <Fold title={copy.movements(cashFloat.movements.length)}>
      <ul>
        {cashFloat.movements.map((movement) => (
          <li key={`${movement.at} ${movement.label} ${movement.reference ?? ""}`}>
            <Cell
              title={movement.withdrawal?.reference ?? copy.kinds[movement.kind]}
              subtitle={joined(formatInstant(movement.at), movement.reference, movement.by?.name)}
              after={<strong>{signed(movement.amount)}</strong>}
              {...(movement.withdrawal
                ? { href: `/bureau/retraits/${movement.withdrawal.id}` }
                : {})}
            />
          </li>
        ))}
      </ul>
      {cashFloat.more ? <Note>{copy.moreMovements}</Note> : null}
    </Fold>
  );
}

/** With its sign: +2 000 FCFA, −500 FCFA. */
function signed(amount: number): string {
  return amount > 0 ? `+${formatFcfa(amount)}` : formatFcfa(amount);
}

const { sheet } = copy;

/** The count of a day, or its correction: the difference is shown before it is saved. */
function count(cashFloat: CashFloatOnWire, date: string, verb: "close" | "correct") {
  const corrects = verb === "correct";
  return act(`POST /api/desk/day/${verb}`, {
    button: corrects ? copy.correct : copy.count,
    look: corrects ? "tinted" : "filled",
    may: corrects ? cashFloat.may_correct : cashFloat.may_close,
    title: corrects ? sheet.correctTitle(cashFloat.label) : sheet.title(cashFloat.label),
    text: sheet.text(formatFcfa(cashFloat.expected)),
    confirm: corrects ? sheet.confirmCorrection : sheet.confirm,
    fields: ({ counted = "" }) => {
      const francs = readFrancs(counted);
      const difference = typeof francs === "number" ? francs - cashFloat.expected : null;
      return {
        counted: {
          kind: "number",
          label: sheet.counted,
          suffix: "FCFA",
          hint: difference === null ? undefined : sayDifference(difference),
        },
        explanation:
          (corrects || (difference !== null && difference !== 0)) &&
          reason(corrects ? sheet.correctionWhy : sheet.explanation),
      };
    },
    body: ({ counted, explanation }) => ({
      date,
      account: cashFloat.account,
      counted: readFrancs(counted),
      ...(explanation.trim() ? { explanation } : {}),
    }),
    done: () => (corrects ? sheet.corrected : sheet.done),
  });
}

function sayDifference(difference: number): string {
  if (difference === 0) return sheet.same;
  const amount = formatFcfa(Math.abs(difference));
  return difference > 0 ? sheet.more(amount) : sheet.less(amount);
}

/** Money put into a cash float, or taken out of it, except payouts to sellers. */
function move(cashFloat: CashFloatOnWire, floats: readonly CashFloatOnWire[]) {
  const words = copy.moveSheet;
  const treasury = { value: "treasury", label: words.treasury };
  const others = floats.filter(({ account }) => account !== cashFloat.account);
  return act("POST /api/desk/day/moves", {
    button: copy.move,
    look: "plain",
    title: words.title(cashFloat.label),
    text: words.text,
    confirm: words.confirm,
    fields: ({ direction }) => ({
      direction: {
        kind: "chips",
        label: words.direction,
        initial: "in",
        choices: words.directions,
      },
      amount: { kind: "number", label: names.amount, suffix: "FCFA" },
      other: {
        kind: "select",
        label: direction === "out" ? words.to : words.from,
        initial: treasury.value,
        choices: [treasury, ...others.map(({ account, label }) => ({ value: account, label }))],
      },
      reference: { label: words.reference },
    }),
    body: ({ direction, amount, other, reference }) => ({
      account: cashFloat.account,
      direction,
      amount: readFrancs(amount),
      other,
      reference,
    }),
    done: () => words.done,
  });
}
