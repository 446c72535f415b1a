import * as contract from "@sesame/contract/cases";
import { addMs } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../app.ts";
import { type Notification, notify } from "../../bot/message.ts";
import { createLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { type Db, finds, many, maybe, one, PREPARED } from "../../postgres/database.ts";
import { announce, lockKnown, note, SYSTEM, toBuyer, toOperators, toSeller } from "./complaints.ts";
import * as texts from "./messages.fr.ts";

const BATCH = 50;

/** Ends sellers' deadlines, and closes complaints that a later event has settled. */
export function complaintsLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = () => sweepOnce(app);
  const due = () => isDue(clock.now());
  return [createLoop({ name: "complaints sweep", clock, log, everyMs: WHOLE_ROUND_MS, due, run })];
}

const isUnannounced = sql`kind = 'paid-not-confirmed' AND operators_notified_at IS NULL`;

/** The seller has not answered, and the deadline is before `at`. */
const isOverBy = (at: Date) =>
  sql`closed_at IS NULL AND status = 'seller' AND seller_due_at <= ${at}`;

/** The seller has a day left, and was not reminded. */
const isAlmostOver = (now: Date) =>
  sql`${isOverBy(addMs(now, contract.COMPLAINT_REMINDER_MS))} AND reminded_at IS NULL`;

const SETTLED = sql`
  FROM complaints c JOIN orders o ON o.id = c.order_id
  LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
  WHERE c.closed_at IS NULL AND (
    o.status = 'refunded'
    OR (c.kind = 'no-access' AND a.status = 'inside')
    OR (c.kind = 'paid-not-confirmed' AND o.status = 'paid'))
`;

/** Some were announced a moment ago: the next ones wait, to be announced together. */
const isAnnouncedLately = (now: Date) => sql`
  EXISTS (SELECT FROM complaints notified WHERE notified.kind = 'paid-not-confirmed'
    AND notified.operators_notified_at > ${addMs(now, -contract.UNCONFIRMED_DIGEST_MS)})`;

const isDue = (now: Date) => sql<boolean>`
  EXISTS (SELECT FROM complaints WHERE ${isUnannounced}) AND NOT ${isAnnouncedLately(now)}
    OR EXISTS (SELECT FROM complaints WHERE ${isOverBy(now)})
    OR EXISTS (SELECT FROM complaints WHERE ${isAlmostOver(now)})
    OR EXISTS (SELECT ${SETTLED})`;

async function sweepOnce(app: App): Promise<boolean> {
  const now = app.clock.now();
  // Most turns find nothing: one statement, without a transaction.
  if (!(await finds(app.db)`${PREPARED} SELECT WHERE ${isDue(now)}`)) return false;
  const inOne = app.db.transaction();
  const settled = await inOne.execute((tx) => closeSettled(app, tx));
  const overdue = await inOne.execute((tx) => takeOverdue(app, tx, now));
  const reminded = await inOne.execute((tx) => remind(app, tx, now));
  await inOne.execute((tx) => announceUnconfirmed(app, tx));
  return [settled, overdue, reminded].includes(BATCH);
}

/** Closes open complaints that a later event has settled. */
async function closeSettled(app: App, tx: Db): Promise<number> {
  type Settled = { readonly id: bigint; readonly by: "access" | "payment" | "refund" };
  const complaints = await many<Settled>(tx)`
    SELECT c.id, CASE WHEN o.status = 'refunded' THEN 'refund'
      WHEN c.kind = 'no-access' THEN 'access' ELSE 'payment' END AS by
    ${SETTLED}
    ORDER BY c.id LIMIT ${BATCH} FOR NO KEY UPDATE OF c SKIP LOCKED
  `;
  for (const { id, by } of complaints) {
    const now = app.clock.now();
    const complaint = await lockKnown(tx, id);
    if (by === "refund") {
      await note(tx, complaint, { by: SYSTEM, step: "refunded", closes: "refunded", now });
      continue;
    }
    const words = by === "access" ? contract.SOLVED_BY_ACCESS : contract.SOLVED_BY_PAYMENT;
    const text = texts.solved(complaint, words);
    const notifications = [toBuyer(app, complaint, text)];
    if (by === "access") notifications.push(...toSeller(app, complaint, text));
    await note(tx, complaint, {
      by: SYSTEM,
      step: "solved",
      words,
      closes: "solved",
      notifications,
      now,
    });
  }
  return complaints.length;
}

/** Changes some of the sellers' complaints; rows locked by other sweeps are skipped. */
const take = (tx: Db, change: RawBuilder<unknown>, of: RawBuilder<unknown>) => many<{ id: bigint }>(
  tx,
)`
  UPDATE complaints SET ${change} WHERE id IN (
    SELECT id FROM complaints WHERE ${of}
    ORDER BY seller_due_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id
`;

/** Passes complaints that their sellers left unanswered to the operators. */
async function takeOverdue(app: App, tx: Db, at: Date): Promise<number> {
  const complaints = await take(tx, sql`status = 'operator'`, isOverBy(at));
  for (const { id } of complaints) {
    const complaint = await lockKnown(tx, id);
    const text = texts.forOperator(complaint, "timed-out", null);
    const notifications: Notification[] = [
      toBuyer(app, complaint, texts.overdueForBuyer(complaint)),
      ...toSeller(app, complaint, texts.overdueForSeller(complaint)),
      ...(await toOperators(app, tx, text, complaint)),
    ];
    await note(tx, complaint, {
      by: SYSTEM,
      step: "timed-out",
      notifications,
      now: app.clock.now(),
    });
  }
  return complaints.length;
}

/** Reminds sellers who have a day left, once. */
async function remind(app: App, tx: Db, now: Date): Promise<number> {
  const complaints = await take(tx, sql`reminded_at = ${now}`, isAlmostOver(now));
  for (const { id } of complaints) {
    const complaint = await lockKnown(tx, id);
    const due = { at: complaint.seller_due_at, sayInstant: app.sayInstant };
    const notifications = toSeller(app, complaint, texts.remindSeller(complaint, due));
    await announce(tx, complaint, { notifications, now: app.clock.now() });
  }
  return complaints.length;
}

/**
 * Announces new complaints about unpaid orders to the operators, in one message: the first at once,
 * the next ones together. None when some were announced a moment ago, or another worker announces
 * them now.
 */
async function announceUnconfirmed(app: App, tx: Db): Promise<void> {
  const now = app.clock.now();
  const turn = await one<{ waiting: boolean }>(tx)`
    SELECT EXISTS (SELECT FROM complaints WHERE ${isUnannounced})
      AND pg_try_advisory_xact_lock(hashtextextended('announce complaints', 0)) AS waiting
  `;
  if (!turn.waiting) return;
  const taken = await many<{ id: bigint; open: boolean }>(tx)`
    UPDATE complaints SET operators_notified_at = ${now}
    WHERE ${isUnannounced} AND NOT ${isAnnouncedLately(now)}
    RETURNING id, closed_at IS NULL AS open
  `;
  const [first, ...others] = taken.filter(({ open }) => open);
  if (!first) return;
  if (others.length > 0) {
    const text = texts.severalForOperator(others.length + 1);
    return notify(tx, await toOperators(app, tx, text, null), now);
  }
  const complaint = await lockKnown(tx, first.id);
  // The buyer's text.
  const said = await maybe<{ words: string | null }>(tx)`
    SELECT words FROM complaint_entries WHERE complaint_id = ${first.id} ORDER BY id LIMIT 1
  `;
  const text = texts.forOperator(complaint, "opened", said?.words ?? null);
  await notify(tx, await toOperators(app, tx, text, complaint), now);
}
