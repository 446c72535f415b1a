import * as contract from "@sesame/contract/back-office";
import { assert, ok, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Actor, audit, canonicalJson } from "../../audit/audit.store.ts";
import { type Db, many, nextCursor, one, takeTurn } from "../../postgres/database.ts";
import { staffChanged, publish } from "../../realtime/events.store.ts";
import { loadSettings, SETTINGS_CHANNEL } from "../../settings.ts";

/** Changes what differs; each changed setting gets a line in the history and in the audit log. */
export async function changeSettingsIn(
  tx: Db,
  { body, actor }: { body: z.output<typeof contract.changeStaffSettings.body>; actor: Actor },
  now: Date,
) {
  await lockSettings(tx);
  const before = await loadSettings(tx);
  if (body.version !== undefined && body.version !== before.version) {
    return refuse({ kind: "settings.changed-meanwhile" });
  }
  const after = contract.withChanges(before.wire, body.changes);
  const refusal = contract.checkSettings(after);
  if (refusal) return refuse(refusal);
  const changed = contract.SETTING_KEYS.filter(
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
  // Every process reads the settings again at the commit of this transaction.
  await sql`SELECT pg_notify(${SETTINGS_CHANNEL}, '')`.execute(tx);
  await publish(tx, [staffChanged("settings", changed.join(","))]);
  for (const key of changed) {
    const auditEntry = { action: "settings.change", subject: `setting:${key}`, actor, reason };
    await audit(tx, { ...auditEntry, before: before.wire[key], after: after[key] }, now);
  }
  return ok(await loadSettings(tx));
}

/** Serializes operators' changes until the transaction ends. */
async function lockSettings(tx: Db): Promise<void> {
  await takeTurn(tx, "settings");
}

const PAGE = 30;

/** Changes before the cursor, newest first. */
export async function listChanges(db: Db, key: string | null, before: bigint | null) {
  const changes = await many<z.output<typeof contract.settingChangeOnWire>>(db)`
    SELECT c.id, c.key, c.before, c.after, c.reason, c.changed_at, c.changed_by,
      p.name AS changed_by_name
    FROM settings_changes c JOIN people p ON p.id = c.changed_by
    WHERE (${key}::text IS NULL OR c.key = ${key})
      AND (${before}::bigint IS NULL OR c.id < ${before})
    ORDER BY c.id DESC LIMIT ${PAGE}
  `;
  return { changes, next_cursor: nextCursor(changes, PAGE) };
}

type Duration = contract.DurationFields & { readonly id: bigint; readonly products: number };

export function listDurations(db: Db): Promise<Duration[]> {
  return many<Duration>(db)`
    SELECT d.id, d.minutes, d.display_name AS label, d.description,
      d.discount_percent AS discount, d.price_tier, d.active, (
        SELECT count(*)::int FROM products p
        WHERE p.duration_minutes = d.minutes AND p.archived_at IS NULL
      ) AS products
    FROM subscription_durations d ORDER BY d.minutes, d.id
  `;
}

type Asked = Readonly<Partial<Record<keyof contract.DurationFields, unknown>>>;

/** Adds a duration (id null), or renames, describes, switches it. The last active one must stay. */
export function saveDuration(app: App, id: bigint | null, body: Asked, actor: Actor) {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const all = await listDurations(tx);
    const found = id === null ? null : all.find((each) => each.id === id);
    if (found === undefined) return refuse({ kind: "settings.duration-unknown" });
    const asked = readAsked(body);
    const refusal = contract.checkRow(
      contract.DURATION,
      found ? asked : { ...contract.NEW_DURATION, ...asked },
    );
    if (refusal) return refuse(refusal);
    const before = fieldsOf(found ?? contract.NEW_DURATION);
    const after = fieldsOf({ ...before, ...asked });
    const others = all.filter((each) => each.id !== id && each.price_tier !== "test");
    // A product finds its duration by its minutes.
    const isThere = others.some(
      ({ minutes, price_tier: tier }) =>
        minutes === after.minutes && (!found || tier === after.price_tier),
    );
    if (isThere) return refuse({ kind: "settings.duration-exists" });
    if (!after.active && !others.some(({ active }) => active)) {
      return refuse({ kind: "settings.duration-last" });
    }
    if (found && canonicalJson(before) === canonicalJson(after)) return ok(null);
    const { minutes, label, description, discount, price_tier: tier, active } = after;
    const saved = found
      ? await one<{ id: bigint }>(tx)`
          UPDATE subscription_durations SET display_name = ${label}, description = ${description},
            discount_percent = ${discount}, price_tier = ${tier}, active = ${active}
          WHERE id = ${id} RETURNING id
        `
      : await one<{ id: bigint }>(tx)`
          INSERT INTO subscription_durations
            (minutes, display_name, description, discount_percent, price_tier, active)
          VALUES (${minutes}, ${label}, ${description}, ${discount}, ${tier}, ${active})
          RETURNING id
        `;
    await publish(tx, [staffChanged("settings", "durations")]);
    const auditEntry = found ? { action: "durations.edit", before } : { action: "durations.add" };
    await audit(tx, { ...auditEntry, actor, subject: `duration:${saved.id}`, after }, now);
    return ok(null);
  });
}

const NAMES = Object.keys(contract.DURATION.parts) as readonly (keyof contract.DurationFields)[];

function fieldsOf(row: contract.DurationFields): contract.DurationFields {
  return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as contract.DurationFields;
}

/** Absent fields are unchanged. */
function readAsked(body: Asked): Partial<contract.DurationFields> {
  const asked = NAMES.filter((name) => body[name] !== undefined).map((name) => {
    const value = body[name];
    if (typeof value !== "string") return [name, value];
    return [name, name === "minutes" && /^\d{1,9}$/.test(value) ? Number(value) : value.trim()];
  });
  return Object.fromEntries(asked) as Partial<contract.DurationFields>;
}
