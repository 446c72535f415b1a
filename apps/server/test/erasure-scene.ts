import type { AnswerOf } from "@sesame/contract/routes";
import { addMs, assert, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { createDevelopersStage } from "./developers-stage.ts";
import { fundSeller } from "./funds.ts";
import type { SignedInBuyer, SignedInSeller, TestApp } from "./harness.ts";

type KeyAnswer = AnswerOf<"POST /api/developers/keys">;

/** What is kept as it came: bytes are shown in hex. */
function asBytes(text: string): string[] {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return [text, capital].map((each) => Buffer.from(each).toString("hex"));
}

/** Where a person leaves traces, and where a text of his is still found. */
export function createErasureScene(app: TestApp) {
  const developers = createDevelopersStage(app);
  return {
    /** Every text of every row, but for what Telegram's updates and the emulators hold. */
    async tablesWith(text: string): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
          AND table_name NOT IN ('telegram_updates', 'schema_migrations', 'schema_version')
      `.execute(app.db);
      const found: string[] = [];
      for (const { name } of rows) {
        const table = sql.table(name);
        const hits = await sql`
          SELECT FROM ${table} AS t WHERE position(lower(${text}) IN lower(t::text)) > 0
            OR EXISTS (SELECT FROM unnest(${asBytes(text)}::text[]) AS b
              WHERE position(b IN t::text) > 0)
          LIMIT 1
        `.execute(app.db);
        if (hits.rows.length > 0) found.push(name);
      }
      return found;
    },
    /** Stored updates of Telegram that hold the text. */
    async updatesWith(text: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM telegram_updates
        WHERE position(lower(${text}) IN lower(body::text)) > 0
      `.execute(app.db);
      return rows[0]?.count ?? 0;
    },
    /** One of the person's that waits to be handled, and the beginning of one that nobody could read. */
    async leaveUpdates({ person }: SignedInBuyer): Promise<void> {
      const now = app.clock.now();
      const text = "/start hapax";
      const chat = { ...person, type: "private" };
      const message = { message_id: 1, date: now.getTime() / 1_000, from: person, chat, text };
      await sql`
        INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, attempts,
          handled_at) VALUES
          ('buyer', 999999999, 'person:x', ${JSON.stringify({ update_id: 999_999_999, message })},
            ${now}, ${addMs(now, MINUTE_MS)}, 1, NULL),
          ('buyer', -5, 'update:-5', '{"unreadable": "{from: Mensah-Hapax"}', ${now}, ${now}, 0, ${now})
      `.execute(app.db);
    },
    /** Bought at FedaPay, whose widget and whose notices carry who pays. */
    async payInWidget(buyer: SignedInBuyer, reference: string): Promise<void> {
      const customer = { email: "kofi@hapax.example", phone: "+22507070707" };
      const order = await app.call<{ id: string }>("POST", "/api/orders", {
        token: buyer.token,
        body: { reference, provider: "fedapay", customer },
      });
      app.emulators.collectors.fedapay.settle(order.body.id, "success");
      await app.drain();
    },
    /** As a seller's program was told of the sale, and said it back. */
    async tellProgram(
      seller: SignedInSeller,
      { buyer, orderId }: { buyer: SignedInBuyer; orderId: string },
    ): Promise<void> {
      const { first_name: first, last_name: last, id } = buyer.person;
      const name = `${first} \\"${last}\\"`;
      const body = `{"buyer":{"id":"${buyer.id}","telegram_id":"${id}","name":"${name}"}}`;
      const now = app.clock.now();
      await sql`
        WITH endpoint AS (
          INSERT INTO webhook_endpoints (seller_id, url, events, secret, secret_key_id, created_at,
            changed_at)
          VALUES (${BigInt(seller.id)}, 'https://example.com/', '{order.paid}', '', 'k', ${now},
            ${now})
          RETURNING id
        ), event AS (
          INSERT INTO webhook_events (seller_id, type, subject, once_key, at, body)
          VALUES (${BigInt(seller.id)}, 'order.paid', ${BigInt(orderId)}, 'k', ${now}, ${body})
          RETURNING id
        ), delivery AS (
          INSERT INTO webhook_deliveries (endpoint_id, event_id, status, created_at)
          SELECT endpoint.id, event.id, 'delivered', ${now} FROM endpoint, event RETURNING id
        )
        INSERT INTO webhook_attempts (delivery_id, at, duration_ms, status_code, answer)
        SELECT id, ${now}, 5, 200, ${`Merci ${name}`} FROM delivery
      `.execute(app.db);
    },
    /** A key and an address of his own, with an event that waits to be sent again. */
    async giveToPrograms(seller: SignedInSeller) {
      await fundSeller(app, seller, 0, "premium");
      const { token } = seller;
      const body = { name: "Site Hapax", scopes: ["orders:read"] };
      const key = await app.call<KeyAnswer>("POST", "/api/developers/keys", { token, body });
      const { secret } = key.body;
      assert(secret, "the key was made");
      const { endpoint, hook } = await developers.listen(seller, "hapax");
      const path = `/api/developers/endpoints/${endpoint.id}`;
      await app.call("PUT", path, { token, body: { events: ["order.paid"] } });
      hook.manner = { kind: "status", status: 500, body: "Hapax est en panne" };
      await developers.ping(seller, endpoint.id);
      await app.drain();
      assert(hook.received.length === 1, "the event was tried once");
      return { secret, hook };
    },
    /** As a provider told of money it had sent to the number. → takes the payout out of the books */
    async tellPayout(withdrawalId: string, phone: string): Promise<() => Promise<unknown>> {
      const now = app.clock.now();
      const body = (id: string) => JSON.stringify({ id, recipient: { phone } });
      await sql`
        WITH sent AS (
          INSERT INTO payouts (withdrawal_id, lane, reference, amount, method, phone, status,
            provider_payout_id, created_at, settled_at)
          VALUES (${BigInt(withdrawalId)}, 'fedapay', 'tell-payout', 1000, 'orange-money-ci',
            ${phone}, 'failed', 'payout_481516', ${now}, ${now})
        )
        INSERT INTO payout_notices (provider, body_hash, body, received_at) VALUES
          ('fedapay', '\\x01', convert_to(${body("payout_481516")}, 'UTF8'), ${now})
      `.execute(app.db);
      return () => sql`DELETE FROM payouts WHERE reference = 'tell-payout'`.execute(app.db);
    },
  };
}

export type ErasureScene = ReturnType<typeof createErasureScene>;
