import type { AddDurationBody, EditDurationBody, SettingsRefusal } from "@sesame/contract/settings";
import { ok, type Result, refuse } from "@sesame/kernel";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { canonicalJson } from "../../audit/canonical-json.ts";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import {
  type DurationFields,
  type DurationRow,
  insertDuration,
  lockDurations,
  updateDuration,
} from "./durations.store.ts";

const MINUTES_MIN = 60;
const MINUTES_MAX = 10 * 366 * 24 * 60;
const NAME_MAX = 40;
const DESCRIPTION_MAX = 120;

type Changed = Promise<Result<null, SettingsRefusal>>;

export function addDuration(
  app: App,
  { body, actor }: { body: AddDurationBody; actor: Actor },
): Changed {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Changed => {
    const minutes = readMinutes(body.minutes);
    if (minutes === null) return refuse({ kind: "settings.duration-minutes" });
    const fields = readFields(body, { ...BLANK, price_tier: body.price_tier });
    if (!fields.ok) return fields;
    const all = await lockDurations(tx);
    if (all.some((each) => each.minutes === minutes && each.price_tier !== "test")) {
      return refuse({ kind: "settings.duration-exists" });
    }
    const id = await insertDuration(tx, { ...fields.value, minutes });
    if (id === null) return refuse({ kind: "settings.duration-exists" });
    await record(tx, { id, actor, after: { ...fields.value, minutes } }, now);
    return ok(null);
  });
}

/** Renames, describes, switches on or off. Its minutes stay: products were given them. */
export function editDuration(
  app: App,
  { id, body, actor }: { id: bigint; body: EditDurationBody; actor: Actor },
): Changed {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Changed => {
    const all = await lockDurations(tx);
    const found = all.find((each) => each.id === id);
    if (!found) return refuse({ kind: "settings.duration-unknown" });
    const before = fieldsOf(found);
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
    await updateDuration(tx, id, after);
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

function fieldsOf({ id: _id, minutes: _minutes, ...fields }: DurationRow): DurationFields {
  return fields;
}

function readMinutes(value: unknown): number | null {
  const minutes = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof minutes !== "number" || !Number.isInteger(minutes)) return null;
  return minutes >= MINUTES_MIN && minutes <= MINUTES_MAX ? minutes : null;
}

function readFields(
  body: EditDurationBody,
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
