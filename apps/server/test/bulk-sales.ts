import { sql } from "kysely";
import { withLongStatements } from "../src/postgres/connections.ts";
import type { Db } from "../src/postgres/database.ts";
import { listen } from "../../../tools/testing/listen.ts";
import { hmac, sendJson } from "./http.ts";

type MarketSize = {
  readonly sellers: number;
  readonly buyers: number;
  /** Unpaid payments, one an order, for random buyers and products. */
  readonly orders: number;
  readonly now: Date;
  /** The time of their first check; default: at once. */
  readonly dueAt?: Date;
};

/** In order; the orders' payment at the provider is `py_{prefix}{n}`, from 1. */
export type Market = Readonly<Record<"orders" | "payments", readonly bigint[]>>;

/** Francs. */
const PRICE = 5_000;

/** The prefix of `sellMany`'s payments at the provider, for tests, benchmarks and their provider. */
const PAYMENT_PREFIX = "py_many_";

/**
 * Sellers with a group and a product each, buyers, and orders with one open payment each, inserted
 * in bulk: for tests and benchmarks that need thousands. Each call adds its own.
 */
export const sellMany = (db: Db, size: MarketSize): Promise<Market> =>
  withLongStatements(db, (tx) => fillMarket(tx, size));

async function fillMarket(db: Db, size: MarketSize): Promise<Market> {
  const { now } = size;
  await sql`
    WITH next AS (SELECT coalesce(max(telegram_id), 7000000000) AS id FROM people), sellers_in AS (
      INSERT INTO people (telegram_id, first_name, created_at, seen_at)
      SELECT next.id + n, 'Vendeur ' || n, ${now}, ${now}
      FROM next, generate_series(1, ${size.sellers}::int) AS n
      RETURNING id
    )
    INSERT INTO sellers (id, plan, free_account_id, premium_account_id, created_at, updated_at)
    SELECT id, 'free', (ledger_open_accounts(array['seller:' || id || ':free'], true, ${now}))[1],
      (ledger_open_accounts(array['seller:' || id || ':premium'], true, ${now}))[1], ${now}, ${now}
    FROM sellers_in
  `.execute(db);
  await sql`
    WITH fresh AS (SELECT id FROM sellers ORDER BY id DESC LIMIT ${size.sellers}), made AS (
      INSERT INTO groups (chat_id, kind, title, seller_id, bot_present, can_manage, can_invite,
        can_restrict, linked_at, checked_at)
      SELECT -1000000000000 - id, 'supergroup', 'Groupe ' || id, id, true, true, true, true,
        ${now}, ${now}
      FROM fresh RETURNING id, seller_id
    )
    INSERT INTO products (seller_id, group_id, reference, title, price, duration_minutes,
      created_at, updated_at)
    SELECT seller_id, id, 'many-' || id, 'Produit ' || id, ${PRICE}, 43200, ${now}, ${now} FROM made
  `.execute(db);
  await sql`
    INSERT INTO people (telegram_id, first_name, created_at, seen_at)
    SELECT next.id + n, 'Client ' || n, ${now}, ${now}
    FROM (SELECT max(telegram_id) AS id FROM people) AS next,
      generate_series(1, ${size.buyers}::int) AS n
  `.execute(db);
  return openOrders(db, size);
}

async function openOrders(db: Db, size: MarketSize): Promise<Market> {
  const { now } = size;
  const { rows: orders } = await sql<{ id: bigint }>`
    WITH shelf AS (
      SELECT *, row_number() OVER (ORDER BY id DESC) AS nth
      FROM products ORDER BY id DESC LIMIT ${size.sellers}
    ), buyers AS (
      SELECT id, row_number() OVER (ORDER BY id DESC) AS nth
      FROM people ORDER BY id DESC LIMIT ${size.buyers}
    )
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, price, fee,
      duration_minutes, title, provider, created_at)
    SELECT 'product', b.id, s.seller_id, s.id, s.group_id, s.price, s.price * 18 / 100,
      s.duration_minutes, s.title, 'moneroo', ${now}
    FROM generate_series(1, ${size.orders}::int) AS n
    JOIN shelf s ON s.nth = 1 + (n::bigint * 7919) % ${size.sellers}
    JOIN buyers b ON b.nth = 1 + (n::bigint * 104729) % ${size.buyers}
    ORDER BY n RETURNING id
  `.execute(db);
  const { rows: payments } = await sql<{ id: bigint }>`
    WITH made AS (
      INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
        return_secret_hash, amount, created_at)
      SELECT id, 'moneroo', ${PAYMENT_PREFIX}::text || id, 'https://pay.example/' || id,
        sha256(('secret ' || id)::bytea), price, ${now}
      FROM orders WHERE id = ANY(${orders.map(({ id }) => id)}::bigint[]) ORDER BY id
      RETURNING id
    ), asked AS (
      INSERT INTO payment_checks (payment_id, due_at, give_up_at)
      SELECT id, ${size.dueAt ?? now}, ${new Date(now.getTime() + 72 * 3_600_000)} FROM made
      ORDER BY id
    )
    SELECT id FROM made ORDER BY id
  `.execute(db);
  return { orders: orders.map(({ id }) => id), payments: payments.map(({ id }) => id) };
}

export const WEBHOOK_SECRET = "whsec_for_tests_0123456789";
export const SECRET_KEY = "sk_for_tests_0123456789abc";

/**
 * Moneroo for thousands: every payment of `sellMany` is paid, at once. Also replaces Telegram: it
 * gives the bots' names, since a server waits for them, and otherwise answers with a required wait,
 * so that jobs that write to it wait. Real HTTP, no state.
 */
export async function startPayingProvider() {
  let asked = 0;
  const server = await listen((request, response) => {
    const [, paymentId] = /^\/v1\/payments\/([^/]+)\/verify$/.exec(request.url ?? "") ?? [];
    const [, botId] = /^\/bot(\d+):[^/]+\/getMe$/.exec(request.url ?? "") ?? [];
    request.resume();
    if (paymentId) {
      asked += 1;
      return sendJson(response, 200, { message: "ok", data: paidPayment(paymentId) });
    }
    if (botId) {
      const named = { is_bot: true, first_name: "Bot", username: `b_${botId}` };
      return sendJson(response, 200, { ok: true, result: { id: Number(botId), ...named } });
    }
    const parameters = { retry_after: 3_600 };
    const description = "Too Many Requests: retry after 3600";
    sendJson(response, 429, { ok: false, error_code: 429, description, parameters });
  });
  return { ...server, webhookSecret: WEBHOOK_SECRET, secretKey: SECRET_KEY, asked: () => asked };
}

const paidPayment = (id: string) => ({
  id,
  status: "success",
  amount: PRICE,
  currency: { code: "XOF", decimals: 0 },
  environment: "sandbox",
  metadata: { order_id: id.slice(PAYMENT_PREFIX.length) },
});

export type SignedWebhook = { readonly body: string; readonly signature: string };

/** A signed webhook about the success of an order's payment. */
export function signWebhook(orderId: bigint): SignedWebhook {
  const data = { id: `${PAYMENT_PREFIX}${orderId}`, amount: PRICE, currency: "XOF" };
  const body = JSON.stringify({ event: "payment.success", data });
  return { body, signature: hmac(WEBHOOK_SECRET, body) };
}
