import { addDays, type Day, startOfDay } from "@sesame/kernel";
import { type CsvCell, csvRows, csvText } from "@sesame/contract/csv";
import type { auditRow, listStaffAudit } from "@sesame/contract/back-office";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { canonicalJson, checkChain, readChainState } from "../../audit/audit.store.ts";
import { type Db, many } from "../../postgres/database.ts";
import { createSayTime } from "../treasury/index.ts";
import { AUDIT_COLUMNS, sayAuditEntry } from "./messages.fr.ts";

type AuditRow = Omit<z.output<typeof auditRow>, "label"> & {
  readonly seq: bigint;
  readonly at: Date;
};

const columns = sql`
  a.seq, a.at, a.actor_role AS role, a.action, a.subject, a.before, a.after, a.reason,
  encode(a.hash, 'hex') AS hash,
  CASE WHEN a.actor_id IS NOT NULL THEN json_build_object('id', a.actor_id,
    'name', p.name) END AS actor
`;

const shown = (row: AuditRow) => ({ ...row, label: sayAuditEntry(row.action) });

/** Newest first. Null: an invalid cursor or actor. */
export async function readAudit(
  { db, clock }: App,
  request: z.output<typeof listStaffAudit.query>,
) {
  const { subject, action, actor: actorId, cursor: before, limit, verify } = request;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (subject !== undefined) conditions.push(sql`a.subject = ${subject}`);
  if (action !== undefined) conditions.push(sql`a.action = ${action}`);
  if (actorId !== null) conditions.push(sql`a.actor_id = ${actorId}`);
  if (before !== null) conditions.push(sql`a.seq < ${before}`);
  const rows = await many<AuditRow>(db)`
    SELECT ${columns} FROM audit_log a LEFT JOIN people p ON p.id = a.actor_id
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY a.seq DESC LIMIT ${limit}
  `;
  const fresh = verify === undefined ? null : await checkChain(db);
  const state = await readChainState(db);
  const now = clock.now();
  const problems = fresh ?? state.broken;
  return {
    now,
    rows: rows.map(shown),
    next_cursor: rows.length === limit ? String(rows.at(-1)?.seq) : null,
    state: {
      whole: problems && problems.length === 0,
      checked_at: fresh ? now : state.checked_at,
      length: Number(state.seq),
      head: state.hash,
      problems: (problems ?? []).map(({ expected, found, ...broken }) => ({
        ...broken,
        expected: expected ?? "",
        found: found ?? "",
      })),
    },
  };
}

/** Entries about the seller, his products and his requests, newest first. */
export async function listAuditOfSeller(db: Db, sellerId: bigint, limit: number) {
  const rows = await many<AuditRow>(db)`
    WITH subject AS (
      SELECT 'seller:' || ${sellerId}::bigint AS name
      UNION ALL SELECT 'product:' || p.id FROM products p WHERE p.seller_id = ${sellerId}
      UNION ALL (SELECT 'withdrawal:' || w.id FROM withdrawals w WHERE w.seller_id = ${sellerId}
        ORDER BY w.id DESC LIMIT 50)
    )
    SELECT ${columns}
    FROM subject
    CROSS JOIN LATERAL (
      SELECT * FROM audit_log l WHERE l.subject = subject.name ORDER BY l.seq DESC LIMIT ${limit}
    ) AS a
    LEFT JOIN people p ON p.id = a.actor_id
    ORDER BY a.seq DESC LIMIT ${limit}
  `;
  return rows.map(shown);
}

const PAGE = 1_000;
export const EXPORT_DAYS_MAX = 92;

/** The log of a period, oldest first, as pieces of one CSV: it need not fit in memory. */
export async function* exportAudit(
  { db, config: { timeZone } }: App,
  days: { readonly from: Day; readonly to: Day },
): AsyncGenerator<string> {
  const from = startOfDay(days.from, timeZone);
  const until = startOfDay(addDays(days.to, 1), timeZone);
  const say = createSayTime(timeZone);
  yield csvText([AUDIT_COLUMNS]);
  let after = 0n;
  for (;;) {
    const rows = await many<AuditRow>(db)`
      SELECT ${columns} FROM audit_log a LEFT JOIN people p ON p.id = a.actor_id
      WHERE a.at >= ${from} AND a.at < ${until} AND a.seq > ${after}
      ORDER BY a.seq LIMIT ${PAGE}
    `;
    if (rows.length > 0) yield csvRows(rows.map((row) => lineOf(row, say)));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.seq;
  }
}

function lineOf(row: AuditRow, say: (instant: string) => string): CsvCell[] {
  return [
    row.seq,
    say(row.at.toISOString()),
    row.actor?.id ?? null,
    row.actor?.name ?? "",
    row.role,
    row.action,
    sayAuditEntry(row.action),
    row.subject,
    canonicalJson(row.before),
    canonicalJson(row.after),
    row.reason,
    row.hash,
  ];
}
