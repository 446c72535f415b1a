import type { App } from "../../app.ts";
import { canonicalJson } from "../../audit/canonical-json.ts";
import { AUDIT_COLUMNS, sayDeed } from "./messages.fr.ts";
import { type AuditRow, findAuditBetween } from "./audit.view.ts";
import { type CsvCell, csvRows, csvText } from "@sesame/contract/csv";
import { createSayTime } from "./day-export.ts";
import { addDays, type Day, startOfDay } from "./day-zone.ts";

const PAGE = 1_000;
export const EXPORT_DAYS_MAX = 92;

/** The log of a time, oldest first, as pieces of one CSV: it need not fit in memory. */
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
    const rows = await findAuditBetween(db, { from, until, after, limit: PAGE });
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
    row.actor_id,
    row.actor_name,
    row.actor_role,
    row.action,
    sayDeed(row.action),
    row.subject,
    canonicalJson(row.before),
    canonicalJson(row.after),
    row.reason,
    row.hash,
  ];
}
