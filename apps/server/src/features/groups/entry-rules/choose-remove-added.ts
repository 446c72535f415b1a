import { publish } from "../../../realtime/events.store.ts";
import type { GroupsDeps } from "../deps.ts";
import type { GroupRow } from "../group.view.ts";
import { setRemoveAdded } from "./entry-rules.store.ts";

/** The seller's switch: whom a member adds without paid time is removed, or only reported. */
export async function chooseRemoveAdded(
  deps: Pick<GroupsDeps, "db" | "clock">,
  group: Pick<GroupRow, "id" | "seller_id">,
  removes: boolean,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    await setRemoveAdded(tx, { groupId: group.id, removes, now });
    await publish(tx, [{ room: `person:${group.seller_id}`, name: "chatadd", body: {} }]);
  });
}
