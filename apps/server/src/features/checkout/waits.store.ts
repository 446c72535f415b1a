import { sql } from "kysely";
import { type Db, PREPARED } from "../../postgres/database.ts";

/** Somebody in line, or told that a place is his for a while. */
export type WaitRow = {
  readonly held_until: Date | null;
  /** From 1, among those who were not told yet. */
  readonly position: number;
};

/** Null: he does not wait, or the time his place was kept is over. */
export async function findWait(
  db: Db,
  wait: { productId: bigint; personId: bigint; now: Date },
): Promise<WaitRow | null> {
  const { rows } = await sql<WaitRow>`
    SELECT w.held_until, 1 + (
      SELECT count(*)::int FROM place_waits a
      WHERE a.product_id = w.product_id AND a.ended_at IS NULL AND a.held_until IS NULL
        AND a.id < w.id
    ) AS position
    FROM place_waits w
    WHERE w.product_id = ${wait.productId} AND w.person_id = ${wait.personId}
      AND w.ended_at IS NULL AND (w.held_until IS NULL OR w.held_until > ${wait.now})
  `.execute(db);
  return rows[0] ?? null;
}

/** Puts a person at the end of the line; one who is in it stays where he is. */
export async function insertWait(
  tx: Db,
  wait: { productId: bigint; personId: bigint; now: Date; lookAt: Date },
): Promise<void> {
  await sql`
    WITH line AS (
      INSERT INTO place_lines (product_id, due_at) VALUES (${wait.productId}, ${wait.lookAt})
      ON CONFLICT DO NOTHING
    )
    INSERT INTO place_waits (product_id, person_id, asked_at)
    VALUES (${wait.productId}, ${wait.personId}, ${wait.now})
    ON CONFLICT (product_id, person_id) WHERE ended_at IS NULL DO NOTHING
  `.execute(tx);
}

/** He waits no more; a place that was kept for him goes to the next at once. */
export async function withdrawWait(
  tx: Db,
  wait: { productId: bigint; personId: bigint; now: Date },
): Promise<void> {
  await sql`
    WITH gone AS (
      UPDATE place_waits SET ended_at = ${wait.now}, outcome = 'withdrawn'
      WHERE product_id = ${wait.productId} AND person_id = ${wait.personId} AND ended_at IS NULL
      RETURNING product_id
    )
    UPDATE place_lines SET due_at = ${wait.now}
    WHERE product_id IN (SELECT product_id FROM gone)
  `.execute(tx);
}

export type DueLine = { readonly product_id: bigint; readonly reference: string };

/** Takes the lines to look at now, until `lookAt`: a worker that dies gives them back by then. */
export async function takeDueLines(
  db: Db,
  sweep: { now: Date; lookAt: Date; limit: number },
): Promise<DueLine[]> {
  const { rows } = await sql<DueLine>`${PREPARED}
    WITH due AS MATERIALIZED (
      SELECT product_id FROM place_lines WHERE due_at <= ${sweep.now}
      ORDER BY due_at LIMIT ${sweep.limit} FOR UPDATE SKIP LOCKED
    )
    UPDATE place_lines l SET due_at = ${sweep.lookAt}
    FROM due JOIN products p ON p.id = due.product_id
    WHERE l.product_id = due.product_id
    RETURNING l.product_id, p.reference
  `.execute(db);
  return rows;
}

export type EndedWait = {
  readonly person_id: bigint;
  readonly outcome: "bought" | "lapsed" | "closed";
};

type Ending = {
  readonly productId: bigint;
  readonly now: Date;
  /** Of one person; of everybody when absent. */
  readonly personId?: bigint;
  /** The product sells no more: nobody waits on. */
  readonly closes?: boolean;
};

/**
 * Ends the waits of who has bought, and of who let his time pass. Places locked. Who pays just now
 * is neither: his order keeps the place.
 */
export async function endWaits(
  tx: Db,
  { productId, now, personId, closes = false }: Ending,
): Promise<EndedWait[]> {
  const { rows } = await sql<EndedWait>`
    WITH judged AS (
      SELECT w.id, EXISTS (
        SELECT FROM orders o WHERE o.product_id = w.product_id AND o.buyer_id = w.person_id
          AND o.status = 'paid' AND o.access_until > ${now}
      ) AS bought, (${closes} OR w.held_until <= ${now}) AND NOT EXISTS (
        SELECT FROM orders o WHERE o.product_id = w.product_id AND o.buyer_id = w.person_id
          AND order_holds_place(o, ${now})
      ) AS over
      FROM place_waits w WHERE w.product_id = ${productId} AND w.ended_at IS NULL
        AND w.person_id = coalesce(${personId ?? null}::bigint, w.person_id)
    )
    UPDATE place_waits w SET ended_at = ${now},
      outcome = CASE WHEN j.bought THEN 'bought' WHEN ${closes} THEN 'closed' ELSE 'lapsed' END
    FROM judged j WHERE w.id = j.id AND (j.bought OR j.over)
    RETURNING w.person_id, w.outcome
  `.execute(tx);
  return rows;
}

/**
 * Those whose time passed while nothing could be bought stand where they stood: it was not theirs to
 * use. Places locked.
 */
export async function standAgain(
  tx: Db,
  { productId, now }: { productId: bigint; now: Date },
): Promise<void> {
  await sql`
    UPDATE place_waits SET held_until = NULL
    WHERE product_id = ${productId} AND ended_at IS NULL AND held_until <= ${now}
  `.execute(tx);
}

/**
 * Keeps what is free for the first of the line, and no more than is free. Places locked. → who they
 * are, in their order. `stock` null: there is a place for everybody.
 */
export async function holdPlaces(
  tx: Db,
  line: { productId: bigint; stock: number | null; now: Date; until: Date; limit: number },
): Promise<bigint[]> {
  const { productId, stock, now } = line;
  const free =
    stock === null
      ? sql`${line.limit}`
      : sql`least(${line.limit}, greatest(0, ${stock} - product_places_taken(${productId}, ${now})))`;
  const { rows } = await sql<{ person_id: bigint }>`
    WITH next AS MATERIALIZED (
      SELECT id FROM place_waits
      WHERE product_id = ${productId} AND ended_at IS NULL AND held_until IS NULL
      ORDER BY id LIMIT (${free})::bigint
    ), held AS (
      UPDATE place_waits w SET held_until = ${line.until} FROM next n WHERE w.id = n.id
      RETURNING w.id, w.person_id
    )
    SELECT person_id FROM held ORDER BY id
  `.execute(tx);
  return rows.map(({ person_id: personId }) => personId);
}

/** Places locked: nobody joins meanwhile. */
export async function dropEmptyLine(tx: Db, productId: bigint): Promise<void> {
  await sql`
    DELETE FROM place_lines l WHERE l.product_id = ${productId}
      AND NOT EXISTS (SELECT FROM place_waits w
        WHERE w.product_id = l.product_id AND w.ended_at IS NULL)
  `.execute(tx);
}
