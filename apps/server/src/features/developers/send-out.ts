import type { EventType } from "@sesame/contract/developers";
import { isEventType } from "@sesame/contract/developers";
import { assert, unreachable } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { SEND_OUT } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { productOf } from "../catalogue/index.ts";
import { accessToApi, orderToApi, productToApi, withdrawalToApi } from "./api-on-wire.ts";
import { viewAccess, viewOrder, viewWithdrawal } from "./api.view.ts";
import { lockEvent, sendOut } from "./deliveries.store.ts";

export function developersJobs(app: App): JobHandler[] {
  const run = (job: Job) => sendEventOut(app, job);
  return [{ topic: SEND_OUT, batch: 50, concurrency: 4, maxAttempts: 20, run }];
}

/** Makes an event's body, once, and a delivery for each endpoint that asked for it. */
async function sendEventOut(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, job.ref);
    if (!event) return;
    assert(isEventType(event.type), "an event is of the list");
    const about = { sellerId: event.seller_id, subject: event.subject };
    const told = await tellAbout(app, tx, { ...about, type: event.type });
    // Gone meanwhile: a product archived right after its change.
    if (!told) return;
    const body = writeBody({ type: event.type, at: event.at, data: told });
    await sendOut(tx, { id: event.id, body, now });
  });
  return DONE;
}

export function writeBody({ type, at, data }: { type: string; at: Date; data: object }): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

type About = { readonly type: EventType; readonly sellerId: bigint; readonly subject: bigint };

/** The same object as the API answers. */
async function tellAbout(
  app: App,
  tx: Db,
  { type, sellerId, subject }: About,
): Promise<object | null> {
  switch (type) {
    case "order.paid":
    case "order.refunded": {
      const order = await viewOrder(tx, sellerId, subject);
      return order && orderToApi(order);
    }
    case "access.started":
    case "access.ended": {
      const access = await viewAccess(tx, sellerId, subject);
      return access && accessToApi(access);
    }
    case "product.updated": {
      const product = await productOf(app, sellerId, subject);
      return product.ok ? productToApi(product.value) : null;
    }
    case "withdrawal.paid": {
      const withdrawal = await viewWithdrawal(tx, sellerId, subject);
      return withdrawal && withdrawalToApi(withdrawal);
    }
    default:
      return unreachable(type);
  }
}
