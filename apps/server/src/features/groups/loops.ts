import { addMs, MINUTE_MS, Outage } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { RECHECK } from "./announce.ts";
import {
  membersCanAdd,
  noteMembersCanAdd,
  READ_EVERY_MS,
} from "./entry-rules/default-permissions.ts";
import { leaseDueGroups } from "./entry-rules/entry-rules.store.ts";
import { RECHECK_EVERY_MS } from "./group.store.ts";
import { groupById } from "./group.view.ts";
import { hasDueRecheck, takeDueRechecks } from "./ownership/administrators.store.ts";

const RECHECK_LOOK_MS = 60_000;
const RECHECKED_AT_ONCE = 200;

const PERMISSIONS_LOOK_MS = 30_000;
/** One question a group: few enough that Telegram has room for what buyers wait for. */
const READ_AT_ONCE = 20;
/** After an outage the group is asked about again then, not at the next hour. */
const RETRY_MS = 10 * MINUTE_MS;

/** Each linked chat is asked about once an hour, and its default permissions are read again. */
export function groupLoops(app: App): Loop[] {
  const { clock, log } = app;
  const recheck = { name: "groups recheck", everyMs: RECHECK_LOOK_MS };
  const permissions = { name: "groups default permissions", everyMs: PERMISSIONS_LOOK_MS };
  return [
    createLoop({ ...recheck, clock, log, run: () => recheckDueGroups(app) }),
    createLoop({ ...permissions, clock, log, run: () => readDueGroups(app) }),
  ];
}

/** A lost update is made good by it. True when more groups are due. */
async function recheckDueGroups(app: App): Promise<boolean> {
  const now = app.clock.now();
  if (!(await hasDueRecheck(app.db, now))) return false;
  return app.db.transaction().execute(async (tx) => {
    const next = addMs(now, RECHECK_EVERY_MS);
    const due = await takeDueRechecks(tx, { now, next, limit: RECHECKED_AT_ONCE });
    await enqueue(
      tx,
      due.map((ref) => ({ topic: RECHECK, ref, priority: 2, dueAt: now })),
    );
    return due.length === RECHECKED_AT_ONCE;
  });
}

/** True when more groups are due. Ends early while Telegram does not answer. */
async function readDueGroups(app: App): Promise<boolean> {
  const now = app.clock.now();
  const groups = await leaseDueGroups(app.db, {
    now,
    latest: addMs(now, READ_EVERY_MS),
    retryAt: addMs(now, RETRY_MS),
    limit: READ_AT_ONCE,
  });
  for (const groupId of groups) {
    try {
      await readGroup(app, groupId);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      app.log.warn({ party: error.party, group: String(groupId) }, "default permissions not read");
      return false;
    }
  }
  return groups.length === READ_AT_ONCE;
}

async function readGroup(app: App, groupId: bigint): Promise<void> {
  const group = await groupById(app.db, groupId);
  if (!group) return;
  const chat = await app.telegram
    .gatewayOf("seller")
    .call("getChat", { chat_id: Number(group.chat_id) });
  // A no says that the bot is away or the chat has moved: its own updates and re-checks tell that.
  if (chat.ok) await noteMembersCanAdd(app, groupId, membersCanAdd(chat.value));
}
