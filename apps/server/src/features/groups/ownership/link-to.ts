import type { GroupsDeps } from "../deps.ts";
import { announceChange, recheckLater } from "../announce.ts";
import { dropClaim } from "../claim.store.ts";
import { insertGroup } from "../group.store.ts";
import type { ChatFacts } from "../standing.ts";

/**
 * Links a chat to a seller whom Telegram has just proven, unless somebody has it. True when it is
 * theirs.
 */
export async function linkTo(
  deps: Pick<GroupsDeps, "db" | "clock">,
  facts: ChatFacts,
  sellerId: bigint,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx) => {
    const groupId = await insertGroup(tx, { facts, sellerId, now });
    await dropClaim(tx, facts.chatId);
    if (groupId === null) return false;
    await announceChange(tx, { sellerId, now });
    await recheckLater(tx, groupId, now);
    return true;
  });
}
