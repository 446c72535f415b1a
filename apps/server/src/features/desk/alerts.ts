import { nameProvider } from "@sesame/contract/checkout";
import {
  type DeskAlertOnWire,
  type DeskLinkOnWire,
  type DeskRefusal,
  type RegistryRefusal,
  readReason,
  registryRefusals,
} from "@sesame/contract/desk";
import { sayFrancs } from "@sesame/contract/withdrawals";
import { assert, ok, type Result, refuse, textOf } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf, audit } from "../../audit/audit.store.ts";
import type { Principal } from "../../http/principal.ts";
import { namePurse } from "./messages.fr.ts";
import {
  FACT_NAMES,
  FACTS_IN_FRANCS,
  nameLink,
  wordsOfAlert,
  COMPARED_NAMES,
  nameDifference,
  sayDifference,
} from "./alert-messages.fr.ts";
import { lockAlert, writeResolution } from "./alerts.store.ts";
import { type AlertRow, countOpenAlerts, findAlert, findAlerts } from "./alerts.view.ts";

export type AlertsRequest = {
  readonly status: "open" | "resolved" | "all";
  readonly kind: string | null;
  readonly cursor: string | undefined;
  readonly limit: number;
};

/** Null: the cursor is none of ours. */
export async function listAlerts({ db, clock }: App, caller: Principal, request: AlertsRequest) {
  const after = readCursor(request.cursor);
  if (after === "malformed") return null;
  const { status, kind, limit } = request;
  const rows = await findAlerts(db, { status, kind, after, limit });
  const counts = await countOpenAlerts(db);
  const last = rows.at(-1);
  return {
    now: clock.now().toISOString(),
    counts: counts.map((each) => ({ ...each, title: wordsOfAlert(each.kind).title })),
    alerts: rows.map((row) => alertToWire(row, caller)),
    next_cursor: last && rows.length === limit ? `${last.created_at.getTime()}.${last.id}` : null,
  };
}

/** Says what was done about it. The agent's words stay with it, and in the audit log. */
export function resolveAlert(
  { db, clock }: App,
  caller: Principal,
  { id, note }: { id: bigint; note: unknown },
): Promise<Result<DeskAlertOnWire, DeskRefusal | RegistryRefusal>> {
  return db.transaction().execute(async (tx) => {
    const standing = await lockAlert(tx, id);
    const found = standing && (await findAlert(tx, id));
    if (!found) return refuse({ kind: "desk.alert-not-found" });
    const forbidden = judge(found, caller);
    if (forbidden) return refuse(forbidden);
    const words = readReason(note);
    if (!words.ok) return words;
    const now = clock.now();
    await writeResolution(tx, { id, by: caller.personId, note: words.value }, now);
    const after = await findAlert(tx, id);
    assert(after, "the alert is there");
    const deed = { action: "alert.resolve", subject: `alert:${id}`, reason: words.value };
    const before = { kind: found.kind, subject: found.subject, details: found.details };
    await audit(tx, { ...deed, actor: actorOf(caller), before }, now);
    return ok(alertToWire(after, caller));
  });
}

function judge(row: AlertRow, caller: Principal): RegistryRefusal | null {
  if (row.resolved_at !== null) return { kind: "desk.alert-resolved" };
  if (row.seller_id === caller.personId) return { kind: "desk.alert-own" };
  const { operatorOnly, byDeed } = wordsOfAlert(row.kind);
  if (byDeed) return { kind: "desk.alert-by-deed" };
  return operatorOnly && !caller.isOperator ? { kind: "desk.alert-operator-only" } : null;
}

export function alertToWire(row: AlertRow, caller: Principal): DeskAlertOnWire {
  const { title, advice, severity } = wordsOfAlert(row.kind);
  const forbidden = judge(row, caller);
  return {
    id: String(row.id),
    kind: row.kind,
    severity,
    title,
    advice,
    subject: row.subject,
    links: linksOf(row),
    facts: factsOf(row.details),
    created_at: row.created_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    resolved_by:
      row.resolved_by === null
        ? null
        : { id: String(row.resolved_by), name: row.resolver_name ?? "" },
    resolution: row.resolution,
    may_resolve: {
      allowed: forbidden === null,
      reason: forbidden && String(registryRefusals[forbidden.kind].message),
    },
  };
}

const LINKED = ["order", "payment", "product", "group", "refund", "claim"] as const;

function linksOf(row: AlertRow): DeskLinkOnWire[] {
  const links = new Map<string, DeskLinkOnWire>();
  const add = (type: DeskLinkOnWire["type"], id: unknown, words: string | null = null) => {
    const name = textOf(id);
    if (!/^\d{1,18}$/.test(name)) return;
    links.set(`${type}:${name}`, { type, id: name, label: nameLink(type, name, words) });
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

function factsOf(details: Record<string, unknown>): DeskAlertOnWire["facts"] {
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
  if (key === "kind") return nameDifference(words);
  if (key === "what") return COMPARED_NAMES[words] ?? words;
  const isSide = (key === "ours" || key === "theirs") && typeof value === "object";
  if (!isSide || value === null) return words;
  const facts = sayDifference(value as Record<string, unknown>, key);
  return facts.map((fact) => `${fact.label} ${fact.value}`).join(" · ");
}

function francsOf(value: unknown): string {
  const text = textOf(value);
  return /^-?\d{1,18}$/.test(text) ? sayFrancs(BigInt(text)) : wordsOf(value);
}

/** Whatever was written there is shown as text, and not all of a book. */
function wordsOf(value: unknown): string {
  const said = typeof value === "string" ? value : JSON.stringify(value);
  const text = /^float:[a-z-]+$/.test(said) ? namePurse(said).label : said;
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function readCursor(cursor: string | undefined): { at: Date; id: bigint } | null | "malformed" {
  if (cursor === undefined || cursor === "") return null;
  const [, at, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) return "malformed";
  return { at: new Date(Number(at)), id: BigInt(id) };
}
