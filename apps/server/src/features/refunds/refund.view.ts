import type { OrderStatus } from "@sesame/contract/checkout";
import type { RefundKind, RefundLane, RefundStatus } from "@sesame/contract/refunds";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { IS_GIVEN_BACK } from "../checkout/index.ts";

export type SendingRefund = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly payment_id: bigint;
  readonly provider: string;
  readonly amount: Fcfa;
  readonly checks: number;
  readonly created_at: Date;
};

/** One its provider is still to give back. */
export async function findSending(db: Db, id: bigint): Promise<SendingRefund | null> {
  return maybe<SendingRefund>(db)`
    SELECT r.id, r.order_id, r.payment_id, p.provider, r.amount, r.checks, r.created_at
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.id = ${id} AND r.status = 'sending'
  `;
}

/** A refund with all that any reader may be shown of it. */
export type RefundRow = {
  readonly id: bigint;
  readonly kind: RefundKind;
  /** Of a payment that was not what was ordered. */
  readonly is_mismatch: boolean;
  readonly order_id: bigint;
  readonly order_status: OrderStatus;
  readonly title: string;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly advanced: Fcfa;
  readonly asked_as: "seller" | "operator" | "system";
  readonly reason: string;
  readonly lane: RefundLane;
  readonly status: RefundStatus;
  readonly method: string | null;
  readonly phone: string | null;
  readonly operator_reference: string | null;
  readonly payer_name: string;
  readonly created_at: Date;
  readonly done_at: Date | null;
  readonly check_at: Date | null;
  readonly checks: number;
  readonly payment_id: bigint;
  readonly provider: string;
  readonly provider_payment_id: string;
  readonly provider_fee: Fcfa;
  readonly buyer_id: bigint;
  readonly buyer_name: string;
  readonly buyer_username: string | null;
  readonly buyer_telegram_id: bigint;
  readonly seller_id: bigint | null;
  readonly seller_name: string;
  readonly taken_by: bigint | null;
  readonly taken_until: Date | null;
  readonly taker_name: string;
};

const REFUND = sql`
  SELECT r.id, r.kind, ${IS_GIVEN_BACK} AS is_mismatch, r.order_id, o.status AS order_status, o.title, r.amount, r.direct,
    r.advanced, r.asked_as, r.reason, r.lane, r.status, r.method, r.phone, r.operator_reference,
    concat_ws(' ', payer.first_name, payer.last_name) AS payer_name, r.created_at, r.done_at,
    r.check_at, r.checks, r.payment_id, p.provider, p.provider_payment_id, r.provider_fee, r.buyer_id,
    concat_ws(' ', buyer.first_name, buyer.last_name) AS buyer_name,
    buyer.username AS buyer_username, buyer.telegram_id AS buyer_telegram_id, r.seller_id,
    coalesce(s.display_name, concat_ws(' ', owner.first_name, owner.last_name)) AS seller_name,
    r.taken_by, r.taken_until, concat_ws(' ', taker.first_name, taker.last_name) AS taker_name
  FROM refunds r
  JOIN orders o ON o.id = r.order_id
  JOIN payments p ON p.id = r.payment_id
  JOIN people buyer ON buyer.id = r.buyer_id
  LEFT JOIN sellers s ON s.id = r.seller_id
  LEFT JOIN people owner ON owner.id = s.id
  LEFT JOIN people payer ON payer.id = r.paid_by
  LEFT JOIN people taker ON taker.id = r.taken_by
`;

async function select(db: Db, rest: RawBuilder<unknown>): Promise<RefundRow[]> {
  return many<RefundRow>(db)`${REFUND} ${rest}`;
}

export async function findRefund(db: Db, id: bigint): Promise<RefundRow | null> {
  const [row] = await select(db, sql`WHERE r.id = ${id}`);
  return row ?? null;
}

/** Of an order: what its buyer must act on first, then what is under way, then the newest. */
export function findRefundsOf(db: Db, orderId: bigint): Promise<RefundRow[]> {
  return select(
    db,
    sql`WHERE r.order_id = ${orderId}
      ORDER BY r.status = 'needs-number' DESC, r.status <> 'done' DESC, r.kind, r.id DESC`,
  );
}

export type RefundsPage = {
  readonly view: "open" | "done";
  /** The last one shown. */
  readonly after: bigint | null;
  readonly limit: number;
};

/** Open ones an agent can pay first, each list from its oldest; done ones from the newest. */
export function findRefunds(db: Db, page: RefundsPage): Promise<RefundRow[]> {
  const { view, after, limit } = page;
  if (view === "done") {
    return select(
      db,
      sql`WHERE r.status = 'done' AND (${after}::bigint IS NULL OR r.id < ${after})
        ORDER BY r.id DESC LIMIT ${limit}`,
    );
  }
  const turn = sql`(r.lane = 'desk' AND r.status = 'to-pay')`;
  const seen = sql`(SELECT last.lane = 'desk' AND last.status = 'to-pay' FROM refunds last
    WHERE last.id = ${after})`;
  return select(
    db,
    sql`WHERE r.status <> 'done' AND (${after}::bigint IS NULL
        OR (NOT ${turn}, r.id) > (NOT coalesce(${seen}, false), ${after}))
      ORDER BY NOT ${turn}, r.id LIMIT ${limit}`,
  );
}

export async function countRefunds(db: Db): Promise<{ to_pay: number; open: number }> {
  const { rows } = await sql<{ to_pay: number; open: number }>`
    SELECT count(*) FILTER (WHERE lane = 'desk' AND status = 'to-pay')::int AS to_pay,
      count(*)::int AS open
    FROM refunds WHERE status <> 'done'
  `.execute(db);
  return rows[0] ?? { to_pay: 0, open: 0 };
}
