import type { DeskDifferenceOnWire, DeskLinkOnWire } from "@sesame/contract/desk";
import type { App } from "../../app.ts";
import { reconciliations } from "../payouts/index.ts";
import { nameLink, nameDifference, sayDifference } from "./alert-messages.fr.ts";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";

type DifferenceRow = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly kind: string;
  readonly subject: string;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  readonly gone_at: Date | null;
  /** Of our payout, or our payment. */
  readonly withdrawal_id: bigint | null;
  readonly order_id: bigint | null;
};

/** Newest first. */
async function findDifferences(
  db: Db,
  page: { status: "open" | "gone" | "all"; before: bigint | null; limit: number },
): Promise<DifferenceRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (page.status === "open") conditions.push(sql`d.gone_at IS NULL`);
  if (page.status === "gone") conditions.push(sql`d.gone_at IS NOT NULL`);
  if (page.before !== null) conditions.push(sql`d.id < ${page.before}`);
  return many<DifferenceRow>(db)`
    SELECT d.id, d.provider, d.what, d.kind, d.subject, d.ours, d.theirs, d.first_seen_at,
      d.last_seen_at, d.gone_at,
      (SELECT p.withdrawal_id FROM payouts p
        WHERE p.id = CASE WHEN d.subject ~ '^payout:[0-9]{1,18}$'
          THEN substr(d.subject, 8)::bigint END) AS withdrawal_id,
      (SELECT p.order_id FROM payments p
        WHERE p.id = CASE WHEN d.subject ~ '^payment:[0-9]{1,18}$'
          THEN substr(d.subject, 9)::bigint END) AS order_id
    FROM reconciliation_differences d WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY d.id DESC LIMIT ${page.limit}
  `;
}

const PAGE = 30;

/** What providers say against what we say. Null: the cursor is none of ours. */
export async function viewReconciliations(
  { db, clock }: App,
  request: { status: "open" | "gone" | "all"; cursor: string | undefined },
) {
  const { status, cursor = "" } = request;
  if (!/^\d{0,18}$/.test(cursor)) return null;
  const before = cursor === "" ? null : BigInt(cursor);
  const rows = await findDifferences(db, { status, before, limit: PAGE });
  const { runs } = await reconciliations(db);
  return {
    now: clock.now().toISOString(),
    runs: runs.map((run) => ({
      id: String(run.id),
      provider: run.provider,
      what: run.what,
      started_at: run.startedAt.toISOString(),
      finished_at: run.finishedAt?.toISOString() ?? null,
      by_list: run.byList,
      compared: run.compared,
      differences: run.differences,
      stopped: run.stopped !== null,
    })),
    differences: rows.map(differenceToWire),
    next_cursor: rows.length === PAGE ? String(rows.at(-1)?.id) : null,
  };
}

function differenceToWire(row: DifferenceRow): DeskDifferenceOnWire {
  const { provider, what, kind, subject } = row;
  return {
    id: String(row.id),
    provider,
    what,
    kind,
    label: nameDifference(kind),
    subject,
    ours: row.ours && sayDifference(row.ours, "ours"),
    theirs: row.theirs && sayDifference(row.theirs, "theirs"),
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    gone_at: row.gone_at?.toISOString() ?? null,
    links: linksOf(row),
  };
}

function linksOf({ withdrawal_id: withdrawal, order_id: order }: DifferenceRow): DeskLinkOnWire[] {
  const link = (type: "withdrawal" | "order", id: bigint): DeskLinkOnWire => ({
    type,
    id: String(id),
    label: nameLink(type, String(id), null),
  });
  return [
    ...(withdrawal === null ? [] : [link("withdrawal", withdrawal)]),
    ...(order === null ? [] : [link("order", order)]),
  ];
}
