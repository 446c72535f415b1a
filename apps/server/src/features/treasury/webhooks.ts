import { createHash } from "node:crypto";
import { tryAgainAfterMs } from "@sesame/contract/treasury";
import { addMs, HOUR_MS } from "@sesame/kernel";
import type { FetchedPayout, PayoutProvider, PayoutWebhook } from "@sesame/providers";
import { sql } from "kysely";
import { raiseAlert } from "../../alerts/alerts.ts";
import type { App } from "../../app.ts";
import { WEBHOOKS_KEPT_MS } from "../../http/webhook-guard.ts";
import { createLoop, createPruningLoop, type Loop, WHOLE_ROUND_MS } from "../../jobs/loop.ts";
import { type Db, many, maybe, PREPARED } from "../../postgres/database.ts";
import { applyFetched, createPayoutLoop, waitAfter, warn } from "./drive.ts";
import { PAYOUTS_CHANNEL } from "./payouts.ts";

export function payoutLoops(app: App): Loop[] {
  const { clock, log } = app;
  return [
    createPayoutLoop(app),
    createLoop({
      clock,
      log,
      // New ones are processed at once (PAYOUTS_CHANNEL).
      everyMs: WHOLE_ROUND_MS,
      name: "payouts follow reports",
      due: () => sql`EXISTS (SELECT FROM reported_payouts WHERE check_at <= ${clock.now()})`,
      run: () => followReports(app),
    }),
    createPruningLoop(
      app,
      "payouts prune webhooks",
      (now, limit) => sql`${PREPARED}
      DELETE FROM payout_webhooks WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM payout_webhooks WHERE received_at < ${addMs(now, -WEBHOOKS_KEPT_MS)}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    `,
    ),
  ];
}

type Webhook = {
  readonly headers: Parameters<PayoutProvider["readWebhook"]>[0];
  readonly body: Buffer;
};

/**
 * A provider's webhook (decision 0006) that names no payment: whether it is about a payout, and was handled. Signature
 * over the raw bytes, stored once, then answered. Its content is never trusted: it causes a lookup.
 */
export async function takeWebhook(app: App, rail: string, { headers, body }: Webhook) {
  const provider = app.payoutProviders.find(({ id }) => id === rail);
  const reading = provider?.readWebhook(headers, body);
  if (!provider || !reading?.trusted) return false;
  const { providerPayoutId, handle, reference } = reading;
  if (providerPayoutId === null && handle === null && reference === null) return false;
  await storePayoutWebhook(app.db, {
    ...reading,
    provider: provider.id,
    bodyHash: createHash("sha256").update(body).digest(),
    body: Buffer.from(provider.withoutProof?.(body) ?? body),
    receivedAt: app.clock.now(),
  });
  return true;
}

type NewPayoutWebhook = Omit<Extract<PayoutWebhook, { trusted: true }>, "trusted"> & {
  readonly provider: string;
  /** SHA-256 of the received body. */
  readonly bodyHash: Buffer;
  readonly body: Buffer;
  readonly receivedAt: Date;
};

/**
 * Stores a webhook once by the hash of its body, and makes the lookup of its payout due at once; a
 * repeated one too, as long as the money has not arrived. If no payout of ours has its id, the id is
 * stored for a lookup. A payout that is being sent is left alone: it is looked up right after.
 */
export async function storePayoutWebhook(db: Db, webhook: NewPayoutWebhook): Promise<void> {
  const { provider, providerPayoutId, handle, reference, bodyHash, body, receivedAt } = webhook;
  const name = providerPayoutId ?? handle;
  await sql`
    WITH stored AS (
      INSERT INTO payout_webhooks (provider, body_hash, body, received_at)
      VALUES (${provider}, ${bodyHash}, ${body}, ${receivedAt})
      ON CONFLICT DO NOTHING RETURNING provider
    ), ours AS (
      SELECT id FROM payouts WHERE rail = ${provider} AND (
        provider_payout_id = ${providerPayoutId} OR handle = ${handle}
        OR (reference = ${reference} AND ${name}::text IS NULL))
    ), pulled AS (
      UPDATE payouts p SET check_at = ${receivedAt} FROM ours
      WHERE p.id = ours.id AND p.status IN ('uncertain', 'sent', 'failed', 'succeeded')
        AND (p.status <> 'succeeded' AND p.late_at IS NULL OR EXISTS (SELECT FROM stored))
        AND (p.check_at > ${receivedAt} OR p.check_at IS NULL)
    ), reported AS (
      INSERT INTO reported_payouts AS r (provider, name, is_handle, reported_at, check_at)
      SELECT ${provider}, ${name}, ${providerPayoutId === null}, ${receivedAt}::timestamptz,
        ${receivedAt}::timestamptz
      WHERE ${name}::text IS NOT NULL AND NOT EXISTS (SELECT FROM ours)
      ON CONFLICT (provider, name) DO UPDATE SET check_at = excluded.check_at, checks = 0,
        reported_at = excluded.reported_at
    )
    SELECT pg_notify(${PAYOUTS_CHANNEL}, '')
  `.execute(db);
}

const REPORTED_AT_ONCE = 16;
const REPORTED_LEASE_MS = 120_000;
/** An id unknown to the provider is deleted after this long. */
const UNKNOWN_FOR_MS = HOUR_MS;

/**
 * A webhook has an id that none of our payouts has: the provider's answer contains our reference if it
 * is ours. A forged webhook reveals nothing to its sender.
 */
async function followReports(app: App): Promise<boolean> {
  const now = app.clock.now();
  const lease = addMs(now, REPORTED_LEASE_MS);
  const reports = await many<ReportedPayout>(app.db)`${PREPARED}
    UPDATE reported_payouts r SET check_at = ${lease}, checks = r.checks + 1
    FROM (
      SELECT provider, name FROM reported_payouts WHERE check_at <= ${now}
      ORDER BY check_at LIMIT ${REPORTED_AT_ONCE} FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE r.provider = due.provider AND r.name = due.name
    RETURNING r.provider, r.name, r.is_handle, r.reported_at, r.checks
  `;
  for (const report of reports) await follow(app, report, lease);
  return reports.length === REPORTED_AT_ONCE;
}

type ReportedPayout = {
  readonly provider: string;
  readonly name: string;
  readonly is_handle: boolean;
  readonly reported_at: Date;
  readonly checks: number;
};

async function follow(app: App, report: ReportedPayout, lease: Date): Promise<void> {
  const { clock } = app;
  // No instant: it is attributed, or belongs to nobody.
  const end = async (checkAt: Date | null) => {
    await sql`
      UPDATE reported_payouts SET check_at = ${checkAt}
      WHERE provider = ${report.provider} AND name = ${report.name} AND check_at = ${lease}
    `.execute(app.db);
  };
  const later = (error: unknown) =>
    end(addMs(clock.now(), waitAfter(error, tryAgainAfterMs(report.checks))));
  const provider = app.payoutProviders.find(({ id }) => id === report.provider);
  try {
    if (!provider) return await later(null);
    const askedAt = clock.now();
    const { name, is_handle: isHandle } = report;
    const found = await provider.lookup({
      reference: "",
      handle: isHandle ? name : null,
      providerPayoutId: isHandle ? null : name,
    });
    if (found) await attribute(app, report, { fetched: found, askedAt });
    const isOver = found !== null || addMs(report.reported_at, UNKNOWN_FOR_MS) <= clock.now();
    await (isOver ? end(null) : later(null));
  } catch (error) {
    warn(app, report.name, error);
    await later(error);
  }
}

/** Ours by our reference; else the back office is alerted: somebody may have sent it with the same keys. */
async function attribute(
  app: App,
  report: ReportedPayout,
  { fetched, askedAt }: { fetched: FetchedPayout; askedAt: Date },
): Promise<void> {
  const now = app.clock.now();
  const { provider: rail, name } = report;
  const { reference, providerPayoutId, amount, word } = fetched;
  const handle = report.is_handle ? name : null;
  // Ours, by the provider's id, or by our reference.
  const ours = await maybe<{ id: bigint }>(app.db)`
    SELECT id FROM payouts WHERE rail = ${rail} AND (
      reference = ${reference} OR provider_payout_id = ${providerPayoutId}
      OR handle = ${handle})
    LIMIT 1
  `;
  if (ours !== null) {
    await applyFetched(app, ours.id, { fetched, askedAt, now });
    return;
  }
  await raiseAlert(app.db, {
    kind: "payout.unknown",
    subject: `${rail}:${name}`,
    details: { rail, reference, amount: amount === null ? null : String(amount), word },
    now,
  });
}

/** Deletes a seller's data from providers' webhooks: only their content shows whose they are. */
export const forgetPayoutWebhooks = (db: Db, sellerId: bigint) =>
  sql`
    WITH named AS (
      SELECT p.rail, array_remove(
        array_agg(p.reference) || array_agg(p.provider_payout_id) || array_agg(p.handle), NULL
      ) AS names
      FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
      WHERE w.seller_id = ${sellerId} GROUP BY p.rail
    )
    UPDATE payout_webhooks n SET body = '' FROM named
    WHERE n.provider = named.rail AND n.body <> ''
      AND regexp_split_to_array(encode(n.body, 'escape'), '[^A-Za-z0-9_-]+') && named.names
  `.execute(db);
