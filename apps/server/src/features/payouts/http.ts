import { checkoutRefusals } from "@sesame/contract/checkout";
import type { PayoutProvider } from "@sesame/providers";
import { answerRefusal } from "../../http/answers.ts";
import type { HttpServer } from "../../http/server.ts";
import type { PayoutsDeps } from "./needs.ts";
import { takePayoutNotice } from "./receive-notice.ts";

/** Theirs are a thousandth of this. */
const NOTICE_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * A provider's notices of payouts, where payments have no such door of their own (Moneroo's speaks
 * of both). In a scope of its own: whatever a notice says it is, its bytes stay as they were signed.
 */
export function registerPayoutNotices(
  app: HttpServer,
  deps: PayoutsDeps,
  provider: PayoutProvider,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      `/webhooks/${provider.id}`,
      {
        // No page is ever shown from here, and the signature is what guards it.
        config: { access: "notice", rateLimit: false },
        helmet: false,
        bodyLimit: NOTICE_LIMIT_BYTES,
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        // It takes no payout whose address refuses to be tried.
        if (provider.probesNotices && body.length === 0) return reply.code(200).send();
        const { headers } = request;
        const taken = await takePayoutNotice(deps, provider, { headers, body });
        return taken === "not-signed"
          ? answerRefusal(reply, { kind: "checkout.notice-not-signed" }, checkoutRefusals)
          : reply.code(200).send();
      },
    );
  });
}
