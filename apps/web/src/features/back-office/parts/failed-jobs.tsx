import type { AnswerOf } from "@sesame/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { formatInstant } from "../../../lib/format.ts";
import { readPages } from "../../../lib/read.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { MoreButton } from "../../../kit/more-button.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { toast } from "../../../kit/toast.tsx";
import styles from "../alerts.module.css";
import { deskCopy } from "../messages.fr.ts";
import { jobsCopy as copy } from "../operator-messages.fr.ts";
import { useDeskWrite } from "../use-desk.ts";
import { LoadFailed } from "./states.tsx";

/** Jobs that are not tried again by themselves: by topic, and one by one. The operator's. */
export function FailedJobs() {
  const pages = useInfiniteQuery(readPages("GET /api/desk/jobs"));
  const retry = useDeskWrite("POST /api/desk/jobs/retry", {});
  if (pages.isPending) return <SkeletonRows count={5} label={deskCopy.loading} />;
  if (pages.isError && !pages.data) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  const topics = pages.data?.pages[0]?.topics ?? [];
  const jobs = pages.data?.pages.flatMap((page) => page.jobs) ?? [];
  const ask = (what: JobsToRetry) =>
    retry.mutate(what, {
      onSuccess: ({ message }) => toast(message),
      onError: (error) => toast(error.message, "bad"),
    });
  if (topics.length === 0) {
    return <EmptyState drawing="receipt" title={copy.none} text={copy.noneText} />;
  }
  return (
    <>
      <p className={styles.text}>{copy.text}</p>
      <div className={styles.grid}>
        {topics.map((topic) => (
          <TopicCard key={topic.topic} topic={topic} busy={retry.isPending} onRetry={ask} />
        ))}
      </div>
      {topics.length > 1 ? (
        <Button look="tinted" busy={retry.isPending} onClick={() => ask({ all: true })}>
          {copy.retryAll}
        </Button>
      ) : null}
      <h2 className={styles.name}>{copy.each}</h2>
      <div className={styles.grid}>
        {jobs.map((job) => (
          <JobCard key={job.id} job={job} busy={retry.isPending} onRetry={ask} />
        ))}
      </div>
      <MoreButton pages={pages} label={deskCopy.more} />
    </>
  );
}

type JobsToRetry = { id: string } | { topic: string } | { all: true };
type Jobs = AnswerOf<"GET /api/desk/jobs">;
type Retrying = { busy: boolean; onRetry(what: JobsToRetry): void };

function TopicCard(props: { topic: Jobs["topics"][number] } & Retrying) {
  const { topic, label, failed, expired, oldest_at: oldest, error } = props.topic;
  return (
    <article className={styles.difference}>
      <h2 className={styles.name}>{label}</h2>
      <p>{copy.counts(failed, expired)}</p>
      <p className={styles.text}>{copy.oldest(formatInstant(oldest))}</p>
      <p className={styles.error}>{error}</p>
      <Button look="tinted" busy={props.busy} onClick={() => props.onRetry({ topic })}>
        {copy.retryTopic}
      </Button>
    </article>
  );
}

function JobCard({ job, busy, onRetry }: { job: Jobs["jobs"][number] } & Retrying) {
  return (
    <article className={styles.difference}>
      <h3 className={styles.name}>{job.label}</h3>
      <p className={styles.text}>{copy.about(job.ref, formatInstant(job.failed_at))}</p>
      <p>
        <Badge tone={job.state === "failed" ? "danger" : "warning"}>{copy[job.state]}</Badge>
      </p>
      <p className={styles.text}>{copy.tried(job.attempts, job.outages)}</p>
      <p className={styles.error}>{job.error}</p>
      <Button look="tinted" busy={busy} onClick={() => onRetry({ id: job.id })}>
        {copy.retryOne}
      </Button>
    </article>
  );
}
