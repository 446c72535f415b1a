import { commonRefusals, refusalBody } from "@sesame/contract";
import {
  botLinksAnswer,
  channelAnswer,
  channelsAnswer,
  entryRulesInput,
  groupRefusals,
  NEEDED_RIGHTS,
  reclaimableAnswer,
} from "@sesame/contract/groups";
import { Outage } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../app.ts";
import { answerRefusal } from "../../http/answers.ts";
import { readCall } from "../../http/once.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
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

/** `channels[].id` or `telegram_group_id`. */
const params = z.object({ id: z.string().regex(/^-?\d{1,18}$/) });
const config = { access: "seller" } as const;

export function registerGroupsHttp(app: App, http: HttpServer): void {
  registerChannels(app, http);
  registerEntryRules(app, http);
  registerReclaim(app, http);
  registerBotLinks(app, http);
}

function registerChannels(app: App, http: HttpServer): void {
  const one = { params, response: { 200: channelAnswer, 404: refusalBody } };
  const listOf = async (sellerId: bigint) => ({
    success: true as const,
    channels: await channelsOf(app, sellerId),
  });

  http.get(
    "/api/channels",
    {
      summary: "Les groupes et canaux reliés",
      config,
      schema: { response: { 200: channelsAnswer } },
    },
    async (request) => listOf(callerOf(request).personId),
  );

  http.post(
    "/api/channels/refresh",
    {
      summary: "Revérifier tous les groupes et canaux",
      config,
      schema: { response: { 200: channelsAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      await recheckGroups(app, await groupsOfSeller(app.db, personId));
      await linkPendingOf(app, personId);
      return listOf(personId);
    },
  );

  http.get(
    "/api/channels/:id",
    { summary: "Un groupe ou canal relié", config, schema: one },
    async (request, reply) => {
      const { personId: sellerId } = callerOf(request);
      const group = await findGroup(app.db, request.params.id);
      return answerChannel(app, reply, { sellerId, groupId: group?.id ?? 0n });
    },
  );

  http.post(
    "/api/channels/:id/refresh",
    { summary: "Revérifier un groupe ou canal", config, schema: one },
    async (request, reply) => {
      const group = await ownGroup(app, request, request.params.id);
      if (!group) return notFound(reply);
      await recheckGroup(app, group.id);
      return answerChannel(app, reply, { sellerId: group.seller_id, groupId: group.id });
    },
  );
}

function registerEntryRules(app: App, http: HttpServer): void {
  const response = { 200: channelAnswer, 404: refusalBody, 409: refusalBody };
  http.post(
    "/api/channels/:id/close-member-adds",
    {
      summary: "Fermer un groupe aux ajouts des membres, sans toucher aux autres permissions",
      config,
      schema: { params, response },
    },
    async (request, reply) => {
      const group = await ownGroup(app, request, request.params.id);
      if (!group) return notFound(reply);
      const closed = await closeMemberAdds(app, group.id);
      if (!closed.ok) return answerRefusal(reply, closed.refusal, groupRefusals);
      return answerChannel(app, reply, { sellerId: group.seller_id, groupId: group.id });
    },
  );

  http.put(
    "/api/channels/:id/entry-rules",
    {
      summary: "Retirer, ou seulement signaler, les personnes qu'un membre ajoute sans accès payé",
      config,
      schema: { params, body: entryRulesInput, response },
    },
    async (request, reply) => {
      const group = await ownGroup(app, request, request.params.id);
      if (!group) return notFound(reply);
      if (group.kind === "channel") {
        return answerRefusal(reply, { kind: "groups.channel-has-no-adds" }, groupRefusals);
      }
      await chooseRemoveAdded(app, group, request.body.remove_added);
      return answerChannel(app, reply, { sellerId: group.seller_id, groupId: group.id });
    },
  );
}

/** The creator of a group takes it back from the seller who linked it. */
function registerReclaim(app: App, http: HttpServer): void {
  const refusals = { ...groupRefusals, ...commonRefusals };
  const response = { 200: channelAnswer, 404: refusalBody, 422: refusalBody };
  http.get(
    "/api/channels/reclaimable",
    {
      summary: "Les groupes dont vous êtes propriétaire sur Telegram, reliés par un autre vendeur",
      config,
      schema: { response: { 200: reclaimableAnswer } },
    },
    async (request) => ({
      success: true as const,
      channels: await listReclaimable(app, callerOf(request).personId),
    }),
  );

  http.post(
    "/api/channels/:id/reclaim",
    {
      summary:
        "Reprendre un groupe dont vous êtes propriétaire : Telegram est interrogé à ce moment, les produits de l'autre vendeur ne se vendent plus, les accès payés vont à leur terme",
      config,
      schema: { params, response },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, refusals);
      const { id: wireId } = request.params;
      const reclaim = { wireId, caller: callerOf(request), call: call.value };
      const reclaimed = await reclaimGroup(app, reclaim);
      if (!reclaimed.ok) return answerRefusal(reply, reclaimed.refusal, refusals);
      return { success: true as const, channel: reclaimed.value };
    },
  );
}

function registerBotLinks(app: App, http: HttpServer): void {
  http.get(
    "/api/bot/links",
    {
      summary: "Les liens qui ajoutent le bot à un groupe ou à un canal, et les droits demandés",
      config,
      schema: { response: { 200: botLinksAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      const seller = app.telegram.names.seller();
      const buyer = app.telegram.names.buyer();
      if (!seller || !buyer) {
        throw new Outage("telegram never named our bots", { party: "telegram", retryable: true });
      }
      return {
        success: true as const,
        ...addLinks(app, seller, personId),
        seller_bot: seller,
        buyer_bot: buyer,
        permissions: NEEDED_RIGHTS.map(named),
      };
    },
  );
}

/** Another seller's answers as an absent one. */
async function ownGroup(
  { db }: App,
  request: FastifyRequest,
  wireId: string,
): Promise<GroupRow | null> {
  const group = await findGroup(db, wireId);
  return group?.seller_id === callerOf(request).personId ? group : null;
}

async function answerChannel(
  { db }: App,
  reply: FastifyReply,
  of: { sellerId: bigint; groupId: bigint },
) {
  const [channel] = await channelsOnWire(db, of);
  return channel ? { success: true as const, channel } : notFound(reply);
}

function notFound(reply: FastifyReply): FastifyReply {
  return answerRefusal(reply, { kind: "groups.not-found" }, groupRefusals);
}
