import { enqueue } from "../../jobs/outbox.store.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publishStatus } from "./announce.ts";
import { CLOSE_ACCESS } from "./close-access.ts";
import { hasLiveLink, retireOrderLinks } from "./link.store.ts";
import { OPEN_ACCESS } from "./open-access.ts";
import { retireAtTelegram, revokeLinks } from "./revoke-links.ts";
import { shortenAccess, type UndoneSale } from "./take-back.store.ts";

/** When what is left ends, for its person; null: nothing is left, or nothing ran. */
export type TimeLeft = { readonly endsAt: Date };

/**
 * A sale is undone: the time it still gave is taken away, its link with it, and who has no time left
 * is removed as by the sweep.
 */
export async function takeBackIn(tx: Db, sale: UndoneSale, now: Date): Promise<TimeLeft | null> {
  const access = await shortenAccess(tx, sale, now);
  if (!access) return null;
  if (access.ended_now) {
    await revokeLinks(tx, access, now);
    await enqueue(tx, [{ topic: CLOSE_ACCESS, ref: access.id, priority: 0, dueAt: now }]);
    await publishStatus(tx, access, "ended");
    await noteAccesses(tx, { type: "access.ended", ids: [access.id] }, now);
    return null;
  }
  await retireAtTelegram(tx, await retireOrderLinks(tx, sale.orderId, now), now);
  const running = access.ends_at > now;
  const outside = access.status === "waiting" || access.status === "left";
  // The link he had was the undone sale's: another sale of his opens the door with its own.
  if (running && outside && !(await hasLiveLink(tx, access.order_id))) {
    const job = { topic: OPEN_ACCESS, ref: access.order_id, payload: { why: "again" } } as const;
    await enqueue(tx, [{ ...job, priority: 0, dueAt: now }]);
  }
  await publishStatus(tx, access, access.status);
  return running ? { endsAt: access.ends_at } : null;
}
