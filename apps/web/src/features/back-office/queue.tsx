import type { AnswerOf } from "@sesame/contract/routes";
import {
  type StaffQueueQuery,
  type StaffWithdrawalOnWire,
  STAGE_NAMES,
  type Stage,
} from "@sesame/contract/treasury";
import { useDeferredValue, useId, useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../kit/badge.tsx";
import { Button, IconButton } from "../../kit/button.tsx";
import { classes } from "../../lib/text.ts";
import { EmptyState } from "../../kit/empty-state.tsx";
import { SearchField, switchField } from "../../kit/choices.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { Page } from "../../kit/page.tsx";
import { Paged } from "../../kit/paged.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import type { Mark } from "../../kit/record-list.tsx";
import { Rows } from "../../kit/records.tsx";
import { Empty } from "../../kit/screen.tsx";
import { Fields, useForm } from "../../kit/use-form.tsx";
import { formatFcfa } from "../../lib/format.ts";
import { readPages } from "../../lib/read.ts";
import { createStore } from "../../lib/store.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { haptic } from "../../telegram/native.ts";
import { queueCopy as copy, sayAge, sayCountdown, sayWorking } from "./messages.fr.ts";
import styles from "./queue.module.css";
import {
  LOOK_AGAIN_MS,
  TONES,
  useBackOffice,
  useElapsedSeconds,
  useRefreshBackOffice,
} from "./use-staff.ts";

/** The queue's tabs: four of the lists the server knows. */
export type QueueTab = "pending" | "to-pay" | "uncertain" | "done";

type Filter = "method" | "country" | "plan" | "late" | "mine";
type QueueChoice = Readonly<Record<Filter | "q", string>> & { readonly tab: QueueTab };

type Asked = Omit<StaffQueueQuery, "cursor" | "limit">;

const EVERYTHING = { method: "", country: "", plan: "", late: "", mine: "" };

// Kept beside the screen: who opens a request and comes back finds the list as he left it.
const kept = createStore<QueueChoice>({ tab: "pending", q: "", ...EVERYTHING });

function chooseQueue(part: Partial<QueueChoice>): void {
  kept.set({ ...kept.get(), ...part });
}

function filtersOf({ method, country, plan, late, mine }: QueueChoice): Record<Filter, string> {
  return { method, country, plan, late, mine };
}

function countFilters(choice: QueueChoice): number {
  return Object.values(filtersOf(choice)).filter(Boolean).length;
}

/** What waits, premium first, then by deadline; what was done stays within reach. */
export function Queue({ chosen }: { chosen?: string }) {
  const choice = kept.useValue();
  const staff = useBackOffice();
  const [filtering, setFiltering] = useState(false);
  const refresh = useRefreshBackOffice();
  const filters = countFilters(choice);
  return (
    <PullToRefresh label={kitCopy.refresh} onRefresh={refresh}>
      <Page
        title={copy.title}
        subtitle={staff ? <Standing staff={staff} /> : undefined}
        actions={
          <IconButton icon="refresh" label={kitCopy.refresh} onClick={() => void refresh()} />
        }
      >
        <QueueTabs value={choice.tab} counts={countsOf(staff)} />
        <div className={styles.tools}>
          <SearchField
            label={copy.search}
            value={choice.q}
            onChange={(q) => chooseQueue({ q: q.slice(0, 80) })}
          />
          <IconButton
            icon="filter"
            label={filters > 0 ? `${copy.filter} (${copy.filtered(filters)})` : copy.filter}
            pressed={filters > 0}
            onClick={() => setFiltering(true)}
          />
        </div>
        {filters > 0 ? (
          <p className={styles.active}>
            {copy.filtered(filters)}
            <Button look="plain" size="small" onClick={() => chooseQueue(EVERYTHING)}>
              {copy.clear}
            </Button>
          </p>
        ) : null}
        <Requests choice={choice} chosen={chosen} />
      </Page>
      {filtering ? (
        <QueueFilters
          choice={choice}
          methods={staff?.methods ?? []}
          onClose={() => setFiltering(false)}
        />
      ) : null}
    </PullToRefresh>
  );
}

const TABS = ["pending", "to-pay", "uncertain", "done"] as const satisfies readonly QueueTab[];

/** The four lists, with how many wait in each. */
function QueueTabs(props: { value: QueueTab; counts: Partial<Record<QueueTab, number>> }) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={copy.views} className={styles.tabs}>
      {TABS.map((tab) => (
        <label key={tab} className={styles.tab} data-alarm={alarms(tab, props.counts) || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={tab === props.value}
            onChange={() => {
              haptic("selection");
              chooseQueue({ tab });
            }}
          />
          <span className={styles.tabName}>{copy.tabs[tab]}</span>
          <span className={styles.tabCount}>{props.counts[tab] ?? copy.uncounted}</span>
        </label>
      ))}
    </div>
  );
}

/** Nobody knows where that money is: it is never one list among others. */
function alarms(tab: QueueTab, counts: Partial<Record<QueueTab, number>>): boolean {
  return tab === "uncertain" && (counts.uncertain ?? 0) > 0;
}

function Standing({ staff }: { staff: AnswerOf<"GET /api/desk"> }) {
  const { counts, hours } = staff;
  return (
    <>
      {copy.summary(counts.pending, counts.late)}
      <br />
      {hours.open ? copy.openHours(hours.label) : copy.closedHours(hours.label)}
    </>
  );
}

function countsOf(staff: AnswerOf<"GET /api/desk"> | undefined): Partial<Record<QueueTab, number>> {
  if (!staff) return {};
  const { pending, to_pay: toPay, uncertain } = staff.counts;
  return { pending, "to-pay": toPay, uncertain };
}

function Requests({ choice, chosen }: { choice: QueueChoice; chosen: string | undefined }) {
  const asked = { status: choice.tab, ...filtersOf(choice), q: choice.q.trim() };
  const filter = useDeferredValue(asked as Asked);
  return (
    <Paged
      of={readPages("GET /api/desk/withdrawals", { query: filter })}
      every={LOOK_AGAIN_MS}
      rows={({ withdrawals }) => withdrawals}
      empty={<NoRow choice={choice} />}
    >
      {(rows, page) => <Listed rows={rows} since={page.since} old={page.old} chosen={chosen} />}
    </Paged>
  );
}

function Listed(props: {
  rows: readonly StaffWithdrawalOnWire[];
  since: number;
  old: boolean;
  chosen: string | undefined;
}) {
  const elapsed = useElapsedSeconds(props.since, 1_000);
  return (
    <div className={props.old ? styles.fading : undefined}>
      <Rows>
        {props.rows.map((each) => (
          <QueueRow
            key={each.id}
            withdrawal={each}
            elapsed={elapsed}
            chosen={each.id === props.chosen}
          />
        ))}
      </Rows>
    </div>
  );
}

function NoRow({ choice }: { choice: QueueChoice }) {
  if (choice.q.trim() !== "" || countFilters(choice) > 0) {
    return (
      <EmptyState
        drawing="search"
        title={copy.emptyFiltered}
        action={
          <Button look="tinted" onClick={() => chooseQueue({ ...EVERYTHING, q: "" })}>
            {copy.clear}
          </Button>
        }
      />
    );
  }
  return <Empty of={["coins", copy.empty[choice.tab], copy.emptyText[choice.tab]]} />;
}

/** A request in the list: how much, to whom, how long it waits, and who has it. */
function QueueRow(props: {
  withdrawal: StaffWithdrawalOnWire;
  /** Seconds since the list came. */
  elapsed: number;
  chosen: boolean;
}) {
  const { withdrawal, elapsed } = props;
  return (
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
        <Text as="span" size="small">
          {withdrawal.seller.name} · {withdrawal.method_label}
        </Text>
        <When withdrawal={withdrawal} elapsed={elapsed} />
        <Marks withdrawal={withdrawal} elapsed={elapsed} />
      </span>
      <span className={styles.chevron}>
        <Icon name="chevron" size={18} />
      </span>
    </Link>
  );
}

function When({ withdrawal, elapsed }: { withdrawal: StaffWithdrawalOnWire; elapsed: number }) {
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

function Marks({ withdrawal, elapsed }: { withdrawal: StaffWithdrawalOnWire; elapsed: number }) {
  const { assignment, risks, stage } = withdrawal;
  const left = assignment ? assignment.seconds_left - elapsed : 0;
  const marks: readonly (Mark | false | null)[] = [
    assignment && left > 0
      ? assignment.mine
        ? ["accent", copy.mine(sayCountdown(left))]
        : ["neutral", copy.taken(assignment.by.name, sayCountdown(left))]
      : null,
    stage === "second-agent" && ["warning", copy.second],
    !["pending", "assigned", "second-agent"].includes(stage) && [TONES[stage], STAGE_NAMES[stage]],
    risks.length > 0 && withdrawal.status === "pending" && ["warning", copy.signs(risks.length)],
    withdrawal.automatic && ["neutral", copy.automatic],
    withdrawal.own && ["neutral", copy.own],
  ];
  const shown = marks.filter((mark) => mark !== false && mark !== null);
  if (shown.length === 0) return null;
  return (
    <span className={styles.marks}>
      {shown.map(([tone, label], at) => (
        <Badge key={at} tone={tone}>
          {label}
        </Badge>
      ))}
    </span>
  );
}

export function StageBadge({ stage }: { stage: Stage }) {
  return <Badge tone={TONES[stage]}>{STAGE_NAMES[stage]}</Badge>;
}

export function PremiumBadge() {
  return (
    <Badge tone="accent">
      <Icon name="star" size={12} />
      {copy.premium}
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
  const form = useForm<Filter>(
    ({ country = "" }) => ({
      country: {
        kind: "select",
        label: copy.country,
        empty: copy.anyCountry,
        choices: countries.map((value) => ({ value, label: copy.countries[value] ?? value })),
      },
      method: {
        kind: "select",
        label: copy.method,
        empty: copy.anyMethod,
        choices: ofCountry(country).map(({ id, label }) => ({ value: id, label })),
      },
      plan: {
        kind: "chips",
        label: copy.plan,
        choices: [
          { value: "", label: copy.anyPlan },
          { value: "gratuit", label: copy.free },
          { value: "payant", label: copy.premium },
        ],
      },
      late: switchField({ label: copy.lateOnly }),
      mine: switchField({ label: copy.mineOnly }),
    }),
    filtersOf(props.choice),
  );
  const apply = (chosen: Record<Filter, string>) => {
    // A method of another country, chosen before it, is none.
    const known = ofCountry(chosen.country).some(({ id }) => id === chosen.method);
    chooseQueue({ ...chosen, method: known ? chosen.method : "" });
    props.onClose();
  };
  return (
    <Sheet title={copy.filters} onClose={props.onClose}>
      <Stack gap={4}>
        <Fields form={form} />
        <Button onClick={() => apply(form.values)}>{copy.apply}</Button>
        <Button look="plain" onClick={() => apply(EVERYTHING)}>
          {copy.clear}
        </Button>
      </Stack>
    </Sheet>
  );
}
