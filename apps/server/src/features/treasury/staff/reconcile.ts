import type { difference } from "@sesame/contract/treasury";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../../app.ts";
import { many, nextCursor } from "../../../postgres/database.ts";
import { listReconciliations } from "../reconcile.ts";
import { nameDifference, nameLink, sayDifference } from "./messages.fr.ts";

type DifferenceRow = Omit<z.output<typeof difference>, "label" | "links" | "ours" | "theirs"> & {
  readonly id: bigint;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  /** Of our payout, or our payment. */
  readonly withdrawal_id: bigint | null;
  readonly order_id: bigint | null;
};

const PAGE = 30;

/** What providers say against what we say: the newest differences first. */
export async function viewReconciliations(
  { db, clock }: App,
  { status, cursor }: { status: "open" | "gone" | "all"; cursor: bigint | null },
) {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (status === "open") conditions.push(sql`d.gone_at IS NULL`);
  if (status === "gone") conditions.push(sql`d.gone_at IS NOT NULL`);
  if (cursor !== null) conditions.push(sql`d.id < ${cursor}`);
  const rows = await many<DifferenceRow>(db)`
    SELECT d.id, d.provider, d.what, d.kind, d.subject, d.ours, d.theirs, d.first_seen_at,
      d.last_seen_at, d.gone_at,
      (SELECT p.withdrawal_id FROM payouts p
        WHERE p.id = CASE WHEN d.subject ~ '^payout:[0-9]{1,18}$'
          THEN substr(d.subject, 8)::bigint END) AS withdrawal_id,
      (SELECT p.order_id FROM payments p
        WHERE p.id = CASE WHEN d.subject ~ '^payment:[0-9]{1,18}$'
          THEN substr(d.subject, 9)::bigint END) AS order_id
    FROM reconciliation_differences d WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY d.id DESC LIMIT ${PAGE}
  `;
  const runs = await listReconciliations(db);
  return {
    now: clock.now(),
    runs: runs.map((run) => ({ ...run, stopped: run.stopped !== null })),
    differences: rows.map((row) => ({
      ...row,
      label: nameDifference(row.kind),
      ours: row.ours && sayDifference(row.ours, "ours"),
      theirs: row.theirs && sayDifference(row.theirs, "theirs"),
      links: [
        ...(row.withdrawal_id === null ? [] : [link("withdrawal", row.withdrawal_id)]),
        ...(row.order_id === null ? [] : [link("order", row.order_id)]),
      ],
    })),
    next_cursor: nextCursor(rows, PAGE),
  };
}

const link = (type: "withdrawal" | "order", id: bigint) => ({
  type,
  id,
  label: nameLink(type, String(id), null),
});
