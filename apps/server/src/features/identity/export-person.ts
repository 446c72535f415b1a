import { PRODUCT_TEXT_KEYS } from "@sesame/contract/catalogue";
import { textOf } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** The maximum of rows in a list, the newest first. */
export const EXPORT_MAX = 2_000;

type Thing = Record<string, unknown>;
type Lists = Record<string, Thing[]>;

/** Encoded as JSON by the database, bigints and instants included. */
async function rowsOf(db: Db, query: RawBuilder<unknown>): Promise<Thing[]> {
  const { rows } = await sql<{ thing: Thing }>`
    SELECT to_jsonb(q) AS thing FROM (${query} LIMIT ${EXPORT_MAX}) AS q
  `.execute(db);
  return rows.map(({ thing }) => thing);
}

async function listsOf(db: Db, queries: Record<string, RawBuilder<unknown>>): Promise<Lists> {
  const lists: Lists = {};
  for (const [name, query] of Object.entries(queries)) lists[name] = await rowsOf(db, query);
  return lists;
}

export async function exportPerson(db: Db, id: bigint): Promise<Thing> {
  const [person] = await rowsOf(
    db,
    sql`SELECT telegram_id, first_name, last_name, username, language_code, photo_url, created_at,
      seen_at,
      (SELECT coalesce(jsonb_object_agg(c.bot, c.reachable), '{}') FROM bot_chats c
        WHERE c.person_id = people.id) AS bots,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('audience', s.audience, 'created_at',
          s.created_at, 'expires_at', s.expires_at) ORDER BY s.created_at DESC), '[]')
        FROM sessions s WHERE s.person_id = people.id) AS sessions
      FROM people WHERE id = ${id}`,
  );
  return person ?? {};
}

/** The person's purchases and what followed, and what providers wrote about the person as payer. */
export async function exportBuyer(db: Db, id: bigint): Promise<Lists> {
  const lists = await listsOf(db, {
    orders: sql`SELECT id, kind, title, price, currency, status, provider, created_at, paid_at,
      access_until FROM orders WHERE buyer_id = ${id} ORDER BY id DESC`,
    payments: sql`SELECT p.id, p.order_id, p.provider, p.provider_payment_id, p.amount, p.status,
      p.created_at, p.decided_at, p.widget->'customer' AS customer
      FROM payments p JOIN orders o ON o.id = p.order_id
      WHERE o.buyer_id = ${id} ORDER BY p.id DESC`,
    provider_webhooks: sql`SELECT n.provider, n.received_at, encode(n.body, 'base64') AS body
      FROM provider_webhooks n JOIN payments p ON p.provider = n.provider
        AND p.provider_payment_id = n.provider_payment_id
      JOIN orders o ON o.id = p.order_id
      WHERE o.buyer_id = ${id} AND n.body <> '' ORDER BY n.received_at DESC`,
    accesses: sql`SELECT a.id, g.title AS group, a.status, a.started_at, a.joined_at, a.ends_at
      FROM accesses a JOIN groups g ON g.id = a.group_id
      WHERE a.person_id = ${id} ORDER BY a.id DESC`,
    given_time: sql`SELECT x.id, g.title AS group, x.minutes, x.until, x.granted_at, x.reason
      FROM membership_grants x LEFT JOIN groups g ON g.id = x.group_id
      WHERE x.person_id = ${id} ORDER BY x.id DESC`,
    // Who let whom in: the other person is not named.
    entries_without_paid_time: sql`SELECT e.id, g.title AS group, e.entered_at, e.came_by AS door, e.status,
        CASE WHEN e.person_id = ${id} THEN 'entered' ELSE 'let_in' END AS part
      FROM unpaid_entries e JOIN groups g ON g.id = e.group_id
      WHERE e.person_id = ${id} OR e.let_in_by = ${id} ORDER BY e.id DESC`,
    white_lists: sql`SELECT g.title AS group, m.allowed_at FROM allowed_members m
      JOIN groups g ON g.id = m.group_id WHERE m.person_id = ${id} ORDER BY m.allowed_at DESC`,
    refunds: sql`SELECT id, order_id, amount, status, method, phone, reason, created_at, done_at
      FROM refunds WHERE buyer_id = ${id} ORDER BY id DESC`,
    complaints: sql`SELECT c.id, c.order_id, c.kind, c.status, c.opened_at, c.closed_at,
        (SELECT jsonb_agg(jsonb_build_object('author', e.author, 'step', e.step, 'words', e.words,
          'at', e.at) ORDER BY e.id) FROM complaint_entries e WHERE e.complaint_id = c.id) AS entries
      FROM complaints c WHERE c.buyer_id = ${id} ORDER BY c.id DESC`,
    reports: sql`SELECT product_id, reason_code, words, created_at FROM product_reports
      WHERE person_id = ${id} ORDER BY created_at DESC`,
    views: sql`SELECT product_id, day FROM product_views
      WHERE person_id = ${id} ORDER BY day DESC, product_id DESC`,
    star_charges: sql`SELECT s.reference, s.stars, s.charged_at, s.refunded_at FROM star_charges s
      JOIN people p ON p.telegram_id = s.telegram_id WHERE p.id = ${id} ORDER BY s.charged_at DESC`,
    // The groups a person administers, linked or pending, according to Telegram.
    administers: sql`SELECT g.title AS group, a.is_creator FROM group_admins a
      JOIN people p ON p.telegram_id = a.telegram_id JOIN groups g ON g.id = a.group_id
      WHERE p.id = ${id} ORDER BY g.id DESC`,
    groups_not_linked: sql`SELECT c.chat_id, c.title, c.kind, c.created_at FROM pending_groups c
      JOIN people p ON p.telegram_id = c.telegram_id WHERE p.id = ${id} ORDER BY c.created_at DESC`,
    // The person's own acts; of others only their id.
    audit_entries: sql`SELECT at, action, subject FROM audit_log
      WHERE actor_id = ${id} ORDER BY seq DESC`,
  });
  const webhooks = (lists["provider_webhooks"] ?? []).map((webhook) => ({
    ...webhook,
    body: Buffer.from(textOf(webhook["body"]), "base64").toString("utf8"),
  }));
  return { ...lists, provider_webhooks: webhooks };
}

/** Null: the person was never a seller. */
export async function exportSeller(db: Db, id: bigint) {
  const [profile] = await rowsOf(
    db,
    sql`SELECT s.plan, s.premium_until, s.onboarded, s.display_name, s.country, s.whatsapp_number,
      s.created_at, s.closed_at, f.method AS payout_method, f.phone AS payout_phone,
      f.automatic AS payout_automatic, free.posted AS balance_free,
      premium.posted AS balance_premium
      FROM sellers s
      JOIN ledger_accounts free ON free.id = s.free_account_id
      JOIN ledger_accounts premium ON premium.id = s.premium_account_id
      LEFT JOIN payout_profiles f ON f.seller_id = s.id WHERE s.id = ${id}`,
  );
  if (!profile) return null;
  const lists = await listsOf(db, {
    groups: sql`SELECT id, chat_id, kind, title, linked_at FROM groups
      WHERE seller_id = ${id} ORDER BY id DESC`,
    given_time: sql`SELECT id, group_id, minutes, granted_at, reason FROM membership_grants
      WHERE granted_by = ${id} ORDER BY id DESC`,
    products: sql`SELECT id, kind, reference, title,
      ${sql.join(PRODUCT_TEXT_KEYS.map((key) => sql.ref(key)))}, price, suggestions,
      duration_minutes, created_at, archived_at FROM products WHERE seller_id = ${id} ORDER BY id DESC`,
    // Buyers are other people: their names are not exported.
    sales: sql`SELECT id, kind, product_id, title, price, fee, status, provider, created_at, paid_at
      FROM orders WHERE seller_id = ${id} ORDER BY id DESC`,
    withdrawals: sql`SELECT id, reference, amount, method, phone, whatsapp, status, created_at,
      decided_at, paid_at, reject_reason FROM withdrawals WHERE seller_id = ${id}
      ORDER BY id DESC`,
    payment_methods: sql`SELECT provider, active, changed_at FROM seller_methods
      WHERE seller_id = ${id} ORDER BY provider`,
    advances: sql`SELECT owed, recoveries, updated_at FROM seller_advances WHERE seller_id = ${id}`,
    written_off: sql`SELECT amount, asked_at, decided_at FROM write_offs
      WHERE seller_id = ${id} ORDER BY id DESC`,
    pictures: sql`SELECT id, width, height, created_at FROM images
      WHERE seller_id = ${id} ORDER BY created_at DESC`,
    // Only what the owner of a key sees of it.
    payment_keys: sql`SELECT provider, masked, created_at, ended_at FROM seller_keys
      WHERE seller_id = ${id} ORDER BY id DESC`,
    developer_keys: sql`SELECT name, last_four, scopes, created_at, last_used_on, revoked_at
      FROM developer_keys WHERE seller_id = ${id} ORDER BY id DESC`,
    webhook_endpoints: sql`SELECT url, events, active, created_at, deleted_at
      FROM webhook_endpoints WHERE seller_id = ${id} ORDER BY id DESC`,
    offer_answers: sql`SELECT name, goal, motivation, updated_at FROM offer_answers
      WHERE seller_id = ${id} ORDER BY updated_at DESC`,
    tickets: sql`SELECT t.id, t.kind, t.status, t.opened_at, t.closed_at,
        (SELECT jsonb_agg(jsonb_build_object('author', m.author, 'words', m.words, 'at', m.at)
          ORDER BY m.id) FROM ticket_messages m WHERE m.ticket_id = t.id) AS messages
      FROM tickets t WHERE t.seller_id = ${id} ORDER BY t.id DESC`,
  });
  return { profile, lists };
}
