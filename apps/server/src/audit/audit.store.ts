import { sql } from "kysely";
import type { Principal } from "../http/server.ts";
import { type Db, many, maybe, one } from "../postgres/database.ts";
import type { BrokenInvariant } from "@sesame/ledger";
import { assert } from "@sesame/kernel";

export type Actor = {
  /** Null: the system. */
  readonly personId: bigint | null;
  readonly role: "buyer" | "seller" | "agent" | "operator" | "system";
};

export type AuditEntry = {
  readonly actor: Actor;
  /** capability.verb: `withdrawal.approve`. */
  readonly action: string;
  /** The object of the action: `withdrawal:45`. */
  readonly subject: string;
  /** Any JSON value; bigints, francs among them, and dates are converted. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly reason?: string | null;
};

export const SYSTEM: Actor = { personId: null, role: "system" };

/** The role in which the caller acts: in the back office the highest one. */
export function actorOf(principal: Principal): Actor {
  const { personId, isAgent, isOperator, audience } = principal;
  return { personId, role: isOperator ? "operator" : isAgent ? "agent" : audience };
}

/**
 * Writes an entry at the end of the chain. Call it LAST in the transaction of the action: every
 * other writer of the log waits from here to the commit.
 */
export async function audit(tx: Db, auditEntry: AuditEntry, now: Date): Promise<void> {
  const { actor } = auditEntry;
  await sql`
    SELECT audit_append(${now}, ${actor.personId}, ${actor.role}, ${auditEntry.action},
      ${soundText(auditEntry.subject)}, ${canonicalJson(auditEntry.before)}::jsonb,
      ${canonicalJson(auditEntry.after)}::jsonb, ${soundText(auditEntry.reason ?? null)})
  `.execute(tx);
}

/** An entry about a seller, or something of a seller's. */
export const auditSeller = (
  tx: Db,
  sellerId: bigint,
  auditEntry: Omit<AuditEntry, "subject">,
  now: Date,
) => audit(tx, { ...auditEntry, subject: `seller:${sellerId}` }, now);

/**
 * Checks the whole chain, as of one instant. → the first break, and what else does not match: empty
 * when it is whole.
 */
export async function checkChain(db: Db): Promise<BrokenInvariant[]> {
  return many<BrokenInvariant>(db)`
    WITH link AS (
      SELECT a.seq, a.hash, a.previous_hash, sha256(convert_to(audit_text(a), 'UTF8')) AS true_hash,
        coalesce(lag(a.seq) OVER chain, 0) + 1 AS true_seq,
        coalesce(lag(a.hash) OVER chain, sha256('')) AS true_previous
      FROM audit_log a WINDOW chain AS (ORDER BY a.seq)
    ), first_break AS (
      SELECT l.* FROM link l
      WHERE l.seq <> l.true_seq OR l.previous_hash <> l.true_previous OR l.hash <> l.true_hash
      ORDER BY l.seq LIMIT 1
    ), last AS (
      SELECT coalesce(max(a.seq), 0) AS seq FROM audit_log a
    )
    SELECT CASE WHEN b.seq <> b.true_seq THEN 'gap in the log'
        WHEN b.previous_hash <> b.true_previous THEN 'link of the log' ELSE 'row of the log' END AS invariant,
      'audit:' || b.seq AS subject,
      CASE WHEN b.seq <> b.true_seq THEN b.true_seq::text
        WHEN b.previous_hash <> b.true_previous THEN encode(b.true_previous, 'hex')
        ELSE encode(b.true_hash, 'hex') END AS expected,
      CASE WHEN b.seq <> b.true_seq THEN b.seq::text
        WHEN b.previous_hash <> b.true_previous THEN encode(b.previous_hash, 'hex')
        ELSE encode(b.hash, 'hex') END AS found
    FROM first_break b
    UNION ALL
    SELECT 'end of the log', 'audit:' || last.seq,
      coalesce(h.seq || ' ' || encode(h.hash, 'hex'), 'a head'),
      last.seq || ' ' || encode(coalesce(a.hash, sha256('')), 'hex')
    FROM last
    LEFT JOIN audit_log a ON a.seq = last.seq
    LEFT JOIN audit_head h ON true
    WHERE (h.seq = last.seq AND h.hash = coalesce(a.hash, sha256(''))) IS NOT true
    UNION ALL
    (SELECT 'anchor of the log', 'audit:' || n.seq, encode(n.hash, 'hex'),
      coalesce(encode(a.hash, 'hex'), 'absent')
    FROM audit_anchors n LEFT JOIN audit_log a ON a.seq = n.seq
    WHERE a.hash IS DISTINCT FROM n.hash
    ORDER BY n.seq LIMIT 1)
  `;
}

/** Stores the head as an anchor: the chain up to here cannot be rewritten unnoticed. */
export async function anchorChain(db: Db, now: Date) {
  return maybe<{ seq: bigint; hash: string }>(db)`
    WITH head AS MATERIALIZED (
      SELECT seq, hash FROM audit_head WHERE seq > 0
    ), kept AS (
      INSERT INTO audit_anchors (seq, hash, taken_at) SELECT seq, hash, ${now} FROM head
      ON CONFLICT (seq) DO NOTHING
    )
    SELECT seq, encode(hash, 'hex') AS hash FROM head
  `;
}

export async function recordCheck(db: Db, broken: readonly BrokenInvariant[], now: Date) {
  await sql`
    INSERT INTO audit_checks (checked_at, broken) VALUES (${now}, ${JSON.stringify(broken)}::jsonb)
    ON CONFLICT (one) DO UPDATE SET checked_at = excluded.checked_at, broken = excluded.broken
  `.execute(db);
}

type ChainState = {
  readonly seq: bigint;
  readonly hash: string;
  /** Null: not checked yet. */
  readonly checked_at: Date | null;
  readonly broken: readonly BrokenInvariant[] | null;
};

export async function readChainState(db: Db) {
  return one<ChainState>(db)`
    SELECT coalesce(h.seq, 0) AS seq, coalesce(encode(h.hash, 'hex'), '') AS hash,
      c.checked_at, c.broken
    FROM (SELECT) AS nothing LEFT JOIN audit_head h ON true LEFT JOIN audit_checks c ON true
  `;
}

/**
 * The same text for equal values: keys in order, dates in ISO 8601, whole numbers of any size. Null
 * for an absent value.
 */
export function canonicalJson(value: unknown): string | null {
  return value === undefined || value === null ? null : write(value);
}

/** PostgreSQL stores neither NUL nor half a surrogate pair: quoting such a text must not fail. */
function soundText<T extends string | null>(text: T): T {
  return (text === null ? null : text.toWellFormed().replaceAll("\0", "\ufffd")) as T;
}

function write(value: unknown): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return JSON.stringify(soundText(value));
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value === "object") return writeObject(value);
  assert(typeof value === "boolean" || Number.isFinite(value), "a value JSON can say");
  return JSON.stringify(value);
}

function writeObject(value: object): string {
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => [soundText(key), field] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${write(field)}`).join(",")}}`;
}
