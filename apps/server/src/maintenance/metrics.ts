import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type Db, many } from "../postgres/database.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { App } from "../app.ts";
import type { HttpServer } from "../http/server.ts";
import type { Guard } from "../monitoring/guard.ts";
import type { Connections } from "../postgres/connections.ts";

/** The state of this process. */
type Watched = {
  readonly guard: Pick<Guard, "counts">;
  readonly connections: Connections;
  readonly listener: { readonly connected: boolean };
  /** The machine's offset from the database's clock; null for an injected clock. */
  skewMs(): number | null;
};

/** /metrics, for Prometheus: the state of the process, the speed of its answers, its waiting work. */
export function registerMetrics(app: App, http: HttpServer, watched: Watched): void {
  const registry = new Registry();
  const backlog = createBacklogGauges(registry);
  // Nothing is measured where nobody may read it.
  if (app.config.metricsToken !== null) {
    collectDefaultMetrics({ register: registry });
    measureAnswers(http, registry);
    measureProcess(registry, watched);
  }
  http.get(
    "/metrics",
    { config: { access: "metrics" }, schema: { hide: true } },
    async (_, reply) => {
      // In an outage of the database the operator needs the other metrics all the same.
      const seen = await Promise.race([
        readBacklog(app.db, app.clock.now()).catch(() => null),
        sleep(BACKLOG_PATIENCE_MS, null, { ref: false }),
      ]);
      backlog.set(seen);
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}

/** A scraper waits ten seconds at most. */
const BACKLOG_PATIENCE_MS = 5_000;

function measureAnswers(http: HttpServer, registry: Registry): void {
  const durations = new Histogram({
    name: "sesame_http_request_duration_seconds",
    help: "Time to answer, by route pattern and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  http.addHook("onResponse", async (request, reply) => {
    // The pattern, never the path: each unknown path would create a series.
    const route = request.routeOptions.url ?? "none";
    const status = String(reply.statusCode);
    durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1_000);
  });
}

/**
 * Faults of callbacks that nobody awaits, survived by the guard (a restart shows in the start
 * time), and the state of the database connections: read at each scrape, without a query.
 */
function measureProcess(registry: Registry, watched: Watched): void {
  const { guard, connections, listener } = watched;
  const measure = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  measure(
    "sesame_clock_skew_seconds",
    "The machine's clock less the database's; NaN for an injected clock",
    () => (watched.skewMs() ?? Number.NaN) / 1_000,
  );
  measure(
    "sesame_db_silent_seconds",
    "How long the database has answered nothing that this process asked",
    () => connections.silentMs() / 1_000,
  );
  measure(
    "sesame_listener_connected",
    "1 while this process hears the database's notifications",
    () => (listener.connected ? 1 : 0),
  );
  new Gauge({
    name: "sesame_db_pool_connections",
    help: "Connections of this process's pool, by what they do",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { open, busy } = connections.count();
      this.set({ state: "busy" }, busy);
      this.set({ state: "idle" }, open - busy);
    },
  });
  new Counter({
    name: "sesame_process_faults_total",
    help: "Errors that nothing but the guard caught, by place",
    labelNames: ["where"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [where, count] of guard.counts()) this.inc({ where }, count);
    },
  });
}

/** The waiting work: each metric with its help and its labels. */
const BACKLOG = [
  ["sesame_outbox_jobs", "Jobs in the outbox, counted to 10000 a topic", "topic", "state"],
  ["sesame_outbox_oldest_seconds", "Age of the oldest job that waits", "topic"],
  ["sesame_payment_checks_due", "Payments to ask a provider about now"],
  ["sesame_telegram_updates_waiting", "Updates stored, not handled", "bot"],
  ["sesame_accesses_overdue", "Accesses over for a minute, not ended"],
  ["sesame_payouts_open", "Payouts not ended", "rail", "status"],
  ["sesame_desk_alerts_open", "Alerts nobody has resolved", "kind"],
] as const;

type Measured = {
  readonly name: (typeof BACKLOG)[number][0];
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Zero would mean that nothing waits. */
const UNKNOWN: readonly Measured[] = (
  ["sesame_payment_checks_due", "sesame_accesses_overdue"] as const
).map((name) => ({ name, labels: {}, value: Number.NaN }));

function createBacklogGauges(registry: Registry) {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge("sesame_database_up", "1 when the database answered this look");
  const gauges = new Map<string, Gauge>(
    BACKLOG.map(([name, help, ...labels]) => [name, gauge(name, help, labels)]),
  );
  return {
    /** Null: the database did not answer, and its metrics are omitted. */
    set(backlog: readonly Measured[] | null): void {
      up.set(backlog ? 1 : 0);
      for (const each of gauges.values()) each.reset();
      for (const { name, labels, value } of backlog ?? UNKNOWN)
        gauges.get(name)?.set(labels, value);
    },
  };
}

/** The limit of a count, so that a backlog does not make the query slow. */
const COUNTED_TO = 10_000;

/** The waiting work at one instant. Reads what is open, never what is done. */
async function readBacklog(db: Db, now: Date) {
  // Each topic is found by one index descent after the previous one.
  const next = (failed: boolean) => sql`(
    SELECT o.topic FROM outbox o
    WHERE o.topic > t.topic AND o.failed_at IS ${failed ? sql`NOT NULL` : sql`NULL`}
    ORDER BY o.topic LIMIT 1)`;
  return many<Measured>(db)`
    WITH RECURSIVE waiting AS (
      SELECT ''::text AS topic
      UNION ALL SELECT ${next(false)} FROM waiting t WHERE t.topic IS NOT NULL
    ), ended AS (
      SELECT ''::text AS topic
      UNION ALL SELECT ${next(true)} FROM ended t WHERE t.topic IS NOT NULL
    ), seen AS (
      SELECT w.topic, s.state, s.oldest FROM waiting w CROSS JOIN LATERAL (
        SELECT CASE WHEN o.due_at <= ${now} THEN 'due' ELSE 'later' END AS state,
          coalesce(o.first_due_at, o.due_at) AS oldest
        FROM outbox o WHERE o.topic = w.topic AND o.failed_at IS NULL
        LIMIT ${COUNTED_TO}
      ) AS s
      UNION ALL
      SELECT e.topic, s.state, s.oldest FROM ended e CROSS JOIN LATERAL (
        SELECT CASE WHEN o.expired THEN 'expired' ELSE 'failed' END AS state,
          coalesce(o.first_due_at, o.due_at) AS oldest
        FROM outbox o WHERE o.topic = e.topic AND o.failed_at IS NOT NULL
        LIMIT ${COUNTED_TO}
      ) AS s
    ), jobs AS (
      SELECT topic, state, count(*) AS count, min(oldest) AS oldest FROM seen GROUP BY topic, state
    )
    SELECT 'sesame_outbox_jobs' AS name,
      json_build_object('topic', topic, 'state', state) AS labels, count::float8 AS value
    FROM jobs
    UNION ALL
    -- Since it was due the first time.
    SELECT 'sesame_outbox_oldest_seconds', json_build_object('topic', topic),
      greatest(0, extract(epoch FROM ${now}::timestamptz - oldest))::float8
    FROM jobs WHERE state = 'due'
    UNION ALL
    SELECT 'sesame_payment_checks_due', '{}', count(*) FROM payment_checks WHERE due_at <= ${now}
    UNION ALL
    SELECT 'sesame_telegram_updates_waiting', json_build_object('bot', bot), count(*)
    FROM telegram_updates WHERE handled_at IS NULL GROUP BY bot
    UNION ALL
    -- Over for a minute and not ended: removal is promised by then (WIRE §3).
    SELECT 'sesame_accesses_overdue', '{}', count(*) FROM accesses
    WHERE status IN ('waiting', 'inside', 'left', 'banned')
      AND ends_at <= ${now}::timestamptz - interval '1 minute'
    UNION ALL
    SELECT 'sesame_payouts_open', json_build_object('rail', rail, 'status', status), count(*)
    FROM payouts WHERE status NOT IN ('succeeded', 'failed') GROUP BY rail, status
    UNION ALL
    SELECT 'sesame_desk_alerts_open', json_build_object('kind', kind), count(*)
    FROM alerts WHERE resolved_at IS NULL GROUP BY kind
  `;
}
