import type { StaffAlertOnWire, StaffLinkOnWire } from "@sesame/contract/back-office";
import { nameProvider } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import type { StaffDifferenceOnWire } from "@sesame/contract/treasury";
import { useState } from "react";
import { Badge, type BadgeTone, type Mark, RefreshButton } from "../../kit/button.tsx";
import { FilterChips, Segmented } from "../../kit/choices.tsx";
import { Grid, Stack, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { RecordList, type RecordOf, Records, Table } from "../../kit/record-list.tsx";
import { joined, Note } from "../../kit/records.tsx";
import { act, Acts } from "../../kit/use-action.tsx";
import { formatInstant } from "../../lib/format.ts";
import { readPages } from "../../lib/read.ts";
import { counted, names, quoted, staffCopy } from "./messages.fr.ts";
import { ALERT_WORDS, alertsCopy as copy, jobsCopy } from "./alerts-messages.fr.ts";
import { LOOK_AGAIN_MS, reason, useBackOffice, useRefreshBackOffice } from "./use-staff.ts";

type View = "open" | "resolved" | "differences" | "jobs";

/** Alerts, and differences between the providers' lists and ours. */
export function Alerts() {
  const [view, setView] = useState<View>("open");
  const staff = useBackOffice();
  const refresh = useRefreshBackOffice();
  return (
    <Page title={staffCopy.tabs.alerts} wide actions={<RefreshButton run={refresh} />}>
      <Segmented
        label={names.views}
        choices={[
          { value: "open", label: counted(copy.open, staff?.counts.alerts) },
          { value: "resolved", label: names.ended },
          { value: "differences", label: counted(copy.differences, staff?.counts.differences) },
          ...(staff?.me.operator ? [{ value: "jobs" as const, label: jobsCopy.title }] : []),
        ]}
        value={view}
        onChange={setView}
      />
      {view === "differences" ? (
        <Differences />
      ) : view === "jobs" ? (
        <FailedJobs />
      ) : (
        <List key={view} status={view} />
      )}
    </Page>
  );
}

function List({ status }: { status: "open" | "resolved" }) {
  const [kind, setKind] = useState("");
  const open = status === "open";
  return (
    <RecordList
      of={() => readPages("GET /api/desk/alerts", { query: { status, kind } })}
      every={LOOK_AGAIN_MS}
      items={({ alerts }) => alerts}
      empty={["coins", open ? copy.noneTitle : copy.noneResolved, open ? copy.noneText : ""]}
      head={({ first: { counts } }) =>
        open && counts.length > 1 ? (
          <FilterChips
            label={names.kind}
            choices={[
              { value: "", label: copy.everyKind },
              ...counts.map((each) => ({
                value: each.kind,
                label: counted(each.title, each.open),
              })),
            ]}
            value={kind}
            onChange={setKind}
          />
        ) : null
      }
    >
      {(alerts) => <Records heading={copy.kindHeading} of={alerts.map(alertCard)} />}
    </RecordList>
  );
}

const TONES: Readonly<Record<StaffAlertOnWire["severity"], BadgeTone>> = {
  critical: "danger",
  warning: "warning",
  info: "accent",
};

/** What happened, what to do about it, and what was done. */
export function alertCard(alert: StaffAlertOnWire): RecordOf {
  const words = ALERT_WORDS;
  const { id, title, resolved_at: ended, resolved_by: by, resolution } = alert;
  return {
    id,
    badges: [[ended ? "neutral" : TONES[alert.severity], words.severity[alert.severity]]],
    when: formatInstant(alert.created_at),
    title,
    text: alert.advice,
    facts: alert.facts.map(({ label, value }) => [label, value]),
    links: linksOf(alert.links),
    note:
      ended &&
      (by ? words.closedBy(by.name, formatInstant(ended)) : words.endedOn(formatInstant(ended))) +
        (resolution ? ` : ${quoted(resolution)}` : ""),
    acts: [
      ended === null &&
        act("POST /api/desk/alerts/:id/resolve", {
          params: { id },
          button: words.resolve,
          look: "tinted",
          may: alert.may_resolve,
          title: words.resolveTitle,
          text: words.resolveText,
          about: (
            <Text center strong>
              {title}
            </Text>
          ),
          fields: { note: reason(names.whatWasDone) },
          done: () => words.resolved,
        }),
    ],
  };
}

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  seller: (id) => `/bureau/vendeurs/${id}`,
  withdrawal: (id) => `/bureau/retraits/${id}`,
  order: (id) => `/bureau/commandes/${id}`,
  complaint: (id) => `/bureau/reclamations/${id}`,
  refund: () => "/bureau/remboursements",
};

const linksOf = (links: readonly StaffLinkOnWire[]) =>
  links.map(({ type, id, label }) => ({ href: PLACES[type]?.(id) ?? null, label }));

const { reconciliation } = copy;

/** Where a provider's list and ours differ, and when they were last compared. */
function Differences() {
  return (
    <RecordList
      of={() => readPages("GET /api/desk/reconciliations")}
      items={({ differences }) => differences}
      empty={["receipt", reconciliation.none, reconciliation.noneText]}
      head={() => <Note>{reconciliation.text}</Note>}
      foot={({ first }) => (
        <>
          <Table
            title={reconciliation.runs}
            none={reconciliation.notYet}
            rows={first.runs.map((run) => ({
              id: run.id,
              title: whatOf(run),
              facts: [
                [names.at, formatInstant(run.started_at)],
                [reconciliation.size, reconciliation.compared(run.compared)],
                [reconciliation.list, !run.by_list && reconciliation.noList],
              ],
              mark: markOf(run),
            }))}
          />
          <Acts
            of={act("POST /api/desk/reconciliations", {
              button: reconciliation.run,
              look: "tinted",
              icon: "refresh",
            })}
          />
        </>
      )}
    >
      {(differences) => <Records of={differences.map(differenceCard)} />}
    </RecordList>
  );
}

function differenceCard(each: StaffDifferenceOnWire): RecordOf {
  return {
    id: each.id,
    level: 2,
    title: each.label,
    text: joined(whatOf(each), each.links.length === 0 && each.subject),
    links: linksOf(each.links),
    note: reconciliation.seen(formatInstant(each.first_seen_at), formatInstant(each.last_seen_at)),
    children: (
      <Grid least="8rem">
        <Side title={reconciliation.ours} facts={each.ours} />
        <Side title={names.atProvider} facts={each.theirs} />
      </Grid>
    ),
  };
}

function Side(props: { title: string; facts: StaffDifferenceOnWire["ours"] }) {
  return (
    <Stack gap={1}>
      <Text as="h3" size="small" tone="soft" strong>
        {props.title}
      </Text>
      {props.facts === null ? <Badge tone="danger">{reconciliation.absent}</Badge> : null}
      {props.facts?.map(({ label, value }) => (
        <Text key={label} size="small">
          {label} : <strong>{value}</strong>
        </Text>
      ))}
    </Stack>
  );
}

type Run = AnswerOf<"GET /api/desk/reconciliations">["runs"][number];

function markOf({ stopped, finished_at: finished, differences }: Run): Mark {
  if (stopped) return ["warning", reconciliation.stopped];
  if (finished === null) return ["accent", reconciliation.running];
  return [differences === 0 ? "positive" : "danger", reconciliation.found(differences)];
}

/** For example "FedaPay, envois". */
function whatOf({ provider, what }: Pick<Run, "provider" | "what">): string {
  return `${nameProvider(provider)}, ${reconciliation.what[what]}`;
}

/** Jobs that no longer retry by themselves: by topic, and one by one. For the operator. */
function FailedJobs() {
  const retry = (button: string, what: { id: string } | { topic: string } | { all: true }) =>
    act("POST /api/desk/jobs/retry", { button, look: "tinted", body: () => what });
  return (
    <RecordList
      of={() => readPages("GET /api/desk/jobs")}
      items={({ jobs }) => jobs}
      empty={["receipt", jobsCopy.none, jobsCopy.noneText]}
      head={({ first: { topics } }) =>
        topics.length === 0 ? null : (
          <>
            <Note>{jobsCopy.text}</Note>
            <Records
              of={topics.map(({ topic, label, failed, expired, oldest_at: oldest, error }) => ({
                id: topic,
                level: 2,
                title: label,
                text: jobsCopy.counts(failed, expired),
                children: (
                  <>
                    <Note>{jobsCopy.oldest(formatInstant(oldest))}</Note>
                    <Trouble error={error} />
                  </>
                ),
                acts: [retry(jobsCopy.retryTopic, { topic })],
              }))}
            />
            <Acts of={topics.length > 1 && retry(jobsCopy.retryAll, { all: true })} />
            <Text as="h2" size="body" strong>
              {jobsCopy.each}
            </Text>
          </>
        )
      }
    >
      {(jobs) => (
        <Records
          of={jobs.map((job) => ({
            id: job.id,
            badges: [[job.state === "failed" ? "danger" : "warning", jobsCopy[job.state]]],
            when: jobsCopy.about(job.ref, formatInstant(job.failed_at)),
            title: job.label,
            text: jobsCopy.tried(job.attempts, job.outages),
            children: <Trouble error={job.error} />,
            acts: [retry(jobsCopy.retryOne, { id: job.id })],
          }))}
        />
      )}
    </RecordList>
  );
}

function Trouble({ error }: { error: string }) {
  return (
    <Text size="small" code>
      {error}
    </Text>
  );
}
