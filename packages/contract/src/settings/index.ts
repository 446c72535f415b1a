export { checkSettings } from "./check.ts";
export {
  type AddDurationBody,
  addDurationBody,
  type DeskDurationOnWire,
  type DeskDurationsAnswer,
  deskDurationOnWire,
  deskDurationsAnswer,
  type EditDurationBody,
  editDurationBody,
} from "./durations-wire.ts";
export {
  DEFAULT_SETTINGS,
  type InstanceSettings,
  type MethodSettings,
  PAYOUT_METHOD_IDS,
  type PayoutMethodId,
  type CollectionCosts,
  type ProviderRates,
  type SettingKey,
  type WorkingHours,
} from "./policy.ts";
export { type SettingsRefusal, settingsRefusals } from "./refusals.fr.ts";
export {
  type ChangeSettingsBody,
  changeSettingsBody,
  DEFAULTS_ON_WIRE,
  SETTING_KEYS,
  type SettingChangeOnWire,
  type SettingsAnswer,
  type SettingsHistoryAnswer,
  type SettingsOnWire,
  type SettingWireKey,
  settingChangeOnWire,
  settingsAnswer,
  settingsFromWire,
  settingsHistoryAnswer,
  settingsHistoryQuery,
  settingsOnWire,
  settingsToWire,
} from "./wire.ts";
export { sayWorkingHours } from "./words.fr.ts";
