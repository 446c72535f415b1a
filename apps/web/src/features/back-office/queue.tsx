import type { AnswerOf } from "@sesame/contract/routes";
import { type StaffWithdrawalOnWire, STAGE_NAMES } from "@sesame/contract/treasury";
import { COUNTRY_TERMS } from "@sesame/contract/withdrawals";
import { useDeferredValue, useState } from "react";
import {
  Badge,
  Button,
  IconButton,
  type Mark,
  Marks,
  RefreshButton,
  TintedButton,
  PlainButton,
} from "../../kit/button.tsx";
import { Empty, Page } from "../../kit/screen.tsx";
import { SearchField, Segmented, switchField } from "../../kit/choices.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Cell, Line, Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Paged } from "../../kit/paged.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { Fields, useForm } from "../../kit/use-form.tsx";
import { formatFcfa } from "../../lib/format.ts";
import { readPages } from "../../lib/read.ts";
import { createStore } from "../../lib/store.ts";
import { capital, sayAge, sayShortInstant } from "../../lib/time-words.fr.ts";
import { haptic } from "../../telegram/native.ts";
import { queueCopy as copy, sayCountdown, sayWorking, names, staffCopy } from "./messages.fr.ts";
import {
  LOOK_AGAIN_MS,
  TONES,
  useBackOffice,
  useRefreshBackOffice,
  useSecondsSince,
} from "./use-staff.ts";

/** The queue's tabs: four of the lists the server knows. */
const TABS = ["pending", "to-pay", "uncertain", "done"] as const;
export type QueueTab = (typeof TABS)[number];

const EVERYTHING = { method: "", country: "", plan: "", late: "", mine: "" };
type Filters = Readonly<typeof EVERYTHING>;
type QueueChoice = { readonly tab: QueueTab; readonly q: string; readonly filters: Filters };

// Kept outside the screen: an agent who opens a request and comes back finds the list unchanged.
const kept = createStore<QueueChoice>({ tab: "pending", q: "", filters: EVERYTHING });

function chooseQueue(part: Partial<QueueChoice>): void {
  kept.set({ ...kept.get(), ...part });
}

// By whatever the server calls a country.
const COUNTRIES: Readonly<Record<string, { readonly name: string } | undefined>> = COUNTRY_TERMS;

function countFilters({ filters }: QueueChoice): number {
  return Object.values(filters).filter(Boolean).length;
}

/** Pending requests, premium first, then by deadline; finished ones have a tab. */
export function Queue({ chosen }: { chosen?: string }) {
  const choice = kept.useValue();
  const staff = useBackOffice();
  const [filtering, setFiltering] = useState(false);
  const refresh = useRefreshBackOffice();
  const filters = countFilters(choice);
  const { pending, to_pay: toPay, uncertain } = staff?.counts ?? {};
  const counts: Partial<Record<QueueTab, number | undefined>> = {
    pending,
    "to-pay": toPay,
    uncertain,
  };
  return (
    <Page
      refresh={refresh}
      title={staffCopy.tabs.queue}
      subtitle={
        staff && (
          <>
            {copy.summary(staff.counts.pending, staff.counts.late)}
            <br />
            {(staff.hours.open ? copy.openHours : copy.closedHours)(staff.hours.label)}
          </>
        )
      }
      actions={
        <>
          <IconButton
            icon="filter"
            label={filters > 0 ? `${copy.filter} (${copy.filtered(filters)})` : copy.filter}
            pressed={filters > 0}
            onClick={() => setFiltering(true)}
          />
          <RefreshButton run={refresh} />
        </>
      }
    >
      <Segmented
        label={copy.views}
        value={choice.tab}
        choices={TABS.map((value) => ({
          value,
          label: copy.tabs[value],
          count: counts[value] ?? copy.uncounted,
          // Nobody knows where that money is: its tab is always highlighted.
          alarm: value === "uncertain" && (counts.uncertain ?? 0) > 0,
        }))}
        onChange={(tab) => chooseQueue({ tab })}
      />
      <SearchField
        label={copy.search}
        value={choice.q}
        onChange={(q) => chooseQueue({ q: q.slice(0, 80) })}
      />
      {filters > 0 ? (
        <Line as="p" soft between>
          {copy.filtered(filters)}
          <PlainButton size="small" onClick={() => chooseQueue({ filters: EVERYTHING })}>
            {copy.clear}
          </PlainButton>
        </Line>
      ) : null}
      <Requests choice={choice} chosen={chosen} />
      {filtering ? (
        <QueueFilters
          choice={choice}
          methods={staff?.methods ?? []}
          onClose={() => setFiltering(false)}
        />
      ) : null}
    </Page>
  );
}

function Requests({ choice, chosen }: { choice: QueueChoice; chosen: string | undefined }) {
  const query = { status: choice.tab, ...choice.filters, q: choice.q.trim() };
  const secondsSince = useSecondsSince(1_000);
  return (
    <Paged
      of={readPages("GET /api/desk/withdrawals", { query: useDeferredValue(query) })}
      every={LOOK_AGAIN_MS}
      rows={({ withdrawals }) => withdrawals}
      empty={<NoRow choice={choice} />}
    >
      {(rows, { since, old }) => (
        <div style={old ? { opacity: 0.6 } : undefined}>
          <Rows>
            {rows.map((each) => (
              <QueueRow
                key={each.id}
                withdrawal={each}
                elapsed={secondsSince(since)}
                chosen={each.id === chosen}
              />
            ))}
          </Rows>
        </div>
      )}
    </Paged>
  );
}

function NoRow({ choice }: { choice: QueueChoice }) {
  if (choice.q.trim() !== "" || countFilters(choice) > 0) {
    return (
      <Empty of={["search", copy.emptyFiltered]}>
        <TintedButton onClick={() => chooseQueue({ filters: EVERYTHING, q: "" })}>
          {copy.clear}
        </TintedButton>
      </Empty>
    );
  }
  return <Empty of={["coins", copy.empty[choice.tab], copy.emptyText[choice.tab]]} />;
}

/** A request in the list: amount, destination, waiting time, and the agent who took it. */
function QueueRow(props: {
  withdrawal: StaffWithdrawalOnWire;
  /** Seconds since the list was read. */
  elapsed: number;
  chosen: boolean;
}) {
  const { withdrawal, elapsed } = props;
  return (
    <Cell
      href={`/bureau/retraits/${withdrawal.id}`}
      current={props.chosen}
      onClick={() => haptic("selection")}
      before={<OperatorMark operator={withdrawal.operator} size={40} />}
      title={
        <>
          <Line as="span" between>
            <Text as="strong" size="heading">
              {formatFcfa(withdrawal.amount)}
            </Text>
            <Text as="span" size="tiny" tone="soft">
              {withdrawal.reference}
            </Text>
          </Line>
          <Text as="span" size="small">
            {withdrawal.seller.name} · {withdrawal.method_label}
          </Text>
        </>
      }
      subtitle={
        <Stack as="span" gap={1}>
          {sayWhen(withdrawal, elapsed)}
          <Line as="span">
            {withdrawal.type_plan === "payant" ? <PremiumBadge /> : null}
            <Marks of={marksOf(withdrawal, elapsed)} />
          </Line>
        </Stack>
      }
    />
  );
}

function sayWhen(withdrawal: StaffWithdrawalOnWire, elapsed: number): string | null {
  const left = withdrawal.working_minutes_left;
  if (left === null) {
    const over = withdrawal.paid_at ?? withdrawal.decided_at;
    return over && sayShortInstant(over);
  }
  const age = capital(sayAge(withdrawal.age_minutes + Math.floor(elapsed / 60)));
  return joined(age, !withdrawal.late && copy.dueIn(`${sayWorking(left)} ${copy.working}`));
}

function marksOf(
  withdrawal: StaffWithdrawalOnWire,
  elapsed: number,
): readonly (Mark | false | null)[] {
  const { assignment, risks, stage, late, working_minutes_left: minutes } = withdrawal;
  const left = assignment ? assignment.seconds_left - elapsed : 0;
  return [
    late &&
      minutes !== null && [
        "danger",
        minutes === 0
          ? copy.lateNow
          : copy.lateBy(`${sayWorking(Math.abs(minutes))} ${copy.working}`),
      ],
    assignment && left > 0
      ? assignment.mine
        ? ["accent", copy.mine(sayCountdown(left))]
        : ["neutral", copy.taken(assignment.by.name, sayCountdown(left))]
      : null,
    stage === "second-agent" && ["warning", copy.second],
    !["pending", "assigned", "second-agent"].includes(stage) && [TONES[stage], STAGE_NAMES[stage]],
    risks.length > 0 && withdrawal.status === "pending" && ["warning", copy.signs(risks.length)],
    withdrawal.automatic && ["neutral", names.automatic],
    withdrawal.own && ["neutral", copy.own],
  ];
}

export function PremiumBadge() {
  return (
    <Badge tone="accent">
      <Icon name="star" size={12} />
      {names.premium}
    </Badge>
  );
}

/** The filters, chosen together and applied at once. */
function QueueFilters(props: {
  choice: QueueChoice;
  methods: AnswerOf<"GET /api/desk">["methods"];
  onClose(): void;
}) {
  const ofCountry = (country: string) =>
    props.methods.filter((each) => !country || each.country === country);
  const countries = [...new Set(props.methods.map((each) => each.country))];
  const form = useForm(
    ({ country = "" }) => ({
      country: {
        kind: "select",
        label: names.country,
        empty: copy.anyCountry,
        choices: countries.map((value) => ({ value, label: COUNTRIES[value]?.name ?? value })),
      },
      method: {
        kind: "select",
        label: names.method,
        empty: copy.anyMethod,
        choices: ofCountry(country).map(({ id, label }) => ({ value: id, label })),
      },
      plan: {
        kind: "chips",
        label: copy.plan,
        choices: { "": copy.anyPlan, gratuit: names.free, payant: names.premium },
      },
      late: switchField({ label: copy.lateOnly }),
      mine: switchField({ label: copy.mineOnly }),
    }),
    props.choice.filters,
  );
  const apply = (chosen: Filters) => {
    // A method of another country, chosen before the country, does not count.
    const known = ofCountry(chosen.country).some(({ id }) => id === chosen.method);
    chooseQueue({ filters: { ...chosen, method: known ? chosen.method : "" } });
    props.onClose();
  };
  return (
    <Sheet title={copy.filters} onClose={props.onClose}>
      <Stack gap={4}>
        <Fields form={form} />
        <Button onClick={() => apply(form.values)}>{names.seeRequests}</Button>
        <PlainButton onClick={() => apply(EVERYTHING)}>{copy.clear}</PlainButton>
      </Stack>
    </Sheet>
  );
}
