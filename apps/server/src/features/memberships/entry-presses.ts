import type { CallbackQuery } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import {
  type BotMessage,
  type MessageButton,
  showInstead,
  notify,
  toast,
} from "../../bot/message.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { digest, type JobOutcome } from "../../jobs/outbox.ts";
import { noteAccesses } from "../../outbound/events.store.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";
import { groupById, sellerOfTelegram } from "../groups/index.ts";
import { accessInChat, type Membership, publishStatus, whereIs } from "./accesses.ts";
import { changeEntry, ENTRY, type Entry, entryById, REMOVE_ENTRY } from "./entries.ts";
import * as messages from "./messages.fr.ts";

const { BUTTONS, ENTRIES_SHOWN, ENTRY_ANSWERS, ENTRY_BUTTONS } = messages;
const ACTION = /^entry:(card|time|remove|allow|give|list):(\d{1,18})(?::(\d{1,18}))?$/;

/** Durations that a seller gives by one tap, out of those for products. */
const GRANT_MINUTES = [10_080, 43_200, 129_600] as const;

/** The seller's decision about people who came in without paid time. */
export async function answerEntryPress(app: App, query: CallbackQuery): Promise<void> {
  const [, verb, id, more] = ACTION.exec(query.data ?? "") ?? [];
  if (verb === undefined || id === undefined) return;
  if (verb === "list") return showList(app, query, BigInt(id), more);
  const entry = await entryById(app.db, BigInt(id));
  if (!entry || entry.seller_id !== (await sellerOfTelegram(app.db, query.from.id))) {
    return toast(app, query, ENTRY_ANSWERS.notYours);
  }
  switch (verb) {
    case "card":
    case "time": {
      if (entry.status !== "open") return answerLate(app, query, entry, "decided");
      return show(app, query, verb === "card" ? cardMessage(entry) : timeMessage(entry), null);
    }
    case "give":
      return give(app, query, { entry, minutes: Number(more) });
    case "remove":
      // Removed from the white list too.
      return conclude(app, query, { entry, to: "removing" }, async (tx, now) => {
        await sql`
          DELETE FROM allowed_members
          WHERE group_id = ${entry.group_id} AND person_id = ${entry.person_id}
        `.execute(tx);
        await enqueue(tx, [{ topic: REMOVE_ENTRY, ref: entry.id, priority: 0, dueAt: now }]);
      });
    case "allow":
      // On the white list: stays, and is not reported again.
      return conclude(app, query, { entry, to: "allowed" }, async (tx, now) => {
        await sql`
          INSERT INTO allowed_members (group_id, person_id, allowed_by, allowed_at)
          VALUES (${entry.group_id}, ${entry.person_id}, ${entry.seller_id}, ${now})
          ON CONFLICT DO NOTHING
        `.execute(tx);
      });
  }
}

type Conclusion = { readonly entry: Entry; readonly to: "removing" | "allowed" };

async function conclude(
  app: App,
  query: CallbackQuery,
  { entry, to }: Conclusion,
  effect: (tx: Db, now: Date) => Promise<void>,
): Promise<void> {
  const { late } = await decide(app, entry, to, effect);
  if (late) return answerLate(app, query, entry, late);
  const said = to === "removing" ? messages.removing(entry) : messages.allowed(entry);
  await show(app, query, outcomeMessage(entry, said), ENTRY_ANSWERS[to]);
}

/** Why a press comes too late: `decided` before, `left` the group, or `has-time`: paid meanwhile. */
type Late = "decided" | "left" | "has-time";

/** Decides about an open entry and applies it, in one transaction. */
async function decide<T>(
  app: App,
  entry: Entry,
  to: "granted" | "removing" | "allowed",
  effect: (tx: Db, now: Date) => Promise<T>,
): Promise<{ readonly late: Late } | { readonly late: null; readonly done: T }> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    // Locked until the transaction ends: one press decides.
    await sql`SELECT FROM unpaid_entries WHERE id = ${entry.id} FOR UPDATE`.execute(tx);
    const current = await entryById(tx, entry.id);
    const isSame = current?.entered_at.getTime() === entry.entered_at.getTime();
    if (!current || !isSame || current.status !== "open") {
      return { late: current?.status === "left" ? "left" : "decided" };
    }
    const access = await accessInChat(tx, entry);
    if (access && access.ends_at > app.clock.now()) return { late: "has-time" };
    await changeEntry(tx, entry, { to, from: ["open"] });
    return { late: null, done: await effect(tx, now) };
  });
}

/** Gives time to a person inside. Throws an Outage. */
async function give(
  app: App,
  query: CallbackQuery,
  { entry, minutes }: { entry: Entry; minutes: number },
): Promise<void> {
  if (!GRANT_MINUTES.some((offered) => offered === minutes)) return;
  if (entry.status !== "open") return answerLate(app, query, entry, "decided");
  const where = await whereIs(app, entry);
  if (where.ok && where.value !== "inside" && where.value !== "unknown") {
    return answerLate(app, query, entry, "left");
  }
  const given = await decide(app, entry, "granted", async (tx, now) => {
    const membership = await grantTime(tx, entry, { minutes, now });
    if (!membership) return null;
    await publishStatus(tx, membership, "inside");
    await noteAccesses(tx, { type: "access.started", ids: [membership.id] }, now);
    const gift = { minutes, until: membership.ends_at };
    const message = {
      text: messages.grantedToYou(entry.group_title, gift, app.sayInstant),
      buttons: [app.appButton(BUTTONS.myAccess, "/mes-acces")],
    };
    await notify(tx, [{ bot: "buyer", personId: entry.person_id, message }], now);
    return gift;
  });
  if (given.late) return answerLate(app, query, entry, given.late);
  if (!given.done) return answerLate(app, query, entry, "decided");
  const text = messages.granted(entry, given.done, app.sayInstant);
  await show(app, query, outcomeMessage(entry, text), ENTRY_ANSWERS.granted);
}

type GrantedMembership = Pick<Membership, "person_id" | "order_id" | "ends_at"> & {
  readonly id: bigint;
};

/**
 * Gives time to a person inside: the membership's end moves, and the gift is recorded for ever. Null
 * when the same request gave it before. Locks: memberships, as settlement does.
 */
async function grantTime(tx: Db, entry: Entry, { minutes, now }: { minutes: number; now: Date }) {
  const requestKey = `entry:${entry.id}:${entry.entered_at.getTime()}`;
  const given = await maybe(tx)`
    SELECT request_key FROM membership_grants WHERE request_key = ${requestKey}
  `;
  if (given) return null;
  const membership = await one<GrantedMembership>(tx)`
    INSERT INTO accesses AS x
      (person_id, group_id, status, ends_at, started_at, joined_at, updated_at)
    VALUES (${entry.person_id}, ${entry.group_id}, 'inside',
      ${now}::timestamptz + make_interval(secs => ${minutes} * 60.0), ${now}, ${now}, ${now})
    ON CONFLICT (person_id, group_id) DO UPDATE SET status = 'inside',
      -- In seconds: an interval in days would follow the session's summer time.
      ends_at = greatest(x.ends_at, ${now}) + make_interval(secs => ${minutes} * 60.0),
      started_at = CASE WHEN x.ends_at > ${now} THEN x.started_at ELSE ${now} END,
      joined_at = coalesce(x.joined_at, ${now}), updated_at = ${now}
    RETURNING id, person_id, order_id, ends_at
  `;
  await sql`
    INSERT INTO membership_grants
      (person_id, group_id, minutes, until, granted_by, granted_at, reason, request_key)
    VALUES (${entry.person_id}, ${entry.group_id}, ${minutes}, ${membership.ends_at},
      ${entry.seller_id}, ${now}, 'let-in', ${requestKey})
  `.execute(tx);
  return membership;
}

/** Another decision or event came first: the current state is displayed. */
async function answerLate(app: App, query: CallbackQuery, entry: Entry, late: Late) {
  const of = { groupId: entry.group_id, title: entry.group_title, before: null };
  await show(app, query, await listMessage(app, of), ENTRY_ANSWERS[late]);
}

async function showList(
  app: App,
  query: CallbackQuery,
  groupId: bigint,
  before: string | undefined,
) {
  const group = await groupById(app.db, groupId);
  if (!group || group.seller_id !== (await sellerOfTelegram(app.db, query.from.id))) {
    return toast(app, query, ENTRY_ANSWERS.notYours);
  }
  const from = before === undefined || before === "0" ? null : BigInt(before);
  await show(
    app,
    query,
    await listMessage(app, { groupId, title: group.title, before: from }),
    null,
  );
}

/** Answers a press, and replaces the message by the current state. */
async function show(app: App, query: CallbackQuery, message: BotMessage, said: string | null) {
  await toast(app, query, said);
  await showInstead(app, query, message);
}

/** One person, with the seller's choices. */
function cardMessage(entry: Entry): BotMessage {
  const press = (text: string, verb: string) => ({ text, callback: `entry:${verb}:${entry.id}` });
  const buttons =
    entry.status === "open"
      ? [
          press(ENTRY_BUTTONS.giveTime, "time"),
          press(ENTRY_BUTTONS.remove, "remove"),
          press(ENTRY_BUTTONS.allow, "allow"),
        ]
      : [];
  return { text: messages.sayEntry(entry), buttons };
}

function timeMessage(entry: Entry): BotMessage {
  const durations = GRANT_MINUTES.map((minutes) => ({
    text: ENTRY_BUTTONS.duration(minutes),
    callback: `entry:give:${entry.id}:${minutes}`,
  }));
  const back = { text: ENTRY_BUTTONS.back, callback: `entry:card:${entry.id}` };
  return { text: messages.whichTime(entry), buttons: [...durations, back] };
}

/** The report of a group's entries to the seller: one in detail, several by name. */
function reportMessage(entries: readonly Entry[]): BotMessage {
  const [first] = entries;
  if (first && entries.length === 1) return cardMessage(first);
  const more = entries.length > ENTRIES_SHOWN;
  return {
    text: messages.sayEntries(entries, entries.length),
    buttons: listButtons(entries, more),
  };
}

/** Entries that wait for a decision, newest first, a few at a time from `before` on. */
async function listMessage(
  app: App,
  { groupId, title, before }: { groupId: bigint; title: string; before: bigint | null },
): Promise<BotMessage> {
  const entries = await many<Entry>(app.db)`
    ${ENTRY} WHERE e.group_id = ${groupId} AND e.status = 'open'
      AND (${before}::bigint IS NULL OR e.id < ${before})
    ORDER BY e.id DESC LIMIT ${ENTRIES_SHOWN}
  `;
  const { total } = await one<{ total: number }>(app.db)`
    SELECT count(*)::int AS total FROM unpaid_entries
    WHERE group_id = ${groupId} AND status = 'open'
      AND (${before}::bigint IS NULL OR id < ${before})
  `;
  if (entries.length === 0) return { text: messages.nobodyLeft(title) };
  const buttons = listButtons(entries, total > entries.length);
  return { text: messages.sayEntries(entries, total), buttons };
}

function listButtons(entries: readonly Entry[], more: boolean): MessageButton[] {
  const shown = entries.slice(0, ENTRIES_SHOWN);
  const buttons = shown
    .filter((entry) => entry.status === "open")
    .map((entry): MessageButton => ({ text: entry.name, callback: `entry:card:${entry.id}` }));
  const last = shown.at(-1);
  if (!more || !last) return buttons;
  const callback = `entry:list:${last.group_id}:${last.id}`;
  return [...buttons, { text: ENTRY_BUTTONS.next, callback }];
}

/** After a decision: the result, and a button to the others. */
function outcomeMessage(entry: Entry, text: BotMessage["text"]): BotMessage {
  const callback = `entry:list:${entry.group_id}:0`;
  return { text, buttons: [{ text: ENTRY_BUTTONS.others, callback }] };
}

/** The first is reported at once; those of the next minute together. */
const GROUPING_MS = 60_000;

/** Notifies a group's seller of people without paid time. Nobody is reported twice. */
export async function reportEntries(app: App, { ref: groupId }: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute((tx) =>
    digest(tx, { key: `entries:${groupId}`, everyMs: GROUPING_MS, now }, async () => {
      const entries = await takeUnreported(tx, groupId, now);
      const [first] = entries;
      // None: another entry's job has just reported all of them.
      if (!first) return false;
      const message = reportMessage(entries);
      await notify(tx, [{ bot: "seller", personId: first.seller_id, message }], now);
      return true;
    }),
  );
}

async function takeUnreported(tx: Db, groupId: bigint, now: Date): Promise<Entry[]> {
  const taken = await many<{ id: bigint }>(tx)`
    UPDATE unpaid_entries SET reported_at = ${now}
    WHERE group_id = ${groupId} AND reported_at IS NULL
      AND (status IN ('open', 'removing', 'removed') OR (status = 'closed' AND came_by <> 'link'))
    RETURNING id
  `;
  return many<Entry>(tx)`
    ${ENTRY} WHERE e.id = ANY(${taken.map(({ id }) => id)}::bigint[])
    ORDER BY e.entered_at DESC, e.id DESC
  `;
}
