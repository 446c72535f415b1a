import { commonRefusals, refusalBody } from "@sesame/contract";
import { channelAnswer, groupRefusals, reclaimableAnswer } from "@sesame/contract/groups";
import { z } from "zod";
import { answerRefusal } from "../../../http/answers.ts";
import { readCall } from "../../../http/once.ts";
import { callerOf, type HttpServer } from "../../../http/server.ts";
import type { GroupsDeps } from "../deps.ts";
import { listReclaimable, reclaimGroup } from "./reclaim-group.ts";

/** `channels[].id` or `telegram_group_id`. */
const params = z.object({ id: z.string().regex(/^-?\d{1,18}$/) });
const refusals = { ...groupRefusals, ...commonRefusals };
const answers = { 200: channelAnswer, 404: refusalBody, 422: refusalBody };

/** The creator of a group takes it back from the seller who linked it. */
export function registerReclaimHttp(app: HttpServer, deps: GroupsDeps): void {
  const config = { access: "seller" } as const;
  app.get(
    "/api/channels/reclaimable",
    {
      summary: "Les groupes dont vous êtes propriétaire sur Telegram, reliés par un autre vendeur",
      config,
      schema: { response: { 200: reclaimableAnswer } },
    },
    async (request) => ({
      success: true as const,
      channels: await listReclaimable(deps, callerOf(request).personId),
    }),
  );

  app.post(
    "/api/channels/:id/reclaim",
    {
      summary:
        "Reprendre un groupe dont vous êtes propriétaire : Telegram est interrogé à ce moment, les produits de l'autre vendeur ne se vendent plus, les accès payés vont à leur terme",
      config,
      schema: { params, response: answers },
    },
    async (request, reply) => {
      const call = readCall(request);
      if (!call.ok) return answerRefusal(reply, call.refusal, refusals);
      const { id: wireId } = request.params;
      const reclaim = { wireId, caller: callerOf(request), call: call.value };
      const reclaimed = await reclaimGroup(deps, reclaim);
      if (!reclaimed.ok) return answerRefusal(reply, reclaimed.refusal, refusals);
      return { success: true as const, channel: reclaimed.value };
    },
  );
}
