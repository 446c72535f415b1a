import { mayOf, sayFrancs } from "@sesame/contract";
import { nameProvider } from "@sesame/contract/checkout";
import * as contract from "@sesame/contract/back-office";
import { readReason } from "@sesame/contract/treasury";
import { assert, ok, refuse, textOf } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { resolveAlerts } from "../../alerts/alerts.ts";
import { type AlertKind, wordsOfAlert } from "../../alerts/kinds.fr.ts";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import type { Principal } from "../../http/server.ts";
import * as treasury from "../treasury/index.ts";
import { FACT_NAMES, FACTS_IN_FRANCS } from "./messages.fr.ts";

type AlertRow = Pick<
  contract.StaffAlert,
  "subject" | "created_at" | "resolved_at" | "resolved_by" | "resolution"
> & {
  readonly id: bigint;
  readonly kind: AlertKind;
  readonly created_at: Date;
  readonly details: Record<string, unknown>;
  /** The seller it is about; null when it is about nobody, or the platform. */
  readonly seller_id: bigint | null;
  readonly seller_name: string | null;
  readonly withdrawal_id: bigint | null;
};

/**
 * Finds the seller of a subject like `order:12`. The CASE reads the id only from subjects of that
 * form: another one ("moneroo") must not be cast.
 */
const about = sql`
  CROSS JOIN LATERAL (
    SELECT split_part(a.subject, ':', 1) AS what,
      CASE WHEN a.subject ~ '^[a-z]+:[0-9]{1,18}$' THEN split_part(a.subject, ':', 2)::bigint END
        AS number
  ) AS named
  LEFT JOIN LATERAL (
    SELECT CASE named.what
      WHEN 'seller' THEN named.number
      WHEN 'product' THEN (SELECT p.seller_id FROM products p WHERE p.id = named.number)
      WHEN 'order' THEN (SELECT o.seller_id FROM orders o WHERE o.id = named.number)
      WHEN 'payment' THEN (SELECT o.seller_id FROM payments p JOIN orders o ON o.id = p.order_id
        WHERE p.id = named.number)
      WHEN 'access' THEN (SELECT g.seller_id FROM accesses x JOIN groups g ON g.id = x.group_id
        WHERE x.id = named.number)
      WHEN 'withdrawal' THEN (SELECT w.seller_id FROM withdrawals w WHERE w.id = named.number)
      WHEN 'refund' THEN (SELECT r.seller_id FROM refunds r WHERE r.id = named.number)
      WHEN 'complaint' THEN (SELECT c.seller_id FROM complaints c WHERE c.id = named.number)
      WHEN 'payout' THEN (SELECT w.seller_id FROM payouts p
        JOIN withdrawals w ON w.id = p.withdrawal_id WHERE p.id = named.number)
    END AS seller_id,
    CASE named.what
      WHEN 'withdrawal' THEN named.number
      WHEN 'payout' THEN (SELECT p.withdrawal_id FROM payouts p WHERE p.id = named.number)
    END AS withdrawal_id
  ) AS led ON true
  LEFT JOIN sellers s ON s.id = led.seller_id
  LEFT JOIN people owner ON owner.id = s.id
  LEFT JOIN people resolver ON resolver.id = a.resolved_by
`;

const columns = sql`
  a.id, a.kind, a.subject, a.details, a.created_at, a.resolved_at, a.resolution,
  CASE WHEN a.resolved_by IS NOT NULL THEN json_build_object('id', a.resolved_by,
    'name', resolver.name) END AS resolved_by,
  s.id AS seller_id, led.withdrawal_id,
  seller_name(s, owner) AS seller_name
`;

/** Newest first. Null: an invalid cursor. */
export async function listAlerts(
  { db, clock }: App,
  caller: Principal,
  request: z.output<typeof contract.listStaffAlerts.query>,
) {
  const { status, kind, cursor = "", limit } = request;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (status === "open") conditions.push(sql`a.resolved_at IS NULL`);
  if (status === "resolved") conditions.push(sql`a.resolved_at IS NOT NULL`);
  if (kind !== undefined) conditions.push(sql`a.kind = ${kind}`);
  if (cursor !== "") {
    const [, at, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? [];
    if (at === undefined || id === undefined) return null;
    conditions.push(sql`(a.created_at, a.id) < (${new Date(Number(at))}, ${BigInt(id)})`);
  }
  const rows = await many<AlertRow>(db)`
    WITH a AS MATERIALIZED (
      SELECT * FROM alerts a WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit}
    )
    SELECT ${columns} FROM a ${about} ORDER BY a.created_at DESC, a.id DESC
  `;
  const counts = await many<{ kind: string; open: number }>(db)`
    SELECT kind, count(*)::int AS open FROM alerts WHERE resolved_at IS NULL
    GROUP BY kind ORDER BY kind
  `;
  const last = rows.at(-1);
  return {
    now: clock.now(),
    counts: counts.map((each) => ({ ...each, title: wordsOfAlert(each.kind).title })),
    alerts: rows.map((row) => shown(row, caller)),
    next_cursor: last && rows.length === limit ? `${last.created_at.getTime()}.${last.id}` : null,
  };
}

/** Open alerts about a seller, his products and his requests. */
export async function listAlertsOfSeller(db: Db, sellerId: bigint, caller: Principal) {
  const rows = await many<AlertRow>(db)`
    SELECT ${columns} FROM alerts a ${about}
    WHERE a.resolved_at IS NULL AND led.seller_id = ${sellerId}
    ORDER BY a.created_at DESC, a.id DESC LIMIT 20
  `;
  return rows.map((row) => shown(row, caller));
}

const findAlert = (db: Db, id: bigint) => maybe<AlertRow>(db)`
  SELECT ${columns} FROM alerts a ${about} WHERE a.id = ${id}
`;

/** Resolves an alert. The agent's note is stored with it, and in the audit log. */
export function resolveAlert({ db, clock }: App, caller: Principal, id: bigint, note: unknown) {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT FROM alerts WHERE id = ${id} FOR UPDATE`.execute(tx);
    const found = await findAlert(tx, id);
    if (!found) return refuse({ kind: "desk.alert-not-found" });
    const forbidden = refusalOf(found, caller);
    if (forbidden) return refuse(forbidden);
    const words = readReason(note);
    if (!words.ok) return words;
    const now = clock.now();
    const by = { personId: caller.personId, resolution: words.value };
    await resolveAlerts(tx, { kinds: [found.kind], subjects: [found.subject], by, now });
    const after = await findAlert(tx, id);
    assert(after, "the alert is there");
    const auditEntry = { action: "alert.resolve", subject: `alert:${id}`, reason: words.value };
    const before = { kind: found.kind, subject: found.subject, details: found.details };
    await audit(tx, { ...auditEntry, actor: actorOf(caller), before }, now);
    return ok(shown(after, caller));
  });
}

/** Why the caller may not resolve it; null: allowed. */
function refusalOf(row: AlertRow, caller: Principal): contract.RegistryRefusal | null {
  if (row.resolved_at !== null) return { kind: "desk.alert-resolved" };
  if (row.seller_id === caller.personId) return { kind: "desk.alert-own" };
  const { operatorOnly, byAction } = wordsOfAlert(row.kind);
  if (byAction) return { kind: "desk.alert-by-action" };
  return operatorOnly && !caller.isOperator ? { kind: "desk.alert-operator-only" } : null;
}

function shown(row: AlertRow, caller: Principal): contract.StaffAlert {
  const { title, advice, severity } = wordsOfAlert(row.kind);
  return {
    ...row,
    severity,
    title,
    advice,
    links: linksOf(row),
    facts: factsOf(row.details),
    may_resolve: mayOf(refusalOf(row, caller), contract.registryRefusals),
  };
}

const LINKED = ["order", "payment", "product", "group", "refund", "complaint"] as const;

function linksOf(row: AlertRow): contract.StaffLinkOnWire[] {
  const links = new Map<string, contract.StaffLinkOnWire>();
  const add = (
    type: contract.StaffLinkOnWire["type"],
    id: unknown,
    words: string | null = null,
  ) => {
    const name = textOf(id);
    if (!/^\d{1,18}$/.test(name)) return;
    links.set(`${type}:${name}`, { type, id: name, label: treasury.nameLink(type, name, words) });
  };
  const [what, number] = row.subject.split(":");
  for (const type of LINKED) {
    if (what === type) add(type, number);
    add(type, row.details[`${type}_id`]);
  }
  if (row.withdrawal_id !== null) add("withdrawal", row.withdrawal_id);
  if (row.seller_id !== null) add("seller", row.seller_id, row.seller_name);
  return [...links.values()];
}

function factsOf(details: Record<string, unknown>): contract.StaffAlert["facts"] {
  return Object.entries(FACT_NAMES).flatMap(([key, label]) => {
    const value = details[key];
    if (value === undefined || value === null || value === "") return [];
    return [{ label, value: factOf(key, value) }];
  });
}

function factOf(key: string, value: unknown): string {
  if (FACTS_IN_FRANCS.has(key)) return francsOf(value);
  const words = wordsOf(value);
  if (key === "provider") return nameProvider(words);
  if (key === "kind") return treasury.nameDifference(words);
  if (key === "what") return treasury.COMPARED_NAMES[words] ?? words;
  const isSide = (key === "ours" || key === "theirs") && typeof value === "object";
  if (!isSide || value === null) return words;
  const facts = treasury.sayDifference(value as Record<string, unknown>, key);
  return facts.map((fact) => `${fact.label} ${fact.value}`).join(" · ");
}

function francsOf(value: unknown): string {
  const text = textOf(value);
  return /^-?\d{1,18}$/.test(text) ? sayFrancs(BigInt(text)) : wordsOf(value);
}

/** Any value is displayed as text, up to a limit. */
function wordsOf(value: unknown): string {
  const said = typeof value === "string" ? value : JSON.stringify(value);
  const text = /^float:[a-z-]+$/.test(said) ? treasury.nameCashFloat(said).label : said;
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
