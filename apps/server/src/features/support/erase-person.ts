import type { CommonRefusal } from "@sesame/contract";
import type { RegistryRefusal } from "@sesame/contract/desk";
import { type BuyerRemains, ERASED_NAME, type SupportRefusal } from "@sesame/contract/support";
import { ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { once } from "../../http/once.ts";
import { type Db, many, one } from "../../postgres/database.ts";
import { publish, SESSION_ENDED } from "../../realtime/events.store.ts";
import { forgetPublicProducts } from "../catalogue/index.ts";
import { countUnsettledOrders } from "../checkout/index.ts";
import { closeSellerIn } from "../desk/index.ts";
import { forgetNoticesSoon, renameInUpdates } from "./forget-notices.ts";

type EraseRefusal = SupportRefusal | RegistryRefusal | CommonRefusal;

/**
 * Erases a person at his request (decision 101): the books stay, under a number. Refused while
 * money or a running access needs him.
 */
export async function eraseAtRequest(
  app: App,
  caller: Principal,
): Promise<Result<null, EraseRefusal>> {
  const { personId: id } = caller;
  const { timeZone } = app.config;
  const now = app.clock.now();
  const effect = async (tx: Db): Promise<Result<null, EraseRefusal>> => {
    const holdings = await lockHoldings(tx, id, now);
    const remains = remainsOf(holdings, timeZone);
    if (remains) return refuse({ kind: "personal.still-needed", remains });
    // Before the seller: whoever settles a payout locks its withdrawal first.
    if (holdings.is_seller) {
      await sql`
        SELECT FROM withdrawals WHERE seller_id = ${id} ORDER BY id FOR UPDATE
      `.execute(tx);
    }
    const sessions = await erasePerson(tx, id, now);
    await forgetNoticesSoon(tx, id, now);
    // Last: nobody's sale is settled from here to the commit.
    if (holdings.is_seller) {
      const closed = await closeSellerIn(tx, { id, now, timeZone });
      if (!closed.ok) return closed;
    }
    await publish(
      tx,
      sessions.map((hash) => ({ room: `session:${hash}`, name: SESSION_ENDED, body: {} })),
    );
    const deed = { actor: actorOf(caller), action: "person.erase", subject: `person:${id}` };
    await audit(tx, { ...deed, after: { seller: holdings.is_seller } }, now);
    return ok(null);
  };
  const erased = await once(app, null, effect);
  forgetPublicProducts(app);
  return erased;
}

function remainsOf(holdings: BuyerHoldings, zone: string): BuyerRemains | null {
  const { accesses, accesses_until: until, payments, refunds, claims } = holdings;
  if (accesses + payments + refunds + claims === 0) return null;
  const day = new Intl.DateTimeFormat("fr-FR", { timeZone: zone, dateStyle: "short" });
  return { accesses, accessesUntil: until && day.format(until), payments, refunds, claims };
}

type BuyerHoldings = {
  readonly is_seller: boolean;
  readonly accesses: number;
  readonly accesses_until: Date | null;
  readonly payments: number;
  readonly refunds: number;
  readonly claims: number;
};

/** What the person still has as a buyer; his row is locked until the transaction ends. */
async function lockHoldings(tx: Db, id: bigint, now: Date): Promise<BuyerHoldings> {
  await sql`SELECT FROM people WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return one<BuyerHoldings>(tx)`
    SELECT EXISTS (SELECT FROM sellers WHERE id = ${id}) AS is_seller,
      running.count AS accesses, running.until AS accesses_until,
      ${countUnsettledOrders(sql`o.buyer_id = ${id}`, now)} AS payments,
      (SELECT count(*)::int FROM refunds r
        WHERE r.buyer_id = ${id} AND r.status <> 'done') AS refunds,
      (SELECT count(*)::int FROM claims c
        WHERE c.buyer_id = ${id} AND c.closed_at IS NULL) AS claims
    FROM (
      SELECT count(*)::int AS count, max(a.ends_at) AS until FROM accesses a
      WHERE a.person_id = ${id} AND a.ends_at > ${now} AND a.status IN ('waiting', 'inside', 'left')
    ) AS running
  `;
}

/**
 * Takes away who the person is: names, photo, numbers, words of tickets and of closed complaints.
 * Orders, payments and entries stay, under a number. → the hashes of the open sessions, in hex
 */
async function erasePerson(tx: Db, id: bigint, now: Date): Promise<string[]> {
  await eraseSeller(tx, id, now);
  await eraseFromWebhooks(tx, id);
  await renameInUpdates(tx, id);
  // Who was to pay, as the provider's widget was told.
  await sql`
    UPDATE payments p SET widget = NULL FROM orders o
    WHERE o.id = p.order_id AND o.buyer_id = ${id} AND p.widget IS NOT NULL
  `.execute(tx);
  await sql`UPDATE refunds SET phone = '' WHERE buyer_id = ${id} AND phone <> ''`.execute(tx);
  await sql`
    UPDATE product_reports SET words = NULL WHERE person_id = ${id} AND words IS NOT NULL
  `.execute(tx);
  await sql`
    UPDATE claim_entries e SET words = NULL FROM claims c
    WHERE c.id = e.claim_id AND (c.buyer_id = ${id} OR c.seller_id = ${id})
      AND e.author_id = ${id} AND e.words IS NOT NULL
  `.execute(tx);
  await eraseEntries(tx, id);
  // Answers remembered for repeated calls show what they showed then.
  await sql`DELETE FROM idempotency_keys WHERE person_id = ${id}`.execute(tx);
  await sql`DELETE FROM outbox WHERE topic = 'bot.tell' AND ref = ${id}`.execute(tx);
  await sql`DELETE FROM bot_chats WHERE person_id = ${id}`.execute(tx);
  await sql`
    UPDATE people SET first_name = ${ERASED_NAME}, last_name = NULL, username = NULL,
      language_code = NULL, photo_url = NULL, logged_out_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
  const sessions = await many<{ hash: string }>(tx)`
    UPDATE sessions SET revoked_at = ${now}
    WHERE person_id = ${id} AND revoked_at IS NULL AND expires_at > ${now}
    RETURNING encode(token_hash, 'hex') AS hash
  `;
  return sessions.map(({ hash }) => hash);
}

/** Where the person came in without paid time, or let others in. Time that was given is a book. */
async function eraseEntries(tx: Db, id: bigint): Promise<void> {
  await sql`DELETE FROM unpaid_entries WHERE person_id = ${id}`.execute(tx);
  await sql`UPDATE unpaid_entries SET let_in_by = NULL WHERE let_in_by = ${id}`.execute(tx);
  await sql`DELETE FROM allowed_members WHERE person_id = ${id}`.execute(tx);
}

/** A text as JSON has it, as a pattern. */
const JSON_TEXT = String.raw`"([^"\\]|\\.)*"`;
const ERASED = String.raw`\1"${ERASED_NAME}"`;

/**
 * What sellers' programs were told of him is kept, to be told again: without his name. What they
 * answered may say it too.
 */
async function eraseFromWebhooks(tx: Db, id: bigint): Promise<void> {
  await sql`
    WITH told AS (
      UPDATE webhook_events e
      SET body = regexp_replace(e.body,
        '("telegram_id":"' || p.telegram_id || '","name":)' || ${JSON_TEXT}, ${ERASED}, 'g')
      FROM people p
      WHERE p.id = ${id}
        AND e.seller_id IN (SELECT o.seller_id FROM orders o WHERE o.buyer_id = ${id})
        AND position('"telegram_id":"' || p.telegram_id || '"' IN e.body) > 0
      RETURNING e.id
    )
    UPDATE webhook_attempts t SET answer = NULL FROM webhook_deliveries d, told
    WHERE d.event_id = told.id AND t.delivery_id = d.id AND t.answer IS NOT NULL
  `.execute(tx);
}

/** His programs' keys and addresses, and what he told of his offer. */
async function eraseDeveloper(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE developer_keys SET name = ${ERASED_NAME}, revoked_at = coalesce(revoked_at, ${now})
    WHERE seller_id = ${id}
  `.execute(tx);
  // The endpoints first, as whoever notes an attempt.
  await sql`
    UPDATE webhook_endpoints SET active = false, deleted_at = coalesce(deleted_at, ${now}),
      url = '', changed_at = ${now}
    WHERE seller_id = ${id}
  `.execute(tx);
  await sql`
    UPDATE webhook_deliveries d SET status = 'failed', due_at = NULL, done_at = ${now}
    FROM webhook_endpoints e
    WHERE e.id = d.endpoint_id AND e.seller_id = ${id} AND d.due_at IS NOT NULL
  `.execute(tx);
  await sql`
    UPDATE webhook_attempts t SET answer = NULL FROM webhook_deliveries d, webhook_endpoints e
    WHERE d.id = t.delivery_id AND e.id = d.endpoint_id AND e.seller_id = ${id}
      AND t.answer IS NOT NULL
  `.execute(tx);
  await sql`DELETE FROM offer_answers WHERE seller_id = ${id}`.execute(tx);
}

async function eraseSeller(tx: Db, id: bigint, now: Date): Promise<void> {
  await sql`
    UPDATE ticket_messages m SET words = NULL FROM tickets t
    WHERE t.id = m.ticket_id AND t.seller_id = ${id} AND m.words IS NOT NULL
  `.execute(tx);
  await sql`
    UPDATE tickets SET status = 'closed', closed_at = ${now}, waiting_since = NULL
    WHERE seller_id = ${id} AND status <> 'closed'
  `.execute(tx);
  await sql`
    UPDATE payout_profiles SET method = NULL, phone = NULL, number_changed_at = NULL,
      automatic = false, next_run_at = NULL, updated_at = ${now}
    WHERE seller_id = ${id}
  `.execute(tx);
  await sql`
    UPDATE payouts p SET phone = '' FROM withdrawals w
    WHERE w.id = p.withdrawal_id AND w.seller_id = ${id} AND p.phone <> ''
  `.execute(tx);
  await sql`
    UPDATE withdrawals SET phone = '', whatsapp = '' WHERE seller_id = ${id} AND phone <> ''
  `.execute(tx);
  await sql`
    UPDATE seller_keys SET ended_at = ${now} WHERE seller_id = ${id} AND ended_at IS NULL
  `.execute(tx);
  await eraseDeveloper(tx, id, now);
  await sql`
    UPDATE sellers SET display_name = NULL, country = NULL, whatsapp_number = NULL,
      updated_at = ${now}
    WHERE id = ${id}
  `.execute(tx);
}
