import {
  type StaffWithdrawalDetail,
  PAYOUT_RAIL_NAMES,
  STAGE_NAMES,
} from "@sesame/contract/treasury";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, Banner, Banners, TintedButton } from "../../kit/button.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Card, Cell, Line, Section, Text } from "../../kit/layout.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Page, Screen } from "../../kit/screen.tsx";
import { CopyLine, FactGrid, Records, Table } from "../../kit/record-list.tsx";
import { Rows, Note } from "../../kit/records.tsx";
import { formatFcfa, formatInstant, formatNumber } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { sayAge, sayShortDay } from "../../lib/time-words.fr.ts";
import { openLink } from "../../telegram/native.ts";
import { sayCountdown, sayCountdownAloud, sayWorking, names, quoted } from "./messages.fr.ts";
import { withdrawalCopy as copy } from "./money-messages.fr.ts";
import { BACK_OFFICE_HOME } from "./place.ts";
import { PremiumBadge } from "./queue.tsx";
import { LOOK_AGAIN_MS, TONES, toneOf, useSecondsSince } from "./use-staff.ts";
import { WithdrawalActs } from "./withdrawal-acts.tsx";

type Props = { readonly withdrawal: StaffWithdrawalDetail };

/** One request: what is asked, its risks, the actions, its history. */
export function Withdrawal({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/withdrawals/:id", { params: { id }, pick: "withdrawal" })}
      every={LOOK_AGAIN_MS}
      title={copy.title("")}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: names.seeRequests, href: BACK_OFFICE_HOME }}
    >
      {(withdrawal, since) => <Shown withdrawal={withdrawal} since={since} />}
    </Screen>
  );
}

function Shown({ withdrawal, since }: Props & { since: number }) {
  const elapsed = useSecondsSince(30_000)(since);
  const age = sayAge(withdrawal.age_minutes + Math.floor(elapsed / 60));
  const day = formatInstant(withdrawal.created_at);
  const pending = withdrawal.status === "pending";
  const isUnpaid = withdrawal.status === "approved" && withdrawal.paid_at === null;
  const { first_approval: first, reject_reason: rejected } = withdrawal;
  return (
    <Page
      title={copy.title(withdrawal.reference)}
      subtitle={withdrawal.automatic ? copy.askedAutomatically(age, day) : copy.asked(age, day)}
    >
      <Banners of={[withdrawal.own && ["warning", "user", copy.own]]} />
      <AssignmentBanner withdrawal={withdrawal} since={since} />
      <Banners
        of={[
          pending &&
            first && [
              "warning",
              "people",
              copy.second(first.by.name, PAYOUT_RAIL_NAMES[first.rail], formatInstant(first.at)),
            ],
          pending &&
            !first &&
            withdrawal.needs_second_agent && ["accent", "people", copy.needsSecond],
          rejected !== null && [
            "danger",
            "close",
            <>
              <strong>{copy.rejectedBecause}</strong>
              <br />
              {rejected}
            </>,
          ],
        ]}
      />
      <Summary withdrawal={withdrawal} />
      {pending ? <Risks withdrawal={withdrawal} /> : null}
      <WithdrawalActs withdrawal={withdrawal} />
      <Payouts withdrawal={withdrawal} />
      <SellerHistory withdrawal={withdrawal} />
      {isUnpaid ? <Risks withdrawal={withdrawal} /> : null}
      <Trace withdrawal={withdrawal} />
    </Page>
  );
}

function AssignmentBanner({ withdrawal: { assignment }, since }: Props & { since: number }) {
  const elapsed = useSecondsSince(1_000)(since);
  if (!assignment) return null;
  const left = assignment.seconds_left - elapsed;
  if (left <= 0) {
    return assignment.mine ? <Banner icon="clock">{copy.assignment.over}</Banner> : null;
  }
  const words = assignment.mine ? copy.assignment.mine : copy.assignment.other(assignment.by.name);
  return (
    // Not a live region: a clock that a screen reader reads each second hides everything else.
    <Card>
      <Line nowrap>
        <Icon name="clock" size={20} />
        <Text size="small" tone={assignment.mine ? "green" : undefined}>
          {words} {assignment.mine ? copy.assignment.left : copy.assignment.otherFor}{" "}
          <strong aria-hidden="true">{sayCountdown(left)}</strong>
          <span className="visually-hidden">{sayCountdownAloud(left)}</span>
        </Text>
      </Line>
    </Card>
  );
}

/** Amount, destination, deadline. */
function Summary({ withdrawal }: Props) {
  const { whatsapp_url: url } = withdrawal;
  return (
    <Card as="section" aria-label={copy.amount}>
      <Line gap={4}>
        <OperatorMark operator={withdrawal.operator} size={48} />
        <div>
          <Text size="hero">{formatFcfa(withdrawal.amount)}</Text>
          <Text tone="soft">{withdrawal.method_label}</Text>
        </div>
      </Line>
      <Line as="p">
        <Badge tone={TONES[withdrawal.stage]}>{STAGE_NAMES[withdrawal.stage]}</Badge>
        {withdrawal.type_plan === "payant" ? <PremiumBadge /> : null}
      </Line>
      <Deadline withdrawal={withdrawal} />
      <CopyLine
        label={copy.number}
        shown={withdrawal.phone_label}
        copied={withdrawal.phone}
        button={names.copyNumber}
      />
      {/* Decision 96: the request's words are ready in WhatsApp. */}
      {url ? (
        <TintedButton icon="phone" onClick={() => openLink(url)}>
          {copy.whatsapp}
        </TintedButton>
      ) : (
        <Note>{copy.noWhatsapp(withdrawal.whatsapp)}</Note>
      )}
    </Card>
  );
}

function Deadline({ withdrawal }: Props) {
  const { working_minutes_left: left, paid_at: paid, decided_at: decided } = withdrawal;
  if (left === null) {
    if (paid) return <Note>{copy.paidOn(formatInstant(paid))}</Note>;
    return decided ? <Note>{copy.decidedOn(formatInstant(decided))}</Note> : null;
  }
  const day = formatInstant(withdrawal.due_at);
  if (!withdrawal.late) return <Note>{copy.due(day, sayWorking(left))}</Note>;
  return (
    <Text size="small" tone="brick" strong>
      {copy.late(day, sayWorking(Math.abs(left)))}
    </Text>
  );
}

/** Risks to check before approving, each with its own figures. */
function Risks({ withdrawal: { risks } }: Props) {
  return (
    <Rows title={copy.signs}>
      {risks.length === 0 ? (
        <Cell icon="shield" title={copy.noSigns} subtitle={copy.noSignsText} />
      ) : null}
      {risks.map((risk) => (
        <Cell
          key={risk.code}
          title={<Badge tone="warning">{risk.label}</Badge>}
          subtitle={risk.explanation}
        />
      ))}
    </Rows>
  );
}

function SellerHistory({ withdrawal: { seller, history } }: Props) {
  const { figures } = copy;
  const { payouts, sales } = history;
  const held = history.suspended ? copy.suspended : history.frozen ? names.frozen : null;
  return (
    <>
      <Section title={names.seller}>
        <Cell
          href={`/bureau/vendeurs/${seller.id}`}
          before={<Avatar name={seller.name} photo={seller.photo_url} />}
          title={seller.name}
          subtitle={copy.since(sayShortDay(history.since))}
          after={held ? <Badge tone="danger">{held}</Badge> : undefined}
        />
        <FactGrid
          facts={[
            [names.available, formatFcfa(history.available)],
            [names.held, formatFcfa(history.held)],
            [names.sales, `${formatNumber(sales.count)} · ${formatFcfa(sales.gross)}`],
            [figures.last30, formatFcfa(sales.last_30_days)],
            [figures.payouts, `${formatNumber(payouts.paid)} · ${formatFcfa(payouts.paid_amount)}`],
            [
              figures.success,
              payouts.success_percent === null ? names.noneOfThem : `${payouts.success_percent} %`,
            ],
            [
              figures.median,
              payouts.median_amount === null ? names.noneOfThem : formatFcfa(payouts.median_amount),
            ],
            [names.refunds, formatNumber(sales.refunds)],
          ]}
        />
      </Section>
      <Table
        title={copy.lastWithdrawals}
        none={copy.noOtherWithdrawal}
        rows={history.last_withdrawals.map((each) => ({
          id: each.id,
          href: `/bureau/retraits/${each.id}`,
          title: formatFcfa(each.amount),
          facts: [
            [names.at, sayShortDay(each.created_at)],
            [names.method, each.method_label],
            [copy.number, each.same_number ? copy.sameNumber : each.phone_label],
          ],
          mark: [TONES[each.stage], STAGE_NAMES[each.stage]],
        }))}
      />
    </>
  );
}

/** The payouts, as far as the providers have answered. */
function Payouts({ withdrawal: { payouts } }: Props) {
  return (
    <Records
      title={copy.payouts}
      of={payouts.map((payout) => {
        const next = payout.check_at ? ` · ${copy.nextCheck(formatInstant(payout.check_at))}` : "";
        return {
          id: payout.id,
          badges: [[toneOf(payout.status), payout.status_label]],
          title: PAYOUT_RAIL_NAMES[payout.rail],
          facts: [
            [copy.payoutReference, payout.reference],
            [names.atProvider, payout.provider_payout_id],
            [copy.operatorReference, payout.operator_reference],
            [copy.word, payout.word],
            [copy.failure, payout.failure],
            [copy.cost, payout.cost > 0 && formatFcfa(payout.cost)],
            [copy.checks, payout.checks > 0 && `${payout.checks}${next}`],
          ],
        };
      })}
    />
  );
}

/** A payout's step keeps the way it was sent. */
const sayRail = (reason: string) =>
  (PAYOUT_RAIL_NAMES as Readonly<Record<string, string>>)[reason] ?? reason;

function Trace({ withdrawal: { trace } }: Props) {
  return (
    <Table
      title={copy.trace}
      rows={trace.map((step) => ({
        id: `${step.at} ${step.label}`,
        title: step.label,
        facts: [
          [names.at, formatInstant(step.at)],
          [names.by, step.by ?? copy.system, copy.by],
          [names.reason, quoted(step.reason && sayRail(step.reason))],
        ],
      }))}
    />
  );
}
