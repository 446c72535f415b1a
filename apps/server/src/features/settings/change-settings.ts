import {
  type ChangeSettingsBody,
  checkSettings,
  SETTING_KEYS,
  type SettingsOnWire,
  type SettingsRefusal,
} from "@sesame/contract/settings";
import { assert, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Actor, audit } from "../../audit/audit.store.ts";
import { canonicalJson } from "../../audit/canonical-json.ts";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import { loadSettings, type ReadSettings } from "../../settings.ts";
import { lockSettings, tellSettingsChanged, writeSetting } from "./settings.store.ts";

type ChangeRequest = { readonly body: ChangeSettingsBody; readonly actor: Actor };

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
  const after = merge(before.wire, body.changes);
  const refusal = checkSettings(after);
  if (refusal) return refuse(refusal);
  const changed = SETTING_KEYS.filter((key) => !isSame(before.wire[key], after[key]));
  if (changed.length === 0) return ok(before);
  const { personId } = actor;
  assert(personId !== null, "settings are changed by somebody");
  const reason = body.reason?.trim() || null;
  for (const key of changed) {
    const change = { key, before: before.wire[key], after: after[key], reason, by: personId };
    await writeSetting(tx, change, now);
  }
  await tellSettingsChanged(tx);
  await publish(tx, [deskChanged("settings", changed.join(","))]);
  for (const key of changed) {
    const deed = { action: "settings.change", subject: `setting:${key}`, actor, reason };
    await audit(tx, { ...deed, before: before.wire[key], after: after[key] }, now);
  }
  return ok(await loadSettings(tx));
}

/** Methods, rates and costs are changed one by one; everything else as a whole. */
function merge(before: SettingsOnWire, changes: ChangeSettingsBody["changes"]): SettingsOnWire {
  const named = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<SettingsOnWire>;
  return {
    ...before,
    ...named,
    methods: { ...before.methods, ...named.methods },
    provider_rates: { ...before.provider_rates, ...named.provider_rates },
    collection_costs: { ...before.collection_costs, ...named.collection_costs },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
