import type { PayoutProvider } from "@sesame/providers";
import type { App } from "../../app.ts";
import type { HttpServer } from "../../http/server.ts";
import { createWebhookGuard, providerWebhook } from "../../http/webhook-guard.ts";
import { takePayoutNotice } from "./receive-notice.ts";

/** Webhooks of the providers whose payments have none (Moneroo's speaks of both). */
export function registerPayoutsHttp(app: App, http: HttpServer): void {
  for (const provider of app.payoutProviders) {
    const isServed = app.providers.some(({ id }) => id === provider.id);
    if (!isServed) registerNotices(app, http, provider);
  }
}

/** In a scope of its own: whatever a notice says it is, its bytes stay as they were signed. */
function registerNotices(app: App, http: HttpServer, provider: PayoutProvider): void {
  const guard = createWebhookGuard(app.clock);
  void http.register(async (scope) => {
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
        const taken = await takePayoutNotice(app, provider, { headers, body });
        return taken === "not-signed"
          ? guard.refuseSignature({ request, reply })
          : reply.code(200).send();
      },
    );
  });
}
