import type { RegistryRefusal } from "@sesame/contract/back-office";
import * as contract from "@sesame/contract/treasury";
import { assert, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../../app.ts";
import { type Asked, MALFORMED, on, sendSheet, once } from "../../../http/on.ts";
import type { HttpServer } from "../../../http/server.ts";
import { type Db, hasSqlState } from "../../../postgres/database.ts";
import { askForTask } from "../../../maintenance/maintenance.ts";
import { closeDay, exportDay, moveMoney, viewDay } from "./day.ts";
import {
  approveDecision,
  type Decision,
  decide,
  failedDecision,
  paidDecision,
  rejectDecision,
  resolveDecision,
  takingDecision,
} from "./decide.ts";
import { RECONCILING } from "./messages.fr.ts";
import { viewBackOffice, viewQueue, viewWithdrawal } from "./queue.ts";
import { viewReconciliations } from "../reconcile.ts";

const LOCK_NOT_AVAILABLE = "55P03";

type AskedDecision = Pick<
  Asked<typeof contract.assignWithdrawal>,
  "params" | "caller" | "call" | "request"
>;

/** Routes of withdrawals, of decisions about them, and of the day's cash. */
export function registerTreasuryStaff(app: App, http: HttpServer): void {
  on(http, contract.readBackOffice, ({ caller }) => viewBackOffice(app, caller));
  on(http, contract.listStaffWithdrawals, async ({ query, caller }) => {
    return (await viewQueue(app, caller, query)) ?? MALFORMED;
  });
  on(http, contract.readStaffWithdrawal, async ({ params, caller }) => {
    return (
      (await viewWithdrawal(app, caller, params.id)) ??
      refuse({ kind: "desk.withdrawal-not-found" })
    );
  });
  const decided = async <Form>(
    { params: { id }, caller, call, request }: AskedDecision,
    decision: Decision<Form>,
  ) => {
    // Not the server's usual content: stored keys have this form.
    const content = JSON.stringify([String(id), request.body ?? null]);
    const ask = { id, actor: caller, call: call && { ...call, content } };
    const done = await decide(app, ask, decision);
    if (!done.ok) return done;
    const seen = await viewWithdrawal(app, caller, id);
    assert(seen, "a request decided upon is there");
    return { ...done.value, ...seen };
  };
  on(http, contract.assignWithdrawal, (asked) => decided(asked, takingDecision("assign")));
  on(http, contract.releaseWithdrawal, (asked) => decided(asked, takingDecision("release")));
  on(http, contract.approveWithdrawal, ({ body, ...asked }) =>
    decided(asked, approveDecision(app, body)),
  );
  on(http, contract.noteWithdrawalPaid, ({ body, ...asked }) => decided(asked, paidDecision(body)));
  on(http, contract.noteWithdrawalFailed, ({ body, ...asked }) =>
    decided(asked, failedDecision(body)),
  );
  on(http, contract.rejectWithdrawal, ({ body, ...asked }) => decided(asked, rejectDecision(body)));
  on(http, contract.resolveWithdrawal, ({ body, ...asked }) =>
    decided(asked, resolveDecision(app, body)),
  );

  on(http, contract.readStaffDay, ({ query }) => viewDay(app, query.date));
  on(http, contract.exportStaffDay, async ({ query: { date }, reply }) =>
    sendSheet(reply, `sesame-caisse-${date}`, await exportDay(app, date)),
  );
  const write = async (
    call: AskedDecision["call"],
    body: object,
    effect: (tx: Db) => Promise<Result<contract.CashFloatOnWire, RegistryRefusal>>,
  ) => {
    // Not the server's usual content: stored keys have this form.
    const content = JSON.stringify(body);
    try {
      const done = await once(app, call && { ...call, content }, effect);
      return done.ok ? { now: app.clock.now(), cash_float: done.value } : done;
    } catch (error) {
      // Postings did not pause for two seconds: nothing was counted.
      if (!hasSqlState(error, LOCK_NOT_AVAILABLE)) throw error;
      return refuse({ kind: "desk.float-busy" });
    }
  };
  for (const route of [contract.closeStaffDay, contract.correctStaffDay]) {
    const correction = route === contract.correctStaffDay;
    on(http, route, ({ body = {}, caller, call }) =>
      write(call, body, (tx) => closeDay(app, tx, { caller, correction, body })),
    );
  }
  on(http, contract.moveStaffMoney, ({ body = {}, caller, call }) =>
    write(call, body, (tx) => moveMoney(app, tx, { caller, body })),
  );

  on(http, contract.listReconciliations, ({ query }) => viewReconciliations(app, query));
  on(http, contract.askReconciliation, async () => {
    await askForTask(app.db, "payouts.reconcile", app.clock.now());
    return { message: RECONCILING };
  });
}
