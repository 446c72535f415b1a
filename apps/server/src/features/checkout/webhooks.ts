import { createHash } from "node:crypto";
import { isKnownProvider } from "@sesame/contract/checkout";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { WebhookHeaders, PaymentProvider, ProviderId } from "@sesame/providers";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { answerCommon } from "../../http/answers.ts";
import { createAttemptCounter } from "../../http/callers.ts";
import type { HttpServer } from "../../http/server.ts";
import {
  createWebhookGuard,
  providerWebhook,
  WEBHOOK_ROUTE,
  WEBHOOKS_KEPT_MS,
  type WebhookExchange,
} from "../../http/webhook-guard.ts";
import { type Batcher, createBatcher } from "../../jobs/batcher.ts";
import { createPruningLoop, type Loop } from "../../jobs/loop.ts";
import { type Db, PREPARED } from "../../postgres/database.ts";
import { providerFor } from "../payment-accounts/index.ts";
import { CHECKS_CHANNEL, MOVED, NAMES_KEPT, REOPENED_FOR_MS } from "./checks.ts";

export type WebhooksGiven = {
  /** Handles a webhook to the instance's accounts that names no payment. False: it names no payout either. */
  takeAside(provider: ProviderId, webhook: SignedWebhook): Promise<boolean>;
  /** Writes webhooks; default: a batcher of its own. */
  readonly batcher?: Pick<Batcher<NewWebhook>, "submit">;
};

type SignedWebhook = { readonly headers: WebhookHeaders; readonly body: Buffer };

/**
 * The limit of signed webhooks a minute of one seller's own account: ten a second, for minutes.
 * Above it the provider retries later, and payments are looked up on schedule, as without webhooks.
 */
export const ACCOUNT_WEBHOOKS_A_MINUTE = 600;

type Account = {
  readonly provider: PaymentProvider;
  readonly keyId: bigint | null;
};

/** A plugin scope of its own: whatever content type a webhook declares, its bytes stay as signed. */
export function registerWebhooks(app: App, http: HttpServer, given: WebhooksGiven): void {
  const { db, clock } = app;
  const { takeAside, batcher = createWebhookBatcher(db) } = given;
  const guard = createWebhookGuard(clock);
  /** Counts signed webhooks by a seller's account. */
  const byAccount = createAttemptCounter(clock, ACCOUNT_WEBHOOKS_A_MINUTE);
  /** Providers that test the webhook address with an empty call, and accept no payout if it is refused. */
  const probed = app.payoutProviders.filter((rail) => rail.probesWebhooks).map(({ id }) => id);
  const find = async (id: ProviderId, keyId: bigint | null): Promise<Account | null> => {
    const provider = await providerFor(app, id, keyId);
    return provider && { provider, keyId };
  };

  /**
   * A provider's webhook (decision 0006): its signature is checked over the raw bytes, it is stored
   * with those that came at the same time, and only then answered. Its content is never trusted: it
   * causes a lookup.
   */
  async function take({ provider, keyId }: Account, exchange: WebhookExchange) {
    const { request, reply } = exchange;
    const { headers } = request;
    const body = request.rawBody ?? Buffer.alloc(0);
    const { id } = provider;
    if (keyId === null && body.length === 0 && probed.some((rail) => rail === id)) {
      return reply.code(200).send();
    }
    const reading = provider.readWebhook(headers, body);
    if (!reading.trusted) return guard.refuseSignature(exchange);
    // Counted after the signature: a stranger cannot use up the account's limit.
    const retryAfterSeconds = keyId === null ? null : byAccount.count(String(keyId));
    if (retryAfterSeconds !== null) {
      return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
    }
    const { reportedTransaction = null } = reading;
    const providerPaymentId = reading.providerPaymentId ?? reportedTransaction?.reference ?? null;
    if (keyId === null && providerPaymentId === null) {
      if (await takeAside(id, { headers, body })) return reply.code(200).send();
    }
    await batcher.submit({
      provider: id,
      keyId,
      providerPaymentId,
      reportedTransactionId: reportedTransaction?.transactionId ?? null,
      bodyHash: createHash("sha256").update(body).digest("hex"),
      body: provider.withoutProof ? Buffer.from(provider.withoutProof(body)) : body,
      receivedAt: clock.now(),
    });
    return reply.code(200).send();
  }

  /** The account is looked up before the body is received, and used after it. */
  const handlers = (findIt: (request: FastifyRequest) => Promise<Account | null>) => {
    const found = new WeakMap<FastifyRequest, Account>();
    return {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        const sender = await guard.admit({ request, reply }, async () => {
          const account = await findIt(request);
          if (account) found.set(request, account);
          return account?.provider ?? null;
        });
        return sender ? undefined : reply;
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const account = found.get(request);
        if (!account) return answerCommon(reply, { kind: "request.not-found" });
        return take(account, { request, reply });
      },
    };
  };

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request, _payload, done) => done(null, request.rawBody));
    for (const { id } of app.providers) {
      // Telegram reports Stars by the bot's own webhook.
      if (id === "stars") continue;
      scope.post(`/webhooks/${id}`, { ...providerWebhook(id), ...handlers(() => find(id, null)) });
    }
    scope.post("/webhooks/:provider/:keyId", {
      ...WEBHOOK_ROUTE,
      summary: "Avis signé sur un paiement fait par les clés d'un vendeur",
      ...handlers(async ({ params }) => {
        const { provider: id = "", keyId = "" } = params as Record<string, string>;
        return isKnownProvider(id) && /^\d{1,18}$/.test(keyId) ? find(id, BigInt(keyId)) : null;
      }),
    });
  });
}

type NewWebhook = {
  readonly provider: string;
  /** The keys of its account; null: the instance's. Only payments of that account are looked up. */
  readonly keyId: bigint | null;
  readonly providerPaymentId: string | null;
  /** The transaction id that it reports for the payment. */
  readonly reportedTransactionId: string | null;
  /** SHA-256 of the received body, in hex. */
  readonly bodyHash: string;
  /** The part of the body that is stored. */
  readonly body: Buffer;
  readonly receivedAt: Date;
};

const WEBHOOKS_IN_A_WRITE = 500;
const SELLERS_WEBHOOKS_IN_A_WRITE = 100;
const BYTES_IN_A_WRITE = 1024 * 1024;

/**
 * The instance's webhooks have batches of their own, and never wait for those of sellers' own
 * accounts, which share batches.
 */
export function createWebhookBatcher(db: Db): Batcher<NewWebhook> {
  const write = (webhooks: readonly NewWebhook[]) => storeWebhooks(db, webhooks);
  const sizeOf = ({ body }: NewWebhook) => body.length;
  const bounds = { write, sizeOf, maxBytes: BYTES_IN_A_WRITE };
  const instance = createBatcher({ ...bounds, maxBatch: WEBHOOKS_IN_A_WRITE });
  const sellers = createBatcher({
    ...bounds,
    maxBatch: SELLERS_WEBHOOKS_IN_A_WRITE,
    ownerOf: ({ keyId }) => String(keyId),
  });
  return {
    submit: (webhook) => (webhook.keyId === null ? instance : sellers).submit(webhook),
    async close() {
      await Promise.all([instance.close(), sellers.close()]);
    },
  };
}

/**
 * Stores webhooks once by provider and hash of their body, and makes the lookup of each payment due at
 * once: for an unpaid payment also after a repeated webhook, since two failed attempts have the same
 * body; for a paid one only after a new body.
 * One statement, so one round trip and one commit, whatever the number.
 */
export async function storeWebhooks(db: Db, webhooks: readonly NewWebhook[]): Promise<void> {
  const hashes = webhooks.map(({ bodyHash }) => bodyHash);
  const now = new Date(Math.max(...webhooks.map(({ receivedAt }) => receivedAt.getTime())));
  // Only KkiaPay's webhooks report a transaction id: without one the statement skips them.
  const insertReported = webhooks.some(
    ({ reportedTransactionId }) => reportedTransactionId !== null,
  )
    ? sql`reported AS (
      INSERT INTO reported_transactions (payment_id, transaction_id, reported_at)
      SELECT w.id, w.reported_id, ${now}::timestamptz FROM woken w
      WHERE w.reported_id IS NOT NULL AND (SELECT count(*) FROM reported_transactions r
        WHERE r.payment_id = w.id) < ${NAMES_KEPT}
      ORDER BY w.id, w.reported_id
      ON CONFLICT DO NOTHING
    ),`
    : sql``;
  await sql`
    WITH came AS MATERIALIZED (
      SELECT * FROM unnest(
        ${webhooks.map(({ provider }) => provider)}::text[],
        ${byteaArray(hashes)}::bytea[],
        ${webhooks.map(({ providerPaymentId }) => providerPaymentId)}::text[],
        ${byteaArray(webhooks.map(({ body }) => body.toString("hex")))}::bytea[],
        ${webhooks.map(({ keyId }) => keyId)}::bigint[],
        ${webhooks.map(({ reportedTransactionId }) => reportedTransactionId)}::text[]
      ) AS u(provider, body_hash, provider_payment_id, body, key_id, reported_id)
    ), stored AS (
      INSERT INTO provider_webhooks
        (provider, body_hash, provider_payment_id, body, received_at, key_id)
      SELECT provider, body_hash, provider_payment_id, ${bodyToKeep(webhooks)}, ${now}::timestamptz, key_id
      FROM came ORDER BY provider, body_hash
      ON CONFLICT DO NOTHING
      RETURNING provider, body_hash
    ), woken AS MATERIALIZED (
      SELECT DISTINCT p.id, came.reported_id
      FROM came CROSS JOIN LATERAL (
        -- A subquery that is not flattened: each webhook looks its payment up, whatever the table's size.
        SELECT known.id, known.status, known.transaction_id FROM payments known
        WHERE known.provider = came.provider
          AND known.provider_payment_id = came.provider_payment_id
          AND coalesce(known.key_id, 0) = coalesce(came.key_id, 0)
        LIMIT 1
      ) AS p
      -- A paid one may have been paid again, with another transaction, or taken back.
      WHERE p.status <> 'paid' OR EXISTS (SELECT FROM stored
          WHERE stored.provider = came.provider AND stored.body_hash = came.body_hash)
        OR (came.reported_id IS NOT NULL AND came.reported_id IS DISTINCT FROM p.transaction_id
          AND NOT EXISTS (SELECT FROM reported_transactions r
            WHERE r.payment_id = p.id AND r.transaction_id = came.reported_id))
    ), ${insertReported} pulled AS (
      INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at, reported)
      SELECT DISTINCT w.id, ${now}::timestamptz, ${addMs(now, REOPENED_FOR_MS)}::timestamptz, true
      FROM woken w
      ORDER BY w.id
      ON CONFLICT (payment_id) DO UPDATE SET due_at = ${MOVED}, reported = true
      RETURNING 1
    )
    SELECT pg_notify(${CHECKS_CHANNEL}, '') WHERE EXISTS (SELECT FROM pulled)
  `.execute(db);
}

/** A seller knows the secret of his own account: a body is stored only if it names a payment of the account. */
function bodyToKeep(webhooks: readonly NewWebhook[]) {
  if (webhooks.every(({ keyId }) => keyId === null)) return sql`body`;
  return sql`CASE WHEN key_id IS NULL OR EXISTS (
    SELECT FROM payments named WHERE named.provider = came.provider
      AND named.provider_payment_id = came.provider_payment_id AND named.key_id = came.key_id
  ) THEN body ELSE '' END`;
}

/** An array of bytea in PostgreSQL's text form: the driver's own encoding doubles the insert's time. */
const byteaArray = (hexes: readonly string[]): string =>
  `{${hexes.map((hex) => `"\\\\x${hex}"`).join(",")}}`;

/** How long a webhook that names no payment of the seller's account is remembered. */
const UNMATCHED_KEPT_MS = DAY_MS;

/** Deletes stored webhooks of old payments, and persons' counts older than a minute. */
export const checkoutPruning = (app: App): Loop =>
  createPruningLoop(
    app,
    "checkout prune webhooks",
    (now, limit) => sql`${PREPARED}
    WITH forgotten AS (
      DELETE FROM person_calls WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM person_calls WHERE counted_at < ${addMs(now, -MINUTE_MS)}
        FOR UPDATE SKIP LOCKED))
    )
    DELETE FROM provider_webhooks WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM provider_webhooks WHERE received_at < ${addMs(now, -WEBHOOKS_KEPT_MS)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) || ARRAY(
      SELECT ctid FROM provider_webhooks
      WHERE key_id IS NOT NULL AND body = '' AND received_at < ${addMs(now, -UNMATCHED_KEPT_MS)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))
  `,
  );

/**
 * Deletes a buyer's data from providers' webhooks, which are stored as received, with names and
 * numbers. Their hashes stay, so that a repeated one is recognised; nothing else reads them.
 */
export const forgetPaymentWebhooks = (db: Db, buyerId: bigint) =>
  sql`
    UPDATE provider_webhooks n SET body = ''
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE o.buyer_id = ${buyerId} AND n.provider = p.provider
      AND n.provider_payment_id = p.provider_payment_id AND n.body <> ''
  `.execute(db);
