import {
  checkRow,
  DURATION,
  type DurationFields,
  NEW_DURATION,
  type SettingsRefusal,
} from "@sesame/contract/back-office";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit, canonicalJson } from "../../audit/audit.store.ts";
import { type Db, many, one } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { lockSettings } from "./settings.ts";

type Duration = DurationFields & { readonly id: bigint; readonly products: number };

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

type Asked = Readonly<Partial<Record<keyof DurationFields, unknown>>>;

/** Adds one (id null), renames, describes, switches on or off. The last active one must stay. */
export function saveDuration(
  app: App,
  { id, body, actor }: { id: bigint | null; body: Asked; actor: Actor },
): Promise<Result<null, SettingsRefusal>> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<Result<null, SettingsRefusal>> => {
    await lockSettings(tx);
    const all = await listDurations(tx);
    const found = id === null ? null : all.find((each) => each.id === id);
    if (found === undefined) return refuse({ kind: "settings.duration-unknown" });
    const asked = readAsked(body);
    const refusal = checkRow(DURATION, found ? asked : { ...NEW_DURATION, ...asked });
    if (refusal) return refuse(refusal);
    const before = fieldsOf(found ?? NEW_DURATION);
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
    await publish(tx, [deskChanged("settings", "durations")]);
    const deed = found ? { action: "durations.edit", before } : { action: "durations.add" };
    await audit(tx, { ...deed, actor, subject: `duration:${saved.id}`, after }, now);
    return ok(null);
  });
}

const NAMES = Object.keys(DURATION.parts) as readonly (keyof DurationFields)[];

function fieldsOf(row: DurationFields): DurationFields {
  return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as DurationFields;
}

/** What is absent stands. */
function readAsked(body: Asked): Partial<DurationFields> {
  const asked = NAMES.filter((name) => body[name] !== undefined).map((name) => {
    const value = body[name];
    if (typeof value !== "string") return [name, value];
    return [name, name === "minutes" && /^\d{1,9}$/.test(value) ? Number(value) : value.trim()];
  });
  return Object.fromEntries(asked) as Partial<DurationFields>;
}
