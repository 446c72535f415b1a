import { addMs, MINUTE_MS, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { createLoop, type Loop } from "../../../jobs/loop.ts";
import type { GroupsDeps } from "../deps.ts";
import { groupById } from "../group.view.ts";
import { membersCanAdd, noteMembersCanAdd, READ_EVERY_MS } from "./default-permissions.ts";
import { leaseDueGroups } from "./entry-rules.store.ts";

const LOOK_EVERY_MS = 30_000;
/** One question a group: few enough that Telegram has room for what buyers wait for. */
const BATCH = 20;
/** After an outage the group is asked about again then, not at the next hour. */
const RETRY_MS = 10 * MINUTE_MS;

/** Reads each group's default permissions again every hour, some groups at a time. */
export function createPermissionsLoop(
  deps: GroupsDeps,
  log: Pick<FastifyBaseLogger, "error" | "warn">,
): Loop {
  return createLoop({
    name: "groups default permissions",
    clock: deps.clock,
    log,
    everyMs: LOOK_EVERY_MS,
    run: () => readDueGroups(deps, log),
  });
}

/** True when more groups are due. Ends early while Telegram does not answer. */
async function readDueGroups(
  deps: GroupsDeps,
  log: Pick<FastifyBaseLogger, "warn">,
): Promise<boolean> {
  const now = deps.clock.now();
  const groups = await leaseDueGroups(deps.db, {
    now,
    latest: addMs(now, READ_EVERY_MS),
    retryAt: addMs(now, RETRY_MS),
    limit: BATCH,
  });
  for (const groupId of groups) {
    try {
      await readGroup(deps, groupId);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ party: error.party, group: String(groupId) }, "default permissions not read");
      return false;
    }
  }
  return groups.length === BATCH;
}

async function readGroup(deps: GroupsDeps, groupId: bigint): Promise<void> {
  const group = await groupById(deps.db, groupId);
  if (!group) return;
  const chat = await deps.telegram
    .gatewayOf("seller")
    .call("getChat", { chat_id: Number(group.chat_id) });
  // A no says that the bot is away or the chat has moved: its own updates and re-checks tell that.
  if (chat.ok) await noteMembersCanAdd(deps, groupId, membersCanAdd(chat.value));
}
