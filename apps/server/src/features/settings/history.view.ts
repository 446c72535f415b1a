import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type SettingChangeRow = {
  readonly id: bigint;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly changed_at: Date;
  readonly changed_by: bigint;
  readonly changed_by_name: string;
};

/** Changes before the cursor, newest first. */
export async function findChanges(
  db: Db,
  page: { key: string | null; before: bigint | null; limit: number },
): Promise<SettingChangeRow[]> {
  const { rows } = await sql<SettingChangeRow>`
    SELECT c.id, c.key, c.before, c.after, c.reason, c.changed_at, c.changed_by,
      concat_ws(' ', p.first_name, p.last_name) AS changed_by_name
    FROM settings_changes c JOIN people p ON p.id = c.changed_by
    WHERE (${page.key}::text IS NULL OR c.key = ${page.key})
      AND (${page.before}::bigint IS NULL OR c.id < ${page.before})
    ORDER BY c.id DESC LIMIT ${page.limit}
  `.execute(db);
  return rows;
}
