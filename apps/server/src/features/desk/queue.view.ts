import type { Lane, QueueView } from "@sesame/contract/desk";
import type { PayoutStatus } from "@sesame/contract/payouts";
import type { Plan } from "@sesame/contract/plans";
import type { WithdrawalStatus } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many, maybe } from "../../postgres/database.ts";

export type DeskRow = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly method: string;
  readonly operator: string;
  readonly country: string;
  readonly phone: string;
  readonly whatsapp: string;
  readonly status: WithdrawalStatus;
  readonly plan: Plan;
  readonly origin: "manual" | "automatic";
  readonly created_at: Date;
  readonly due_at: Date;
  readonly decided_at: Date | null;
  readonly paid_at: Date | null;
  readonly reject_reason: string | null;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly seller_username: string | null;
  readonly seller_photo: string | null;
  readonly claimed_by: bigint | null;
  readonly claimed_until: Date | null;
  readonly claimant_name: string | null;
  readonly first_approved_by: bigint | null;
  readonly first_approved_at: Date | null;
  readonly first_approved_lane: Lane | null;
  readonly first_name: string | null;
  readonly suspended_at: Date | null;
  readonly frozen_at: Date | null;
  readonly number_changed_at: Date | null;
  readonly owed: Fcfa;
  readonly payout_lane: Lane | null;
  readonly payout_status: PayoutStatus | null;
  readonly payout_late_at: Date | null;
  readonly payout_returned_at: Date | null;
  readonly payout_by: bigint | null;
  readonly payout_reference: string | null;
  readonly paid_before: number;
  readonly median_before: Fcfa | null;
  readonly number_paid_before: boolean;
  readonly other_sellers: number;
  readonly refunds: number;
  readonly mismatches: number;
};

const nameOf = (alias: string) =>
  sql`concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)})`;

const COLUMNS = sql`
  w.id, w.reference, w.amount, w.method, w.operator, w.country, w.phone, w.whatsapp, w.status,
  w.plan, w.origin, w.created_at, w.due_at, w.decided_at, w.paid_at, w.reject_reason, w.seller_id,
  coalesce(s.display_name, ${nameOf("person")}) AS seller_name,
  person.username AS seller_username, person.photo_url AS seller_photo,
  w.claimed_by, w.claimed_until, ${nameOf("claimant")} AS claimant_name,
  w.first_approved_by, w.first_approved_at, w.first_approved_lane,
  ${nameOf("first")} AS first_name,
  s.suspended_at, profile.frozen_at, profile.number_changed_at,
  coalesce(advance.owed, 0)::bigint AS owed,
  payout.lane AS payout_lane, payout.status AS payout_status,
  payout.late_at AS payout_late_at, payout.returned_at AS payout_returned_at,
  payout.created_by AS payout_by,
  payout.operator_reference AS payout_reference,
  past.paid AS paid_before, past.median AS median_before, past.number_paid AS number_paid_before,
  shared.sellers AS other_sellers, recent.refunds, wrong.mismatches`;

/** Refunds are looked for among as many of the seller's last orders. */
const ORDERS_LOOKED_AT = 200;

const LAST_PAYOUT = sql`
  LEFT JOIN LATERAL (
    SELECT lane, status, created_by, operator_reference, late_at, returned_at FROM payouts
    WHERE withdrawal_id = w.id ORDER BY id DESC LIMIT 1
  ) payout ON true`;

/** What stands around the rows of `w`. */
const AROUND = sql`
  JOIN sellers s ON s.id = w.seller_id
  JOIN people person ON person.id = w.seller_id
  LEFT JOIN payout_profiles profile ON profile.seller_id = w.seller_id
  LEFT JOIN seller_advances advance ON advance.seller_id = w.seller_id
  LEFT JOIN people claimant ON claimant.id = w.claimed_by
  LEFT JOIN people first ON first.id = w.first_approved_by
  ${LAST_PAYOUT}
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS paid,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY other.amount) AS median,
      coalesce(bool_or(other.phone = w.phone), false) AS number_paid
    FROM withdrawals other
    WHERE other.seller_id = w.seller_id AND other.id <> w.id AND other.paid_at IS NOT NULL
  ) past
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT other.seller_id)::int AS sellers FROM withdrawals other
    WHERE desk_phone_key(other.phone) = desk_phone_key(w.phone) AND other.phone = w.phone
      AND other.seller_id <> w.seller_id
      AND other.status IN ('pending', 'approved')
  ) shared
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS refunds FROM (
      SELECT status FROM orders WHERE seller_id = w.seller_id ORDER BY id DESC
      LIMIT ${sql.lit(ORDERS_LOOKED_AT)}
    ) last WHERE last.status = 'refunded'
  ) recent
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS mismatches FROM desk_alerts a
    JOIN orders o ON o.id = (a.details->>'order_id')::bigint
    WHERE a.kind = 'payment.mismatch' AND a.resolved_at IS NULL AND o.seller_id = w.seller_id
  ) wrong`;

export async function findDeskRow(db: Db, id: bigint): Promise<DeskRow | null> {
  return maybe<DeskRow>(db)`
    SELECT ${COLUMNS} FROM withdrawals w ${AROUND} WHERE w.id = ${id}
  `;
}

export type QueueFilter = {
  readonly view: QueueView;
  readonly method?: string | undefined;
  readonly country?: string | undefined;
  readonly plan?: Plan | undefined;
  readonly lane?: Lane | undefined;
  readonly late: boolean;
  /** Taken by this person. */
  readonly claimedBy?: bigint | undefined;
  readonly words?: string | undefined;
  readonly now: Date;
  readonly limit: number;
  readonly after: QueuePlace | null;
};

/** A row's place in its list: by deadline in the views of work, by number in the others. */
export type QueuePlace =
  | { readonly by: "deadline"; readonly rank: number; readonly dueAt: Date; readonly id: bigint }
  | { readonly by: "number"; readonly id: bigint };

/** Premium is served first. */
const RANK = sql`CASE w.plan WHEN 'premium' THEN 0 ELSE 1 END`;

export async function listQueue(db: Db, filter: QueueFilter): Promise<DeskRow[]> {
  const { after, limit } = filter;
  const order = isWork(filter.view) ? sql`${RANK}, w.due_at, w.id` : sql`w.id DESC`;
  const conditions = [VIEWS[filter.view], ...narrowed(filter)];
  if (after?.by === "deadline") {
    conditions.push(sql`(${RANK}, w.due_at, w.id) > (${after.rank}, ${after.dueAt}, ${after.id})`);
  }
  if (after?.by === "number") conditions.push(sql`w.id < ${after.id}`);
  return many<DeskRow>(db)`
    WITH page AS (
      SELECT w.* FROM withdrawals w ${joinsOf(filter)}
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY ${order} LIMIT ${limit}
    )
    SELECT ${COLUMNS} FROM page w ${AROUND} ORDER BY ${order}
  `;
}

/** Only what the conditions speak of: the rest is joined to one page. */
function joinsOf({ view, lane, words }: QueueFilter): RawBuilder<unknown> {
  const people = sql`
    JOIN sellers s ON s.id = w.seller_id JOIN people person ON person.id = w.seller_id`;
  const payout = view === "to-pay" || view === "uncertain" || lane !== undefined;
  return sql`${words === undefined ? sql`` : people} ${payout ? LAST_PAYOUT : sql``}`;
}

export function isWork(view: QueueView): boolean {
  return view === "pending" || view === "to-pay" || view === "uncertain";
}

const UNSETTLED = sql`w.status = 'approved' AND w.paid_at IS NULL`;

const VIEWS: Readonly<Record<QueueView, RawBuilder<unknown>>> = {
  pending: sql`w.status = 'pending'`,
  "to-pay": sql`${UNSETTLED} AND payout.status <> 'uncertain'`,
  uncertain: sql`${UNSETTLED} AND payout.status = 'uncertain'`,
  done: sql`(w.status IN ('rejected', 'cancelled') OR w.paid_at IS NOT NULL)`,
  approved: sql`w.status = 'approved'`,
  rejected: sql`w.status = 'rejected'`,
  cancelled: sql`w.status = 'cancelled'`,
  all: sql`true`,
};

function narrowed(filter: QueueFilter): RawBuilder<unknown>[] {
  const { method, country, plan, lane, late, claimedBy, words, now } = filter;
  return [
    ...(method === undefined ? [] : [sql`w.method = ${method}`]),
    ...(country === undefined ? [] : [sql`w.country = ${country}`]),
    ...(plan === undefined ? [] : [sql`w.plan = ${plan}`]),
    ...(lane === undefined ? [] : [sql`coalesce(payout.lane, w.first_approved_lane) = ${lane}`]),
    ...(late ? [sql`w.due_at < ${now} AND (w.status = 'pending' OR ${UNSETTLED})`] : []),
    ...(claimedBy === undefined
      ? []
      : [sql`w.claimed_by = ${claimedBy} AND w.claimed_until > ${now}`]),
    ...(words === undefined ? [] : [saying(words)]),
  ];
}

/** A reference, digits of a number, an amount, or a seller's name. */
function saying(words: string): RawBuilder<unknown> {
  const text = words.toLowerCase();
  // A name with a figure in it is no number.
  const digits = /\p{L}/u.test(words) ? "" : words.replace(/\D/g, "");
  return sql`(
    position(${text} IN lower(w.reference)) > 0
    OR position(${text} IN lower(coalesce(s.display_name, ${nameOf("person")}))) > 0
    OR lower(person.username) = ${text.replace(/^@/, "")}
    OR (${digits} <> '' AND (position(${digits} IN w.phone) > 0 OR w.amount::text = ${digits}))
  )`;
}

export type DeskCounts = {
  readonly pending: number;
  readonly premium: number;
  readonly late: number;
  readonly mine: number;
  readonly second_agent: number;
  readonly to_pay: number;
  readonly uncertain: number;
  readonly alerts: number;
  readonly differences: number;
  readonly refunds_to_pay: number;
  readonly claims_operator: number;
  readonly tickets: number;
};

export async function countQueue(
  db: Db,
  who: { personId: bigint; now: Date },
): Promise<DeskCounts> {
  const { rows } = await sql<DeskCounts>`
    SELECT
      count(*) FILTER (WHERE w.status = 'pending')::int AS pending,
      count(*) FILTER (WHERE w.status = 'pending' AND w.plan = 'premium')::int AS premium,
      count(*) FILTER (WHERE w.due_at < ${who.now})::int AS late,
      count(*) FILTER (
        WHERE w.claimed_by = ${who.personId} AND w.claimed_until > ${who.now})::int AS mine,
      count(*) FILTER (
        WHERE w.status = 'pending' AND w.first_approved_by IS NOT NULL)::int AS second_agent,
      count(*) FILTER (
        WHERE w.status = 'approved' AND payout.status <> 'uncertain')::int AS to_pay,
      count(*) FILTER (
        WHERE w.status = 'approved' AND payout.status = 'uncertain')::int AS uncertain,
      (SELECT count(*)::int FROM desk_alerts WHERE resolved_at IS NULL) AS alerts,
      (SELECT count(*)::int FROM reconciliation_differences WHERE gone_at IS NULL) AS differences,
      (SELECT count(*)::int FROM refunds r
        WHERE r.status <> 'done' AND r.lane = 'desk' AND r.status = 'to-pay') AS refunds_to_pay,
      (SELECT count(*)::int FROM claims c
        WHERE c.closed_at IS NULL AND c.status = 'operator') AS claims_operator,
      (SELECT count(*)::int FROM tickets WHERE status = 'open') AS tickets
    FROM withdrawals w
    LEFT JOIN payouts payout ON payout.withdrawal_id = w.id AND payout.status <> 'failed'
    WHERE w.status = 'pending' OR ${UNSETTLED}
  `.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error("a count answers one row");
  return counts;
}
