import type { StaffAuditRowOnWire } from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Banner, TintedButton } from "../../kit/button.tsx";
import { SearchField } from "../../kit/choices.tsx";
import { TextField } from "../../kit/field.tsx";
import { Grid, Section, Stack, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/screen.tsx";
import { ExportButton, useAsking } from "../../kit/paged.tsx";
import { RecordList, type TableRow } from "../../kit/record-list.tsx";
import { toast } from "../../kit/toast.tsx";
import { formatInstant, formatNumber } from "../../lib/format.ts";
import { askAnew, readOnce, readPages } from "../../lib/read.ts";
import { names, quoted } from "./messages.fr.ts";
import { auditCopy as copy, differencesOf, settingsCopy } from "./operator-messages.fr.ts";
import { Note } from "../../kit/records.tsx";

/** Who did what, when, before and after; and whether the chain of hashes is intact. */
export function Audit() {
  const [typed, setTyped] = useState("");
  const subject = useDeferredValue(typed.trim());
  return (
    <Page title={settingsCopy.journal} subtitle={copy.subtitle} wide>
      <SearchField label={copy.filter} value={typed} onChange={(q) => setTyped(q.slice(0, 120))} />
      <RecordList
        of={() => readPages("GET /api/desk/audit", { query: { subject } })}
        items={({ rows }) => rows}
        row={auditRow}
        empty={["receipt", copy.none, copy.noneText]}
        head={({ first: { state } }) => <Chain key={state.checked_at} state={state} />}
        foot={({ first: { now } }) => <Export today={now.slice(0, 10)} />}
      />
    </Page>
  );
}

/** The result of the last check of the whole chain, or of a check made now. */
function Chain({ state: initial }: { state: AnswerOf<"GET /api/desk/audit">["state"] }) {
  const client = useQueryClient();
  const [state, setState] = useState(initial);
  const [busy, verify] = useAsking(async () => {
    const answer = await readOnce("GET /api/desk/audit", { query: { verify: "1" } });
    setState(answer.state);
    toast(copy.verified);
    void askAnew(client, ["GET /api/desk/audit"]);
  });
  const { whole } = state;
  return (
    <Section pad>
      <Banner
        tone={whole === false ? "danger" : whole ? "accent" : "warning"}
        icon={whole === false ? "warning" : "shield"}
      >
        <strong>
          {whole === null
            ? copy.unchecked
            : whole
              ? copy.whole(formatNumber(state.length))
              : copy.broken}
        </strong>
        {state.checked_at ? (
          <>
            <br />
            {copy.checkedAt(formatInstant(state.checked_at))}
          </>
        ) : null}
      </Banner>
      {state.problems.map(({ invariant, subject, expected, found }) => (
        <Text key={`${invariant} ${subject}`} size="small" tone="brick">
          {copy.problem(subject, expected, found)}
        </Text>
      ))}
      {state.head ? <Seal of={state.head} /> : null}
      <TintedButton size="small" busy={busy} onClick={verify}>
        {copy.verify}
      </TintedButton>
    </Section>
  );
}

function Seal({ of }: { of: string }) {
  return (
    <Text size="tiny" tone="soft" code>
      {copy.seal} {of}
    </Text>
  );
}

function auditRow(row: StaffAuditRowOnWire): TableRow {
  const differences = differencesOf(row.before, row.after);
  const who = row.actor ? `${row.actor.name} (${copy.roles[row.role]})` : copy.system;
  return {
    id: String(row.seq),
    title: row.label,
    facts: [
      [names.topic, row.subject],
      [names.by, who],
      [names.at, `n° ${row.seq} · ${formatInstant(row.at)}`],
      [names.reason, quoted(row.reason)],
    ],
    more: (
      <Stack gap={1} pad>
        {differences.length === 0 ? <Note>{copy.nothing}</Note> : null}
        {differences.map(({ name, before, after }) => (
          <Text key={name} size="small">
            {name ? `${name} : ` : null}
            {before === null ? null : (
              <>
                <del>{before}</del> →{" "}
              </>
            )}
            <strong>{after}</strong>
          </Text>
        ))}
        <Seal of={row.hash} />
      </Stack>
    ),
  };
}

/** Exports the lines of some days, both included. */
function Export({ today }: { today: string }) {
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  return (
    <Section pad title={copy.exportTitle}>
      <Grid least="7rem">
        <TextField
          label={copy.from}
          date={{ max: to }}
          value={from}
          onChange={(day) => setFrom(day || from)}
        />
        <TextField
          label={copy.to}
          date={{ min: from }}
          value={to}
          onChange={(day) => setTo(day || to)}
        />
      </Grid>
      <ExportButton
        of={`/api/desk/audit/export?from=${from}&to=${to}`}
        name={`journal-${from}-${to}.csv`}
      />
    </Section>
  );
}
