import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { type Job, takeJob } from "../../jobs/outbox.store.ts";
import { noteOrders } from "../../outgoing/events.store.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { BUTTONS, type Donation, type SaleLine, saySales, thankDonor } from "./messages.fr.ts";

/** What follows a sale that is settled, for its seller and whoever gave. */
export function checkoutJobs(app: App): JobHandler[] {
  return [
    {
      topic: "donations.thank",
      batch: 50,
      concurrency: 5,
      maxAttempts: 10,
      run: (job) => thank(app, job),
    },
    {
      topic: "sales.tell-seller",
      batch: 100,
      concurrency: 1,
      maxAttempts: 10,
      run: (job) => tellSales(app, job),
    },
  ];
}

/** Who gave is thanked, with a receipt: nothing else comes of a donation. */
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
  const telling: Telling = { bot: "buyer", personId: donation.buyer_id, message };
  await app.db.transaction().execute(async (tx) => {
    if (await takeJob(tx, job.id)) await tell(tx, [telling], app.clock.now());
  });
  return DONE;
}

/** The first sale is told at once; those of the next seconds together (decision 100). */
const GROUPING_MS = 15_000;

async function tellSales(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    // Here and not where money is settled, so that a sale costs no more for it (QUALITY P1).
    await noteOrders(tx, { type: "order.paid", ids: [job.ref] }, now);
    const turn = await lockTelling(tx, job.ref, now);
    if (!turn) return DONE;
    const { seller_id: sellerId } = turn;
    const sinceMs = turn.told_at ? now.getTime() - turn.told_at.getTime() : GROUPING_MS;
    if (sinceMs < GROUPING_MS) {
      return { kind: "later", afterMs: GROUPING_MS - sinceMs, reason: "told with the next ones" };
    }
    // Every sale the seller has not been told of; their jobs are forgotten.
    const sales = await many<SaleLine & { readonly order_id: bigint }>(tx)`
      WITH taken AS (
        DELETE FROM outbox j USING orders o
        WHERE j.topic = 'sales.tell-seller' AND o.id = j.ref AND o.seller_id = ${sellerId}
        RETURNING o.id AS order_id, o.title, o.price, o.price - o.fee AS net,
          o.is_renewal, o.kind = 'donation' AS is_donation
      )
      SELECT order_id, title, price, net, is_renewal, is_donation FROM taken ORDER BY order_id
    `;
    await sql`
      UPDATE sale_tellings SET told_at = ${now} WHERE seller_id = ${sellerId}
    `.execute(tx);
    // None: another sale's job has just told them all.
    if (sales.length === 0) return DONE;
    const ids = sales.map(({ order_id: id }) => id);
    await noteOrders(tx, { type: "order.paid", ids }, now);
    const message = {
      text: saySales(sales),
      buttons: [app.appButton(BUTTONS.balance, "/IndexEspace")],
    };
    await tell(tx, [{ bot: "seller", personId: sellerId, message }], now);
    return DONE;
  });
}

type TellingTurn = { readonly seller_id: bigint; readonly told_at: Date | null };

/** Takes the seller's turn to be told, so that one worker at a time speaks to him. */
async function lockTelling(tx: Db, orderId: bigint, now: Date): Promise<TellingTurn | null> {
  const order = await maybe<{ seller_id: bigint | null }>(tx)`
    SELECT seller_id FROM orders WHERE id = ${orderId}
  `;
  const sellerId = order?.seller_id ?? null;
  if (sellerId === null) return null;
  const fresh = await maybe(tx)`
    INSERT INTO sale_tellings (seller_id, told_at) VALUES (${sellerId}, ${now})
    ON CONFLICT DO NOTHING RETURNING seller_id
  `;
  if (fresh) return { seller_id: sellerId, told_at: null };
  return maybe<TellingTurn>(tx)`
    SELECT seller_id, told_at FROM sale_tellings WHERE seller_id = ${sellerId} FOR UPDATE
  `;
}
