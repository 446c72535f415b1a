import type { DeskAuditRowOnWire } from "@sesame/contract/back-office";
import type { AnswerOf } from "@sesame/contract/routes";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { formatInstant, formatNumber } from "../../lib/format.ts";
import { askAnew, readOnce, readPages } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { Page } from "../../kit/page.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import styles from "./audit.module.css";
import { auditCopy as copy, differencesOf } from "./operator-messages.fr.ts";
import { deskCopy } from "./messages.fr.ts";
import { AuditExport } from "./parts/audit-export.tsx";
import { LoadFailed } from "./parts/states.tsx";

/** Who did what, when, before and after; and whether the chain still holds. */
export function Audit() {
  const [typed, setTyped] = useState("");
  const subject = useDeferredValue(typed.trim());
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/audit", { query: { subject } }),
    placeholderData: keepPreviousData,
  });
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const first = pages.data?.pages[0];
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {first ? <Chain key={first.state.checked_at} state={first.state} /> : null}
      <SearchField label={copy.filter} value={typed} onChange={(q) => setTyped(q.slice(0, 120))} />
      {pages.isPending ? (
        <SkeletonRows count={6} label={deskCopy.loading} />
      ) : pages.isError && rows.length === 0 ? (
        <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState drawing="receipt" title={copy.none} text={copy.noneText} />
      ) : (
        <Section>
          <ul>
            {rows.map((row) => (
              <Row key={row.seq} row={row} />
            ))}
          </ul>
        </Section>
      )}
      <MoreButton pages={pages} label={deskCopy.more} />
      {first ? <AuditExport today={first.now.slice(0, 10)} /> : null}
    </Page>
  );
}

/** What the last reading of the whole chain found; or a reading made now. */
function Chain({ state: told }: { state: AnswerOf<"GET /api/desk/audit">["state"] }) {
  const client = useQueryClient();
  const [state, setState] = useState(told);
  const [busy, setBusy] = useState(false);
  const verify = async () => {
    setBusy(true);
    try {
      const answer = await readOnce("GET /api/desk/audit", { query: { verify: "1" } });
      setState(answer.state);
      toast(copy.verified);
      void askAnew(client, ["GET /api/desk/audit"]);
    } catch (error) {
      toast(sayError(error, deskCopy.loadFailed), "bad");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section>
      <div className={styles.chain}>
        <Banner
          tone={state.whole === false ? "danger" : state.whole ? "accent" : "warning"}
          icon={state.whole === false ? "warning" : "shield"}
        >
          <strong>
            {state.whole === null
              ? copy.unchecked
              : state.whole
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
        {state.problems.map((problem) => (
          <p key={`${problem.invariant} ${problem.subject}`} className={styles.problem}>
            {copy.problem(problem.subject, problem.expected, problem.found)}
          </p>
        ))}
        {state.head ? (
          <p className={styles.hash}>
            {copy.seal} {state.head}
          </p>
        ) : null}
        <Button look="tinted" size="small" busy={busy} onClick={() => void verify()}>
          {copy.verify}
        </Button>
      </div>
    </Section>
  );
}

function Row({ row }: { row: DeskAuditRowOnWire }) {
  const differences = differencesOf(row.before, row.after);
  const who = row.actor ? `${row.actor.name} (${copy.roles[row.role]})` : copy.system;
  return (
    <li className={styles.row}>
      <details>
        <summary>
          <span className={styles.top}>
            <strong>{row.label}</strong>
            <span className={styles.small}>{row.subject}</span>
          </span>
          <span className={styles.small}>
            n° {row.seq} · {who} · {formatInstant(row.at)}
          </span>
          {row.reason ? <span className={styles.small}>« {row.reason} »</span> : null}
        </summary>
        <div className={styles.parts}>
          {differences.length === 0 ? <p>{copy.nothing}</p> : null}
          {differences.map(({ name, before, after }) => (
            <p key={name}>
              {name ? `${name} : ` : null}
              {before === null ? null : (
                <>
                  <del>{before}</del> →{" "}
                </>
              )}
              <ins>{after}</ins>
            </p>
          ))}
          <p className={styles.hash}>
            {copy.seal} {row.hash}
          </p>
        </div>
      </details>
    </li>
  );
}
