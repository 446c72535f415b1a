import { basisPoints, fcfa, fcfaToJson } from "@sesame/kernel";
import { z } from "zod";
import { KNOWN_PROVIDERS } from "../checkout/policy.ts";
import { instantOnWire } from "../common/wire.ts";
import {
  type CollectionCosts,
  DEFAULT_SETTINGS,
  type InstanceSettings,
  type MethodSettings,
  PAYOUT_METHOD_IDS,
  type WorkingHours,
} from "./policy.ts";

const francs = z.int().nonnegative();

const workingHoursOnWire = z.object({
  /** 1 lundi … 7 dimanche. */
  days: z.array(z.int()).max(7),
  from_hour: z.int(),
  to_hour: z.int(),
});

const methodOnWire = z.object({ open: z.boolean(), min: francs, step: francs });

/** Each setting as it travels and as it is kept. Amounts in francs. */
export const settingShapes = {
  /** In ten-thousandths: 1800 is 18 %. */
  fee_rates: z.object({ free: z.int(), premium: z.int() }),
  withdrawals: z.object({ min: francs, max_free: francs, max_premium: francs }),
  /** By id of B §3; what is absent stands as it is. */
  methods: z.partialRecord(z.enum(PAYOUT_METHOD_IDS), methodOnWire),
  hours: z.object({ payouts: workingHoursOnWire, support: workingHoursOnWire }),
  second_agent_from: francs,
  first_payout_max: francs,
  first_payout_second_agent_from: francs,
  unusual_factor: z.number(),
  premium: z.object({ price: francs, period_days: z.int() }),
  /** Whole francs for one Star. */
  francs_per_star: z.int(),
  stars_only: z.boolean(),
  /** Calls a minute, by provider; what is absent stands as it is. */
  provider_rates: z.partialRecord(z.enum(KNOWN_PROVIDERS), z.int()),
  /** In ten-thousandths of what is collected, by provider; what is absent stands as it is. */
  collection_costs: z.partialRecord(z.enum(KNOWN_PROVIDERS), z.int()),
  texts: z.object({
    community_url: z.string().max(300).nullable(),
    support_whatsapp: z.string().max(40).nullable(),
    support_telegram: z.string().max(64).nullable(),
  }),
} as const;

export const SETTING_KEYS = Object.keys(settingShapes) as readonly SettingWireKey[];
export type SettingWireKey = keyof typeof settingShapes;

export const settingsOnWire = z.object(settingShapes);
export type SettingsOnWire = z.input<typeof settingsOnWire>;

export const changeSettingsBody = z.object({
  changes: z.strictObject(settingsOnWire.partial().shape),
  reason: z.string().max(500).optional(),
  /** Of the answer the change was made from: refused when somebody changed something since. */
  version: z.string().max(20).optional(),
});
export type ChangeSettingsBody = z.input<typeof changeSettingsBody>;

export const settingsAnswer = z.object({
  success: z.literal(true),
  settings: settingsOnWire,
  defaults: settingsOnWire,
  version: z.string(),
});
export type SettingsAnswer = z.input<typeof settingsAnswer>;

export const settingChangeOnWire = z.object({
  id: z.string(),
  key: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  changed_at: instantOnWire,
  changed_by: z.string(),
  /** First and last name. */
  changed_by_name: z.string(),
});
export type SettingChangeOnWire = z.input<typeof settingChangeOnWire>;

export const settingsHistoryAnswer = z.object({
  success: z.literal(true),
  changes: z.array(settingChangeOnWire),
  next_cursor: z.string().nullable(),
});
export type SettingsHistoryAnswer = z.input<typeof settingsHistoryAnswer>;

export function settingsToWire(settings: InstanceSettings): SettingsOnWire {
  const { withdrawals, hours, texts } = settings;
  const methods = PAYOUT_METHOD_IDS.map((id) => [id, methodToWire(settings.methods[id])] as const);
  return {
    fee_rates: { free: settings.feeRates.free, premium: settings.feeRates.premium },
    withdrawals: {
      min: fcfaToJson(withdrawals.min),
      max_free: fcfaToJson(withdrawals.maxFree),
      max_premium: fcfaToJson(withdrawals.maxPremium),
    },
    methods: Object.fromEntries(methods),
    hours: { payouts: hoursToWire(hours.payouts), support: hoursToWire(hours.support) },
    second_agent_from: fcfaToJson(settings.secondAgentFrom),
    first_payout_max: fcfaToJson(settings.firstPayoutMax),
    first_payout_second_agent_from: fcfaToJson(settings.firstPayoutSecondAgentFrom),
    unusual_factor: settings.unusualFactor,
    premium: {
      price: fcfaToJson(settings.premium.price),
      period_days: settings.premium.periodDays,
    },
    francs_per_star: settings.francsPerStar,
    stars_only: settings.starsOnly,
    provider_rates: { ...settings.providerRates },
    collection_costs: { ...settings.collectionCosts },
    texts: {
      community_url: texts.communityUrl,
      support_whatsapp: texts.supportWhatsapp,
      support_telegram: texts.supportTelegram,
    },
  };
}

export const DEFAULTS_ON_WIRE = settingsToWire(DEFAULT_SETTINGS);

/** A method left out stands at its default. */
export function settingsFromWire(wire: SettingsOnWire): InstanceSettings {
  const { fee_rates: rates, withdrawals, hours, texts } = wire;
  const methods = PAYOUT_METHOD_IDS.map((id) => {
    const method = wire.methods[id];
    return [id, method ? methodFromWire(method) : DEFAULT_SETTINGS.methods[id]] as const;
  });
  return {
    feeRates: { free: basisPoints(rates.free), premium: basisPoints(rates.premium) },
    withdrawals: {
      min: fcfa(withdrawals.min),
      maxFree: fcfa(withdrawals.max_free),
      maxPremium: fcfa(withdrawals.max_premium),
    },
    methods: Object.fromEntries(methods) as InstanceSettings["methods"],
    hours: { payouts: hoursFromWire(hours.payouts), support: hoursFromWire(hours.support) },
    secondAgentFrom: fcfa(wire.second_agent_from),
    firstPayoutMax: fcfa(wire.first_payout_max),
    firstPayoutSecondAgentFrom: fcfa(wire.first_payout_second_agent_from),
    unusualFactor: wire.unusual_factor,
    premium: { price: fcfa(wire.premium.price), periodDays: wire.premium.period_days },
    francsPerStar: wire.francs_per_star,
    starsOnly: wire.stars_only,
    providerRates: { ...DEFAULT_SETTINGS.providerRates, ...wire.provider_rates },
    collectionCosts: costsFromWire(wire),
    texts: {
      communityUrl: texts.community_url,
      supportWhatsapp: texts.support_whatsapp,
      supportTelegram: texts.support_telegram,
    },
  };
}

function costsFromWire({ collection_costs: told }: SettingsOnWire): CollectionCosts {
  const costs = KNOWN_PROVIDERS.map((provider) => [provider, basisPoints(told[provider] ?? 0)]);
  return Object.fromEntries(costs) as CollectionCosts;
}

type HoursOnWire = z.input<typeof workingHoursOnWire>;
type MethodOnWire = z.input<typeof methodOnWire>;

function hoursToWire({ days, fromHour, toHour }: WorkingHours): HoursOnWire {
  return { days: [...days], from_hour: fromHour, to_hour: toHour };
}

function hoursFromWire(wire: HoursOnWire): WorkingHours {
  return { days: wire.days, fromHour: wire.from_hour, toHour: wire.to_hour };
}

function methodToWire({ open, min, step }: MethodSettings): MethodOnWire {
  return { open, min: fcfaToJson(min), step: fcfaToJson(step) };
}

function methodFromWire({ open, min, step }: MethodOnWire): MethodSettings {
  return { open, min: fcfa(min), step: fcfa(step) };
}
