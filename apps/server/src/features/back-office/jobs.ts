import type { listStaffJobs, retryStaffJobs } from "@sesame/contract/back-office";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/server.ts";
import * as store from "../../jobs/failed-jobs.store.ts";
import { leaseClockOf } from "../../jobs/leases.ts";
import { nameTopic, sayRetried } from "./messages.fr.ts";

const PAGE = 30;

/** Null: an invalid cursor. */
export async function listJobs({ db, clock }: App, request: z.output<typeof listStaffJobs.query>) {
  const { topic = null, cursor = "" } = request;
  const [, at, key] = /^(\d{1,15})\.([a-z]+:[a-z0-9:]{1,40})$/.exec(cursor) ?? [];
  if (cursor !== "" && key === undefined) return null;
  const after = at !== undefined && key !== undefined ? { at: new Date(Number(at)), key } : null;
  const jobs = await store.listFailedJobs(db, { topic: topic || null, after, limit: PAGE });
  const topics = await store.listFailedTopics(db);
  const last = jobs.at(-1);
  return {
    now: clock.now(),
    topics: topics.map((each) => ({ ...each, label: nameTopic(each.topic) })),
    jobs: jobs.map((job) => ({ ...job, label: nameTopic(job.topic) })),
    next_cursor: last && jobs.length === PAGE ? `${last.failed_at.getTime()}.${last.id}` : null,
  };
}

/** Null: not exactly one of the three, so that a forgotten field never retries everything. */
export async function retryJobs(
  { db, clock }: App,
  caller: Principal,
  { id, topic, all }: z.output<typeof retryStaffJobs.body>,
) {
  const [what, ...more] = [id, topic, all ? "all" : undefined].filter((one) => one !== undefined);
  if (what === undefined || more.length > 0) return null;
  return db.transaction().execute(async (tx) => {
    const retried = await store.retryFailed(tx, { id, topic }, leaseClockOf(clock));
    if (retried > 0) {
      const entry = { actor: actorOf(caller), action: "jobs.retry", subject: `jobs:${what}` };
      await audit(tx, { ...entry, after: { retried } }, clock.now());
    }
    return { retried, message: sayRetried(retried) };
  });
}
