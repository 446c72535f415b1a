import type { AuditAnswer, DeskAuditRowOnWire } from "@sesame/contract/desk";
import type { BrokenInvariant } from "@sesame/ledger";
import type { App } from "../../app.ts";
import { checkChain, readChainState } from "../../audit/chain.store.ts";
import { sayDeed } from "./messages.fr.ts";
import { type AuditRow, findAuditRows } from "./audit.view.ts";

export type AuditRequest = {
  readonly subject: string | null;
  readonly action: string | null;
  readonly actor: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Reads the whole chain now. */
  readonly verify: boolean;
};

/** Null: the cursor or the actor is none of ours. */
export async function readAudit({ db, clock }: App, request: AuditRequest) {
  const before = readNumber(request.cursor);
  const actorId = readNumber(request.actor);
  if (before === "malformed" || actorId === "malformed") return null;
  const { subject, action, limit } = request;
  const rows = await findAuditRows(db, { subject, action, actorId, before, limit });
  const fresh = request.verify ? await checkChain(db) : null;
  const state = await readChainState(db);
  const now = clock.now().toISOString();
  const problems = fresh ?? state.broken;
  return {
    now,
    rows: rows.map(auditRowToWire),
    next_cursor: rows.length === limit ? String(rows.at(-1)?.seq) : null,
    state: {
      whole: problems && problems.length === 0,
      checked_at: fresh ? now : (state.checked_at?.toISOString() ?? null),
      length: Number(state.seq),
      head: state.hash,
      problems: (problems ?? []).map(problemToWire),
    },
  };
}

function problemToWire(broken: BrokenInvariant): AuditAnswer["state"]["problems"][number] {
  const { invariant, subject, expected, found } = broken;
  return { invariant, subject, expected: expected ?? "", found: found ?? "" };
}

export function auditRowToWire(row: AuditRow): DeskAuditRowOnWire {
  return {
    seq: String(row.seq),
    at: row.at.toISOString(),
    actor: row.actor_id === null ? null : { id: String(row.actor_id), name: row.actor_name },
    role: row.actor_role,
    action: row.action,
    label: sayDeed(row.action),
    subject: row.subject,
    before: row.before,
    after: row.after,
    reason: row.reason,
    hash: row.hash,
  };
}

function readNumber(text: string | undefined): bigint | null | "malformed" {
  if (text === undefined || text === "") return null;
  return /^\d{1,18}$/.test(text) ? BigInt(text) : "malformed";
}
