import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { startTestApp } from "../../../test/harness.ts";
import { exportBuyer, exportPerson, exportSeller } from "./export-person.ts";

const STAFF = "what staff does is the instance's";
const SUMS = "sums of the sales that the seller's list holds";
const COUNT = "a count of the last minutes";
const SECRET = "proves who calls, and is never shown again";
const REPEATS = "its call's answer, kept for a day to be repeated";
const OWN = "money and settings of the instance";

/** Columns that may name a person, and are not in the copy of the person's data. */
const NOT_EXPORTED: Record<string, string> = {
  "allowed_members.allowed_by": "the seller's choice about somebody else",
  "audit_anchors.hash": OWN,
  "audit_checks.broken": OWN,
  "audit_head.hash": OWN,
  "audit_log.after": "repeats what the other lists say now, of others too",
  "audit_log.before": "what was before, of others too",
  "audit_log.hash": OWN,
  "audit_log.previous_hash": OWN,
  "bots.telegram_id": "a bot",
  "bots.username": "a bot",
  "claims.seller_id": "the buyer's complaint, in the buyer's words",
  "day_closes.closed_by": STAFF,
  "desk_alerts.details": "numbers of orders and accounts, for staff",
  "desk_alerts.resolved_by": STAFF,
  "developer_keys.hash": SECRET,
  "float_moves.moved_by": STAFF,
  "group_claims.public_username": "the group's",
  "groups.public_username": "the group's",
  "idempotency_keys.answer": REPEATS,
  "idempotency_keys.body_hash": REPEATS,
  "idempotency_keys.person_id": REPEATS,
  "opening_budgets.person_id": COUNT,
  "order_keys.buyer_id": REPEATS,
  "order_keys.idempotency_hash": REPEATS,
  "orders.idempotency_hash": REPEATS,
  "outbox.last_error": "numbers of work to do",
  "outbox.payload": "messages that are about to be sent to the person",
  "payments.quote": "an exchange rate",
  "payments.return_secret_hash": SECRET,
  "payout_notices.body": "a provider's word on a withdrawal that the list holds",
  "payout_notices.body_hash": OWN,
  "payout_profiles.frozen_by": STAFF,
  "payout_steps.details": "a provider's word on a withdrawal that the list holds",
  "payouts.created_by": STAFF,
  "payouts.phone": "the withdrawal's, which the list holds",
  "payouts.returned_by": STAFF,
  "payouts.settled_by": STAFF,
  "person_calls.person_id": COUNT,
  "plan_reminders.seller_id": "that a message was sent",
  "provider_notices.body_hash": OWN,
  "reconciliation_differences.ours": OWN,
  "reconciliation_differences.theirs": OWN,
  "refunds.asked_by": STAFF,
  "refunds.paid_by": STAFF,
  "refunds.seller_id": "the buyer's money; the sale says that it was refunded",
  "refunds.taken_by": STAFF,
  "sale_buyer_months.buyer_id": SUMS,
  "sale_buyer_months.seller_id": SUMS,
  "sale_buyer_years.buyer_id": SUMS,
  "sale_buyer_years.seller_id": SUMS,
  "sale_cohorts.seller_id": SUMS,
  "sale_days.buyer_id": SUMS,
  "sale_days.seller_id": SUMS,
  "sale_deltas.buyer_id": SUMS,
  "sale_deltas.seller_id": SUMS,
  "sale_rollups.seller_id": SUMS,
  "sale_runs.seller_id": SUMS,
  "sale_sums.seller_id": SUMS,
  "sale_totals.seller_id": SUMS,
  "seller_keys.account_hash": SECRET,
  "seller_keys.secrets": SECRET,
  "sessions.token_hash": SECRET,
  "settings.changed_by": STAFF,
  "settings.value": OWN,
  "settings_changes.after": OWN,
  "settings_changes.before": OWN,
  "settings_changes.changed_by": STAFF,
  "subscription_durations.display_name": "a duration",
  "telegram_updates.body": "Telegram's words, kept for days, of others too",
  "telegram_updates.last_error": "why one was given up",
  "ticket_messages.author_id": "the list says who by role",
  "claim_entries.author_id": "the list says who by role",
  "webhook_attempts.answer": "the words of the seller's own program",
  "webhook_endpoints.old_secret": SECRET,
  "webhook_endpoints.secret": SECRET,
  "webhook_events.body": "repeats orders that the lists hold, for the seller's program",
  "webhook_events.seller_id": "repeats orders that the lists hold, for the seller's program",
  "withdrawals.claimed_by": STAFF,
  "withdrawals.decided_by": STAFF,
  "withdrawals.first_approved_by": STAFF,
  "withdrawals.idempotency_hash": REPEATS,
  "write_offs.asked_by": STAFF,
  "write_offs.decided_by": STAFF,
};

test("the copy of a person's data holds every column that may name a person, or says why not", async () => {
  const app = await startTestApp();
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
  const { rows } = await sql<{ name: string }>`
    SELECT c.table_name || '.' || c.column_name AS name
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE' AND (
      c.column_name ~ '(person|buyer|seller|author|actor|payer|telegram)_id$|_by$|phone|username|whatsapp|words'
      OR c.column_name IN ('body', 'details', 'answer', 'last_error', 'first_name', 'display_name')
      OR c.data_type IN ('jsonb', 'bytea')
      OR EXISTS (SELECT FROM pg_constraint k JOIN pg_attribute a
        ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
        WHERE k.contype = 'f' AND k.confrelid IN ('people'::regclass, 'sellers'::regclass)
          AND k.conrelid = to_regclass(c.table_name) AND a.attname = c.column_name))
  `.execute(app.db);
  await app.close();
  const isExported = (name: string) => {
    const [table, column] = name.split(".");
    return statements.some((statement) =>
      [`(FROM|JOIN) ${table}\\b`, `\\b${column}\\b`].every((part) =>
        new RegExp(part).test(statement),
      ),
    );
  };
  const left = rows.map(({ name }) => name).filter((name) => !isExported(name));
  expect(left.toSorted()).toEqual(Object.keys(NOT_EXPORTED).toSorted());
});
