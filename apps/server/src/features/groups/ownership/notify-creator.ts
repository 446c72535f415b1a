import { tell } from "../../../bot/tell.ts";
import type { Db } from "../../../postgres/database.ts";
import type { GroupsDeps } from "../deps.ts";
import type { GroupRow } from "../group.view.ts";
import { OWNER_BUTTONS, sellerLostRights } from "../messages.fr.ts";
import { findCreator } from "./reclaim.view.ts";

/** Tells the creator, if we know them, that sales in their group are paused, and what they can do. */
export async function notifyCreator(
  deps: Pick<GroupsDeps, "clock" | "appButton">,
  tx: Db,
  group: GroupRow,
): Promise<void> {
  const personId = await findCreator(tx, group.id);
  if (personId === null || personId === group.seller_id) return;
  const message = {
    text: sellerLostRights(group),
    buttons: [deps.appButton(OWNER_BUTTONS.groups, "/GroupeListe")],
  };
  await tell(tx, [{ bot: "seller", personId, message }], deps.clock.now());
}
