import type { GroupRefusal } from "@sesame/contract/groups";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { GroupsDeps } from "../deps.ts";
import { groupById } from "../group.view.ts";
import { refreshGroup } from "../refresh-group.ts";
import { membersCanAdd, noteMembersCanAdd } from "./default-permissions.ts";

/**
 * Takes from members the right to add members, and leaves every other default permission as it is.
 * Nothing happens the second time. Throws an Outage.
 */
export async function closeMemberAdds(
  deps: GroupsDeps,
  groupId: bigint,
): Promise<Result<null, GroupRefusal>> {
  const group = await groupById(deps.db, groupId);
  if (!group) return refuse({ kind: "groups.not-found" });
  if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
  const telegram = deps.telegram.gatewayOf("seller");
  const chat_id = Number(group.chat_id);
  const chat = await telegram.call("getChat", { chat_id });
  if (chat.ok && membersCanAdd(chat.value) === false) {
    await noteMembersCanAdd(deps, groupId, false);
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
    await refreshGroup(deps, groupId);
    return refuse({ kind: "groups.cannot-set-permissions" });
  }
  await noteMembersCanAdd(deps, groupId, false);
  return ok(null);
}
