import type { DifferenceKind } from "@sesame/contract/payouts";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

type ReconciliationRun = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly since: Date;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Against their list; false: one by one, what they have and we have not stays unseen. */
  readonly byList: boolean;
  readonly compared: number;
  readonly differences: number;
  readonly stopped: string | null;
};

type ReconciliationDifference = {
  readonly id: bigint;
  readonly provider: string;
  readonly what: "payouts" | "payments";
  readonly kind: DifferenceKind;
  /** payout:12, payment:7, or theirs: fedapay:55 */
  readonly subject: string;
  readonly ours: Record<string, unknown> | null;
  readonly theirs: Record<string, unknown> | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
};

type Reconciliations = {
  /** The last of each provider. */
  readonly runs: readonly ReconciliationRun[];
  /** Still there when last compared. */
  readonly differences: readonly ReconciliationDifference[];
};

export async function reconciliations(db: Db): Promise<Reconciliations> {
  const { rows: runs } = await sql<ReconciliationRun>`
    SELECT DISTINCT ON (provider, what) id, provider, what, since, started_at AS "startedAt",
      finished_at AS "finishedAt", by_list AS "byList", compared, differences, stopped
    FROM reconciliations ORDER BY provider, what, id DESC
  `.execute(db);
  const { rows: differences } = await sql<ReconciliationDifference>`
    SELECT id, provider, what, kind, subject, ours, theirs, first_seen_at AS "firstSeenAt",
      last_seen_at AS "lastSeenAt"
    FROM reconciliation_differences WHERE gone_at IS NULL ORDER BY first_seen_at DESC, id DESC
  `.execute(db);
  return { runs, differences };
}
