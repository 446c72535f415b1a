import { Readable } from "node:stream";
import * as contract from "@sesame/contract/back-office";
import { refuse, addDays } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { z } from "zod";
import { actorOf, audit } from "../../audit/audit.store.ts";
import * as store from "../../jobs/failed-jobs.store.ts";
import { leaseClockOf } from "../../jobs/leases.ts";
import { nameTopic } from "../../alerts/kinds.fr.ts";
import { MALFORMED, on, sendSheet } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { loadSettings, type ReadSettings } from "../../settings.ts";
import { listAlerts, resolveAlert } from "./alerts.ts";
import { EXPORT_DAYS_MAX, exportAudit, readAudit } from "./audit.ts";
import { listDurations, saveDuration, changeSettingsIn, listChanges } from "./settings.ts";
import * as texts from "./messages.fr.ts";
import { report } from "./reports.ts";
import { search } from "./search.ts";
import { closeAccountOf } from "./sellers-close.ts";
import { takeMeasure, takeProductMeasure } from "./sellers-measures.ts";
import { viewSeller } from "./sellers.ts";

/** Routes of staff: alerts, sellers and measures, the audit log, reports, failed jobs. */
export function registerBackOfficeHttp(app: App, http: HttpServer): void {
  on(http, contract.listStaffAlerts, async ({ query, caller }) => {
    return (await listAlerts(app, caller, query)) ?? MALFORMED;
  });
  on(http, contract.resolveStaffAlert, async ({ params: { id }, body, caller }) => {
    const done = await resolveAlert(app, caller, id, body?.note);
    return done.ok ? { now: app.clock.now(), alert: done.value } : done;
  });
  on(http, contract.listStaffAudit, ({ query }) => readAudit(app, query));
  on(http, contract.exportStaffAudit, ({ query: { from, to }, reply }) => {
    if (to < from || to > addDays(from, EXPORT_DAYS_MAX - 1)) {
      return refuse({ kind: "desk.period-too-long" });
    }
    return sendSheet(
      reply,
      `sesame-journal-${from}-${to}`,
      Readable.from(exportAudit(app, { from, to })),
    );
  });
  on(http, contract.reportProduct, async ({ body = {}, caller: { personId } }) => {
    const reported = await report(app, { personId, body });
    if (!reported.ok) return reported;
    const { already } = reported.value;
    return { already, message: already ? texts.REPORTED_BEFORE : texts.REPORTED };
  });
  on(http, contract.closeAccount, async ({ body, caller }) => {
    // A call without a body must not close the account.
    if (body?.confirm !== true) return refuse({ kind: "account.confirm-missing" });
    const closed = await closeAccountOf(app, caller);
    return closed.ok ? { message: texts.ACCOUNT_CLOSED } : closed;
  });
  on(http, contract.listStaffJobs, async ({ query }) => (await listJobs(app, query)) ?? MALFORMED);
  on(http, contract.retryStaffJobs, async ({ body, caller }) => {
    return (await retryJobs(app, caller, body)) ?? MALFORMED;
  });

  on(http, contract.searchBackOffice, ({ query }) => search(app, query));
  on(http, contract.readStaffSeller, async ({ params: { id }, caller }) => {
    const now = app.clock.now();
    const seller = await viewSeller(app.db, id, caller, now);
    return seller ? { now, seller } : refuse({ kind: "desk.seller-not-found" });
  });
  const measures = [
    [contract.suspendSeller, takeMeasure.bind(null, app, "suspend")],
    [contract.freezeSeller, takeMeasure.bind(null, app, "freeze")],
    [contract.resumeSeller, takeMeasure.bind(null, app, "resume")],
    [contract.unfreezeSeller, takeMeasure.bind(null, app, "unfreeze")],
    [contract.reopenSeller, takeMeasure.bind(null, app, "reopen")],
    [contract.writeOffSeller, takeMeasure.bind(null, app, "write-off")],
    [contract.suspendProduct, takeProductMeasure.bind(null, app, "suspend")],
    [contract.resumeProduct, takeProductMeasure.bind(null, app, "resume")],
  ] as const;
  for (const [route, take] of measures) {
    on(http, route, async ({ params: { id }, body = {}, caller }) => {
      const taken = await take({ id, caller, body });
      return taken.ok ? { now: app.clock.now(), seller: taken.value } : taken;
    });
  }
}

/** Routes of the settings, for an operator. */
export function registerSettingsHttp(app: App, http: HttpServer): void {
  on(http, contract.readStaffSettings, async () => answerOf(await loadSettings(app.db)));
  on(http, contract.changeStaffSettings, async ({ body, caller }) => {
    const [now, asked] = [app.clock.now(), { body, actor: actorOf(caller) }];
    const changed = await app.db.transaction().execute((tx) => changeSettingsIn(tx, asked, now));
    app.settings.forget();
    return changed.ok ? answerOf(changed.value) : changed;
  });
  on(http, contract.listSettingChanges, ({ query: { key = null, cursor = null } }) =>
    listChanges(app.db, key, cursor),
  );
  on(http, contract.listStaffDurations, () => durationsOf(app));
  const save = async (id: bigint | null, body: object, caller: Principal) => {
    const saved = await saveDuration(app, id, body, actorOf(caller));
    return saved.ok ? durationsOf(app) : saved;
  };
  on(http, contract.addStaffDuration, ({ body, caller }) => save(null, body, caller));
  on(http, contract.editStaffDuration, ({ params: { id }, body, caller }) =>
    save(id, body, caller),
  );
}

function answerOf({ wire, version }: ReadSettings) {
  return { settings: wire, defaults: contract.DEFAULTS_ON_WIRE, version };
}

const durationsOf = async ({ db }: App) => ({ durations: await listDurations(db) });

const JOBS_PAGE = 30;

/** Null: an invalid cursor. */
async function listJobs(
  { db, clock }: App,
  request: z.output<typeof contract.listStaffJobs.query>,
) {
  const { topic = null, cursor = "" } = request;
  const [, at, key] = /^(\d{1,15})\.([a-z]+:[a-z0-9:]{1,40})$/.exec(cursor) ?? [];
  if (cursor !== "" && key === undefined) return null;
  const after = at !== undefined && key !== undefined ? { at: new Date(Number(at)), key } : null;
  const jobs = await store.listFailedJobs(db, { topic: topic || null, after, limit: JOBS_PAGE });
  const topics = await store.listFailedTopics(db);
  const last = jobs.at(-1);
  return {
    now: clock.now(),
    topics: topics.map((each) => ({ ...each, label: nameTopic(each.topic) })),
    jobs: jobs.map((job) => ({ ...job, label: nameTopic(job.topic) })),
    next_cursor:
      last && jobs.length === JOBS_PAGE ? `${last.failed_at.getTime()}.${last.id}` : null,
  };
}

/** Null: not exactly one of the three, so that a forgotten field never retries everything. */
async function retryJobs(
  { db, clock }: App,
  caller: Principal,
  { id, topic, all }: z.output<typeof contract.retryStaffJobs.body>,
) {
  const [what, ...more] = [id, topic, all ? "all" : undefined].filter((one) => one !== undefined);
  if (what === undefined || more.length > 0) return null;
  return db.transaction().execute(async (tx) => {
    const retried = await store.retryFailed(tx, { id, topic }, leaseClockOf(clock));
    if (retried > 0) {
      const entry = { actor: actorOf(caller), action: "jobs.retry", subject: `jobs:${what}` };
      await audit(tx, { ...entry, after: { retried } }, clock.now());
    }
    return { retried, message: texts.sayRetried(retried) };
  });
}
