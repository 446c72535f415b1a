import type { SettingsOnWire } from "@sesame/contract/settings";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { canonicalJson } from "../../audit/canonical-json.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type Part, rowsPart } from "../../postgres/parts.ts";

export const SETTINGS_CHANNEL = "sesame_settings";

export type StoredSettings = {
  /** What was changed, by key. */
  readonly values: Partial<Record<string, unknown>>;
  /** The number of the last change. */
  readonly version: string;
};

export async function readSettings(db: Db): Promise<StoredSettings> {
  const { rows } = await settingsSelect().execute(db);
  assert(rows[0], "one row");
  return rows[0];
}

/** As `readSettings`, a part of a larger statement. */
export function storedSettingsPart(): Part<StoredSettings> {
  return mapPart(rowsPart(settingsSelect(), {}), ([stored]) => {
    assert(stored, "one row");
    return stored;
  });
}

function settingsSelect() {
  return sql<StoredSettings>`
    SELECT coalesce((SELECT jsonb_object_agg(key, value) FROM settings), '{}') AS "values",
      coalesce((SELECT max(id) FROM settings_changes), 0)::text AS version
  `;
}

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
