import { enqueue } from "../../jobs/outbox.store.ts";
import { announceChange, recheckLater, RENEW_LINKS } from "./announce.ts";
import { moveClaim } from "./claim.store.ts";
import type { GroupsDeps } from "./deps.ts";
import { moveGroup, recordEvent } from "./group.store.ts";

/** A chat has another id: it is followed everywhere, and waiting buyers get links of the new one. */
export async function migrateGroup(
  deps: Pick<GroupsDeps, "db" | "clock">,
  move: { from: bigint; to: bigint },
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    await moveClaim(tx, move);
    const moved = await moveGroup(tx, move);
    if (!moved) return;
    await recordEvent(tx, { groupId: moved.id, event: "migrated", now });
    await enqueue(tx, [{ topic: RENEW_LINKS, ref: moved.id, priority: 0, dueAt: now }]);
    await recheckLater(tx, moved.id, now);
    await announceChange(tx, { sellerId: moved.seller_id, now });
  });
}
