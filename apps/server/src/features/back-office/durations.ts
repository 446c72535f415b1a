import type {
  addDeskDuration,
  deskDurationOnWire,
  editDeskDuration,
  SettingsRefusal,
} from "@sesame/contract/back-office";
import { ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { canonicalJson } from "../../audit/canonical-json.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";

const MINUTES_MIN = 60;
const MINUTES_MAX = 10 * 366 * 24 * 60;
const NAME_MAX = 40;
const DESCRIPTION_MAX = 120;

type Duration = z.output<typeof deskDurationOnWire>;

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

type DurationRow = Pick<Duration, "minutes" | "description" | "price_tier" | "active"> & {
  readonly id: bigint;
  readonly display_name: string;
  readonly discount_percent: number;
};

type DurationFields = Omit<DurationRow, "id" | "minutes">;

/** All of them, locked until the transaction ends: the last active one must stay. */
function lockDurations(tx: Db): Promise<DurationRow[]> {
  return many<DurationRow>(tx)`SELECT * FROM subscription_durations ORDER BY id FOR UPDATE`;
}

type Changed = Promise<Result<null, SettingsRefusal>>;

export function addDuration(
  app: App,
  { body, actor }: { body: z.output<typeof addDeskDuration.body>; actor: Actor },
): Changed {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Changed => {
    const minutes = readMinutes(body.minutes);
    if (minutes === null) return refuse({ kind: "settings.duration-minutes" });
    const fields = readFields(body, BLANK);
    if (!fields.ok) return fields;
    const all = await lockDurations(tx);
    if (all.some((each) => each.minutes === minutes && each.price_tier !== "test")) {
      return refuse({ kind: "settings.duration-exists" });
    }
    const { display_name: name, description, discount_percent: percent } = fields.value;
    const { price_tier: tier, active } = fields.value;
    const added = await maybe<{ id: bigint }>(tx)`
      INSERT INTO subscription_durations
        (minutes, display_name, description, discount_percent, price_tier, active)
      VALUES (${minutes}, ${name}, ${description}, ${percent}, ${tier}, ${active})
      ON CONFLICT (minutes, price_tier) DO NOTHING
      RETURNING id
    `;
    if (!added) return refuse({ kind: "settings.duration-exists" });
    await record(tx, { id: added.id, actor, after: { ...fields.value, minutes } }, now);
    return ok(null);
  });
}

/** Renames, describes, switches on or off. Its minutes stay: products were given them. */
export function editDuration(
  app: App,
  { id, body, actor }: { id: bigint; body: z.output<typeof editDeskDuration.body>; actor: Actor },
): Changed {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Changed => {
    const all = await lockDurations(tx);
    const found = all.find((each) => each.id === id);
    if (!found) return refuse({ kind: "settings.duration-unknown" });
    const { id: _id, minutes: _minutes, ...before } = found;
    const fields = readFields(body, before);
    if (!fields.ok) return fields;
    const after = fields.value;
    const others = all.filter((each) => each.id !== id && each.price_tier !== "test");
    if (others.some((o) => o.minutes === found.minutes && o.price_tier === after.price_tier)) {
      return refuse({ kind: "settings.duration-exists" });
    }
    if (!after.active && !others.some(({ active }) => active)) {
      return refuse({ kind: "settings.duration-last" });
    }
    if (canonicalJson(before) === canonicalJson(after)) return ok(null);
    await sql`
      UPDATE subscription_durations SET display_name = ${after.display_name},
        description = ${after.description}, discount_percent = ${after.discount_percent},
        price_tier = ${after.price_tier}, active = ${after.active}
      WHERE id = ${id}
    `.execute(tx);
    await record(tx, { id, actor, before, after }, now);
    return ok(null);
  });
}

const BLANK: DurationFields = {
  display_name: "",
  description: "",
  discount_percent: 0,
  price_tier: "standard",
  active: true,
};

function readMinutes(value: unknown): number | null {
  const minutes = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof minutes !== "number" || !Number.isInteger(minutes)) return null;
  return minutes >= MINUTES_MIN && minutes <= MINUTES_MAX ? minutes : null;
}

function readFields(
  body: z.output<typeof editDeskDuration.body>,
  before: DurationFields,
): Result<DurationFields, SettingsRefusal> {
  const { label = before.display_name, description = before.description } = body;
  const { discount = before.discount_percent } = body;
  const name = typeof label === "string" ? label.trim() : "";
  const text = typeof description === "string" ? description.trim() : null;
  if (name === "" || name.length > NAME_MAX) return refuse({ kind: "settings.duration-name" });
  if (text === null || text.length > DESCRIPTION_MAX) {
    return refuse({ kind: "settings.duration-name" });
  }
  if (typeof discount !== "number" || !Number.isInteger(discount) || discount < 0) {
    return refuse({ kind: "settings.duration-discount" });
  }
  if (discount > 100) return refuse({ kind: "settings.duration-discount" });
  return ok({
    display_name: name,
    description: text,
    discount_percent: discount,
    price_tier: body.price_tier ?? before.price_tier,
    active: body.active ?? before.active,
  });
}

type Deed = { id: bigint; actor: Actor; before?: unknown; after: unknown };

async function record(tx: Db, { id, actor, before, after }: Deed, now: Date): Promise<void> {
  await publish(tx, [deskChanged("settings", "durations")]);
  const action = before === undefined ? "durations.add" : "durations.edit";
  await audit(tx, { actor, action, subject: `duration:${id}`, before, after }, now);
}
