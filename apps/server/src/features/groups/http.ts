import { refusalBody } from "@sesame/contract";
import {
  botLinksAnswer,
  channelAnswer,
  channelsAnswer,
  groupRefusals,
  NEEDED_RIGHTS,
} from "@sesame/contract/groups";
import { Outage } from "@sesame/kernel";
import { z } from "zod";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { addLinks } from "./add-links.ts";
import type { GroupsDeps } from "./deps.ts";
import { registerEntryRulesHttp } from "./entry-rules/http.ts";
import { channelsOnWire, findGroup, groupsOfSeller, named } from "./group.view.ts";
import { linkPendingOf } from "./ownership/link-pending.ts";
import { registerReclaimHttp } from "./ownership/reclaim-http.ts";
import { refreshGroup, refreshGroups } from "./refresh-group.ts";

/** `channels[].id` or `telegram_group_id`. */
const params = z.object({ id: z.string().regex(/^-?\d{1,18}$/) });
const one = { params, response: { 200: channelAnswer, 404: refusalBody } };

export function registerGroupsHttp(app: HttpServer, deps: GroupsDeps): void {
  const { db } = deps;
  const config = { access: "seller" } as const;
  const listOf = async (sellerId: bigint) => ({
    success: true as const,
    channels: await channelsOnWire(db, { sellerId }),
  });

  app.get(
    "/api/channels",
    {
      summary: "Les groupes et canaux reliés",
      config,
      schema: { response: { 200: channelsAnswer } },
    },
    async (request) => listOf(callerOf(request).personId),
  );

  app.post(
    "/api/channels/refresh",
    {
      summary: "Revérifier tous les groupes et canaux",
      config,
      schema: { response: { 200: channelsAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      await refreshGroups(deps, await groupsOfSeller(db, personId));
      await linkPendingOf(deps, personId);
      return listOf(personId);
    },
  );

  app.get(
    "/api/channels/:id",
    { summary: "Un groupe ou canal relié", config, schema: one },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const group = await findGroup(db, request.params.id);
      const [channel] = await channelsOnWire(db, { sellerId: personId, groupId: group?.id ?? 0n });
      if (!channel) return answerRefusal(reply, { kind: "groups.not-found" }, groupRefusals);
      return { success: true as const, channel };
    },
  );

  app.post(
    "/api/channels/:id/refresh",
    { summary: "Revérifier un groupe ou canal", config, schema: one },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const group = await findGroup(db, request.params.id);
      if (!group || group.seller_id !== personId) {
        return answerRefusal(reply, { kind: "groups.not-found" }, groupRefusals);
      }
      await refreshGroup(deps, group.id);
      const [channel] = await channelsOnWire(db, { sellerId: personId, groupId: group.id });
      if (!channel) return answerRefusal(reply, { kind: "groups.not-found" }, groupRefusals);
      return { success: true as const, channel };
    },
  );

  registerEntryRulesHttp(app, deps);

  registerReclaimHttp(app, deps);

  registerBotLinks(app, deps);
}

function registerBotLinks(app: HttpServer, deps: GroupsDeps): void {
  const config = { access: "seller" } as const;
  app.get(
    "/api/bot/links",
    {
      summary: "Les liens qui ajoutent le bot à un groupe ou à un canal, et les droits demandés",
      config,
      schema: { response: { 200: botLinksAnswer } },
    },
    async (request) => {
      const { personId } = callerOf(request);
      const seller = deps.telegram.names.seller();
      const buyer = deps.telegram.names.buyer();
      if (!seller || !buyer) {
        throw new Outage("telegram never named our bots", { party: "telegram", retryable: true });
      }
      return {
        success: true as const,
        ...addLinks(seller, deps.payloads.of(personId)),
        seller_bot: seller,
        buyer_bot: buyer,
        permissions: NEEDED_RIGHTS.map(named),
      };
    },
  );
}
