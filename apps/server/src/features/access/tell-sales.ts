import { tell } from "../../bot/tell.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { noteOrders } from "../../outgoing/events.store.ts";
import { BUTTONS, saySales } from "./bot-texts.fr.ts";
import type { AccessDeps } from "./deps.ts";
import { lockTelling, takeUntold } from "./sales.store.ts";

/** The first sale is told at once; those of the next seconds together (decision 100). */
const GROUPING_MS = 15_000;

export async function tellSales(deps: AccessDeps, job: Job): Promise<JobOutcome> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    // Here and not where money is settled, so that a sale costs no more for it (QUALITY P1).
    await noteOrders(tx, { type: "order.paid", ids: [job.ref] }, now);
    const turn = await lockTelling(tx, { orderId: job.ref, now });
    if (!turn) return DONE;
    const sinceMs = turn.told_at ? now.getTime() - turn.told_at.getTime() : GROUPING_MS;
    if (sinceMs < GROUPING_MS) {
      return { kind: "later", afterMs: GROUPING_MS - sinceMs, reason: "told with the next ones" };
    }
    const sales = await takeUntold(tx, { sellerId: turn.seller_id, now });
    // None: another sale's job has just told them all.
    if (sales.length === 0) return DONE;
    const ids = sales.map(({ order_id: id }) => id);
    await noteOrders(tx, { type: "order.paid", ids }, now);
    const message = {
      text: saySales(sales),
      buttons: [deps.appButton(BUTTONS.balance, "/IndexEspace")],
    };
    await tell(tx, [{ bot: "seller", personId: turn.seller_id, message }], now);
    return DONE;
  });
}
