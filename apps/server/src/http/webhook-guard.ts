import { checkoutRefusals, type KnownProvider, PROVIDERS } from "@sesame/contract/checkout";
import { type Clock, DAY_MS } from "@sesame/kernel";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answerCommon, answerRefusal } from "./answers.ts";
import { lengthOf } from "./bodies.ts";
import { addressKey, createAttemptCounter } from "./callers.ts";

/** A provider's webhook is below 8 KiB (WIRE §4 allows it 64). */
export const WEBHOOK_LIMIT_BYTES = 64 * 1024;

/** As long as a payment may be disputed: complaints, and chargebacks by a bank. */
export const WEBHOOKS_KEPT_MS = 90 * DAY_MS;

/**
 * The limit of refused webhooks a minute of one address. A provider's own are signed and never
 * counted; a process behind a proxy needs `TRUST_PROXY`, or all callers share one address here.
 */
export const REFUSED_WEBHOOKS_A_MINUTE = 30_000;

/** No page is served here, and the signature is the protection. */
export const WEBHOOK_ROUTE = {
  config: { access: "webhook", rateLimit: false, ownLimit: REFUSED_WEBHOOKS_A_MINUTE },
  helmet: false,
  bodyLimit: WEBHOOK_LIMIT_BYTES,
} as const;

export function providerWebhook(id: KnownProvider) {
  const { name } = PROVIDERS[id].seller;
  return {
    ...WEBHOOK_ROUTE,
    summary: `Avis signé de ${name} : enregistré une fois, puis vérifié auprès de ${name}`,
  };
}

/** The account of the called webhook address. */
type WebhookSender = { mayBeTrusted(headers: FastifyRequest["headers"]): boolean };

export type WebhookExchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** Refusals of an address are counted for all routes of the same guard. */
export function createWebhookGuard(clock: Clock) {
  const refused = createAttemptCounter(clock, REFUSED_WEBHOOKS_A_MINUTE);
  /** Answers 403 for a wrong signature. */
  const refuseSignature = ({ request, reply }: WebhookExchange) => {
    refused.count(addressKey(request.ip));
    return answerRefusal(reply, { kind: "checkout.webhook-not-signed" }, checkoutRefusals);
  };
  return {
    refuseSignature,
    /**
     * Call it before the body is received. Answers what the head alone decides: 404 for a path without
     * a payment account, 413 for a body declared as too large, 403 for a proof that is missing or
     * malformed; 429 for an address that was refused too often. → the sender, or null when it was
     * answered
     */
    async admit<S extends WebhookSender>(
      { request, reply }: WebhookExchange,
      find: () => Promise<S | null>,
    ): Promise<S | null> {
      const retryAfterSeconds = refused.waitOf(addressKey(request.ip));
      if (retryAfterSeconds !== null) {
        answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
        return null;
      }
      const sender = await find();
      if (!sender || lengthOf(request.headers) > WEBHOOK_LIMIT_BYTES) {
        refused.count(addressKey(request.ip));
        answerCommon(reply, { kind: sender ? "request.too-large" : "request.not-found" });
        return null;
      }
      if (sender.mayBeTrusted(request.headers)) return sender;
      refuseSignature({ request, reply });
      return null;
    },
  };
}
