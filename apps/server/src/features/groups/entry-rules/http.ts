import { refusalBody } from "@sesame/contract";
import { channelAnswer, entryRulesInput, groupRefusals } from "@sesame/contract/groups";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { answerRefusal } from "../../../http/answers.ts";
import { callerOf, type HttpServer } from "../../../http/server.ts";
import type { GroupsDeps } from "../deps.ts";
import { channelsOnWire, findGroup } from "../group.view.ts";
import { chooseRemoveAdded } from "./choose-remove-added.ts";
import { closeMemberAdds } from "./close-member-adds.ts";

/** `channels[].id` or `telegram_group_id`. */
const params = z.object({ id: z.string().regex(/^-?\d{1,18}$/) });
const config = { access: "seller" } as const;

export function registerEntryRulesHttp(app: HttpServer, deps: GroupsDeps): void {
  app.post(
    "/api/channels/:id/close-member-adds",
    {
      summary: "Fermer un groupe aux ajouts des membres, sans toucher aux autres permissions",
      config,
      schema: { params, response: { 200: channelAnswer, 404: refusalBody, 409: refusalBody } },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const group = await findGroup(deps.db, request.params.id);
      if (!group || group.seller_id !== personId) return notFound(reply);
      const closed = await closeMemberAdds(deps, group.id);
      if (!closed.ok) return answerRefusal(reply, closed.refusal, groupRefusals);
      return answerChannel(deps, reply, { sellerId: personId, groupId: group.id });
    },
  );

  app.put(
    "/api/channels/:id/entry-rules",
    {
      summary: "Retirer, ou seulement signaler, les personnes qu'un membre ajoute sans accès payé",
      config,
      schema: {
        params,
        body: entryRulesInput,
        response: { 200: channelAnswer, 404: refusalBody, 409: refusalBody },
      },
    },
    async (request, reply) => {
      const { personId } = callerOf(request);
      const group = await findGroup(deps.db, request.params.id);
      if (!group || group.seller_id !== personId) return notFound(reply);
      if (group.kind === "channel") {
        return answerRefusal(reply, { kind: "groups.channel-has-no-adds" }, groupRefusals);
      }
      await chooseRemoveAdded(deps, group, request.body.remove_added);
      return answerChannel(deps, reply, { sellerId: personId, groupId: group.id });
    },
  );
}

function notFound(reply: FastifyReply): FastifyReply {
  return answerRefusal(reply, { kind: "groups.not-found" }, groupRefusals);
}

async function answerChannel(
  deps: GroupsDeps,
  reply: FastifyReply,
  of: { sellerId: bigint; groupId: bigint },
) {
  const [channel] = await channelsOnWire(deps.db, of);
  return channel ? { success: true as const, channel } : notFound(reply);
}
