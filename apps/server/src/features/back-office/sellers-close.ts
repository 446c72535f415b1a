import { staffChanged, publish, SESSION_ENDED } from "../../realtime/events.store.ts";
import type { RegistryRefusal, Remains } from "@sesame/contract/back-office";
import { ok, refuse, dayOf } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, auditSeller } from "../../audit/audit.store.ts";
import { sql } from "kysely";
import type { Principal } from "../../http/server.ts";
import { changeSeller, endSessions } from "../../people/people.ts";
import { type Db, one } from "../../postgres/database.ts";
import { countUnsettledOrders } from "../checkout/index.ts";
import { archiveProducts, forgetPublicProducts } from "../catalogue/index.ts";
import { lockStanding } from "./sellers.ts";
import { sayDay } from "./messages.fr.ts";
import { switchOffAutomatic } from "../withdrawals/index.ts";

/**
 * Closes a seller's account at his request (decision 99): nothing of the seller or the buyers may
 * be left in it. Only an operator opens it again.
 */
export async function closeAccountOf(app: App, caller: Principal) {
  const { personId: id } = caller;
  const now = app.clock.now();
  const closed = await app.db.transaction().execute(async (tx) => {
    const done = await closeSellerIn(tx, id, now, app.config.timeZone);
    const entry = { actor: actorOf(caller), action: "seller.close", after: { closed_at: now } };
    if (done.ok) await auditSeller(tx, id, entry, now);
    return done;
  });
  forgetPublicProducts(app);
  return closed;
}

/** The same within another transaction, which writes the audit entry. A repeat changes nothing. */
export async function closeSellerIn(tx: Db, id: bigint, now: Date, timeZone: string) {
  const standing = await lockStanding(tx, id, now);
  const refusal = refusalOf(await readHoldings(tx, id, now), timeZone);
  if (refusal) return refuse(refusal);
  if (standing?.closed_at) return ok(null);
  // Waits for sales in settlement and counts them; the next one finds the account closed.
  await sql`SELECT ledger_enter_alone()`.execute(tx);
  const late = refusalOf(await readHoldings(tx, id, now), timeZone);
  if (late) return refuse(late);
  // Ends the seller's products, automatic payouts, and sessions.
  await changeSeller(tx, id, { closed_at: now }, now);
  await archiveProducts(tx, { sellerId: id }, now);
  await switchOffAutomatic(tx, id, now);
  const sessions = await endSessions(tx, id, { audience: "seller", now });
  await publish(tx, [
    ...sessions.map((hash) => ({ room: `session:${hash}`, name: SESSION_ENDED, body: {} })),
    staffChanged("seller", String(id)),
  ]);
  return ok(null);
}

function refusalOf(holdings: Holdings, zone: string): RegistryRefusal | null {
  const { accesses_until: until, under_measure: isUnderMeasure, ...remains } = holdings;
  const { balance, held, requests, accesses, payments, owed, complaints } = remains;
  const things = requests + accesses + payments + complaints;
  if (balance > 0n || held > 0n || owed > 0n || things > 0) {
    const accessesUntil = until && sayDay(dayOf(until, zone));
    return { kind: "account.not-empty", remains: { ...remains, accessesUntil } };
  }
  // Even an empty account stays open while a measure is being examined.
  return isUnderMeasure ? { kind: "account.under-measure" } : null;
}

type Holdings = Omit<Remains, "accessesUntil"> & {
  readonly accesses_until: Date | null;
  /** Suspended, or payouts frozen. */
  readonly under_measure: boolean;
};

/** What the account still contains; the caller has locked the seller's row. */
function readHoldings(tx: Db, id: bigint, now: Date): Promise<Holdings> {
  return one<Holdings>(tx)`
    SELECT (free.posted + premium.posted)::bigint AS balance,
      (free.held + premium.held)::bigint AS held,
      (SELECT count(*)::int FROM withdrawals w WHERE w.seller_id = s.id
        AND (w.status = 'pending' OR (w.status = 'approved' AND w.paid_at IS NULL)
          OR EXISTS (SELECT FROM payouts p
            WHERE p.withdrawal_id = w.id AND p.doubted_at IS NOT NULL))) AS requests,
      running.count AS accesses, running.until AS accesses_until,
      ${countUnsettledOrders(
        sql`(o.seller_id = s.id
        OR (o.buyer_id = s.id AND o.kind IN ('plan', 'trial')))`,
        now,
      )} AS payments,
      coalesce((SELECT d.owed FROM seller_advances d WHERE d.seller_id = s.id), 0)::bigint AS owed,
      (SELECT count(*)::int FROM complaints c WHERE c.seller_id = s.id AND c.closed_at IS NULL)
        + (SELECT count(*)::int FROM refunds r WHERE r.status <> 'done'
          AND (r.seller_id = s.id AND r.rail = 'seller'
            OR r.buyer_id = s.id AND r.seller_id IS NULL)) AS complaints,
      s.suspended_at IS NOT NULL OR coalesce(f.frozen_at IS NOT NULL, false) AS under_measure
    FROM sellers s
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles f ON f.seller_id = s.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, max(a.ends_at) AS until
      FROM accesses a JOIN groups g ON g.id = a.group_id
      WHERE g.seller_id = s.id AND a.ends_at > ${now} AND a.status IN ('waiting', 'inside', 'left')
    ) AS running
    WHERE s.id = ${id}
  `;
}
