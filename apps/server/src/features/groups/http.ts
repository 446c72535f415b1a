import * as contract from "@sesame/contract/groups";
import { Outage, refuse, type Result } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { chooseRemoveAdded } from "./entry-rules.ts";
import { channelsOf, type GroupRow, groupOfSeller, groupsOfSeller, named } from "./groups.ts";
import { closeMemberAdds, recheckGroup, recheckGroups } from "./linked-chat.ts";
import { listReclaimable, reclaimGroup } from "./reclaim.ts";
import { addLinks, linkPendingOf } from "./waiting.ts";

const NOT_FOUND = refuse({ kind: "groups.not-found" });

export function registerGroupsHttp(app: App, http: HttpServer): void {
  /** A call about one of the caller's groups: what it does first, or why it refuses; then the group. */
  const aboutOwn = async (
    { params, caller }: { params: { id: string }; caller: Principal },
    act?: (group: GroupRow) => Promise<Result<unknown, contract.GroupRefusal> | void>,
  ) => {
    const group = await groupOfSeller(app.db, caller.personId, params.id);
    if (!group) return NOT_FOUND;
    const done = await act?.(group);
    if (done && !done.ok) return done;
    const [channel] = await channelsOf(app, caller.personId, group.id);
    return channel ? { channel } : NOT_FOUND;
  };
  on(http, contract.listChannels, async ({ caller }) => ({
    channels: await channelsOf(app, caller.personId),
  }));
  on(http, contract.refreshChannels, async ({ caller: { personId } }) => {
    await recheckGroups(app, await groupsOfSeller(app.db, personId));
    await linkPendingOf(app, personId);
    return { channels: await channelsOf(app, personId) };
  });
  on(http, contract.readChannel, (asked) => aboutOwn(asked));
  on(http, contract.refreshChannel, (asked) => aboutOwn(asked, ({ id }) => recheckGroup(app, id)));
  on(http, contract.closeChannelToAdds, (asked) =>
    aboutOwn(asked, ({ id }) => closeMemberAdds(app, id)),
  );
  on(http, contract.setEntryRules, (asked) =>
    aboutOwn(asked, async (group) => {
      if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
      return chooseRemoveAdded(app, group, asked.body.remove_added);
    }),
  );
  on(http, contract.listReclaimableChannels, async ({ caller }) => ({
    channels: await listReclaimable(app, caller.personId),
  }));
  on(http, contract.reclaimChannel, async ({ params, caller, call }) => {
    const reclaimed = await reclaimGroup(app, params.id, caller, call);
    return reclaimed.ok ? { channel: reclaimed.value } : reclaimed;
  });
  on(http, contract.readBotLinks, async ({ caller }) => {
    const seller = app.telegram.names.seller();
    const buyer = app.telegram.names.buyer();
    if (!seller || !buyer) {
      throw new Outage("telegram never named our bots", { party: "telegram", retryable: true });
    }
    return {
      ...addLinks(app, seller, caller.personId),
      seller_bot: seller,
      buyer_bot: buyer,
      permissions: contract.NEEDED_RIGHTS.map(named),
    };
  });
}
