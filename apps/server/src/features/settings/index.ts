import type {
  AddDurationBody,
  EditDurationBody,
  InstanceSettings,
  SettingsRefusal,
} from "@sesame/contract/settings";
import type { Clock, Result } from "@sesame/kernel";
import type { Actor } from "../../audit/audit.store.ts";
import type { Db } from "../../postgres/database.ts";
import type { Part } from "../../postgres/parts.ts";
import type { Listener } from "../../postgres/listener.ts";
import { addDuration, editDuration } from "./change-durations.ts";
import { type ChangeRequest, changeSettings } from "./change-settings.ts";
import { type DurationRow, listDurations } from "./durations.store.ts";
import { findChanges, type SettingChangeRow } from "./history.view.ts";
import { currentPart, keepCurrent, loadSettings, type ReadSettings } from "./keep-current.ts";
import { SETTINGS_CHANNEL } from "./settings.store.ts";

export type SettingsDeps = { readonly db: Db; readonly clock: Clock };

export type Settings = {
  /** In force now; a change made in any process is seen within a second. */
  current(): Promise<InstanceSettings>;
  /** The same, for who asks the database for more in one statement. */
  part(): Part<InstanceSettings>;
  /** Hears of changes at once. */
  listen(listener: Listener): void;
  /** For the desk. */
  read(): Promise<ReadSettings>;
  change(request: ChangeRequest): Promise<Result<ReadSettings, SettingsRefusal>>;
  history(page: {
    key: string | null;
    before: bigint | null;
    limit: number;
  }): Promise<SettingChangeRow[]>;
  durations(): Promise<(DurationRow & { products: number })[]>;
  addDuration(request: {
    body: AddDurationBody;
    actor: Actor;
  }): Promise<Result<null, SettingsRefusal>>;
  editDuration(request: {
    id: bigint;
    body: EditDurationBody;
    actor: Actor;
  }): Promise<Result<null, SettingsRefusal>>;
};

export function createSettings({ db, clock }: SettingsDeps): Settings {
  const kept = keepCurrent(db, () => performance.now());
  return {
    current: kept.current,
    part: currentPart,
    listen(listener) {
      listener.on(SETTINGS_CHANNEL, kept.forget);
      listener.onResume(kept.forget);
    },
    read: () => loadSettings(db),
    async change(request) {
      const changed = await changeSettings(db, request, clock.now());
      kept.forget();
      return changed;
    },
    history: (page) => findChanges(db, page),
    durations: () => listDurations(db),
    addDuration: (request) => addDuration(db, request, clock.now()),
    editDuration: (request) => editDuration(db, request, clock.now()),
  };
}
