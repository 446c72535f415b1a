import type { App } from "../../app.ts";
import { listStaffInTouch } from "../../bot/staff.ts";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import { endAccesses, hasEndedAccess } from "./access.store.ts";
import {
  countEnded,
  decideSweep,
  raiseSweepStopped,
  type StoppedSweep,
} from "./sweep-breaker.store.ts";
import { publishStatuses } from "./announce.ts";
import type { Db } from "../../postgres/database.ts";
import { CLOSE_ACCESS } from "./close-access.ts";
import { BUTTONS, sweepStopped } from "./messages.fr.ts";

/** Removal is promised within a minute of the end (WIRE §3): the sweep leaves most of it. */
const EVERY_MS = 5_000;
const BATCH = 500;

/** Ends accesses whose time is over, in batches, and has their people removed. */
export function accessLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = () => sweepOnce(app);
  return [createLoop({ name: "access sweep", clock, log, everyMs: EVERY_MS, run })];
}

async function sweepOnce(app: App): Promise<boolean> {
  // A wrong clock must not remove people who have paid: it waits for somebody to set it right.
  if (!app.clock.isTrusted()) return false;
  const now = app.clock.now();
  // Most looks find nothing: one statement, without a transaction.
  if (!(await hasEndedAccess(app.db, now))) return false;
  return app.db.transaction().execute(async (tx) => {
    const permission = await decideSweep(tx, now);
    if (permission.kind === "stop") {
      if (await raiseSweepStopped(tx, permission, now)) {
        app.log.error(permission, "more memberships would end than usual: an operator is asked");
        await askOperators(app, tx, { stopped: permission, now });
      }
      return false;
    }
    const accesses = await endAccesses(tx, { now: permission.until, limit: BATCH, at: now });
    if (permission.counted) await countEnded(tx, { now, ended: accesses.length });
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

/** The back office shows the alert; operators who can be written to learn of it by the bot. */
async function askOperators(
  app: App,
  tx: Db,
  { stopped, now }: { stopped: StoppedSweep; now: Date },
): Promise<void> {
  const buttons = [app.appButton(BUTTONS.alerts, "/bureau/alertes")];
  const message = { text: sweepStopped(stopped), buttons };
  const operators = await listStaffInTouch(tx, app.config.operatorTelegramIds);
  await tell(
    tx,
    operators.map(({ id: personId }) => ({ bot: "seller" as const, personId, message })),
    now,
  );
}
