import * as contract from "@sesame/contract/developers";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { notify, toPerson } from "../../bot/message.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS, reportOutage } from "../../jobs/loop.ts";
import { forgetEvents } from "../../outbound/events.store.ts";
import { type Failure, post, type Posted } from "../../outbound/post.ts";
import { type Db, finds, many, maybe, PREPARED } from "../../postgres/database.ts";
import { datesAhead } from "../../jobs/leases.ts";
import { webhookId } from "./deliveries.ts";
import { giveUpDeliveries } from "./endpoints.ts";
import { BUTTONS, endpointFailing, endpointGone } from "./messages.fr.ts";
import { openSecrets, type SecretsRow, signatureHeaders } from "./secrets.ts";

/** Endpoints served at the same time. Failing ones have a pool of their own, so they delay no others. */
const POOLS = { healthy: 16, failing: 4 } as const;
/** Longer than any attempt: the lease of a dead process has expired by then. */
const TURN_MS = MINUTE_MS;
const SWEEP_BATCH = 1_000;

export function developersLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = () => forgetOld(app);
  return [
    createDispatcher(app, "healthy"),
    createDispatcher(app, "failing"),
    createLoop({ name: "webhooks sweep", clock, log, everyMs: HOUR_MS, run }),
  ];
}

/** Old events without a waiting delivery. */
const forgettable = (before: Date) => sql`
  FROM webhook_events v
  WHERE v.at < ${before} AND NOT EXISTS (
    SELECT FROM webhook_deliveries d WHERE d.event_id = v.id AND d.due_at IS NOT NULL)`;

/** Deletes old events, a batch at a time. True when there may be more. */
async function forgetOld({ db, clock }: App): Promise<boolean> {
  const old = forgettable(addMs(clock.now(), -contract.DELIVERIES_DAYS * DAY_MS));
  // Most turns find nothing: one statement, without a transaction.
  if (!(await finds(db)`${PREPARED} SELECT WHERE EXISTS (SELECT ${old})`)) return false;
  return db.transaction().execute(async (tx) => {
    const events = await many<{ id: bigint }>(tx)`
      SELECT v.id ${old} ORDER BY v.at LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED
    `;
    const ids = events.map(({ id }) => id);
    await sql`DELETE FROM webhook_deliveries WHERE event_id = ANY (${ids}::bigint[])`.execute(tx);
    await forgetEvents(tx, ids);
    return ids.length === SWEEP_BATCH;
  });
}

type LeasedDelivery = SecretsRow & {
  readonly delivery_id: bigint;
  readonly step: number;
  readonly uid: string;
  readonly body: string;
  readonly url: string;
};

/** The endpoint `e` may be called, and a delivery is due. */
const isFree = (failing: boolean, now: Date) => sql`
  e.active AND (e.failures > 0) = ${failing}
    AND (e.busy_until IS NULL OR e.busy_until <= ${now})
    AND (e.rest_until IS NULL OR e.rest_until <= ${now})
    AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.due_at <= ${now})`;

/**
 * The earliest due delivery of each free endpoint, at most `limit` endpoints, those that waited
 * longest first. The lease of a process that dies expires.
 */
export async function leaseDeliveries(
  db: Db,
  lease: { failing: boolean; limit: number; now: Date; leaseEnd: Date },
): Promise<LeasedDelivery[]> {
  const { failing, limit, now, leaseEnd } = lease;
  return many<LeasedDelivery>(db)`${PREPARED}
    WITH free AS (
      SELECT e.id FROM webhook_endpoints e WHERE ${isFree(failing, now)}
      -- Endpoints with few failures may work again: they come before resting ones, which are dead.
      ORDER BY e.rest_until NULLS FIRST, e.busy_until NULLS FIRST, e.id
      LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE webhook_endpoints e SET busy_until = ${leaseEnd} FROM free WHERE e.id = free.id
      RETURNING e.id, e.seller_id, e.url, e.secret, e.secret_key_id, e.old_secret,
        e.old_secret_key_id, e.old_secret_until
    )
    SELECT t.*, d.id AS delivery_id, d.step, v.uid, v.body
    FROM taken t
    CROSS JOIN LATERAL (
      SELECT d.id, d.step, d.event_id FROM webhook_deliveries d
      WHERE d.endpoint_id = t.id AND d.due_at <= ${now} ORDER BY d.due_at, d.id LIMIT 1
    ) d
    JOIN webhook_events v ON v.id = d.event_id
  `;
}

/** Fills the free places of its pool without waiting for them: a slow endpoint keeps one place busy. */
function createDispatcher(app: App, pool: keyof typeof POOLS): Loop {
  const { clock, log } = app;
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const name = `webhooks ${pool}`;
  const serve = (leased: LeasedDelivery): void => {
    const served = deliver(app, leased, stopping.signal)
      .catch((error: unknown) => {
        if (error instanceof Outage) reportOutage(log, error, name);
        else log.error({ err: error }, name);
      })
      .finally(() => {
        underWay.delete(served);
        filling.wake();
      });
    underWay.add(served);
  };
  const filling = createLoop({
    name,
    clock,
    log,
    everyMs: WHOLE_ROUND_MS,
    underWay: () => underWay,
    // New deliveries are sent at once (WEBHOOKS_CHANNEL).
    due: () => sql<boolean>`${underWay.size < POOLS[pool]} AND EXISTS (
      SELECT FROM webhook_endpoints e WHERE ${isFree(pool === "failing", clock.now())})`,
    async run() {
      const limit = POOLS[pool] - underWay.size;
      if (limit <= 0 || stopping.signal.aborted) return false;
      const now = clock.now();
      const leaseEnd = addMs(now, TURN_MS);
      const failing = pool === "failing";
      for (const one of await leaseDeliveries(app.db, { failing, limit, now, leaseEnd })) {
        serve(one);
      }
      return false;
    },
  });
  return {
    ...filling,
    stop() {
      stopping.abort();
      return filling.stop();
    },
  };
}

type Attempt = {
  readonly at: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly failure: Failure | "secret" | null;
  readonly answer: string | null;
};

/** One attempt, and its effect on the delivery and its endpoint. */
async function deliver(app: App, leased: LeasedDelivery, stop: AbortSignal): Promise<void> {
  const began = performance.now();
  const at = app.clock.now();
  const posted = await attempt(app, leased, { at, stop });
  // Aborted by our own shutdown: the result is unknown, so it is sent again with the same id. The
  // lease is released, as if it had not been taken.
  if (stop.aborted && posted.kind === "failed") {
    await sql`
      UPDATE webhook_endpoints SET busy_until = ${at} WHERE id = ${leased.id}
    `.execute(app.db);
    return;
  }
  const durationMs = Math.round(performance.now() - began);
  const answered = posted.kind === "answered";
  const tried: Attempt = {
    at,
    durationMs,
    statusCode: answered ? posted.status : null,
    failure: answered ? null : posted.failure,
    answer: answered && posted.answer !== "" ? posted.answer : null,
  };
  const accepted = answered && posted.status >= 200 && posted.status < 300;
  await app.db.transaction().execute(async (tx) => {
    if (!accepted) return noteFailure(app, tx, leased, tried);
    // Earlier failures no longer count.
    await sql`
      UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, rest_until = NULL,
        busy_until = ${at}
      WHERE id = ${leased.id}
    `.execute(tx);
    await sql`
      UPDATE webhook_deliveries SET status = 'delivered', attempts = attempts + 1, due_at = NULL,
        done_at = ${at}
      WHERE id = ${leased.delivery_id}
    `.execute(tx);
    await recordAttempt(tx, leased.delivery_id, tried);
  });
}

async function attempt(
  { vault, resolve, config }: App,
  leased: LeasedDelivery,
  { at, stop }: { at: Date; stop: AbortSignal },
): Promise<Posted | { readonly kind: "failed"; readonly failure: "secret" }> {
  const secrets = openSecrets(vault, { row: leased, now: at });
  if (!secrets) return { kind: "failed", failure: "secret" };
  const { body, url, uid } = leased;
  const headers = {
    "content-type": "application/json",
    "user-agent": "Sesame-Webhooks/1",
    ...signatureHeaders({ id: webhookId(uid), at, body }, secrets),
  };
  const limits = {
    timeoutMs: contract.DELIVERY_TIMEOUT_MS,
    answerBytes: contract.ANSWER_BYTES_MAX,
  };
  const options = { resolve, loopback: config.demo, ...limits };
  return post(options, { url, headers, body }, stop);
}

async function recordAttempt(tx: Db, deliveryId: bigint, attempt: Attempt): Promise<void> {
  const { at, durationMs, statusCode, failure, answer } = attempt;
  await sql`
    INSERT INTO webhook_attempts (delivery_id, at, duration_ms, status_code, failure, answer)
    VALUES (${deliveryId}, ${at}, ${durationMs}, ${statusCode}, ${failure}, ${answer})
  `.execute(tx);
}

const GONE = 410;

async function noteFailure(app: App, tx: Db, leased: LeasedDelivery, tried: Attempt) {
  const { id, delivery_id: deliveryId, step } = leased;
  const { at: now } = tried;
  // The endpoint first, then its deliveries: the lock order of switching off. No row: it is off already.
  const failing = await maybe<{ failing_since: Date; seller_id: bigint; url: string }>(tx)`
    UPDATE webhook_endpoints SET failures = failures + 1, busy_until = ${now},
      failing_since = coalesce(failing_since, ${now}),
      rest_until = CASE WHEN failures + 1 >= ${contract.FAILURES_BEFORE_REST}
        THEN ${addMs(now, contract.REST_MS)}::timestamptz END
    WHERE id = ${id} AND active
    RETURNING failing_since, seller_id, url
  `;
  const draw = (app.random.bytes(1)[0] ?? 0) / 255;
  const pause = contract.retryPauseMs(step, draw);
  const dueAt = pause === null ? null : addMs(now, pause);
  // Without a pause it was the last attempt. A delivery given up meanwhile is left alone.
  await sql`
    UPDATE webhook_deliveries SET attempts = attempts + 1, step = step + 1,
      due_at = CASE WHEN due_at IS NOT NULL THEN ${dueAt}::timestamptz END,
      status = CASE WHEN due_at IS NOT NULL AND ${dueAt !== null} THEN 'pending' ELSE 'failed' END,
      done_at = CASE WHEN due_at IS NOT NULL AND ${dueAt !== null} THEN NULL
        ELSE ${now}::timestamptz END
    WHERE id = ${deliveryId} AND status <> 'delivered'
  `.execute(tx);
  await recordAttempt(tx, deliveryId, tried);
  if (!failing) return;
  const gone = tried.statusCode === GONE;
  const tooLong = now.getTime() - failing.failing_since.getTime() >= contract.FAILING_MAX_MS;
  if (!gone && !tooLong) return;
  await sql`
    UPDATE webhook_endpoints SET active = false, off_reason = ${gone ? "gone" : "failing"},
      changed_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  await giveUpDeliveries(tx, id, now);
  const text = gone ? endpointGone(failing.url) : endpointFailing(failing.url);
  const said = { text, button: BUTTONS.page, path: "/Developpeurs" };
  await notify(tx, [toPerson(app, failing.seller_id, said)], now);
}

/** Columns of future instants, and the furthest that a correct clock can write. */
export const DEVELOPERS_DATES = [
  ...datesAhead("webhook_endpoints", [
    ["busy_until", TURN_MS],
    ["rest_until", contract.REST_MS],
  ]),
  // The longest pause between two attempts, plus a tenth.
  ...datesAhead("webhook_deliveries", [["due_at", 1.1 * DAY_MS, "due_at IS NOT NULL"]]),
];
