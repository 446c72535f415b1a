import { redactUpdates, renameInUpdates } from "../../bot/updates.store.ts";
import { eraseNotifications } from "../../bot/message.ts";
import { erasePayoutSettings, eraseNumbersAsked } from "../withdrawals/index.ts";
import { eraseNumbersRefunded } from "../refunds/index.ts";
import { eraseNumbersPaid, forgetPayoutWebhooks } from "../treasury/index.ts";
import { eraseDeveloper, eraseFromWebhooks } from "../developers/index.ts";
import { eraseTickets, eraseWords } from "../cases/index.ts";
import { eraseKeys } from "../payment-accounts/index.ts";
import { eraseEntries } from "../memberships/index.ts";
import type { BuyerRemains } from "@sesame/contract/identity";
import { MINUTE_MS, ok, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/server.ts";
import { forgetAnswers, once } from "../../http/on.ts";
import { backOffMs, DONE, type JobHandler } from "../../jobs/outbox.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, one } from "../../postgres/database.ts";
import { publish, SESSION_ENDED } from "../../realtime/events.store.ts";
import { forgetPublicProducts, eraseOfferAnswers } from "../catalogue/index.ts";
import { countUnsettledOrders, erasePayer, forgetPaymentWebhooks } from "../checkout/index.ts";
import { closeSellerIn, eraseReports } from "../back-office/index.ts";
import { changeSeller, eraseIdentity, lockSeller } from "../../people/people.ts";

const FORGET_WEBHOOKS = "support.forget-webhooks";

/**
 * Erases a person at his request (decision 101): the ledger stays, under an id. Refused while money
 * or a running membership needs the person.
 */
export async function eraseAtRequest(app: App, caller: Principal) {
  const { personId: id } = caller;
  const { timeZone } = app.config;
  const now = app.clock.now();
  const erased = await once(app, null, async (tx) => {
    const holdings = await lockHoldings(tx, id, now);
    const remains = remainsOf(holdings, timeZone);
    if (remains) return refuse({ kind: "personal.still-needed", remains });
    const sessions = await erasePerson(tx, id, now);
    // By a job, not in the call: every stored webhook and update is read.
    await enqueue(tx, [{ topic: FORGET_WEBHOOKS, ref: id, priority: 3, dueAt: now }]);
    // Last: no sale is settled from here to the commit.
    if (holdings.is_seller) {
      const closed = await closeSellerIn(tx, id, now, timeZone);
      if (!closed.ok) return closed;
    }
    await publish(
      tx,
      sessions.map((hash) => ({ room: `session:${hash}`, name: SESSION_ENDED, body: {} })),
    );
    const auditEntry = { actor: actorOf(caller), action: "person.erase", subject: `person:${id}` };
    await audit(tx, { ...auditEntry, after: { seller: holdings.is_seller } }, now);
    return ok(null);
  });
  forgetPublicProducts(app);
  return erased;
}

function remainsOf(holdings: BuyerHoldings, zone: string): BuyerRemains | null {
  const { accesses, accesses_until: until, payments, refunds, complaints } = holdings;
  if (accesses + payments + refunds + complaints === 0) return null;
  const day = new Intl.DateTimeFormat("fr-FR", { timeZone: zone, dateStyle: "short" });
  return { accesses, accessesUntil: until && day.format(until), payments, refunds, complaints };
}

type BuyerHoldings = Omit<BuyerRemains, "accessesUntil"> & {
  readonly is_seller: boolean;
  readonly accesses_until: Date | null;
};

/** What prevents the erasure of a buyer; the row is locked until the transaction ends. */
async function lockHoldings(tx: Db, id: bigint, now: Date): Promise<BuyerHoldings> {
  await sql`SELECT FROM people WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return one<BuyerHoldings>(tx)`
    SELECT EXISTS (SELECT FROM sellers WHERE id = ${id}) AS is_seller,
      running.count AS accesses, running.until AS accesses_until,
      ${countUnsettledOrders(sql`o.buyer_id = ${id}`, now)} AS payments,
      (SELECT count(*)::int FROM refunds r
        WHERE r.buyer_id = ${id} AND r.status <> 'done') AS refunds,
      (SELECT count(*)::int FROM complaints c
        WHERE c.buyer_id = ${id} AND c.closed_at IS NULL) AS complaints
    FROM (
      SELECT count(*)::int AS count, max(a.ends_at) AS until FROM accesses a
      WHERE a.person_id = ${id} AND a.ends_at > ${now} AND a.status IN ('waiting', 'inside', 'left')
    ) AS running
  `;
}

/**
 * Deletes who the person is: names, photo, numbers, words of tickets and of closed complaints; each
 * feature deletes its own. Orders, payments and entries stay, under an id. → the hashes of the open
 * sessions, in hex
 */
async function erasePerson(tx: Db, id: bigint, now: Date): Promise<string[]> {
  await erasePayer(tx, id);
  await eraseNumbersRefunded(tx, id);
  // Settling a payout locks its withdrawal first, then the payout, then the seller.
  await sql`SELECT FROM withdrawals WHERE seller_id = ${id} ORDER BY id FOR UPDATE`.execute(tx);
  await eraseNumbersPaid(tx, id);
  await eraseNumbersAsked(tx, id);
  // Other changes of a seller's rows lock the seller first.
  await lockSeller(tx, id);
  await eraseTickets(tx, id, now);
  await erasePayoutSettings(tx, id, now);
  await eraseKeys(tx, id, now);
  await eraseDeveloper(tx, id, now);
  await eraseOfferAnswers(tx, id);
  await changeSeller(tx, id, { display_name: null, country: null, whatsapp_number: null }, now);
  await eraseFromWebhooks(tx, id);
  await renameInUpdates(tx, id);
  await eraseReports(tx, id);
  await eraseWords(tx, id);
  await eraseEntries(tx, id);
  await forgetAnswers(tx, id);
  await eraseNotifications(tx, id);
  return eraseIdentity(tx, id, now);
}

export function forgetPersonWebhooksJob({ db }: App): JobHandler {
  return {
    topic: FORGET_WEBHOOKS,
    batch: 1,
    concurrency: 1,
    maxAttempts: 20,
    run: async ({ ref, attempts }) => {
      await forgetPaymentWebhooks(db, ref);
      await forgetPayoutWebhooks(db, ref);
      if (!(await redactUpdates(db, ref))) return DONE;
      return {
        kind: "later",
        afterMs: Math.max(MINUTE_MS, backOffMs(attempts)),
        reason: "an update waits to be handled",
      };
    },
  };
}
