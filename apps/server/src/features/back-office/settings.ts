import {
  type changeDeskSettings,
  checkSettings,
  SETTING_KEYS,
  type SettingsRefusal,
  type settingChangeOnWire,
  withChanges,
} from "@sesame/contract/back-office";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Actor, audit, canonicalJson } from "../../audit/audit.store.ts";
import { type Db, many, nextCursor } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { loadSettings, type ReadSettings, SETTINGS_CHANNEL } from "../../settings.ts";

type Body = z.output<typeof changeDeskSettings.body>;
type ChangeRequest = { readonly body: Body; readonly actor: Actor };

/** Changes what differs; each setting changed has its line in the history and in the audit log. */
export async function changeSettings(
  app: App,
  request: ChangeRequest,
): Promise<Result<ReadSettings, SettingsRefusal>> {
  const now = app.clock.now();
  const changed = await app.db.transaction().execute((tx) => changeIn(tx, request, now));
  app.settings.forget();
  return changed;
}

async function changeIn(
  tx: Db,
  { body, actor }: ChangeRequest,
  now: Date,
): Promise<Result<ReadSettings, SettingsRefusal>> {
  await lockSettings(tx);
  const before = await loadSettings(tx);
  if (body.version !== undefined && body.version !== before.version) {
    return refuse({ kind: "settings.changed-meanwhile" });
  }
  const after = withChanges(before.wire, body.changes);
  const refusal = checkSettings(after);
  if (refusal) return refuse(refusal);
  const changed = SETTING_KEYS.filter(
    (key) => canonicalJson(before.wire[key]) !== canonicalJson(after[key]),
  );
  if (changed.length === 0) return ok(before);
  const { personId } = actor;
  assert(personId !== null, "settings are changed by somebody");
  const reason = body.reason?.trim() || null;
  for (const key of changed) {
    const value = canonicalJson(after[key]);
    await sql`
      INSERT INTO settings (key, value, changed_at, changed_by)
      VALUES (${key}, ${value}::jsonb, ${now}, ${personId})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at,
        changed_by = excluded.changed_by
    `.execute(tx);
    await sql`
      INSERT INTO settings_changes (key, before, after, reason, changed_at, changed_by)
      VALUES (${key}, ${canonicalJson(before.wire[key])}::jsonb, ${value}::jsonb, ${reason},
        ${now}, ${personId})
    `.execute(tx);
  }
  // Every process reads the settings anew, at the commit of this transaction.
  await sql`SELECT pg_notify(${SETTINGS_CHANNEL}, '')`.execute(tx);
  await publish(tx, [deskChanged("settings", changed.join(","))]);
  for (const key of changed) {
    const deed = { action: "settings.change", subject: `setting:${key}`, actor, reason };
    await audit(tx, { ...deed, before: before.wire[key], after: after[key] }, now);
  }
  return ok(await loadSettings(tx));
}

/** Operators' changes take turns until the transaction ends. */
export async function lockSettings(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('settings', 0))`.execute(tx);
}

const PAGE = 30;

/** Changes before the cursor, newest first. */
export async function listChanges(db: Db, key: string | null, before: bigint | null) {
  const changes = await many<z.output<typeof settingChangeOnWire>>(db)`
    SELECT c.id, c.key, c.before, c.after, c.reason, c.changed_at, c.changed_by,
      person_name(p.first_name, p.last_name) AS changed_by_name
    FROM settings_changes c JOIN people p ON p.id = c.changed_by
    WHERE (${key}::text IS NULL OR c.key = ${key})
      AND (${before}::bigint IS NULL OR c.id < ${before})
    ORDER BY c.id DESC LIMIT ${PAGE}
  `;
  return { changes, next_cursor: nextCursor(changes, PAGE) };
}
