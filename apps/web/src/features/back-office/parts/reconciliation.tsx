import { nameProvider } from "@sesame/contract/checkout";
import type { DeskDifferenceOnWire } from "@sesame/contract/treasury";
import type { AnswerOf } from "@sesame/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { formatInstant } from "../../../lib/format.ts";
import { readPages } from "../../../lib/read.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { toast } from "../../../kit/toast.tsx";
import { MoreButton } from "../../../kit/more-button.tsx";
import styles from "../alerts.module.css";
import { alertsCopy } from "../operator-messages.fr.ts";
import { deskCopy } from "../messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { addressOf } from "./alert-card.tsx";
import { LoadFailed } from "./states.tsx";

const copy = alertsCopy.reconciliation;

type ReconciliationRun = AnswerOf<"GET /api/desk/reconciliations">["runs"][number];

/** Where a provider's list and ours differ, and when they were last compared. */
export function Reconciliation() {
  const pages = useInfiniteQuery(readPages("GET /api/desk/reconciliations"));
  if (pages.isPending) return <SkeletonRows count={5} label={deskCopy.loading} />;
  if (pages.isError && !pages.data) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  const differences = pages.data?.pages.flatMap((page) => page.differences) ?? [];
  return (
    <>
      <p className={styles.text}>{copy.text}</p>
      {differences.length === 0 ? (
        <EmptyState drawing="receipt" title={copy.none} text={copy.noneText} />
      ) : (
        <div className={styles.grid}>
          {differences.map((difference) => (
            <DifferenceCard key={difference.id} difference={difference} />
          ))}
        </div>
      )}
      <MoreButton pages={pages} label={deskCopy.more} />
      <Runs runs={pages.data?.pages[0]?.runs ?? []} />
    </>
  );
}

function DifferenceCard({ difference }: { difference: DeskDifferenceOnWire }) {
  const { links } = difference;
  return (
    <article className={styles.difference}>
      <h2 className={styles.name}>{difference.label}</h2>
      <p className={styles.text}>
        {whatOf(difference)}
        {links.length === 0 ? ` · ${difference.subject}` : null}
      </p>
      <div className={styles.sides}>
        <Side title={copy.ours} facts={difference.ours} />
        <Side title={copy.theirs} facts={difference.theirs} />
      </div>
      <p className={styles.text}>
        {copy.seen(formatInstant(difference.first_seen_at), formatInstant(difference.last_seen_at))}
      </p>
      {links.map((link) => (
        <Link key={link.id} href={addressOf(link) ?? ""}>
          {link.label}
        </Link>
      ))}
    </article>
  );
}

function Side(props: { title: string; facts: DeskDifferenceOnWire["ours"] }) {
  return (
    <div className={styles.side}>
      <h3>{props.title}</h3>
      {props.facts === null ? <Badge tone="danger">{copy.absent}</Badge> : null}
      {props.facts?.map(({ label, value }) => (
        <p key={label}>
          {label} : <strong>{value}</strong>
        </p>
      ))}
    </div>
  );
}

function Runs({ runs }: { runs: readonly ReconciliationRun[] }) {
  const run = useDeskWrite("POST /api/desk/reconciliations", {});
  const ask = () =>
    run.mutate(
      {},
      {
        onSuccess: ({ message }) => toast(message),
        onError: (error) => toast(error.message, "bad"),
      },
    );
  return (
    <>
      <Section title={copy.runs}>
        {runs.length === 0 ? <Cell title={copy.notYet} /> : null}
        <ul>
          {runs.map((each) => (
            <li key={each.id}>
              <Cell
                title={whatOf(each)}
                subtitle={[
                  formatInstant(each.started_at),
                  copy.compared(each.compared),
                  each.by_list ? null : copy.noList,
                ]
                  .filter(Boolean)
                  .join(" · ")}
                after={<RunBadge run={each} />}
              />
            </li>
          ))}
        </ul>
      </Section>
      <Button look="tinted" icon="refresh" busy={run.isPending} onClick={ask}>
        {copy.run}
      </Button>
    </>
  );
}

function RunBadge({ run }: { run: ReconciliationRun }) {
  if (run.stopped) return <Badge tone="warning">{copy.stopped}</Badge>;
  if (run.finished_at === null) return <Badge tone="accent">{copy.running}</Badge>;
  return (
    <Badge tone={run.differences === 0 ? "positive" : "danger"}>
      {copy.found(run.differences)}
    </Badge>
  );
}

/** "FedaPay, envois". */
function whatOf({ provider, what }: Pick<ReconciliationRun, "provider" | "what">): string {
  return `${nameProvider(provider)}, ${copy.what[what]}`;
}
