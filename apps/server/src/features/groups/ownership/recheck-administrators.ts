import type { App } from "../../../app.ts";
import { telegramIdOf } from "../../../bot/people.store.ts";
import { announceChange } from "../announce.ts";
import type { GroupRow } from "../group.view.ts";
import { askAdministrators } from "./administrators.ts";
import { pauseSales, replaceAdministrators, resumeSales } from "./administrators.store.ts";

/**
 * Asks who administers a linked chat now, and whether its seller may still own it: sales pause, or
 * heal by themselves (decision 110). An answer that proves nothing changes nothing.
 */
export async function recheckAdministrators(app: App, group: GroupRow): Promise<void> {
  const { id: groupId, seller_id: sellerId, chat_id: chatId } = group;
  const askedAt = app.clock.now();
  const telegramId = await telegramIdOf(app.db, sellerId);
  const administrators = await askAdministrators(
    app,
    chatId,
    telegramId === null ? [] : [telegramId],
  );
  if (!administrators) return;
  const standing = telegramId === null ? null : administrators.standingOf(telegramId);
  const mayOwn = standing?.kind === "may-own";
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (administrators.complete) await replaceAdministrators(tx, groupId, administrators.all);
    const changed = mayOwn
      ? await resumeSales(tx, { groupId, sellerId, askedAt })
      : await pauseSales(tx, { groupId, sellerId, now });
    if (changed) await announceChange(tx, { sellerId, now });
  });
}
