import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Notification, notify } from "../../bot/message.ts";
import { digest, DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { forgetJobs, type Job, takeJob } from "../../jobs/outbox.store.ts";
import { noteOrders } from "../../outbound/events.store.ts";
import { many, maybe } from "../../postgres/database.ts";
import { BUTTONS, type Donation, type SaleLine, saySales, thankDonor } from "./messages.fr.ts";

/** Jobs after a settled sale, for its seller and a donor. */
export function checkoutJobs(app: App): JobHandler[] {
  const thanks = { batch: 50, concurrency: 5, maxAttempts: 10 };
  const sales = { batch: 100, concurrency: 1, maxAttempts: 10 };
  return [
    { ...thanks, topic: "donations.thank", run: (job) => thank(app, job) },
    { ...sales, topic: "sales.notify-seller", run: (job) => notifySales(app, job) },
  ];
}

/** Sends the donor a thank-you with a receipt: a donation has no other effect. */
async function thank(app: App, job: Job): Promise<JobOutcome> {
  const donation = await maybe<Donation & { readonly buyer_id: bigint }>(app.db)`
    SELECT o.id, o.buyer_id, o.title, o.price, o.paid_at,
      coalesce(s.display_name, owner.first_name) AS seller_name
    FROM orders o JOIN sellers s ON s.id = o.seller_id
    JOIN people owner ON owner.id = o.seller_id
    WHERE o.id = ${job.ref} AND o.kind = 'donation' AND o.paid_at IS NOT NULL
  `;
  if (!donation) return { kind: "failed", reason: "no such donation is paid" };
  const message = {
    text: thankDonor(donation, app.sayInstant),
    buttons: [app.appButton(BUTTONS.order, `/commande/${donation.id}`)],
  };
  const notification: Notification = { bot: "buyer", personId: donation.buyer_id, message };
  await app.db.transaction().execute(async (tx) => {
    if (await takeJob(tx, job.id)) await notify(tx, [notification], app.clock.now());
  });
  return DONE;
}

/** The first sale is notified at once; those of the next seconds together (decision 100). */
const GROUPING_MS = 15_000;

async function notifySales(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    const order = await maybe<{ seller_id: bigint | null }>(tx)`
      SELECT seller_id FROM orders WHERE id = ${job.ref}
    `;
    const sellerId = order?.seller_id ?? null;
    if (sellerId === null) return DONE;
    // Here, and not in the settlement, to keep the settlement fast (QUALITY P1).
    const first = () => noteOrders(tx, { type: "order.paid", ids: [job.ref] }, now);
    const every = { key: `sales:${sellerId}`, everyMs: GROUPING_MS, now, first };
    return digest(tx, every, async () => {
      // Every sale not yet notified to the seller; their jobs are deleted.
      const about = sql`SELECT id FROM orders WHERE seller_id = ${sellerId}`;
      const ids = await forgetJobs(tx, "sales.notify-seller", about);
      // None: another sale's job has just notified all of them.
      if (ids.length === 0) return false;
      const sales = await many<SaleLine>(tx)`
        SELECT title, price, price - fee AS net, is_renewal, kind = 'donation' AS is_donation
        FROM orders WHERE id = ANY (${ids}::bigint[]) ORDER BY id
      `;
      const advance = await maybe<{ owed: bigint }>(tx)`
        SELECT owed FROM seller_advances WHERE seller_id = ${sellerId} AND EXISTS (
          SELECT FROM orders WHERE id = ANY (${ids}::bigint[]) AND NOT direct)
      `;
      await noteOrders(tx, { type: "order.paid", ids }, now);
      const buttons = [app.appButton(BUTTONS.balance, "/IndexEspace")];
      const message = { text: saySales(sales, advance?.owed ?? 0n), buttons };
      await notify(tx, [{ bot: "seller", personId: sellerId, message }], now);
      return true;
    });
  });
}
