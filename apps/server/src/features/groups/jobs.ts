import { missingRights } from "@sesame/contract/groups";
import { addMs, MINUTE_MS, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { html, type BotMessage, type MessageButton, notify, toPerson } from "../../bot/message.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, finds, many, PREPARED } from "../../postgres/database.ts";
import { entryRulesMessage, noteMembersCanAdd, takeFaultNotification } from "./entry-rules.ts";
import { type GroupRow, groupById, RECHECK, RECHECK_EVERY_MS, NOTIFY_STATE } from "./groups.ts";
import { BUTTONS, OWNER_BUTTONS, sayState, sellerLostRights } from "./messages.fr.ts";
import { membersCanAdd, recheckGroup } from "./linked-chat.ts";
import { findCreator } from "./reclaim.ts";
import { addLinks, LINK_PENDING, linkPendingOf } from "./waiting.ts";

export function groupJobs(app: App): JobHandler[] {
  const asks = { batch: 10, concurrency: 2 };
  const notifies = { batch: 20, concurrency: 1, maxAttempts: 5 };
  const done = () => DONE;
  return [
    {
      ...asks,
      topic: RECHECK,
      maxAttempts: 8,
      run: (job) => recheckGroup(app, job.ref).then(done),
    },
    {
      ...asks,
      topic: LINK_PENDING,
      maxAttempts: 12,
      run: (job) => linkPendingOf(app, job.ref).then(done),
    },
    { ...notifies, topic: NOTIFY_STATE, run: (job) => notifyState(app, job.ref) },
  ];
}

/** Notifies the seller of a chat's state, if it is new. */
async function notifyState(app: App, groupId: bigint): Promise<JobOutcome> {
  const group = await groupById(app.db, groupId);
  if (!group) return DONE;
  const { state } = group;
  const missing = missingRights(group.facts);
  const key = state === "missing_rights" ? `${state}:${missing.join()}` : state;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const news = await sql`
      UPDATE groups SET notified_state = ${key}
      WHERE id = ${groupId} AND notified_state IS DISTINCT FROM ${key}
    `.execute(tx);
    if (news.numAffectedRows === 0n) return;
    const message =
      state === "connected"
        ? await linkedMessage(app, tx, group)
        : { text: sayState(group, state, missing), buttons: buttonsOf(app, group) };
    // The message of this state reports it, so no other one does.
    if (state === "connected") await takeFaultNotification(tx, groupId, now);
    await notify(tx, [{ bot: "seller", personId: group.seller_id, message }], now);
    if (state !== "seller_not_admin") return;
    // Its creator, if known, gets a message with the choices.
    const creator = await findCreator(tx, groupId);
    if (creator === null || creator === group.seller_id) return;
    const choices = { button: OWNER_BUTTONS.groups, path: "/GroupeListe" };
    const said = { text: sellerLostRights(group), ...choices };
    await notify(tx, [toPerson(app, creator, said)], now);
  });
  return DONE;
}

/** The message that a group is linked: what can be sold, and how people can enter without our links. */
export async function linkedMessage(app: App, db: Db, group: GroupRow): Promise<BotMessage> {
  const text = sayState(group, "connected", []);
  const buttons = buttonsOf(app, group);
  if (group.kind === "channel") return { text, buttons };
  const rules = await entryRulesMessage(db, group);
  return {
    text: html`${text}

${rules.text}`,
    buttons: [...buttons, ...rules.buttons],
  };
}

function buttonsOf(app: App, group: GroupRow): MessageButton[] {
  const check = { text: BUTTONS.check, callback: `group:check:${group.id}` };
  const bot = app.telegram.names.seller();
  const links = bot ? addLinks(app, bot, group.seller_id) : null;
  const link = group.kind === "channel" ? links?.channel : links?.group;
  const add = (text: string): MessageButton[] => (link ? [{ text, url: link }] : []);
  switch (group.state) {
    case "connected":
      return [app.appButton(BUTTONS.createProduct, `/ajouterProduit/${group.id}`)];
    case "missing_rights":
      return [...add(BUTTONS.giveRights), check];
    case "removed":
      return add(BUTTONS.relink);
    case "seller_not_admin":
      return [check, app.appButton(OWNER_BUTTONS.products, "/ProductsList")];
    case "public":
      return [check];
    case "over_quota":
      return [app.appButton(BUTTONS.plans, "/Plans")];
  }
}

const RECHECKED_AT_ONCE = 200;

/** One call for each group: few enough to leave Telegram's rate to buyers. */
const READ_AT_ONCE = 20;
/** After an outage the group is read again then, not at the next hour. */
const RETRY_MS = 10 * MINUTE_MS;

/** Each linked chat is re-checked once an hour, and its default permissions are read. */
export function groupLoops(app: App): Loop[] {
  const { clock, log } = app;
  const recheck = { name: "groups recheck", everyMs: MINUTE_MS };
  const permissions = { name: "groups default permissions", everyMs: MINUTE_MS / 2 };
  return [
    createLoop({ ...recheck, clock, log, run: () => recheckDueGroups(app) }),
    createLoop({ ...permissions, clock, log, run: () => readDueGroups(app) }),
  ];
}

/** Compensates lost updates. True when more groups are due. */
async function recheckDueGroups(app: App): Promise<boolean> {
  const now = app.clock.now();
  const isDue = sql`bot_present AND recheck_due_at <= ${now}`;
  if (!(await finds(app.db)`${PREPARED} SELECT WHERE EXISTS (SELECT FROM groups WHERE ${isDue})`))
    return false;
  return app.db.transaction().execute(async (tx) => {
    const due = await many<{ id: bigint }>(tx)`
      UPDATE groups SET recheck_due_at = ${addMs(now, RECHECK_EVERY_MS)} WHERE id IN (
        SELECT id FROM groups WHERE ${isDue}
        ORDER BY recheck_due_at LIMIT ${RECHECKED_AT_ONCE} FOR UPDATE SKIP LOCKED
      ) RETURNING id
    `;
    await enqueue(
      tx,
      due.map(({ id: ref }) => ({ topic: RECHECK, ref, priority: 2, dueAt: now })),
    );
    return due.length === RECHECKED_AT_ONCE;
  });
}

/**
 * Leases groups whose default permissions are due, until they are read or due again. True when more
 * groups are due. Stops early when Telegram does not answer.
 */
async function readDueGroups(app: App): Promise<boolean> {
  const now = app.clock.now();
  const due = await many<{ id: bigint }>(app.db)`${PREPARED}
    WITH due AS (
      SELECT g.id FROM groups g LEFT JOIN group_entry_rules r ON r.group_id = g.id
      WHERE g.bot_present AND g.kind = 'supergroup'
        AND (r.due_at IS NULL OR r.due_at <= ${now})
      ORDER BY r.due_at NULLS FIRST
      LIMIT ${READ_AT_ONCE}
      FOR NO KEY UPDATE OF g SKIP LOCKED
    )
    INSERT INTO group_entry_rules (group_id, due_at)
    SELECT due.id, ${addMs(now, RETRY_MS)} FROM due
    ON CONFLICT (group_id) DO UPDATE SET due_at = excluded.due_at
    RETURNING group_id AS id
  `;
  for (const { id } of due) {
    try {
      const group = await groupById(app.db, id);
      if (!group) continue;
      const chat_id = Number(group.chat_id);
      const chat = await app.telegram.gatewayOf("seller").call("getChat", { chat_id });
      // A refusal means that the bot was removed or the chat moved: updates and re-checks handle that.
      if (chat.ok) await noteMembersCanAdd(app, id, membersCanAdd(chat.value));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      app.log.warn({ party: error.party, group: String(id) }, "default permissions not read");
      return false;
    }
  }
  return due.length === READ_AT_ONCE;
}
