import type {
  DeskDifferenceOnWire,
  DeskLinkOnWire,
  ReconciliationsAnswer,
} from "@sesame/contract/desk";
import { nameLink } from "./alerts-words.fr.ts";
import { nameDifference, sayDifference } from "./reconcile-words.fr.ts";
import { type DifferenceRow, findDifferences } from "./reconcile.view.ts";
import type { RegistryDeps } from "./registry-deps.ts";

const PAGE = 30;

/** What providers say against what we say. Null: the cursor is none of ours. */
export async function viewReconciliations(
  { db, clock, payouts }: RegistryDeps,
  request: { status: "open" | "gone" | "all"; cursor: string | undefined },
): Promise<ReconciliationsAnswer | null> {
  const { status, cursor = "" } = request;
  if (!/^\d{0,18}$/.test(cursor)) return null;
  const before = cursor === "" ? null : BigInt(cursor);
  const rows = await findDifferences(db, { status, before, limit: PAGE });
  const { runs } = await payouts.reconciliations();
  return {
    success: true,
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
