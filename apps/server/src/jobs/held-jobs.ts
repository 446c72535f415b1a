import type { App } from "../app.ts";
import { createBatcher } from "./batcher.ts";
import type { LeaseClock } from "./leases.ts";
import { finishJobs, LEASE_MS, type LeasedJob, releaseJobs, renewLeases } from "./outbox.store.ts";

export type HeldJobs = ReturnType<typeof createHeldJobs>;

type HeldJobsOptions = Pick<App, "db" | "clock" | "log"> & { readonly leaseClock: LeaseClock };

type Held = { job: LeasedJob; done: boolean };

/** The maximum of done jobs deleted in one statement: those that end during the previous one. */
const FINISHED_TOGETHER = 200;

/** The jobs leased by this process, whose leases it renews while they wait and run. */
export function createHeldJobs(options: HeldJobsOptions) {
  const { db, log, leaseClock } = options;
  const held = new Map<bigint, Held>();
  const finisher = createBatcher<LeasedJob>({
    write: (jobs) => finishJobs(db, jobs),
    maxBatch: FINISHED_TOGETHER,
  });
  const renewal = createRenewal({ ...options, leaseMs: LEASE_MS }, "jobs", renew);

  /** It needs nothing more here. */
  function drop({ id }: LeasedJob): void {
    held.delete(id);
    if (held.size === 0) renewal.rest();
  }

  /** Deletes a done job in the database, at once; retried with each renewal until it succeeds. */
  async function finish(job: LeasedJob): Promise<void> {
    const one = held.get(job.id);
    if (one) one.done = true;
    try {
      await finisher.submit(one?.job ?? job);
      drop(job);
    } catch (error) {
      // Leased until it is deleted: a second run might send a message twice.
      log.warn({ err: error, topic: job.topic }, "a done job was not forgotten yet");
    }
  }

  /** Renews the leases, and deletes done jobs that are still in the database. */
  async function renew(): Promise<void> {
    const jobs = [...held.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    const kept = await renewLeases(db, jobs, leaseClock);
    for (const [id, one] of held) {
      // Its handler continues; what it writes at its end is fenced by the lost lease.
      if (one.done && !kept.has(id)) held.delete(id);
    }
    await Promise.all([...held.values()].filter(({ done }) => done).map(({ job }) => finish(job)));
  }

  return {
    /** Adds leased jobs. → those not held already. */
    add(jobs: readonly LeasedJob[]): LeasedJob[] {
      const fresh = jobs.filter(({ id }) => !held.has(id));
      for (const job of jobs) held.set(job.id, { job, done: held.get(job.id)?.done ?? false });
      if (held.size > 0) renewal.watch();
      if (fresh.length < jobs.length) renewal.renewSoon();
      return fresh;
    },
    /** The current lease of the job; it changes when the job was leased again here. */
    leaseOf: (job: LeasedJob): LeasedJob => held.get(job.id)?.job ?? job,
    finish,
    drop,
    /** Releases jobs that were not begun. */
    async release(jobs: readonly LeasedJob[]): Promise<void> {
      const leases = jobs.map((job) => held.get(job.id)?.job ?? job);
      for (const job of jobs) drop(job);
      await releaseJobs(db, leases, leaseClock).catch((error: unknown) => {
        log.warn({ err: error }, "jobs were not given back: their leases end by themselves");
      });
    },
    async close(): Promise<void> {
      renewal.rest();
      await renewal.settle();
      await finisher.close();
    },
  };
}

/** @param what is leased, by its name in the log. */
export function createRenewal(
  { clock, log, leaseMs }: Pick<App, "clock" | "log"> & { readonly leaseMs: number },
  what: string,
  run: () => Promise<void>,
) {
  let timer: NodeJS.Timeout | null = null;
  let unlisten: (() => void) | null = null;
  const underWay = new Set<Promise<void>>();

  function renew(): void {
    const one = run()
      .catch((err: unknown) => log.warn({ err }, `leases of ${what} were not renewed`))
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }

  /** Renews now, unless a renewal is in progress. */
  function renewSoon(): void {
    if (underWay.size === 0) renew();
  }

  return {
    /** Renews periodically from now on. */
    watch() {
      if (timer) return;
      // By the machine's clock: a lease must be renewed however fast an injected clock advances.
      // Each renewal is independent: one on a dead connection must not end the leases.
      timer = setInterval(renew, leaseMs / 3);
      timer.unref();
      unlisten = clock.onJump(renewSoon);
    },
    /** Until `watch` is called again. */
    rest() {
      if (timer) clearInterval(timer);
      unlisten?.();
      timer = null;
      unlisten = null;
    },
    renewSoon,
    /** Ends after renewals in progress. */
    settle: () => Promise.all(underWay),
  };
}
