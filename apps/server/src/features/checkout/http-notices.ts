import { createHash } from "node:crypto";
import { isKnownProvider } from "@sesame/contract/checkout";
import type { Clock } from "@sesame/kernel";
import type { NoticeHeaders, PaymentProvider, ProviderId } from "@sesame/providers";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { answerCommon } from "../../http/answers.ts";
import { createMinuteCounter, type MinuteCounter } from "../../http/minute-counter.ts";
import type { HttpServer } from "../../http/server.ts";
import {
  createWebhookGuard,
  providerWebhook,
  WEBHOOK_ROUTE,
  type WebhookExchange,
  type WebhookGuard,
} from "../../http/webhook-guard.ts";
import type { Batcher } from "../../jobs/batcher.ts";
import { providerFor } from "../aggregators/index.ts";
import { createNoticeBatcher } from "./jobs.ts";
import type { NewNotice } from "./notice.store.ts";

export type NoticesGiven = {
  /** Of the instance's accounts: what is no payment's. False when it is nothing of that either. */
  takeAside(provider: ProviderId, notice: SignedNotice): Promise<boolean>;
  /** Writes them; our own when absent. */
  readonly batcher?: Pick<Batcher<NewNotice>, "submit">;
};

type SignedNotice = { readonly headers: NoticeHeaders; readonly body: Buffer };

/**
 * Signed webhooks of one seller's own account a minute: ten a second, for minutes on end. Beyond,
 * its provider sends again later, and payments are asked about by time as without any webhook.
 */
export const ACCOUNT_WEBHOOKS_A_MINUTE = 600;

type Account = {
  readonly provider: PaymentProvider;
  readonly keyId: bigint | null;
};

type Door = Required<NoticesGiven> & {
  readonly clock: Clock;
  readonly guard: WebhookGuard;
  /** Signed webhooks by a seller's account. */
  readonly byAccount: MinuteCounter;
  /** Those that take no payout whose notice address refuses to be tried, by a call that is empty. */
  readonly probed: ReadonlySet<string>;
};

/** In a scope of its own: whatever a notice says it is, its bytes stay as they were signed. */
export function registerNotices(app: App, http: HttpServer, given: NoticesGiven): void {
  const { db, clock, payoutProviders } = app;
  const { takeAside, batcher = createNoticeBatcher(db) } = given;
  const door: Door = {
    takeAside,
    batcher,
    clock,
    guard: createWebhookGuard(clock),
    byAccount: createMinuteCounter(clock),
    probed: new Set(payoutProviders.filter((lane) => lane.probesNotices).map(({ id }) => id)),
  };
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, _payload, done) => done(null, request.rawBody));
    for (const { id } of app.providers) {
      // Telegram tells of Stars at the bot's own door.
      if (id === "stars") continue;
      scope.post(`/webhooks/${id}`, {
        ...providerWebhook(id),
        ...handlers(door, () => accountOf(app, id, null)),
      });
    }
    scope.post("/webhooks/:provider/:keyId", {
      ...WEBHOOK_ROUTE,
      summary: "Avis signé sur un paiement fait par les clés d'un vendeur",
      ...handlers(door, ({ params }) => {
        const { provider: id = "", keyId = "" } = params as Record<string, string>;
        const known = isKnownProvider(id) && /^\d{1,18}$/.test(keyId);
        return known ? accountOf(app, id, BigInt(keyId)) : Promise.resolve(null);
      }),
    });
  });
}

async function accountOf(app: App, id: ProviderId, keyId: bigint | null): Promise<Account | null> {
  const provider = await providerFor(app, id, keyId);
  return provider && { provider, keyId };
}

/** The account is found before the body is received, and used after it. */
function handlers(door: Door, find: (request: FastifyRequest) => Promise<Account | null>) {
  const found = new WeakMap<FastifyRequest, Account>();
  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const sender = await door.guard.admit({ request, reply }, async () => {
        const account = await find(request);
        if (account) found.set(request, account);
        return account?.provider ?? null;
      });
      return sender ? undefined : reply;
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const account = found.get(request);
      if (!account) return answerCommon(reply, { kind: "request.not-found" });
      return take(door, account, { request, reply });
    },
  };
}

/**
 * A provider's notice (ARCHITECTURE §4): its signature is checked over the raw bytes, it is stored
 * with those that came at the same time, and only then answered. What it says is never believed:
 * it makes us ask.
 */
async function take(
  door: Door,
  { provider, keyId }: Account,
  exchange: WebhookExchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { headers } = request;
  const body = request.rawBody ?? Buffer.alloc(0);
  if (keyId === null && body.length === 0 && door.probed.has(provider.id)) {
    return reply.code(200).send();
  }
  const reading = provider.readNotice(headers, body);
  if (!reading.trusted) return door.guard.refuseSignature(exchange);
  // Counted once it is signed: a stranger cannot use up what the account is allowed.
  if (keyId !== null && door.byAccount.count(String(keyId)) > ACCOUNT_WEBHOOKS_A_MINUTE) {
    const retryAfterSeconds = door.byAccount.retryAfterSeconds();
    return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
  }
  const { heard = null } = reading;
  const providerPaymentId = reading.providerPaymentId ?? heard?.reference ?? null;
  if (keyId === null && providerPaymentId === null) {
    const isTaken = await door.takeAside(provider.id, { headers, body });
    if (isTaken) return reply.code(200).send();
  }
  await door.batcher.submit({
    provider: provider.id,
    keyId,
    providerPaymentId,
    heard: heard?.transactionId ?? null,
    bodyHash: createHash("sha256").update(body).digest("hex"),
    body: provider.withoutProof ? Buffer.from(provider.withoutProof(body)) : body,
    receivedAt: door.clock.now(),
  });
  return reply.code(200).send();
}
