import type { PayoutProvider } from "@sesame/providers";
import type { HttpServer } from "../../http/server.ts";
import { createWebhookGuard, providerWebhook } from "../../http/webhook-guard.ts";
import type { PayoutsDeps } from "./needs.ts";
import { takePayoutNotice } from "./receive-notice.ts";

/**
 * A provider's notices of payouts, where payments have no such door of their own (Moneroo's speaks
 * of both). In a scope of its own: whatever a notice says it is, its bytes stay as they were signed.
 */
export function registerPayoutNotices(
  app: HttpServer,
  deps: PayoutsDeps,
  provider: PayoutProvider,
): void {
  const guard = createWebhookGuard(deps.clock);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, _payload, done) => done(null, request.rawBody));
    scope.post(
      `/webhooks/${provider.id}`,
      {
        ...providerWebhook(provider.id),
        onRequest: async (request, reply) =>
          (await guard.admit({ request, reply }, async () => provider)) ? undefined : reply,
      },
      async (request, reply) => {
        const body = request.rawBody ?? Buffer.alloc(0);
        // It takes no payout whose address refuses to be tried.
        if (provider.probesNotices && body.length === 0) return reply.code(200).send();
        const { headers } = request;
        const taken = await takePayoutNotice(deps, provider, { headers, body });
        return taken === "not-signed"
          ? guard.refuseSignature({ request, reply })
          : reply.code(200).send();
      },
    );
  });
}
