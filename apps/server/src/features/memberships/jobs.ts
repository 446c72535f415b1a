import { sql } from "kysely";
import type { App } from "../../app.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job, reviveJobs } from "../../jobs/outbox.store.ts";
import { type Db, finds, many, maybe, one, PREPARED } from "../../postgres/database.ts";
import { RENEW_LINKS, RESUME_ACCESS } from "../groups/index.ts";
import {
  type Membership,
  MEMBERSHIP,
  publishStatuses,
  REVOKE_LINK,
  revokeLink,
} from "./accesses.ts";
import {
  admit,
  CLOSE_ACCESS,
  closeAccess,
  OPEN_ACCESS,
  openAccess,
  reopening,
} from "./telegram-access.ts";
import { DECIDE_ENTRY, decideEntry, REMOVE_ENTRY, removeEntry, REPORT_ENTRIES } from "./entries.ts";
import { reportEntries } from "./entry-presses.ts";
import { addMs, DAY_MS } from "@sesame/kernel";
import { raiseAlert } from "../../alerts/alerts.ts";
import { listStaffInTouch } from "../../people/people.ts";
import { notify } from "../../bot/message.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { noteAccesses } from "../../outbound/events.store.ts";
import { BUTTONS, sweepStopped } from "./messages.fr.ts";

/**
 * The bot can work in a group again: pending work is done now. Join requests made meanwhile are
 * still open at Telegram, which does not repeat their updates.
 */
async function resumeGroup(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  const of = sql`WHERE group_id = ${job.ref}`;
  for (const [topics, about] of [
    [[OPEN_ACCESS], sql`SELECT id FROM orders ${of}`],
    [[CLOSE_ACCESS], sql`SELECT id FROM accesses ${of}`],
    [[DECIDE_ENTRY, REMOVE_ENTRY], sql`SELECT id FROM unpaid_entries ${of}`],
  ] as const) {
    await reviveJobs(app.db, { topics, about, now });
  }
  for (const access of await waitingIn(app.db, job.ref, now)) {
    const approved = await app.telegram.gatewayOf("seller").call("approveChatJoinRequest", {
      chat_id: Number(access.chat_id),
      user_id: Number(access.telegram_id),
    });
    if (approved.ok || approved.refusal.kind === "already-participant") await admit(app, access);
  }
  return DONE;
}

/** Memberships with time left whose person is not inside. */
function waitingIn(db: Db, groupId: bigint, now: Date): Promise<Membership[]> {
  return many<Membership>(db)`
    ${MEMBERSHIP}
    WHERE a.group_id = ${groupId} AND a.status IN ('waiting', 'left') AND a.ends_at > ${now}
  `;
}

/** The chat has another id, its links are dead: waiting people get one of the new chat. */
async function renewLinks(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await sql`
      UPDATE access_links SET revoked_at = ${now} WHERE group_id = ${job.ref} AND revoked_at IS NULL
    `.execute(tx);
    const waiting = await waitingIn(tx, job.ref, now);
    await enqueue(
      tx,
      waiting.flatMap((access) =>
        reopening(access, { why: access.status === "left" ? "left" : "again", now }),
      ),
    );
  });
  return DONE;
}

/** Attempts. In an outage of Telegram access is tried for days: the job never gives up, the back office decides. */
const ATTEMPTS_MAX = 1_000;

export function membershipJobs(app: App): JobHandler[] {
  const access = { batch: 20, concurrency: 10, maxAttempts: ATTEMPTS_MAX };
  const group = { batch: 5, concurrency: 1, maxAttempts: ATTEMPTS_MAX };
  return [
    { ...access, topic: OPEN_ACCESS, run: (job) => openAccess(app, job) },
    { ...access, topic: CLOSE_ACCESS, run: (job) => closeAccess(app, job) },
    { ...access, topic: DECIDE_ENTRY, run: (job) => decideEntry(app, job) },
    { ...access, topic: REMOVE_ENTRY, run: (job) => removeEntry(app, job) },
    { ...group, topic: REPORT_ENTRIES, run: (job) => reportEntries(app, job) },
    { ...access, topic: REVOKE_LINK, maxAttempts: 10, run: (job) => revokeLink(app, job) },
    { ...group, topic: RESUME_ACCESS, run: (job) => resumeGroup(app, job) },
    { ...group, topic: RENEW_LINKS, run: (job) => renewLinks(app, job) },
  ];
}

const RUNNING = sql`status IN ('waiting', 'inside', 'left', 'banned')`;

const BATCH = 500;

/** Ends memberships whose time is over, in batches, and has the people removed. */
export function membershipLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = () => sweepOnce(app);
  // A sweep that asked the operators waits for their answer.
  const due = () => sql<boolean>`${isOver(clock.now())} AND NOT EXISTS (
    SELECT FROM alerts WHERE kind = 'access.sweep-stopped' AND resolved_at IS NULL)`;
  return [createLoop({ name: "access sweep", clock, log, everyMs: WHOLE_ROUND_MS, due, run })];
}

const isOver = (now: Date) =>
  sql<boolean>`EXISTS (SELECT FROM accesses WHERE ${RUNNING} AND ends_at <= ${now})`;

/** Whether there is a membership to end. */
export async function hasEndedAccess(db: Db, now: Date): Promise<boolean> {
  return finds(db)`${PREPARED} SELECT WHERE ${isOver(now)}`;
}

async function sweepOnce(app: App): Promise<boolean> {
  // A wrong clock must not remove people who have paid: the sweep waits until it is corrected.
  if (!app.clock.isTrusted()) return false;
  const now = app.clock.now();
  // Most turns find nothing: one statement, without a transaction.
  if (!(await hasEndedAccess(app.db, now))) return false;
  return app.db.transaction().execute(async (tx) => {
    const decision = await decideSweep(tx, now);
    if (decision.kind === "stop") {
      await askOperators(app, tx, decision, now);
      return false;
    }
    // Several sweeps may run at once: each skips the rows that another has locked.
    const accesses = await many<
      Pick<Membership, "person_id" | "order_id" | "status"> & { id: bigint }
    >(tx)`
      UPDATE accesses SET status = 'ended', updated_at = ${now}
      WHERE id IN (
        SELECT id FROM accesses
        WHERE ${RUNNING} AND ends_at <= ${decision.until}
        ORDER BY ends_at
        LIMIT ${BATCH}
        FOR UPDATE SKIP LOCKED
      )
      RETURNING id, person_id, order_id, status
    `;
    if (decision.counted) await countEnded(tx, accesses.length, now);
    await enqueue(
      tx,
      accesses.map((access) => ({ topic: CLOSE_ACCESS, ref: access.id, priority: 0, dueAt: now })),
    );
    await publishStatuses(tx, accesses);
    const ids = accesses.map(({ id }) => id);
    await noteAccesses(tx, { type: "access.ended", ids }, now);
    return accesses.length === BATCH;
  });
}

/**
 * Asks the operators, once until one answers: the back office displays the alert, and the bot
 * notifies those to whom it may write.
 */
async function askOperators(app: App, tx: Db, stopped: StoppedSweep, now: Date) {
  const { due, limit } = stopped;
  const details = { due, limit, until: now.toISOString() };
  const alert = { kind: "access.sweep-stopped", subject: "sweep", details, now } as const;
  if (!(await raiseAlert(tx, alert))) return;
  app.log.error(stopped, "more memberships would end than usual: an operator is asked");
  const buttons = [app.appButton(BUTTONS.alerts, "/bureau/alertes")];
  const message = { text: sweepStopped(stopped), buttons };
  const operators = await listStaffInTouch(tx, app.config.operatorTelegramIds);
  await notify(
    tx,
    operators.map(({ id: personId }) => ({ bot: "seller" as const, personId, message })),
    now,
  );
}

/** Memberships that may end in an hour whatever is usual. */
const HOUR_FLOOR = 200;
const SHARE_OF_RUNNING = 0.01;
const TIMES_THE_MEDIAN = 5;
const HISTORY_MS = 14 * DAY_MS;

type StoppedSweep = {
  readonly kind: "stop";
  /** Memberships that would end now. */
  readonly due: number;
  /** Memberships that may end in an hour without asking. */
  readonly limit: number;
};

/** `until`: memberships that end by then may be ended. */
type SweepDecision =
  | StoppedSweep
  | { readonly kind: "go"; readonly until: Date; readonly counted: boolean };

/**
 * Whether the memberships that are over may end: those of this hour and those due now, together at
 * most max(200, 1 % of the running ones, 5 × the median hour of the last 14 days). Above it an
 * operator is asked; what was due at that time may end once a person resolves the alert. The row of
 * the hour serializes sweeps.
 */
async function decideSweep(tx: Db, now: Date): Promise<SweepDecision> {
  const { ended } = await one<{ ended: number }>(tx)`
    INSERT INTO membership_sweep_hours AS h (hour, ended)
    VALUES (date_trunc('hour', ${now}::timestamptz), 0)
    ON CONFLICT (hour) DO UPDATE SET ended = h.ended
    RETURNING ended
  `;
  const few = await countDue(tx, { now, max: HOUR_FLOOR + 1 });
  if (ended + few <= HOUR_FLOOR) return { kind: "go", until: now, counted: true };
  const approved = await maybe<{ until: Date | null }>(tx)`
    SELECT (details ->> 'until')::timestamptz AS until FROM alerts
    WHERE kind = 'access.sweep-stopped' AND subject = 'sweep' AND resolved_by IS NOT NULL
      AND resolved_at IS NOT NULL
  `;
  if (approved?.until && (await countDue(tx, { now: approved.until, max: 1 })) > 0) {
    return { kind: "go", until: approved.until, counted: false };
  }
  const limit = await readLimit(tx, now);
  const due = await countDue(tx, { now, max: 1_000_000 });
  if (ended + due <= limit) return { kind: "go", until: now, counted: true };
  return { kind: "stop", due, limit };
}

async function countDue(tx: Db, { now, max }: { now: Date; max: number }): Promise<number> {
  const { count } = await one<{ count: number }>(tx)`
    SELECT count(*)::int AS count FROM (
      SELECT FROM accesses WHERE ${RUNNING} AND ends_at <= ${now} LIMIT ${max}
    ) AS due
  `;
  return count;
}

async function readLimit(tx: Db, now: Date): Promise<number> {
  const since = addMs(now, -HISTORY_MS);
  const limit = await maybe<{ hour: number | null }>(tx)`
    WITH usual AS (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY coalesce(h.ended, 0)) AS median
      FROM generate_series(date_trunc('hour', ${since}::timestamptz),
        date_trunc('hour', ${now}::timestamptz) - interval '1 hour', interval '1 hour') AS at(hour)
      LEFT JOIN membership_sweep_hours h USING (hour)
    )
    SELECT ceil(greatest(${HOUR_FLOOR}::float8,
      ${SHARE_OF_RUNNING}::float8 * (SELECT count(*) FROM accesses WHERE ${RUNNING}),
      CASE WHEN EXISTS (SELECT FROM membership_sweep_hours WHERE hour <= ${since})
        THEN ${TIMES_THE_MEDIAN}::float8 * usual.median END))::int AS hour
    FROM usual
  `;
  return limit?.hour ?? HOUR_FLOOR;
}

async function countEnded(tx: Db, ended: number, now: Date): Promise<void> {
  await sql`
    UPDATE membership_sweep_hours SET ended = ended + ${ended}
    WHERE hour = date_trunc('hour', ${now}::timestamptz)
  `.execute(tx);
  // One row more than the history needs, which shows that the history is complete.
  await sql`
    DELETE FROM membership_sweep_hours WHERE hour < ${addMs(now, -HISTORY_MS - DAY_MS)}
  `.execute(tx);
}
