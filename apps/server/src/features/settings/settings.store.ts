import type { SettingsOnWire } from "@sesame/contract/settings";
import { sql } from "kysely";
import { canonicalJson } from "../../audit/canonical-json.ts";
import { type Db, many } from "../../postgres/database.ts";
import { SETTINGS_CHANNEL } from "../../settings.ts";

/** Operators' changes take turns until the transaction ends. */
export async function lockSettings(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('settings', 0))`.execute(tx);
}

export type SettingChange = {
  readonly key: keyof SettingsOnWire;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string | null;
  readonly by: bigint;
};

export async function writeSetting(tx: Db, change: SettingChange, now: Date): Promise<void> {
  const { key, by, reason } = change;
  const after = canonicalJson(change.after);
  await sql`
    INSERT INTO settings (key, value, changed_at, changed_by)
    VALUES (${key}, ${after}::jsonb, ${now}, ${by})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by
  `.execute(tx);
  await sql`
    INSERT INTO settings_changes (key, before, after, reason, changed_at, changed_by)
    VALUES (${key}, ${canonicalJson(change.before)}::jsonb, ${after}::jsonb, ${reason}, ${now},
      ${by})
  `.execute(tx);
}

/** Every process reads the settings anew, at the commit of this transaction. */
export async function tellSettingsChanged(tx: Db): Promise<void> {
  await sql`SELECT pg_notify(${SETTINGS_CHANNEL}, '')`.execute(tx);
}

type SettingChangeRow = {
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
  return many<SettingChangeRow>(db)`
    SELECT c.id, c.key, c.before, c.after, c.reason, c.changed_at, c.changed_by,
      concat_ws(' ', p.first_name, p.last_name) AS changed_by_name
    FROM settings_changes c JOIN people p ON p.id = c.changed_by
    WHERE (${page.key}::text IS NULL OR c.key = ${page.key})
      AND (${page.before}::bigint IS NULL OR c.id < ${page.before})
    ORDER BY c.id DESC LIMIT ${page.limit}
  `;
}
