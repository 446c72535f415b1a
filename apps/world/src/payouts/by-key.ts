import type { FastifyInstance } from "fastify";
import type { Fedapay } from "../fedapay/fedapay.ts";
import type { MonerooPayouts } from "../moneroo/payouts.ts";

/** In the world two providers live at one address: the key says which of them is asked. */
export function registerPayoutById(
  app: FastifyInstance,
  { fedapay, moneroo }: { fedapay: Fedapay; moneroo: MonerooPayouts },
): void {
  app.get("/v1/payouts/:id", (request, reply) =>
    fedapay.owns(request)
      ? fedapay.answerPayout(request, reply)
      : moneroo.answerPayout(request, reply),
  );
}
