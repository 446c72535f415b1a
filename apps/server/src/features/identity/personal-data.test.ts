import { addMs, assert, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { Kysely, PostgresDialect, sql } from "kysely";
import { expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { createDeveloperFixtures } from "../../../test/developers.ts";
import { askWithdrawal, fundSeller } from "../../../test/funds.ts";
import { createGroupFixtures } from "../../../test/groups.ts";
import { type SignedInBuyer, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { createRefundFixtures } from "../../../test/refunds.ts";
import { buyProduct, orderProduct, publishDonation } from "../../../test/sales.ts";
import { lockSeller } from "../../people/people.ts";
import pg from "pg";
import { exportBuyer, exportPerson, exportSeller } from "./export-person.ts";

const app = await startTestApp({ env: { SUPPORT_WHATSAPP: "+225 07 00 00 00 00" } });
const { openShop, talk, advance } = createGroupFixtures(app);
const care = createRefundFixtures(app);
const developers = createDeveloperFixtures(app);
const shop = await openShop();

type Who = { readonly token: string };
const NAMES = { first_name: "Kofi-Hapax", last_name: "Mensah-Hapax", username: "kofi_hapax" };

const exportOf = (who: Who) => app.send("GET /api/me/export", who);
const erase = (who: Who, body: object = { confirm: true }) =>
  app.send("POST /api/me/delete", who, body);

/** 200, or 401 once the person is erased. */
async function signInAgain(path: string, initData: string) {
  const headers = { "x-telegram-init-data": initData };
  return (await app.call("POST", path, { headers })).status;
}

const complain = (buyer: Who, id: string, message: string) =>
  app.done("POST /api/orders/:id/complaint", buyer, { id, motif: "other", message });

const PAYOUTS = { retrait_auto: 1, payment_method: "orange-money-ci" };
const setPayouts = (seller: Who, number: string) =>
  app.send("PUT /api/users/paiement/update", seller, { ...PAYOUTS, transfer_number: number });

test("a buyer's data can be exported, and erased once nothing needs them; the ledger stays", async () => {
  const buyer = await app.signInBuyer(await app.person(NAMES));
  await talk(buyer.person.id, "buyer", "/start");
  const { id: orderId } = await orderProduct(app, buyer, shop.reference);
  expect((await erase(buyer, {})).body.code).toBe("personal.confirm-missing");
  expect((await erase(buyer)).body).toMatchObject({
    code: "personal.still-needed",
    message: expect.stringContaining("1 paiement en attente"),
  });
  await app.pay("moneroo", orderId);
  expect((await erase(buyer)).body.message).toMatch(/1 accès en cours \(jusqu'au \d\d\//);
  const words = "Kofi-Hapax ici, au +225 07 07 07 07";
  const { complaint } = await complain(buyer, orderId, words);
  await app.done("POST /api/complaints/:id/withdraw", buyer, { id: complaint.id });
  await payInWidget(buyer, shop.reference);
  const exported = (await exportOf(buyer)).body;
  expect(exported).toMatchObject({
    person: { ...NAMES, telegram_id: buyer.person.id },
    as_buyer: { orders: [{ provider: "fedapay" }, { status: "paid" }], accesses: [{}] },
    as_seller: null,
  });
  const { provider_webhooks: webhooks, ...lists } = exported.as_buyer;
  expect(JSON.stringify({ ...exported, as_buyer: lists })).not.toMatch(
    /secret|token|invite_link|hash/i,
  );
  // What providers wrote about the payer is part of the export.
  expect(JSON.stringify(webhooks)).toContain("kofi@hapax.example");
  expect(JSON.stringify(lists["complaints"])).toContain("Kofi-Hapax ici");
  // A decided payment opens no widget: the payer's data in its widget are deleted already.
  expect(await tablesWith("hapax.example")).toEqual(["provider_webhooks"]);
  await advance(3 * DAY_MS);
  const before = await care.broken();
  await deliverWebhook(shop.seller, buyer, orderId);
  const left = ["people", "complaint_entries", "provider_webhooks", "webhook_attempts"];
  expect(await tablesWith("hapax")).toEqual(expect.arrayContaining(left));
  const token = (await app.signInBuyer(buyer.person)).token;
  await leaveUpdates(buyer);
  expect((await erase({ token })).status).toBe(200);
  await app.drain();
  expect(await tablesWith("hapax")).toEqual([]);
  // An update that waits keeps its content until it is handled, and stores no name again.
  expect(await updatesWith("hapax")).toBe(1);
  expect(await updatesWith("mensah")).toBe(0);
  const entries = await app.sql`
    SELECT step, words FROM complaint_entries WHERE complaint_id = ${complaint.id} ORDER BY id`;
  expect(entries).toEqual([
    { step: "opened", words: null },
    { step: "withdrawn", words: null },
  ]);
  expect([await care.broken(), before]).toEqual([[], []]);
  expect((await exportOf({ token })).status).toBe(401);
  // The page that is still open cannot store the name again.
  const aSecondAgo = { bot: "buyer", authDate: addMs(app.clock.now(), -1_000) } as const;
  const raw = app.initData(buyer.person, aSecondAgo);
  expect(await signInAgain("/api/auth/acheteur", raw)).toBe(401);
  // Blocking the bot does not store it either.
  app.emulators.telegram.blockBot({ personId: buyer.person.id, bot: "buyer" });
  await app.drain();
  expect(await tablesWith("hapax")).toEqual([]);
  expect(await app.value`SELECT status FROM orders WHERE id = ${orderId}`).toBe("paid");
  await advance(3 * MINUTE_MS);
  expect(await updatesWith("hapax")).toBe(0);
  expect(await tablesWith("hapax")).toEqual([]);
});

test("the record of a complaint can only lose texts: no entry is changed, removed or given texts again", async () => {
  const buyer = await app.signInBuyer();
  const id = await buyProduct(app, buyer, shop.reference);
  await complain(buyer, id, "Bonjour");
  const mine = sql`complaint_id IN (SELECT id FROM complaints WHERE order_id = ${BigInt(id)})`;
  for (const change of [
    sql`UPDATE complaint_entries SET words = 'Autre' WHERE ${mine}`,
    sql`UPDATE complaint_entries SET words = NULL, step = 'said' WHERE ${mine}`,
    sql`UPDATE complaint_entries SET words = NULL, at = now() WHERE ${mine}`,
    sql`DELETE FROM complaint_entries WHERE ${mine}`,
    sql`TRUNCATE complaint_entries`,
  ]) {
    await expect(change.execute(app.db)).rejects.toMatchObject({ code: "SL003" });
  }
  await app.sql`UPDATE complaint_entries SET words = NULL WHERE ${mine}`;
});

test("a seller's data are erased with the account, not before the seller's money is withdrawn", async () => {
  const seller = await app.signInSeller(await app.person(NAMES));
  await talk(seller.person.id, "seller", "/start");
  const profile = { display_name: "Boutique Hapax", whatsapp_number: "+22507777777" };
  await app.send("PUT /api/users/:id", seller, { id: seller.id, ...profile });
  const question = { sujet: "account", message: "Je suis Kofi Hapax, du Plateau." };
  expect((await app.send("POST /api/support/tickets", seller, question)).status).toBe(201);
  const programs = await giveToPrograms(seller);
  const number = "07 00 11 22 33";
  await setPayouts(seller, number);
  await fundSeller(app, seller, 5_000, "free");
  const withdrawal = await askWithdrawal(app, seller, {
    numero_transfert: number,
    numero_whatsapp: "+225 0700112233",
  });
  const other = await exportOf(shop.seller);
  expect(JSON.stringify(other.body)).not.toContain("Hapax");
  expect((await exportOf(seller)).body.as_seller).toMatchObject({
    profile,
    lists: {
      withdrawals: [{ reference: withdrawal.reference_transaction }],
      tickets: [{ messages: [{ words: "Je suis Kofi Hapax, du Plateau." }] }],
    },
  });
  expect((await erase(seller)).body).toMatchObject({ code: "account.not-empty" });
  await app.call("DELETE", `/api/users/retrait/annuler/${withdrawal.id}`, seller);
  const deletePayout = await receivePayoutWebhook(withdrawal.id, "+2250700112233");
  // Returns what was funded to the account the test took it from.
  await app.sql`
    SELECT ledger_post(array['test-drain'], array[1, 1], array[a.id, b.id],
      array[-a.posted, a.posted], array[${app.clock.now()}::timestamptz], ${app.clock.now()})
    FROM ledger_accounts a, ledger_accounts b
    WHERE a.key = ${`seller:${seller.id}:free`} AND b.key = 'funds:of-tests'`;
  expect((await erase(seller)).status).toBe(200);
  await app.drain();
  for (const text of ["hapax", "0700112233", "07777777"])
    expect(await tablesWith(text), text).toEqual([]);
  await fundSeller(app, seller, 0, "premium");
  const read = await app.send("GET /api/v1/orders", { token: programs.secret });
  expect(read.body.code).toBe("developers.key-refused");
  expect(await signInAgain("/api/auth/vendeur", app.initData(seller.person))).toBe(401);
  expect(await app.auditEntries(`person:${seller.id}`)).toEqual(["person.erase"]);
  await deletePayout();
  await advance(DAY_MS);
  expect(programs.hook.received).toHaveLength(1);
});

test("erasing a seller waits for a change of the seller's settings that began before, and ends after it", async () => {
  const seller = await app.signInSeller();
  expect((await setPayouts(seller, "07 00 11 22 33")).status).toBe(200);
  const waiting = (count: number) =>
    eventually(async () => {
      const rows = await app.sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return rows.length === count;
    });
  const both = await app.db.transaction().execute(async (tx) => {
    await lockSeller(tx, BigInt(seller.id));
    const configuring = setPayouts(seller, "07 00 11 22 44");
    await waiting(1);
    const erasing = erase(seller);
    await waiting(2);
    return [configuring, erasing];
  });
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await tablesWith("0700112244")).toEqual([]);
});

test("a seller's copy of his data has the donations to him among his sales", async () => {
  const seller = await app.signInSeller(shop.seller.person);
  const { reference } = await publishDonation(app, seller);
  const asked = { reference, provider: "moneroo", amount: 650 };
  const { id } = await app.done("POST /api/orders", await app.signInBuyer(), asked);
  await app.pay("moneroo", id);
  const { lists } = (await exportOf(seller)).body.as_seller ?? {};
  expect(lists?.["sales"]?.[0]).toMatchObject({ id: Number(id), kind: "donation" });
  const kept = { kind: "donation", price: 500, suggestions: [1_000, 5_000] };
  expect(lists?.["products"]?.[0]).toMatchObject(kept);
});

test("the page on privacy opens in any browser, without a session or a script", async () => {
  for (const [path, word] of [
    ["/confidentialite", "Vos droits"],
    ["/confidentialite", "ses propres programmes reçoivent leur nom"],
    ["/conditions", "18\u202f%"],
  ] as const) {
    const { status, headers, body: html } = await app.call<string>("GET", path);
    const type = headers.get("content-type");
    expect([status, type]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toContain("'sha256-");
    expect(html).not.toContain("<script");
    expect(html).toContain(word);
  }
});

/** Stored bodies are bytes, shown in hex. */
function asBytes(text: string): string[] {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return [text, capital].map((each) => Buffer.from(each).toString("hex"));
}

/** Tables with the text in any row, except Telegram's updates and the emulators' tables. */
async function tablesWith(text: string): Promise<string[]> {
  const names = await app.values<string>`
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('telegram_updates', 'schema_migrations', 'schema_version')`;
  const found: string[] = [];
  for (const name of names) {
    const table = sql.table(name);
    const hits = await app.sql`
      SELECT FROM ${table} AS t WHERE position(lower(${text}) IN lower(t::text)) > 0
        OR EXISTS (SELECT FROM unnest(${asBytes(text)}::text[]) AS b
          WHERE position(b IN t::text) > 0)
      LIMIT 1`;
    if (hits.length > 0) found.push(name);
  }
  return found;
}

const updatesWith = (text: string) => app.value<number>`
  SELECT count(*)::int FROM telegram_updates
  WHERE position(lower(${text}) IN lower(body::text)) > 0`;

/** An update of the person's that waits to be handled, and the beginning of an unreadable one. */
async function leaveUpdates({ person }: SignedInBuyer): Promise<void> {
  const now = app.clock.now();
  const text = "/start hapax";
  const chat = { ...person, type: "private" };
  const message = { message_id: 1, date: now.getTime() / 1_000, from: person, chat, text };
  await app.sql`
    INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, attempts,
      handled_at) VALUES
      ('buyer', 999999999, 'person:x', ${JSON.stringify({ update_id: 999_999_999, message })},
        ${now}, ${addMs(now, MINUTE_MS)}, 1, NULL),
      ('buyer', -5, 'update:-5', '{"unreadable": "{from: Mensah-Hapax"}', ${now}, ${now}, 0, ${now})
  `;
}

/** Bought at FedaPay, whose widget and webhooks contain the payer's data. */
async function payInWidget(buyer: SignedInBuyer, reference: string): Promise<void> {
  const customer = { email: "kofi@hapax.example", phone: "+22507070707" };
  const asked = { reference, provider: "fedapay", customer };
  await app.pay("fedapay", (await app.done("POST /api/orders", buyer, asked)).id);
}

/** As if a seller's program had received the sale's webhook and repeated the buyer's name. */
async function deliverWebhook(seller: SignedInSeller, buyer: SignedInBuyer, orderId: string) {
  const { first_name: first, last_name: last, id } = buyer.person;
  const name = `${first} \\"${last}\\"`;
  const body = `{"buyer":{"id":"${buyer.id}","telegram_id":"${id}","name":"${name}"}}`;
  const now = app.clock.now();
  await app.sql`
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
    SELECT id, ${now}, 5, 200, ${`Merci ${name}`} FROM delivery`;
}

/** A key and an endpoint of the seller's, with an event that waits for a retry. */
async function giveToPrograms(seller: SignedInSeller) {
  await fundSeller(app, seller, 0, "premium");
  const body = { name: "Site Hapax", scopes: ["orders:read"] };
  const { secret } = await app.done("POST /api/developers/keys", seller, body);
  assert(secret, "the key was made");
  const { endpoint, hook } = await developers.listen(seller, "hapax", ["order.paid"]);
  hook.manner = { kind: "status", status: 500, body: "Hapax est en panne" };
  await developers.ping(seller, endpoint.id);
  await app.drain();
  assert(hook.received.length === 1, "the event was tried once");
  return { secret, hook };
}

/** As if a provider's webhook had named the number it paid. → deletes the payout */
async function receivePayoutWebhook(withdrawalId: string, phone: string) {
  const now = app.clock.now();
  const body = (id: string) => JSON.stringify({ id, recipient: { phone } });
  await app.sql`
    WITH sent AS (
      INSERT INTO payouts (withdrawal_id, rail, reference, amount, method, phone, status,
        provider_payout_id, created_at, settled_at)
      VALUES (${BigInt(withdrawalId)}, 'fedapay', 'webhook-payout', 1000, 'orange-money-ci',
        ${phone}, 'failed', 'payout_481516', ${now}, ${now})
    )
    INSERT INTO payout_webhooks (provider, body_hash, body, received_at) VALUES
      ('fedapay', '\\x01', convert_to(${body("payout_481516")}, 'UTF8'), ${now})`;
  return () => app.sql`DELETE FROM payouts WHERE reference = 'webhook-payout'`;
}

/** Columns that may name a person, and are not in the export of the person's data. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  "the seller's choice about somebody else": "allowed_members.allowed_by",
  "money and settings of the instance": `
    audit_anchors.hash audit_checks.broken audit_head.hash audit_log.hash audit_log.previous_hash
    payout_webhooks.body_hash provider_webhooks.body_hash reconciliation_differences.ours
    reconciliation_differences.theirs settings.value settings_changes.after
    settings_changes.before
  `,
  "repeats what the other lists say now, of others too": "audit_log.after",
  "what was before, of others too": "audit_log.before",
  "a bot": "bots.telegram_id bots.username",
  "the buyer's complaint, in the buyer's words": "complaints.seller_id",
  "what staff does is the instance's": `
    day_closes.closed_by alerts.resolved_by float_moves.moved_by payout_profiles.frozen_by
    payouts.created_by payouts.returned_by payouts.settled_by refunds.asked_by refunds.paid_by
    refunds.taken_by settings.changed_by settings_changes.changed_by withdrawals.assigned_to
    withdrawals.decided_by withdrawals.first_approved_by write_offs.asked_by write_offs.decided_by
  `,
  "numbers of orders and accounts, for staff": "alerts.details",
  "proves who calls, and is never shown again": `
    developer_keys.hash payments.return_secret_hash seller_keys.account_hash seller_keys.secrets
    sessions.token_hash webhook_endpoints.old_secret webhook_endpoints.secret
  `,
  "the group's": "pending_groups.public_username groups.public_username",
  "its call's answer, kept for a day to be repeated": `
    idempotency_keys.answer idempotency_keys.body_hash idempotency_keys.person_id
    order_keys.buyer_id order_keys.idempotency_hash orders.idempotency_hash
    withdrawals.idempotency_hash
  `,
  "a count of the last minutes": "opening_budgets.person_id person_calls.person_id",
  "numbers of work to do": "outbox.last_error",
  "messages that are about to be sent to the person": "outbox.payload",
  "an exchange rate": "payments.quote",
  "a provider's word on a withdrawal that the list holds": `
    payout_webhooks.body payout_steps.details
  `,
  "the withdrawal's, which the list holds": "payouts.phone",
  "that a message was sent": "plan_reminders.seller_id",
  "the buyer's money; the sale says that it was refunded": "refunds.seller_id",
  "sums of the sales that the seller's list holds": `
    sale_buyer_months.buyer_id sale_buyer_months.seller_id sale_buyer_years.buyer_id
    sale_buyer_years.seller_id sale_cohorts.seller_id sale_days.buyer_id sale_days.seller_id
    sale_deltas.buyer_id sale_deltas.seller_id sale_rollups.seller_id sale_runs.seller_id
    sale_sums.seller_id sale_totals.seller_id
  `,
  "a duration": "subscription_durations.display_name",
  "Telegram's words, kept for days, of others too": "telegram_updates.body",
  "why one was given up": "telegram_updates.last_error",
  "the list says who by role": "ticket_messages.author_id complaint_entries.author_id",
  "the words of the seller's own program": "webhook_attempts.answer",
  "repeats orders that the lists hold, for the seller's program": `
    webhook_events.body webhook_events.seller_id
  `,
};

test("the export of a person's data has every column that may name a person, or a reason why not", async () => {
  const seller = await app.signInSeller();
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: app.databaseUrl }) }),
    log: ({ query }) => void statements.push(query.sql),
  });
  const id = BigInt(seller.id);
  await exportPerson(db, id);
  await exportBuyer(db, id);
  await exportSeller(db, id);
  await db.destroy();
  const names = await app.values<string>`
    SELECT c.table_name || '.' || c.column_name
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND (
      c.column_name ~ '(person|buyer|seller|author|actor|payer|telegram)_id$|_by$|phone|username|whatsapp|words'
      OR c.column_name IN ('body', 'details', 'answer', 'last_error', 'first_name', 'display_name')
      OR c.data_type IN ('jsonb', 'bytea')
      OR EXISTS (SELECT FROM pg_constraint k JOIN pg_attribute a
        ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        WHERE k.contype = 'f' AND k.confrelid IN ('people'::regclass, 'sellers'::regclass)
          AND k.conrelid = to_regclass(c.table_name) AND a.attname = c.column_name))`;
  const isExported = (name: string) => {
    const [table, column] = name.split(".");
    return statements.some((statement) =>
      [`(FROM|JOIN) ${table}\\b`, `\\b${column}\\b`].every((part) =>
        new RegExp(part).test(statement),
      ),
    );
  };
  const left = names.filter((name) => !isExported(name));
  const explained = Object.values(NOT_EXPORTED).flatMap((names) => names.trim().split(/\s+/));
  expect(left.toSorted()).toEqual(explained.toSorted());
});
