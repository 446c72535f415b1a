import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import type { ReconciliationDifference, ReconciliationRun, Reconciliations } from "./door.ts";

export async function viewReconciliations(db: Db): Promise<Reconciliations> {
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
