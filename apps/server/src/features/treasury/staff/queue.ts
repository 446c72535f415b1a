import * as contract from "@sesame/contract/treasury";
import * as queueRows from "./queue-rows.ts";
import { mayOf } from "@sesame/contract";
import { planFromWire, planToWire } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import {
  groupPhone,
  isOpenAt,
  PAYOUT_METHOD_IDS,
  PAYOUT_METHODS,
  sayMethod,
  workingMsBetween,
} from "@sesame/contract/withdrawals";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { Message, User } from "grammy/types";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../../app.ts";
import { type BotMessage, type MessageButton, notify } from "../../../bot/message.ts";
import type { Principal } from "../../../http/server.ts";
import { digest, type JobHandler, type JobOutcome } from "../../../jobs/outbox.ts";
import { forgetJobs } from "../../../jobs/outbox.store.ts";
import { listStaffInTouch, meetPerson } from "../../../people/people.ts";
import { type Db, many, one } from "../../../postgres/database.ts";
import { isBack, isRailOpen, type RailRefusal, railRefusal } from "../payouts.ts";
import * as messages from "./messages.fr.ts";

/** The reading or deciding caller. */
type StaffReader = Pick<Principal, "personId" | "isAgent" | "isOperator">;

async function readingOf(app: App, me: StaffReader): Promise<Reading> {
  const settings = await app.settings.current();
  return { me, settings, now: app.clock.now(), zone: app.config.timeZone };
}

/** The counts of open work, and the labels of the back office. */
export async function viewBackOffice(app: App, me: StaffReader) {
  const { settings, now, zone } = await readingOf(app, me);
  const [{ name }, counts] = await Promise.all([
    one<{ name: string }>(app.db)`
      SELECT name FROM people WHERE id = ${me.personId}
    `,
    countQueue(app.db, { personId: me.personId, now }),
  ]);
  const hours = settings.hours.payouts;
  return {
    now,
    me: { id: me.personId, name, agent: me.isAgent, operator: me.isOperator },
    hours: { open: isOpenAt(now, hours, zone), label: messages.sayHours(hours) },
    counts,
    rails: railsBy((rail) => (isRailOpen(app, rail) ? null : { kind: "closed" })),
    methods: METHODS,
    reject_reasons: contract.REJECT_CODES.map((code) => ({
      code,
      ...contract.REJECT_REASONS[code],
    })),
    second_agent_from: settings.second_agent_from,
    assignment_minutes: contract.ASSIGNMENT_MS / MINUTE_MS,
  };
}

const railsBy = (refusalOf: (rail: contract.PayoutRail) => RailRefusal | null) =>
  contract.PAYOUT_RAILS.map((id) => {
    const refusal = refusalOf(id);
    const reason = refusal && messages.sayRailRefusal(id, refusal);
    return { id, label: contract.PAYOUT_RAIL_NAMES[id], open: refusal === null, reason };
  });

/** Closed methods too: older requests may still wait. */
const METHODS = PAYOUT_METHOD_IDS.map((id) => {
  const { label, country } = PAYOUT_METHODS[id];
  return { id, label, country };
});

/** Premium is served first. */
const RANK = sql`CASE w.plan WHEN 'premium' THEN 0 ELSE 1 END`;

const UNSETTLED = sql`w.status = 'approved' AND w.paid_at IS NULL`;

const VIEWS: Readonly<Record<contract.QueueView, RawBuilder<unknown>>> = {
  pending: sql`w.status = 'pending'`,
  "to-pay": sql`${UNSETTLED} AND payout.status <> 'uncertain'`,
  uncertain: sql`${UNSETTLED} AND payout.status = 'uncertain'`,
  done: sql`(w.status IN ('rejected', 'cancelled') OR w.paid_at IS NOT NULL)`,
  approved: sql`w.status = 'approved'`,
  rejected: sql`w.status = 'rejected'`,
  cancelled: sql`w.status = 'cancelled'`,
  all: sql`true`,
};

const isWork = (view: contract.QueueView): boolean =>
  view === "pending" || view === "to-pay" || view === "uncertain";

export type StaffCounts = AnswerOf<"GET /api/desk">["counts"];

/** The counts of open work, for one agent. */
const countQueue = (db: Db, who: { personId: bigint; now: Date }) => one<StaffCounts>(db)`
  SELECT
    count(*) FILTER (WHERE w.status = 'pending')::int AS pending,
    count(*) FILTER (WHERE w.status = 'pending' AND w.plan = 'premium')::int AS premium,
    count(*) FILTER (WHERE w.due_at < ${who.now})::int AS late,
    count(*) FILTER (
      WHERE w.assigned_to = ${who.personId} AND w.assigned_until > ${who.now})::int AS mine,
    count(*) FILTER (
      WHERE w.status = 'pending' AND w.first_approved_by IS NOT NULL)::int AS second_agent,
    count(*) FILTER (
      WHERE w.status = 'approved' AND payout.status <> 'uncertain')::int AS to_pay,
    count(*) FILTER (
      WHERE w.status = 'approved' AND payout.status = 'uncertain')::int AS uncertain,
    (SELECT count(*)::int FROM alerts WHERE resolved_at IS NULL) AS alerts,
    (SELECT count(*)::int FROM reconciliation_differences WHERE gone_at IS NULL) AS differences,
    (SELECT count(*)::int FROM refunds r
      WHERE r.status <> 'done' AND r.rail = 'staff' AND r.status = 'to-pay') AS refunds_to_pay,
    (SELECT count(*)::int FROM complaints c
      WHERE c.closed_at IS NULL AND c.status = 'operator') AS complaints_operator,
    (SELECT count(*)::int FROM tickets WHERE status = 'open') AS tickets
  FROM withdrawals w
  LEFT JOIN payouts payout ON payout.withdrawal_id = w.id AND payout.status <> 'failed'
  WHERE w.status = 'pending' OR ${UNSETTLED}
`;

type QueueQuery = z.output<typeof contract.listStaffWithdrawals.query>;

/** A row's place in its list: by deadline in the views of work, by id in the others. */
function sayPlace(row: queueRows.StaffRow, view: contract.QueueView): string {
  if (!isWork(view)) return String(row.id);
  return [row.plan === "premium" ? 0 : 1, row.due_at.getTime(), row.id].join(".");
}

/** The rows after a place; null: it is no place of this list. */
function readPlace(cursor: string, view: contract.QueueView): RawBuilder<unknown> | null {
  const [, rank, due, id] = /^(?:([01])\.(\d{1,15})\.)?(\d{1,18})$/.exec(cursor) ?? [];
  if (id === undefined || isWork(view) !== (rank !== undefined)) return null;
  if (rank === undefined) return sql`w.id < ${BigInt(id)}`;
  const dueAt = new Date(Number(due));
  return sql`(${RANK}, w.due_at, w.id) > (${Number(rank)}, ${dueAt}, ${BigInt(id)})`;
}

/** Null: an invalid cursor. */
export async function viewQueue(app: App, me: StaffReader, query: QueueQuery) {
  const reading = await readingOf(app, me);
  const { now } = reading;
  const { status: view, method, country, plan, rail, late, mine, q: words = "", limit } = query;
  const after = query.cursor === undefined ? undefined : readPlace(query.cursor, view);
  if (after === null) return null;
  const conditions = [
    VIEWS[view],
    method && sql`w.method = ${method}`,
    country && sql`w.country = ${country}`,
    plan && sql`w.plan = ${planFromWire(plan)}`,
    rail && sql`coalesce(payout.rail, w.first_approved_rail) = ${rail}`,
    late && sql`w.due_at < ${now} AND (w.status = 'pending' OR ${UNSETTLED})`,
    mine && sql`w.assigned_to = ${me.personId} AND w.assigned_until > ${now}`,
    words && saying(words),
    after,
  ].filter((condition) => typeof condition === "object");
  // Only tables of the conditions: the others are joined to one page.
  const people = sql`
    JOIN sellers s ON s.id = w.seller_id JOIN people person ON person.id = w.seller_id`;
  const payout = view === "to-pay" || view === "uncertain" || rail !== undefined;
  const joins = sql`${words === "" ? sql`` : people} ${payout ? queueRows.LAST_PAYOUT : sql``}`;
  const order = isWork(view) ? sql`${RANK}, w.due_at, w.id` : sql`w.id DESC`;
  const rows = await many<queueRows.StaffRow>(app.db)`
    WITH page AS (
      SELECT w.* FROM withdrawals w ${joins}
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY ${order} LIMIT ${limit + 1}
    )
    SELECT ${queueRows.COLUMNS} FROM page w ${queueRows.JOINS} ORDER BY ${order}
  `;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    now,
    withdrawals: page.map((row) => shown(row, reading)),
    next_cursor: last ? sayPlace(last, view) : null,
  };
}

/** Searches a reference, digits of a number, an amount, or a seller's name. */
function saying(words: string): RawBuilder<unknown> {
  const text = words.toLowerCase();
  // Text with a letter is no number.
  const digits = /\p{L}/u.test(words) ? "" : words.replace(/\D/g, "");
  return sql`(
    position(${text} IN lower(w.reference)) > 0
    OR position(${text} IN lower(seller_name(s, person))) > 0
    OR lower(person.username) = ${text.replace(/^@/, "")}
    OR (${digits} <> '' AND (position(${digits} IN w.phone) > 0 OR w.amount::text = ${digits}))
  )`;
}

type Reading = queueRows.Decider & { readonly zone: string };

/** A request as the caller sees it now. */
function shown(row: queueRows.StaffRow, reading: Reading) {
  const { now, me, settings } = reading;
  const { assigned_to: by, assigned_until: until } = row;
  const assigned = queueRows.isAssigned(row, now);
  const second = row.status === "pending" && contract.needsSecondAgent(row, settings);
  const { first_approved_by: first, first_approved_at: at, first_approved_rail: rail } = row;
  const approval = first !== null && at !== null && rail !== null;
  const awaits_second = second && approval;
  const isOpen = row.status === "pending" || (row.status === "approved" && row.paid_at === null);
  return {
    ...row,
    method_label: sayMethod(row.method),
    phone_label: groupPhone(row.phone),
    stage: queueRows.stageOf({ ...row, assigned, awaits_second }),
    type_plan: planToWire(row.plan),
    automatic: row.origin === "automatic",
    seller: {
      id: row.seller_id,
      name: row.seller_name,
      username: row.seller_username,
      photo_url: row.seller_photo,
    },
    age_minutes: minutes(now.getTime() - row.created_at.getTime()),
    late: isOpen && row.due_at < now,
    working_minutes_left: isOpen ? workingMinutesLeft(row, reading) : null,
    assignment:
      assigned && by !== null && until !== null
        ? {
            by: { id: by, name: row.assignee_name ?? "" },
            mine: by === me.personId,
            until,
            seconds_left: Math.ceil((until.getTime() - now.getTime()) / 1_000),
          }
        : null,
    first_approval: approval ? { by: { id: first, name: row.first_name ?? "" }, at, rail } : null,
    needs_second_agent: second,
    waiting: awaits_second ? ("second-agent" as const) : null,
    risks: contract.riskSigns(row, settings, now).map((code) => ({
      code,
      label: contract.RISK_NAMES[code],
      explanation: messages.explainRisk(code, row, now),
    })),
    payout: payoutOf(row),
    own: row.seller_id === me.personId,
    may: permissionsOf(row, reading),
  };
}

function payoutOf(row: queueRows.StaffRow) {
  const { payout_rail: rail, payout_status: status, payout_reference: reference } = row;
  if (rail === null || status === null) return null;
  const back = isBack({ late_at: row.payout_late_at, returned_at: row.payout_returned_at });
  const label = back ? contract.PAYOUT_RETURNED : contract.PAYOUT_STATUS_NAMES[status];
  return { rail, status, status_label: label, operator_reference: reference };
}

const minutes = (ms: number): number => Math.max(0, Math.floor(ms / MINUTE_MS));

/** Negative when late. */
function workingMinutesLeft(row: queueRows.StaffRow, { now, settings, zone }: Reading): number {
  const within = { hours: settings.hours.payouts, zone };
  const left = workingMsBetween(now, row.due_at, within);
  const over = workingMsBetween(row.due_at, now, within);
  return minutes(left) - minutes(over);
}

function permissionsOf(row: queueRows.StaffRow, reading: Reading) {
  const permissions = contract.STAFF_ACTIONS.map(
    (action) =>
      [action, mayOf(queueRows.check(action, row, reading), contract.staffRefusals)] as const,
  );
  return Object.fromEntries(permissions) as Record<
    contract.StaffAction,
    (typeof permissions)[number][1]
  >;
}

/** Agents are notified of a first request at once; of those of the next seconds together. */
const GROUPING_MS = 15_000;
const NOTIFY_AGENTS = "desk.notify-agents";

export function treasuryJobs(app: App): JobHandler[] {
  const run = () => notifyAgents(app);
  return [{ topic: NOTIFY_AGENTS, batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

/** One message to each agent: how many requests wait, and a button into the back office. */
async function notifyAgents(app: App): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: NOTIFY_AGENTS, everyMs: GROUPING_MS, now }, async () => {
      // The message counts all waiting requests; these are the sellers of those not yet notified.
      const about = sql`SELECT id FROM withdrawals WHERE status = 'pending'`;
      const ids = await forgetJobs(tx, NOTIFY_AGENTS, about);
      const sellers = await many<{ seller_id: bigint }>(tx)`
        SELECT seller_id FROM withdrawals WHERE id = ANY(${ids}::bigint[])
      `;
      if (sellers.length === 0) return false;
      const { agentTelegramIds, operatorTelegramIds } = app.config;
      const staff = await listStaffInTouch(tx, [...agentTelegramIds, ...operatorTelegramIds]);
      // An agent who also sells is not notified of a request of their own: another agent decides it.
      const recipients = staff.filter(({ id }) =>
        sellers.some(({ seller_id }) => seller_id !== id),
      );
      const counts = await countQueue(tx, { personId: 0n, now });
      const message = { text: messages.waiting(counts), buttons: [staffButton(app)] };
      await notify(
        tx,
        recipients.map(({ id }) => ({ bot: "seller", personId: id, message })),
        now,
      );
      return true;
    }),
  );
}

const staffButton = ({ appButton }: App): MessageButton =>
  appButton(messages.OPEN_BACK_OFFICE, "/bureau");

const isStaff = ({ config }: App, { id }: { readonly id: number }): boolean =>
  config.agentTelegramIds.has(BigInt(id)) || config.operatorTelegramIds.has(BigInt(id));

/** The bot's answer to /bureau; null when the message is not for the back office. */
export async function replyToStaff(app: App, { from, text }: Message): Promise<BotMessage | null> {
  return from && /^\/bureau(?:@\w+)?\s*$/.test(text ?? "") ? staffBoard(app, from) : null;
}

/** The counts of open work for an agent, and a button to the back office; null for anybody else. */
export async function staffBoard(app: App, user: User): Promise<BotMessage | null> {
  if (!isStaff(app, user)) return null;
  const now = app.clock.now();
  const personId = await meetPerson(app.db, user, now);
  return {
    text: messages.board(await countQueue(app.db, { personId, now })),
    buttons: [staffButton(app)],
  };
}

type Detail = z.output<typeof contract.staffWithdrawalDetail>;
type History = Detail["history"];
type SellerRow = Omit<History, "last_withdrawals" | "payouts"> & {
  readonly payouts: Omit<History["payouts"], "success_percent">;
};

const LAST_SHOWN = 10;
const TRACE_SHOWN = 60;

/** Everything an agent needs to decide, in one answer. Null: no such request. */
export async function viewWithdrawal(app: App, me: StaffReader, id: bigint) {
  const reading = await readingOf(app, me);
  const row = await queueRows.findStaffRow(app.db, id);
  if (!row) return null;
  const { db } = app;
  const [history, last, payouts, trace] = await Promise.all([
    readHistory(db, row, addMs(reading.now, -30 * DAY_MS)),
    listPast(db, row, reading),
    listPayouts(db, row.id),
    listTrace(db, row),
  ]);
  const withdrawal: Detail = {
    ...shown(row, reading),
    history: { ...history, last_withdrawals: last },
    rails: railsBy((rail) => railRefusal(app, rail, row)),
    payouts,
    trace,
    whatsapp_url: messages.whatsappUrl(row),
  };
  return { now: reading.now, withdrawal };
}

/** A seller's status, sales, and results of withdrawals. */
async function readHistory(db: Db, row: queueRows.StaffRow, since: Date) {
  const { payouts, ...seller } = await one<SellerRow>(db)`
    SELECT s.created_at AS since, p.telegram_id::float8 AS telegram_id, s.country,
      free.posted + premium.posted - free.held - premium.held AS available,
      free.held + premium.held AS held, sold.sales, sent.payouts,
      CASE WHEN profile.frozen_at IS NOT NULL THEN
        json_build_object('at', profile.frozen_at, 'reason', profile.frozen_reason) END AS frozen,
      CASE WHEN s.suspended_at IS NOT NULL THEN
        json_build_object('at', s.suspended_at, 'reason', s.suspended_reason) END AS suspended
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles profile ON profile.seller_id = s.id
    CROSS JOIN LATERAL (
      SELECT json_build_object('count', count(*) FILTER (WHERE o.status = 'paid'),
        'gross', coalesce(sum(o.price) FILTER (WHERE o.status = 'paid'), 0),
        'net', coalesce(sum(o.price - o.fee) FILTER (WHERE o.status = 'paid'), 0),
        'last_30_days',
          coalesce(sum(o.price) FILTER (WHERE o.status = 'paid' AND o.paid_at >= ${since}), 0),
        'refunds', count(*) FILTER (WHERE o.status = 'refunded')) AS sales
      FROM orders o WHERE o.seller_id = s.id
    ) sold
    CROSS JOIN LATERAL (
      SELECT json_build_object('paid', count(*) FILTER (WHERE w.paid_at IS NOT NULL),
        'paid_amount', coalesce(sum(w.amount) FILTER (WHERE w.paid_at IS NOT NULL), 0),
        'median_amount', percentile_disc(0.5) WITHIN GROUP (ORDER BY w.amount)
          FILTER (WHERE w.paid_at IS NOT NULL),
        'failed', count(*) FILTER (WHERE w.status = 'rejected' AND tried.at_all),
        'rejected', count(*) FILTER (WHERE w.status = 'rejected' AND NOT tried.at_all)) AS payouts
      FROM withdrawals w
      CROSS JOIN LATERAL (
        SELECT w.status = 'rejected'
          AND EXISTS (SELECT FROM payouts po WHERE po.withdrawal_id = w.id) AS at_all
      ) tried
      WHERE w.seller_id = s.id
    ) sent
    WHERE s.id = ${row.seller_id}
  `;
  const over = payouts.paid + payouts.failed;
  const percent = over === 0 ? null : Math.round((payouts.paid * 100) / over);
  return { ...seller, payouts: { ...payouts, success_percent: percent } };
}

type PastWithdrawal = queueRows.Standing &
  Pick<queueRows.StaffRow, "id" | "reference" | "amount" | "method" | "phone" | "created_at">;

/** The seller's last other requests. */
async function listPast(db: Db, row: queueRows.StaffRow, reading: Reading) {
  const past = await many<PastWithdrawal>(db)`
    SELECT w.id, w.reference, w.amount, w.method, w.phone, w.status, w.created_at,
      coalesce(w.assigned_until > ${reading.now}, false) AS assigned,
      w.first_approved_by IS NOT NULL AS awaits_second,
      payout.rail AS payout_rail, payout.status AS payout_status
    FROM withdrawals w
    ${queueRows.LAST_PAYOUT}
    WHERE w.seller_id = ${row.seller_id} AND w.id <> ${row.id}
    ORDER BY w.id DESC LIMIT ${LAST_SHOWN}
  `;
  return past.map((other) => {
    const { amount, awaits_second } = other;
    const { paid_before } = row;
    const second = contract.needsSecondAgent({ amount, paid_before }, reading.settings);
    return {
      ...other,
      method_label: sayMethod(other.method),
      phone_label: groupPhone(other.phone),
      stage: queueRows.stageOf({ ...other, awaits_second: awaits_second && second }),
      same_number: other.phone === row.phone,
    };
  });
}

type PayoutRow = Omit<Detail["payouts"][number], "status_label"> & {
  readonly late_at: Date | null;
  readonly returned_at: Date | null;
};

/** All payouts of the request, newest first. */
async function listPayouts(db: Db, withdrawalId: bigint) {
  const payouts = await many<PayoutRow>(db)`
    SELECT p.id, p.rail, p.status, p.reference, p.provider_payout_id, p.operator_reference, p.word,
      p.failure, p.cost, p.created_at, p.submitted_at, p.settled_at, p.check_at, p.checks,
      p.late_at, p.returned_at,
      CASE WHEN p.created_by IS NOT NULL THEN json_build_object('id', p.created_by,
        'name', who.name) END AS by
    FROM payouts p LEFT JOIN people who ON who.id = p.created_by
    WHERE p.withdrawal_id = ${withdrawalId} ORDER BY p.id DESC
  `;
  return payouts.map((payout) => ({
    ...payout,
    status_label: isBack(payout)
      ? contract.PAYOUT_RETURNED
      : contract.PAYOUT_STATUS_NAMES[payout.status],
  }));
}

type TraceRow = Omit<Detail["trace"][number], "label"> & {
  /** An audit entry, or a step of the payout. */
  readonly kind: "action" | "step";
  readonly word: string;
};

/**
 * Who did what with the request, and what happened to its money, newest first: from the audit log
 * and the payout's steps; its beginning and end are in the request itself.
 */
async function listTrace(db: Db, row: queueRows.StaffRow): Promise<Detail["trace"]> {
  const trace = await many<TraceRow>(db)`
    SELECT at, kind, word, by, reason FROM (
      SELECT a.at, 'action' AS kind, a.action AS word, who.name AS by, a.reason, a.seq AS n
      FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
      WHERE a.subject = 'withdrawal:' || ${row.id}::bigint
      UNION ALL
      SELECT s.at, 'step', s.step, NULL, s.details, s.id
      FROM payouts p JOIN payout_steps s ON s.payout_id = p.id
      WHERE p.withdrawal_id = ${row.id}
    ) trace ORDER BY at DESC, kind, n DESC LIMIT ${TRACE_SHOWN}
  `;
  const asked = trace.some(({ word }) => word === "withdrawal.request");
  const end = (at: Date, label: string) => ({ at, label, by: null, reason: null });
  return [
    ...(row.paid_at ? [end(row.paid_at, messages.MONEY_RECEIVED)] : []),
    ...trace.map(({ kind, word, ...step }) => ({
      ...step,
      label: kind === "action" ? messages.sayAction(word) : messages.sayStep(word),
    })),
    ...(asked ? [] : [end(row.created_at, messages.REQUEST_MADE)]),
  ];
}
