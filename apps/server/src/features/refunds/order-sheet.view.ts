import type { AccessStatus } from "@sesame/contract/access";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { IS_GIVEN_BACK, reportedReceived } from "../checkout/index.ts";
import type { OrderToRefund } from "./order.view.ts";

export type SheetRow = OrderToRefund & {
  readonly is_renewal: boolean;
  readonly provider: string;
  readonly product_id: bigint | null;
  readonly group_kind: "supergroup" | "channel" | null;
  readonly buyer_name: string;
  readonly buyer_username: string | null;
  readonly buyer_telegram_id: bigint;
  readonly seller_name: string;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly access_status: AccessStatus | null;
  readonly access_ends_at: Date | null;
  readonly access_joined_at: Date | null;
  /** What its seller can spend now. */
  readonly seller_available: Fcfa | null;
};

export async function findSheet(db: Db, orderId: bigint): Promise<SheetRow | null> {
  return maybe<SheetRow>(db)`
    SELECT o.id, o.kind, o.status, o.direct, o.title, o.price, o.fee, o.duration_minutes,
      o.access_until, o.buyer_id, o.seller_id, o.group_id, g.title AS group_title,
      o.is_renewal, o.provider, o.product_id, g.kind AS group_kind,
      concat_ws(' ', buyer.first_name, buyer.last_name) AS buyer_name,
      buyer.username AS buyer_username, buyer.telegram_id AS buyer_telegram_id,
      coalesce(s.display_name, concat_ws(' ', owner.first_name, owner.last_name)) AS seller_name,
      o.created_at, o.paid_at, a.status AS access_status, a.ends_at AS access_ends_at,
      a.joined_at AS access_joined_at,
      greatest(0, account.posted - account.held) AS seller_available
    FROM orders o
    JOIN people buyer ON buyer.id = o.buyer_id
    LEFT JOIN groups g ON g.id = o.group_id
    LEFT JOIN sellers s ON s.id = o.seller_id
    LEFT JOIN people owner ON owner.id = s.id
    LEFT JOIN ledger_accounts account
      ON account.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
    LEFT JOIN accesses a ON a.person_id = o.buyer_id AND a.group_id = o.group_id
      AND o.status IN ('paid', 'refunded')
    WHERE o.id = ${orderId}
  `;
}

export type SheetPayment = {
  readonly id: bigint;
  readonly provider: string;
  readonly own: boolean;
  readonly status: string;
  readonly amount: Fcfa;
  readonly reference: string;
  readonly provider_payment_id: string;
  readonly transaction_id: string | null;
  readonly quote: { readonly currency: string; readonly amount: string } | null;
  readonly suspended_amount: Fcfa | null;
  readonly is_given_back: boolean;
  /** Of one that is not what was ordered, where it is said. */
  readonly received: Fcfa | null;
  readonly created_at: Date;
  readonly decided_at: Date | null;
};

/** Newest first. A surplus that was given back stands in suspense no more. */
export async function findSheetPayments(db: Db, orderId: bigint): Promise<SheetPayment[]> {
  return many<SheetPayment>(db)`
    SELECT p.id, p.provider, p.key_id IS NOT NULL AS own, p.status, p.amount,
      coalesce(p.reference, p.order_id::text) AS reference, p.provider_payment_id,
      p.transaction_id, p.quote,
      CASE WHEN r.id IS NULL THEN p.suspended_amount END AS suspended_amount,
      p.created_at, p.decided_at,
      ${IS_GIVEN_BACK} AS is_given_back,
      CASE WHEN p.status = 'mismatched' THEN ${reportedReceived(sql`a.details`)} ELSE p.received END
        AS received
    FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id AND r.kind = 'surplus'
    LEFT JOIN desk_alerts a ON a.kind = 'payment.mismatch' AND a.subject = 'payment:' || p.id
    WHERE p.order_id = ${orderId} ORDER BY p.id DESC
  `;
}

export type SheetLine = {
  readonly at: Date;
  readonly transfer: string;
  readonly account: string;
  readonly amount: Fcfa;
};

/** Every line of the books about an order, its payments and its refunds. */
export async function findSheetLines(db: Db, orderId: bigint): Promise<SheetLine[]> {
  return many<SheetLine>(db)`
    WITH named AS (
      SELECT 'sale:' || ${orderId}::bigint AS id
      UNION ALL
      SELECT x.id FROM payments p
      CROSS JOIN LATERAL (VALUES ('suspense:' || p.id), ('suspense-rest:' || p.id),
        ('unsuspense:' || p.id), ('suspense-less:' || p.id), ('mismatch:' || p.id),
        ('collected:' || p.id)) AS x(id)
      WHERE p.order_id = ${orderId}
      UNION ALL
      SELECT x.id FROM refunds r
      CROSS JOIN LATERAL (VALUES ('refund:' || r.id), ('given-back:' || r.id),
        ('chargeback:' || r.id), ('mismatch-returned:' || r.id)) AS x(id)
      WHERE r.order_id = ${orderId}
    )
    SELECT t.recorded_at AS at, t.id AS transfer, a.key AS account, leg.amount
    FROM named JOIN ledger_transfers t ON t.id = named.id
    CROSS JOIN LATERAL (
      SELECT split_part(l.leg, ':', 1)::bigint AS account, split_part(l.leg, ':', 2)::bigint AS amount,
        l.ord
      FROM unnest(string_to_array(t.legs, ',')) WITH ORDINALITY AS l(leg, ord)
    ) AS leg
    JOIN ledger_accounts a ON a.id = leg.account
    ORDER BY t.recorded_at, t.id, leg.ord
  `;
}

export type SheetDeed = {
  readonly at: Date;
  readonly action: string;
  readonly by_name: string | null;
  readonly reason: string | null;
};

const DEEDS_SHOWN = 60;

export async function findSheetDeeds(db: Db, orderId: bigint): Promise<SheetDeed[]> {
  return many<SheetDeed>(db)`
    SELECT a.at, a.action, a.reason,
      CASE WHEN who.id IS NOT NULL THEN concat_ws(' ', who.first_name, who.last_name) END AS by_name
    FROM audit_log a LEFT JOIN people who ON who.id = a.actor_id
    WHERE a.subject IN (
      SELECT 'order:' || ${orderId}::bigint
      UNION ALL SELECT 'refund:' || r.id FROM refunds r WHERE r.order_id = ${orderId}
      UNION ALL SELECT 'claim:' || c.id FROM claims c WHERE c.order_id = ${orderId})
    ORDER BY a.seq DESC LIMIT ${DEEDS_SHOWN}
  `;
}
