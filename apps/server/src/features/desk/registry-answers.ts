import type { Readable } from "node:stream";
import { type CommonRefusal, commonRefusals } from "@sesame/contract";
import {
  type DeskRefusal,
  deskRefusals,
  type RegistryRefusal,
  registryRefusals,
} from "@sesame/contract/desk";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { answerRefusal } from "../../http/answers.ts";

const SENTENCES = { ...deskRefusals, ...registryRefusals, ...commonRefusals };

export function refuseRegistry(
  reply: FastifyReply,
  refusal: DeskRefusal | RegistryRefusal | CommonRefusal,
): FastifyReply {
  return answerRefusal(reply, refusal, SENTENCES);
}

/** What `sendCsv` answers, for the description of the calls. */
export const CSV = { 200: { content: { "text/csv": { schema: z.string() } } } };

export function sendCsv(reply: FastifyReply, name: string, body: string | Readable): FastifyReply {
  return reply
    .header("content-disposition", `attachment; filename="sesame-${name}.csv"`)
    .header("cache-control", "no-store")
    .type("text/csv; charset=utf-8")
    .send(body);
}
