import { Readable } from "node:stream";
import {
  approveWithdrawal,
  askReconciliation,
  claimWithdrawal,
  closeAccount,
  closeDeskDay,
  correctDeskDay,
  exportDeskAudit,
  exportDeskDay,
  freezeSeller,
  listDeskAlerts,
  listDeskAudit,
  listDeskJobs,
  listDeskWithdrawals,
  listReconciliations,
  moveDeskMoney,
  noteWithdrawalFailed,
  noteWithdrawalPaid,
  type PurseOnWire,
  type RegistryRefusal,
  readDesk,
  readDeskDay,
  readDeskSeller,
  readDeskWithdrawal,
  rejectWithdrawal,
  releaseWithdrawal,
  reopenSeller,
  reportProduct,
  resolveDeskAlert,
  resolveWithdrawal,
  resumeProduct,
  resumeSeller,
  retryDeskJobs,
  searchDesk,
  suspendProduct,
  suspendSeller,
  unfreezeSeller,
  writeOffSeller,
} from "@sesame/contract/desk";
import { assert, type Result, refuse, addDays } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Asked, on, sendSheet } from "../../http/on.ts";
import { once } from "../../http/once.ts";
import type { HttpServer } from "../../http/server.ts";
import { askForTask } from "../../upkeep/upkeep.ts";
import { type Db, hasSqlState } from "../../postgres/database.ts";
import { listAlerts, resolveAlert } from "./alerts.ts";
import { EXPORT_DAYS_MAX, exportAudit, readAudit } from "./audit.ts";
import { closeDay, moveMoney } from "./day-close.ts";
import { exportDay } from "./day-export.ts";
import { viewDay } from "./day.ts";
import {
  approveDecision,
  claimDecision,
  failedDecision,
  paidDecision,
  rejectDecision,
  releaseDecision,
  resolveUncertain,
} from "./decisions.ts";
import { type Ask, type Decided, type DecisionRefusal, decide } from "./decide.ts";
import { listJobs, retryJobs } from "./jobs.ts";
import { ACCOUNT_CLOSED, RECONCILING, REPORTED, REPORTED_BEFORE } from "./messages.fr.ts";
import { viewWithdrawal } from "./queue-detail.ts";
import { viewDesk, viewQueue } from "./queue.ts";
import { viewReconciliations } from "./reconcile.ts";
import { report } from "./reports.ts";
import { search } from "./search.ts";
import { closeAccountOf } from "./sellers-close.ts";
import { takeMeasure, takeProductMeasure } from "./sellers-measures.ts";
import { viewSeller } from "./sellers.ts";

const MALFORMED = refuse({ kind: "request.malformed" } as const);
const LOCK_NOT_AVAILABLE = "55P03";

/** Requests for money and what is decided of them; what is known, measured, counted, was done. */
export function registerDeskHttp(app: App, http: HttpServer): void {
  registerWithdrawals(app, http);
  on(
    http,
    listDeskAlerts,
    async ({ query, caller }) => (await listAlerts(app, caller, query)) ?? MALFORMED,
  );
  on(http, resolveDeskAlert, async ({ params: { id }, body, caller }) => {
    const done = await resolveAlert(app, caller, { id, note: body?.note });
    return done.ok ? { now: app.clock.now(), alert: done.value } : done;
  });
  registerSellers(app, http);
  on(http, listDeskAudit, async ({ query }) => (await readAudit(app, query)) ?? MALFORMED);
  on(http, exportDeskAudit, ({ query: { from, to }, reply }) => {
    if (to < from || to > addDays(from, EXPORT_DAYS_MAX - 1)) {
      return refuse({ kind: "desk.period-too-long" });
    }
    return sendSheet(
      reply,
      `sesame-journal-${from}-${to}`,
      Readable.from(exportAudit(app, { from, to })),
    );
  });
  on(http, listReconciliations, ({ query }) => viewReconciliations(app, query));
  on(http, askReconciliation, async () => {
    await askForTask(app.db, "payouts.reconcile", app.clock.now());
    return { message: RECONCILING };
  });
  on(http, reportProduct, async ({ body = {}, caller: { personId } }) => {
    const told = await report(app, { personId, body });
    if (!told.ok) return told;
    const { already } = told.value;
    return { already, message: already ? REPORTED_BEFORE : REPORTED };
  });
  on(http, closeAccount, async ({ body, caller }) => {
    // Nobody closes it by a call without a word.
    if (body?.confirm !== true) return refuse({ kind: "account.confirm-missing" });
    const closed = await closeAccountOf(app, caller);
    return closed.ok ? { message: ACCOUNT_CLOSED } : closed;
  });
  registerDay(app, http);
  on(http, listDeskJobs, async ({ query }) => (await listJobs(app, query)) ?? MALFORMED);
  on(
    http,
    retryDeskJobs,
    async ({ body, caller }) => (await retryJobs(app, caller, body)) ?? MALFORMED,
  );
}

type AskedDecision = Pick<Asked<typeof claimWithdrawal>, "params" | "caller" | "call" | "request">;

function registerWithdrawals(app: App, http: HttpServer): void {
  on(http, readDesk, ({ caller }) => viewDesk(app, caller));
  on(
    http,
    listDeskWithdrawals,
    async ({ query, caller }) => (await viewQueue(app, caller, query)) ?? MALFORMED,
  );
  on(
    http,
    readDeskWithdrawal,
    async ({ params, caller }) =>
      (await viewWithdrawal(app, caller, params.id)) ??
      refuse({ kind: "desk.withdrawal-not-found" }),
  );
  const decided = async (
    { params: { id }, caller, call, request }: AskedDecision,
    run: (ask: Ask) => Promise<Result<Decided, DecisionRefusal>>,
  ) => {
    // Not the frame's content: keys already kept hold this one.
    const content = JSON.stringify([String(id), request.body ?? null]);
    const done = await run({ id, actor: caller, call: call && { ...call, content } });
    if (!done.ok) return done;
    const seen = await viewWithdrawal(app, caller, id);
    assert(seen, "a request decided upon is there");
    return { ...done.value, ...seen };
  };
  on(http, claimWithdrawal, (asked) => decided(asked, (ask) => decide(app, ask, claimDecision)));
  on(http, releaseWithdrawal, (asked) =>
    decided(asked, (ask) => decide(app, ask, releaseDecision)),
  );
  on(http, approveWithdrawal, ({ body, ...asked }) =>
    decided(asked, (ask) => decide(app, ask, approveDecision(app, body))),
  );
  on(http, noteWithdrawalPaid, ({ body, ...asked }) =>
    decided(asked, (ask) => decide(app, ask, paidDecision(app, body))),
  );
  on(http, noteWithdrawalFailed, ({ body, ...asked }) =>
    decided(asked, (ask) => decide(app, ask, failedDecision(app, body))),
  );
  on(http, rejectWithdrawal, ({ body, ...asked }) =>
    decided(asked, (ask) => decide(app, ask, rejectDecision(body))),
  );
  on(http, resolveWithdrawal, ({ body, ...asked }) =>
    decided(asked, (ask) => resolveUncertain(app, ask, body)),
  );
}

function registerSellers(app: App, http: HttpServer): void {
  on(http, searchDesk, async ({ query }) => (await search(app, query)) ?? MALFORMED);
  on(http, readDeskSeller, async ({ params: { id }, caller }) => {
    const now = app.clock.now();
    const seller = await viewSeller(app.db, { id, caller }, now);
    return seller ? { now, seller } : refuse({ kind: "desk.seller-not-found" });
  });
  const measures = [
    [suspendSeller, "suspend"],
    [freezeSeller, "freeze"],
    [resumeSeller, "resume"],
    [unfreezeSeller, "unfreeze"],
    [reopenSeller, "reopen"],
    [writeOffSeller, "write-off"],
  ] as const;
  for (const [route, measure] of measures) {
    on(http, route, async ({ params: { id }, body = {}, caller }) => {
      const taken = await takeMeasure(app, measure, { id, caller, body });
      return taken.ok ? { now: app.clock.now(), seller: taken.value } : taken;
    });
  }
  const productMeasures = [
    [suspendProduct, "suspend"],
    [resumeProduct, "resume"],
  ] as const;
  for (const [route, measure] of productMeasures) {
    on(http, route, async ({ params: { id }, body = {}, caller }) => {
      const taken = await takeProductMeasure(app, measure, { id, caller, body });
      return taken.ok ? { now: app.clock.now(), seller: taken.value } : taken;
    });
  }
}

function registerDay(app: App, http: HttpServer): void {
  on(http, readDeskDay, ({ query }) => viewDay(app, query.date));
  on(http, exportDeskDay, async ({ query: { date }, reply }) =>
    sendSheet(reply, `sesame-caisse-${date}`, await exportDay(app, date)),
  );
  const write = async (
    { call, body }: Pick<Asked<typeof closeDeskDay | typeof moveDeskMoney>, "call" | "body">,
    effect: (tx: Db) => Promise<Result<PurseOnWire, RegistryRefusal>>,
  ) => {
    // Not the frame's content: keys already kept hold this one.
    const content = JSON.stringify(body ?? {});
    try {
      const done = await once(app, call && { ...call, content }, effect);
      return done.ok ? { now: app.clock.now(), purse: done.value } : done;
    } catch (error) {
      // Postings did not pause for two seconds: nothing was counted.
      if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      return refuse({ kind: "desk.purse-busy" } as const);
    }
  };
  for (const route of [closeDeskDay, correctDeskDay]) {
    const correction = route === correctDeskDay;
    on(http, route, ({ body = {}, caller, call }) =>
      write({ call, body }, (tx) => closeDay(app, tx, { caller, correction, body })),
    );
  }
  on(http, moveDeskMoney, ({ body = {}, caller, call }) =>
    write({ call, body }, (tx) => moveMoney(app, tx, { caller, body })),
  );
}
