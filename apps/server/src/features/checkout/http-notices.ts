import { isKnownProvider } from "@sesame/contract/checkout";
import type { NoticeHeaders, PaymentProvider, ProviderId } from "@sesame/providers";
import type { FastifyReply, FastifyRequest } from "fastify";
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
import type { AggregatorDoor } from "./needs.ts";
import { type Notice, type NoticeDeps, receiveNotice } from "./receive-notice.ts";

export type NoticeDoors = NoticeDeps & {
  /** The instance's own, each with its door. */
  readonly providers: readonly ProviderId[];
  readonly accounts: Pick<AggregatorDoor, "providerFor">;
  /** Those that take no payout whose notice address refuses to be tried, by a call that is empty. */
  readonly probed?: ReadonlySet<string>;
  /** Of the instance's accounts: what is no payment's. */
  takeAside?(
    provider: ProviderId,
    notice: { headers: NoticeHeaders; body: Buffer },
  ): Promise<boolean>;
};

/**
 * Signed webhooks of one seller's own account a minute: ten a second, for minutes on end. Beyond,
 * its provider sends again later, and payments are asked about by time as without any webhook.
 */
export const ACCOUNT_WEBHOOKS_A_MINUTE = 600;

type Account = {
  readonly provider: PaymentProvider;
  readonly keyId: bigint | null;
};

type Door = {
  readonly doors: NoticeDoors;
  readonly guard: WebhookGuard;
  /** Signed webhooks by a seller's account. */
  readonly byAccount: MinuteCounter;
};

/** In a scope of its own: whatever a notice says it is, its bytes stay as they were signed. */
export function registerNotices(app: HttpServer, doors: NoticeDoors): void {
  const door: Door = {
    doors,
    guard: createWebhookGuard(doors.clock),
    byAccount: createMinuteCounter(doors.clock),
  };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, _payload, done) => done(null, request.rawBody));
    for (const id of doors.providers) {
      scope.post(`/webhooks/${id}`, {
        ...providerWebhook(id),
        ...handlers(door, () => accountOf(doors, id, null)),
      });
    }
    scope.post("/webhooks/:provider/:keyId", {
      ...WEBHOOK_ROUTE,
      summary: "Avis signé sur un paiement fait par les clés d'un vendeur",
      ...handlers(door, ({ params }) => {
        const { provider: id = "", keyId = "" } = params as Record<string, string>;
        const known = isKnownProvider(id) && /^\d{1,18}$/.test(keyId);
        return known ? accountOf(doors, id, BigInt(keyId)) : Promise.resolve(null);
      }),
    });
  });
}

async function accountOf(
  { accounts }: NoticeDoors,
  id: ProviderId,
  keyId: bigint | null,
): Promise<Account | null> {
  const provider = await accounts.providerFor(id, keyId);
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

async function take(
  { doors, guard, byAccount }: Door,
  account: Account,
  exchange: WebhookExchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { provider, keyId } = account;
  const rawBody = request.rawBody ?? Buffer.alloc(0);
  if (keyId === null && rawBody.length === 0 && doors.probed?.has(provider.id)) {
    return reply.code(200).send();
  }
  const notice: Notice = {
    headers: request.headers,
    rawBody,
    // Counted once it is signed: a stranger cannot use up what the account is allowed.
    mayStore: () => keyId === null || byAccount.count(String(keyId)) <= ACCOUNT_WEBHOOKS_A_MINUTE,
    takeAside: async (other) =>
      keyId === null && ((await doors.takeAside?.(provider.id, other)) ?? false),
  };
  switch (await receiveNotice(doors, account, notice)) {
    case "taken":
      return reply.code(200).send();
    case "not-signed":
      return guard.refuseSignature(exchange);
    case "too-many": {
      const retryAfterSeconds = byAccount.retryAfterSeconds();
      return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
    }
  }
}
