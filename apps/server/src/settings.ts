import * as contract from "@sesame/contract/back-office";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, one } from "./postgres/database.ts";
import { mapPart, type Part, rowsPart } from "./postgres/parts.ts";
import type { App } from "./app.ts";
import { createCache } from "./http/caches.ts";

export const SETTINGS_CHANNEL = "sesame_settings";

export type ReadSettings = { readonly wire: contract.SettingsOnWire; readonly version: string };

/**
 * The current settings: changed values over the defaults. A value of an invalid form is a bug that
 * stops its readers: a fee or a limit is never guessed.
 */
export async function loadSettings(db: Db): Promise<ReadSettings> {
  return settingsBy(await one<StoredSettings>(db)`${settingsSelect()}`);
}

/** The current settings, as a part of a larger statement. */
export function currentPart(): Part<contract.InstanceSettings> {
  return mapPart(rowsPart(settingsSelect(), {}), ([stored]) => {
    assert(stored, "one row");
    return contract.settingsFromWire(settingsBy(stored).wire);
  });
}

function settingsBy({ values, version }: StoredSettings): ReadSettings {
  return {
    wire: contract.settingsOnWire.parse(contract.withChanges(contract.DEFAULTS_ON_WIRE, values)),
    version,
  };
}

export type CurrentSettings = ReturnType<typeof keepCurrent>;

/** Every order and request needs the settings: a change in any process is seen within a second. */
export function keepCurrent(db: Db, elapsedMs: () => number) {
  const cache = createCache<contract.InstanceSettings>(elapsedMs);
  const load = async () => contract.settingsFromWire((await loadSettings(db)).wire);
  return {
    current: () => cache.get("", load),
    /** The next reader queries the database again. */
    forget: cache.forgetAll,
  };
}

type StoredSettings = {
  readonly values: Partial<Record<string, unknown>>;
  /** The id of the last change. */
  readonly version: string;
};

function settingsSelect() {
  return sql<StoredSettings>`
    SELECT coalesce((SELECT jsonb_object_agg(key, value) FROM settings), '{}') AS "values",
      coalesce((SELECT max(id) FROM settings_changes), 0)::text AS version
  `;
}

/**
 * The support's contacts: the operator's settings, else the configuration. A page must not fail
 * because of them: in an outage of the database only the configuration counts.
 */
export async function readContacts({ config, settings }: App) {
  const { texts } = await settings.current().catch(() => contract.DEFAULT_SETTINGS);
  return {
    communityUrl: texts.community_url ?? config.communityUrl,
    supportTelegram: texts.support_telegram ?? config.supportTelegram,
    supportWhatsapp: texts.support_whatsapp ?? config.supportWhatsapp,
  };
}
