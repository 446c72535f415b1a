import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import { publish } from "../../realtime/events.store.ts";
import { GIVE_BACK } from "./ask-refund.ts";
import { giveBack } from "./give-back.ts";
import { advanceRecovered } from "./messages.fr.ts";
import { findRecoverable, recover } from "./refund-money.store.ts";
import { giveSurplusBack } from "./surplus.ts";
import { toSeller } from "./tell.ts";

/** A provider that is away is asked for days: the desk decides, no job gives up. */
const FOR_DAYS = 1_000;

export function refundsJobs(app: App): JobHandler[] {
  const shared = { batch: 10, maxAttempts: FOR_DAYS };
  return [
    { ...shared, topic: GIVE_BACK, concurrency: 4, run: (job) => giveBack(app, job) },
    {
      ...shared,
      topic: "refunds.surplus",
      concurrency: 1,
      run: (job) => giveSurplusBack(app, job),
    },
  ];
}

const LOOK_EVERY_MS = 10_000;
const BATCH = 50;

/**
 * Takes back what was advanced for sellers from what they have sold since (decision 83). Between a
 * sale and this look a withdrawal is judged on what is left beyond the debt (request_withdrawals).
 */
export function refundsLoops(app: App): Loop[] {
  const { db, clock, log } = app;
  const run = async () => {
    const sellers = await findRecoverable(db, BATCH);
    for (const sellerId of sellers) await recoverFrom(app, sellerId);
    return sellers.length === BATCH;
  };
  const name = "refunds recover advances";
  return [createLoop({ name, clock, log, everyMs: LOOK_EVERY_MS, run })];
}

/** His screens look again; he is told once, when nothing is owed any more. */
async function recoverFrom(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const { amount, rest } = await recover(tx, sellerId, now);
    if (amount === 0n) return;
    if (rest === 0n) await tell(tx, [toSeller(app, sellerId, advanceRecovered())], now);
    const body = { id: String(sellerId) };
    await publish(tx, [{ room: `person:${sellerId}`, name: "seller:standing", body }]);
  });
}
