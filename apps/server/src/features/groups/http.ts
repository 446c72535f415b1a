import * as contract from "@sesame/contract/groups";
import { Outage, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { Principal, HttpServer } from "../../http/server.ts";
import { chooseRemoveAdded } from "./entry-rules.ts";
import { channelsOf, type GroupRow, groupOfSeller, groupsOfSeller, named } from "./groups.ts";
import { closeMemberAdds, recheckGroup, recheckGroups } from "./linked-chat.ts";
import { listReclaimable, reclaimGroup } from "./reclaim.ts";
import { addLinks, linkPendingOf } from "./waiting.ts";

const NOT_FOUND = refuse({ kind: "groups.not-found" } as const);

export function registerGroupsHttp(app: App, http: HttpServer): void {
  const { db } = app;
  const own = ({ params, caller }: { params: { id: string }; caller: Principal }) =>
    groupOfSeller(db, caller.personId, params.id);
  on(http, contract.listChannels, async ({ caller }) => ({
    channels: await channelsOf(app, caller.personId),
  }));
  on(http, contract.refreshChannels, async ({ caller: { personId } }) => {
    await recheckGroups(app, await groupsOfSeller(db, personId));
    await linkPendingOf(app, personId);
    return { channels: await channelsOf(app, personId) };
  });
  on(http, contract.readChannel, async (asked) => {
    const group = await own(asked);
    return group ? channelOf(app, group) : NOT_FOUND;
  });
  on(http, contract.refreshChannel, async (asked) => {
    const group = await own(asked);
    if (!group) return NOT_FOUND;
    await recheckGroup(app, group.id);
    return channelOf(app, group);
  });
  on(http, contract.closeChannelToAdds, async (asked) => {
    const group = await own(asked);
    if (!group) return NOT_FOUND;
    const closed = await closeMemberAdds(app, group.id);
    return closed.ok ? channelOf(app, group) : closed;
  });
  on(http, contract.setEntryRules, async (asked) => {
    const group = await own(asked);
    if (!group) return NOT_FOUND;
    if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
    await chooseRemoveAdded(app, group, asked.body.remove_added);
    return channelOf(app, group);
  });
  on(http, contract.listReclaimableChannels, async ({ caller }) => ({
    channels: await listReclaimable(app, caller.personId),
  }));
  on(http, contract.reclaimChannel, async ({ params, caller, call }) => {
    const reclaimed = await reclaimGroup(app, { wireId: params.id, caller, call });
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

async function channelOf(app: App, { seller_id: sellerId, id: groupId }: GroupRow) {
  const [channel] = await channelsOf(app, sellerId, groupId);
  return channel ? { channel } : NOT_FOUND;
}
