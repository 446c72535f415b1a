import type { GroupRefusal } from "@sesame/contract/groups";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../../app.ts";
import { publish } from "../../../realtime/events.store.ts";
import { type GroupRow, groupById } from "../group.view.ts";
import { recheckGroup } from "../recheck-group.ts";
import { membersCanAdd, noteMembersCanAdd } from "./default-permissions.ts";
import { setRemoveAdded } from "./entry-rules.store.ts";

/**
 * Takes from members the right to add members, and leaves every other default permission as it is.
 * Nothing happens the second time. Throws an Outage.
 */
export async function closeMemberAdds(
  app: App,
  groupId: bigint,
): Promise<Result<null, GroupRefusal>> {
  const group = await groupById(app.db, groupId);
  if (!group) return refuse({ kind: "groups.not-found" });
  if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(group.chat_id);
  const chat = await telegram.call("getChat", { chat_id });
  if (chat.ok && membersCanAdd(chat.value) === false) {
    await noteMembersCanAdd(app, groupId, false);
    return ok(null);
  }
  const permissions = chat.ok ? chat.value.permissions : undefined;
  const closed =
    permissions !== undefined &&
    (await telegram.call("setChatPermissions", {
      chat_id,
      permissions: { ...permissions, can_invite_users: false },
      // Else Telegram would infer some permissions from others.
      use_independent_chat_permissions: true,
    }));
  if (!closed || !closed.ok) {
    // Whatever stands in the way (a lost right, a moved chat) is written, and told where it is new.
    await recheckGroup(app, groupId);
    return refuse({ kind: "groups.cannot-set-permissions" });
  }
  await noteMembersCanAdd(app, groupId, false);
  return ok(null);
}

/** The seller's switch: whom a member adds without paid time is removed, or only reported. */
export async function chooseRemoveAdded(
  app: App,
  group: Pick<GroupRow, "id" | "seller_id">,
  removes: boolean,
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await setRemoveAdded(tx, { groupId: group.id, removes, now });
    await publish(tx, [{ room: `person:${group.seller_id}`, name: "chatadd", body: {} }]);
  });
}
