import {
  closeChannelToAdds,
  listChannels,
  listReclaimableChannels,
  NEEDED_RIGHTS,
  readBotLinks,
  readChannel,
  reclaimChannel,
  refreshChannel,
  refreshChannels,
  setEntryRules,
} from "@sesame/contract/groups";
import { Outage, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { Principal } from "../../http/principal.ts";
import type { HttpServer } from "../../http/server.ts";
import { addLinks } from "./add-links.ts";
import { chooseRemoveAdded, closeMemberAdds } from "./entry-rules/change-entry-rules.ts";
import {
  channelsOf,
  channelsOnWire,
  findGroup,
  type GroupRow,
  groupsOfSeller,
  named,
} from "./group.view.ts";
import { linkPendingOf } from "./ownership/link-pending.ts";
import { listReclaimable, reclaimGroup } from "./ownership/reclaim-group.ts";
import { recheckGroup, recheckGroups } from "./recheck-group.ts";

const NOT_FOUND = refuse({ kind: "groups.not-found" } as const);

export function registerGroupsHttp(app: App, http: HttpServer): void {
  on(http, listChannels, async ({ caller }) => ({
    channels: await channelsOf(app, caller.personId),
  }));
  on(http, refreshChannels, async ({ caller: { personId } }) => {
    await recheckGroups(app, await groupsOfSeller(app.db, personId));
    await linkPendingOf(app, personId);
    return { channels: await channelsOf(app, personId) };
  });
  on(http, readChannel, async ({ params, caller }) => {
    const group = await ownGroup(app, caller, params.id);
    return group ? channelOf(app, group) : NOT_FOUND;
  });
  on(http, refreshChannel, async ({ params, caller }) => {
    const group = await ownGroup(app, caller, params.id);
    if (!group) return NOT_FOUND;
    await recheckGroup(app, group.id);
    return channelOf(app, group);
  });
  on(http, closeChannelToAdds, async ({ params, caller }) => {
    const group = await ownGroup(app, caller, params.id);
    if (!group) return NOT_FOUND;
    const closed = await closeMemberAdds(app, group.id);
    return closed.ok ? channelOf(app, group) : closed;
  });
  on(http, setEntryRules, async ({ params, body, caller }) => {
    const group = await ownGroup(app, caller, params.id);
    if (!group) return NOT_FOUND;
    if (group.kind === "channel") return refuse({ kind: "groups.channel-has-no-adds" });
    await chooseRemoveAdded(app, group, body.remove_added);
    return channelOf(app, group);
  });
  on(http, listReclaimableChannels, async ({ caller }) => ({
    channels: await listReclaimable(app, caller.personId),
  }));
  on(http, reclaimChannel, async ({ params, caller, call }) => {
    const reclaimed = await reclaimGroup(app, { wireId: params.id, caller, call });
    return reclaimed.ok ? { channel: reclaimed.value } : reclaimed;
  });
  on(http, readBotLinks, async ({ caller }) => {
    const seller = app.telegram.names.seller();
    const buyer = app.telegram.names.buyer();
    if (!seller || !buyer) {
      throw new Outage("telegram never named our bots", { party: "telegram", retryable: true });
    }
    return {
      ...addLinks(app, seller, caller.personId),
      seller_bot: seller,
      buyer_bot: buyer,
      permissions: NEEDED_RIGHTS.map(named),
    };
  });
}

/** Another seller's answers as an absent one. */
async function ownGroup({ db }: App, caller: Principal, wireId: string): Promise<GroupRow | null> {
  const group = await findGroup(db, wireId);
  return group?.seller_id === caller.personId ? group : null;
}

async function channelOf({ db }: App, { seller_id: sellerId, id: groupId }: GroupRow) {
  const [channel] = await channelsOnWire(db, { sellerId, groupId });
  return channel ? { channel } : NOT_FOUND;
}
