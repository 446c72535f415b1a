import { NAMES_HEARD_MAX } from "@sesame/contract/checkout";
import { addMs, type Fcfa, fcfaToJson } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { CHECKS_CHANNEL, MOVED, NAMES_KEPT, REOPENED_FOR_MS } from "./notice.store.ts";
import type { StoredWidget } from "./opening.store.ts";
import { hashOf } from "./order.store.ts";

/**
 * A name of theirs not heard before, of `payment` (id, status, transaction_id): kept, and asked
 * about at once; of a paid one too, for it may have been paid again under the same reference.
 */
function askAbout(told: {
  transactionId: string;
  now: Date;
  namesMax: number;
  /** Whether the provider itself reported it: asked about before all others. */
  reported: boolean;
}) {
  const { transactionId, now, namesMax, reported } = told;
  return sql`
    told AS (
      INSERT INTO payment_rumours (payment_id, transaction_id, heard_at)
      SELECT p.id, ${transactionId}, ${now}::timestamptz FROM payment p
      WHERE (SELECT count(*) FROM payment_rumours r WHERE r.payment_id = p.id) < ${namesMax}
        AND (p.status <> 'paid' OR p.transaction_id IS DISTINCT FROM ${transactionId})
      ON CONFLICT DO NOTHING
      RETURNING payment_id
    ), pulled AS (
      INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at, reported)
      SELECT t.payment_id, ${now}::timestamptz, ${addMs(now, REOPENED_FOR_MS)}::timestamptz,
        ${reported}::boolean
      FROM told t
      ON CONFLICT (payment_id) DO UPDATE
      SET due_at = ${MOVED}, reported = c.reported OR excluded.reported
      RETURNING 1
    ), woken AS (
      SELECT pg_notify(${CHECKS_CHANNEL}, '') WHERE EXISTS (SELECT FROM pulled)
    )
    SELECT EXISTS (SELECT FROM payment) AS known, (SELECT count(*) FROM woken)`;
}

/** A name a browser told: no more than a few for a payment. → false when nobody has the secret. */
export async function noteHeard(
  db: Db,
  heard: { secret: string; transactionId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    WITH payment AS MATERIALIZED (
      SELECT id, status, transaction_id FROM payments
      WHERE return_secret_hash = ${hashOf(heard.secret)}
    ), ${askAbout({ ...heard, namesMax: NAMES_HEARD_MAX, reported: false })}
  `.execute(db);
  return rows[0]?.known ?? false;
}

/** As above, told by the provider itself under the name the payment has there. */
export async function noteTold(
  db: Db,
  told: { provider: string; providerPaymentId: string; transactionId: string; now: Date },
): Promise<void> {
  await sql`
    WITH payment AS MATERIALIZED (
      SELECT id, status, transaction_id FROM payments WHERE provider = ${told.provider}
        AND provider_payment_id = ${told.providerPaymentId} AND key_id IS NULL
    ), ${askAbout({ ...told, namesMax: NAMES_KEPT, reported: true })}
  `.execute(db);
}

/** What the page with a provider's widget on it is made of. */
export type WidgetPage = StoredWidget & {
  readonly amount: number;
  /** Ours, as the provider must know it. */
  readonly reference: string;
  /** Theirs, where the payment was made by the server: the amount is not the browser's to say. */
  readonly transactionId: string | null;
  /** Their own page of the same payment. */
  readonly hostedUrl: string | null;
  readonly title: string;
  /** Still to be paid. */
  readonly open: boolean;
};

type WidgetRow = {
  readonly widget: StoredWidget;
  readonly amount: Fcfa;
  readonly provider_payment_id: string;
  readonly reference: string;
  readonly hosted_url: string | null;
  readonly title: string;
  readonly open: boolean;
};

/** By the secret of the return address; null where the payment has no widget. */
export async function widgetBySecret(db: Db, secret: string): Promise<WidgetPage | null> {
  const { rows } = await sql<WidgetRow>`
    SELECT p.widget, p.amount, p.provider, p.provider_payment_id,
      coalesce(p.reference, p.order_id::text) AS reference, p.hosted_url, o.title,
      o.status IN ('pending', 'failed') AND p.status IN ('pending', 'refused') AS open
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.return_secret_hash = ${hashOf(secret)} AND p.widget IS NOT NULL
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { widget, reference, title, open, hosted_url: hostedUrl } = row;
  // KkiaPay names a payment once it is made.
  const transactionId = row.provider_payment_id === reference ? null : row.provider_payment_id;
  const amount = fcfaToJson(row.amount);
  return { ...widget, amount, reference, transactionId, hostedUrl, title, open };
}
