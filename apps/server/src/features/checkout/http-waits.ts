import { placeWaitAnswer, REFERENCE_PATTERN } from "@sesame/contract/checkout";
import { z } from "zod";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { answerCheckoutRefusal } from "./http-answers.ts";
import type { Waits } from "./wait-for-place.ts";

const PATH = "/api/waits/:reference";
const route = {
  config: { access: "person" },
  schema: {
    params: z.object({ reference: z.string().regex(REFERENCE_PATTERN) }),
    response: { 200: placeWaitAnswer },
  },
} as const;

/** The line for a place: asking twice is asking once, and leaving twice is leaving once. */
export function registerWaits(app: HttpServer, waits: Waits): void {
  app.get(PATH, route, async (request, reply) => {
    const standing = await waits.read(request.params.reference, callerOf(request));
    if (!standing.ok) return answerCheckoutRefusal(reply, standing.refusal);
    return reply.header("cache-control", "no-store").send(standing.value);
  });
  app.post(PATH, route, async (request, reply) => {
    const standing = await waits.join(request.params.reference, callerOf(request));
    if (!standing.ok) return answerCheckoutRefusal(reply, standing.refusal);
    return reply.send(standing.value);
  });
  app.delete(PATH, route, async (request, reply) => {
    const standing = await waits.leave(request.params.reference, callerOf(request));
    if (!standing.ok) return answerCheckoutRefusal(reply, standing.refusal);
    return reply.send(standing.value);
  });
}
